"""The instructions as the file that compiler-explorer shows in its tooltips.

    asm_docs.py [PAGE] > asm-docs-visa.ts

The file belongs in `lib/asm-docs/generated` of compiler-explorer. PAGE is the address of the page that
`genvisa isa --html` writes; tooltips link to its sections.
"""

from __future__ import annotations

import json
import sys
from html import escape
from typing import Any

import genvisa

HEAD = """\
import type {AssemblyInstructionInfo} from '../../../types/assembly-docs.interfaces.js';

export function getAsmOpcode(opcode: string | undefined): AssemblyInstructionInfo | undefined {
    if (!opcode) return;
    switch (opcode.toUpperCase()) {
"""


def section(row: Any) -> str:
    """What a tooltip says about an instruction when it is opened."""
    parts = [f"<p>{escape(row['summary'])}</p>"]
    if row["syntax"]:
        parts.append(f"<pre>{escape(row['syntax'])}</pre>")
    operands = [field for field in row["fields"] if field["role"]]
    if operands:
        items = []
        for field in operands:
            types = f" ({', '.join(field['types'])})" if field["types"] else ""
            text = f"{field['meaning']} {field['role'].capitalize()}{types}."
            items.append(f"<li><code>{field['name']}</code>: {escape(text)}</li>")
        parts.append(f"<ul>{''.join(items)}</ul>")
    if row["example"]:
        text = "\n".join([*row["example"]["declarations"], row["example"]["text"]])
        parts.append(f"<pre>{escape(text)}</pre>")
    return "".join(parts)


def asm_docs(page: str) -> str:
    """The text of the file. Instructions with the same mnemonic share a tooltip."""
    rows: dict[str, list[Any]] = {}
    (data,) = genvisa.isa()
    for row in data["instructions"]:
        rows.setdefault(row["mnemonic"], []).append(row)
    lines = [HEAD]
    for mnemonic, same in sorted(rows.items()):
        info = {
            "tooltip": same[0]["summary"],
            "html": "".join(section(row) for row in same),
            "url": f"{page}#{mnemonic}",
        }
        lines.append(f"        case {json.dumps(mnemonic.upper())}:\n")
        lines.append(f"            return {json.dumps(info)};\n")
    return "".join([*lines, "    }\n}\n"])


if __name__ == "__main__":
    sys.stdout.write(asm_docs(sys.argv[1] if len(sys.argv) > 1 else "isa.html"))
