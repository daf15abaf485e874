"""A decoder that knows only what `genvisa.isa()` states finds the fields that the library finds."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import object_files

import genvisa

Field = tuple[str, int, int]

# The texts of these operands depend on the tables of a routine.
IN_TABLES = {"AddressOf", "LabelId", "Labels", "ShortStringId", "StringId"}


class Decoder:
    """Decodes the fields of instructions in a format."""

    def __init__(self, data: Any, format: str) -> None:
        self.types = data["types"]
        self.vectors = data["vector_operands"]
        self.format = format
        self.rows: dict[tuple[int, int | None], Any] = {}
        for row in data["instructions"]:
            if format in row["formats"]:
                self.rows.setdefault((row["opcode"], row["sub_opcode"]), row)
        self.families = {opcode for opcode, sub_opcode in self.rows if sub_opcode is not None}

    def row(self, code: bytes) -> Any:
        is_family = code[0] in self.families
        return self.rows[code[0], code[1] if is_family else None]

    def size(self, ty: str, code: bytes) -> int:
        """Returns the number of bytes of a value at the start of the code."""
        sizes = self.types[ty]["bytes"]
        if sizes is not None:
            return int(sizes[self.format])
        operand_class = code[0] & self.vectors["class_mask"]
        if operand_class == self.vectors["immediate_class"]:
            return int(self.vectors["immediates"][str(code[1])])
        return int(self.vectors["classes"][str(operand_class)][self.format])

    def is_present(self, field: Any, values: dict[str, int]) -> bool:
        if field["formats"] is not None and self.format not in field["formats"]:
            return False
        condition = field["condition"]
        if condition is None:
            return True
        masked = values[condition["field"]] & int(condition["mask"])
        return masked == int(condition["value"])

    def fields(self, code: bytes) -> list[Field]:
        """Returns the names, offsets and sizes of the fields after the opcode and the sub-opcode."""
        row = self.row(code)
        at = 1 if row["sub_opcode"] is None else 2
        values: dict[str, int] = {}
        fields = []
        for field in row["fields"]:
            if not self.is_present(field, values):
                continue
            for _ in range(1 if field["times"] is None else values[field["times"]]):
                size = self.size(field["type"], code[at:])
                fields.append((field["name"], at, size))
                values[field["name"]] = int.from_bytes(code[at : at + size], "little")
                at += size
        return fields


def explained(isa: Path, tool: Path) -> Any:
    """Returns what `genvisa explain` prints of a file."""
    command = [str(tool), "explain", "--json", str(isa)]
    return json.loads(subprocess.run(command, capture_output=True, check=False).stdout)[0]


def instructions_of(file: Any) -> list[Any]:
    return [one for group in file["groups"] for one in group.get("instructions") or []]


@pytest.fixture(scope="module")
def data() -> Any:
    (data,) = genvisa.isa()
    return data


def test_the_data_decode_files(data: Any, tool: Path) -> None:
    count = 0
    for isa in object_files():
        if isa.name == "manual.isa":
            continue
        file, bytes_of_file = explained(isa, tool), isa.read_bytes()
        decoder = Decoder(data, f"{file['dialect']} {file['version']}")
        lists = {field["name"] for row in data["instructions"] for field in row["fields"] if field["times"]}
        for one in instructions_of(file):
            start, end = one["offset"], one["offset"] + one["size"]
            found = decoder.fields(bytes_of_file[start:end])
            expected = [
                (field["name"], field["offset"] - start, field["size"])
                for field in one["fields"]
                if field["name"] not in ("opcode", "sub_opcode")
            ]
            # The elements of lists have names that the instruction determines.
            names = [one[0] for one in found]
            assert [one[1:] for one in found] == [one[1:] for one in expected], (isa, one)
            assert all(a in lists or a == b for a, (b, _, _) in zip(names, expected)), (isa, one)
            count += 1
    assert count > 10


def test_examples_verify_and_have_their_bytes(data: Any) -> None:
    with_examples = [row for row in data["instructions"] if row["example"]]
    assert len(with_examples) > 0.9 * len(data["instructions"])
    for row in with_examples:
        example = row["example"]
        if example["bytes"] is None:
            continue
        dialect, version = example["format"].split(" ")
        instruction = genvisa.Instruction.from_bytes(
            bytes.fromhex(example["bytes"]), dialect=dialect, version=version
        )
        types = {field["type"] for field in row["fields"]}
        if not types & IN_TABLES:
            assert instruction.text.split(" //@")[0] == example["text"], row["mnemonic"]


def pattern(data: Any, row: Any, one: Any) -> str:
    """Returns a pattern of the text of an instruction: the syntax, with the values of its fields for their names."""
    values = {field["name"]: field["value"] for field in one["fields"]}
    of_tables = {field["name"] for field in row["fields"] if field["type"] in IN_TABLES}

    def part(token: str) -> str:
        if token == "[(pred)]":
            return "" if values.get("pred", "-") == "-" else re.escape(values["pred"])
        name = token.strip("(.)")
        if token.startswith("[") or name in of_tables or name not in values:
            return ".*"
        return re.escape(values[name] if token == "(exec)" else token.replace(name, values[name]))

    syntax = row["syntax"].replace(row["mnemonic"], "\0", 1)
    tokens = re.findall(r"\[[^]]*\]|\0|\.?\(?[a-z_0-9]+\)?|[^ ]", syntax)
    types = [data["types"][field["type"]] for field in row["fields"] if field["name"] == "op"]
    operations = {value["text"] for one_type in types for value in one_type["values"]}
    mnemonic = re.escape(values["op"] if row["mnemonic"] in operations else row["mnemonic"])
    parts = [mnemonic if token == "\0" else part(token) for token in tokens]
    return r"\s*".join(parts)


def test_texts_have_the_syntax_that_the_data_state(data: Any, tool: Path) -> None:
    """The order of the operands is that of the syntax, and each of them is the field that the syntax names."""
    rows = {row["mnemonic"]: row for row in data["instructions"]}
    seen = set()
    for isa in object_files():
        file, bytes_of_file = explained(isa, tool), isa.read_bytes()
        for one in instructions_of(file):
            row = rows.get(one["mnemonic"])
            # Text has no mnemonic of a label, and states numbers of the others in other words.
            if row is None or one["mnemonic"] in ("gather", "label", "raw_send", "scatter"):
                continue
            code = bytes_of_file[one["offset"] : one["offset"] + one["size"]]
            text = genvisa.Instruction.from_bytes(
                code, dialect=file["dialect"], version=str(file["version"])
            ).text
            expected = pattern(data, row, one)
            assert re.fullmatch(expected, text.split(" //@")[0].strip()), (text, expected)
            seen.add(one["mnemonic"])
    assert len(seen) > 10


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_tooltips_of_compiler_explorer_have_all_mnemonics(data: Any, tmp_path: Path) -> None:
    script = Path(__file__).parents[1] / "examples" / "asm_docs.py"
    text = subprocess.run(
        [sys.executable, str(script), "https://example.org/isa.html"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout
    # Node.js does not know the types.
    text = re.sub(r"^import .*\n", "", text)
    text = re.sub(r"\(opcode: .*\{$", "(opcode) {", text, flags=re.MULTILINE)
    module = tmp_path / "docs.mjs"
    mnemonics = sorted({row["mnemonic"] for row in data["instructions"]})
    calls = f"console.log(JSON.stringify({json.dumps(mnemonics)}.map(getAsmOpcode)));"
    module.write_text(f"{text}\n{calls}\nif (getAsmOpcode('no such')) throw 0;", "utf-8")
    printed = subprocess.run(["node", str(module)], capture_output=True, check=True).stdout
    for mnemonic, info in zip(mnemonics, json.loads(printed)):
        rows = [row for row in data["instructions"] if row["mnemonic"] == mnemonic]
        assert info["tooltip"] == rows[0]["summary"]
        assert info["url"] == f"https://example.org/isa.html#{mnemonic}"
        for row in rows:
            if row["example"]:
                assert html.escape(row["example"]["text"]) in info["html"]
