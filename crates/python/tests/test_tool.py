"""The package gives the same answers as the tool."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import check_lines

import genvisa


def run(tool: Path, *args: str | Path) -> str:
    command = [str(tool), *map(str, args)]
    # `verify` exits with 1 if there are findings.
    return subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.decode()


def dialect_of(isa: Path) -> str:
    return "manual" if isa.name == "manual.isa" else "igc2022"


def read(isa: Path) -> genvisa.Module:
    return genvisa.read(isa, "manual" if dialect_of(isa) == "manual" else "igc2022")


@pytest.mark.parametrize("style", ["complete", "genx-ir"])
def test_text(isa: Path, style: Any, tool: Path) -> None:
    dialect = dialect_of(isa)
    expected = run(tool, "dis", "--dialect", dialect, "--style", style, isa)
    assert len(expected) > 500
    module = read(isa)
    assert module.text(style=style) == expected
    texts = [routine.text(style=style) for routine in module.routines]
    if style == "complete":
        # Only the first routine of a file states the version.
        texts[1:] = [text.split("\n", 1)[1] for text in texts[1:]]
    routines = "\n".join(texts)
    assert expected.endswith(routines)
    assert re.fullmatch(r"(//@.*\n)*\n?", expected[: -len(routines)])


def test_text_with_offsets_and_without_numbers(isa: Path, tool: Path) -> None:
    options = ["--offsets", "--no-numbers"]
    expected = run(tool, "dis", "--dialect", dialect_of(isa), *options, isa)
    assert read(isa).text(offsets=True, numbers=False) == expected
    # The tool prints the offset and the bytes of each instruction before it.
    printed = re.findall(r"^0x([0-9a-f]{6,})((?: [0-9a-f]{2})+)", expected, re.MULTILINE)
    instructions = [i for routine in read(isa).routines for i in routine.instructions]
    assert [(int(offset, 16), bytes.fromhex(code)) for offset, code in printed] == [
        (i.offset, i.bytes) for i in instructions
    ]


def test_lines_of_instructions(isa: Path, tool: Path) -> None:
    """`Instruction.text` is the line of the instruction in the output of the tool."""
    expected = run(tool, "dis", "--dialect", dialect_of(isa), "--no-numbers", isa)
    lines = iter(expected.split("\n"))
    for routine in read(isa).routines:
        check_lines(lines, routine.instructions)


def finding_of(json_finding: dict[str, Any]) -> dict[str, Any]:
    # The package states the index of the routine; its kind and name are in the path. Only errors of the parser have hints.
    others = {"file", "hint", "kind", "routine"}
    return {name: value for name, value in json_finding.items() if name not in others}


def attributes_of(finding: genvisa.Finding, names: dict[str, Any]) -> dict[str, Any]:
    attributes = {name: getattr(finding, name) for name in names}
    return {**attributes, "path": list(attributes["path"])}


@pytest.mark.parametrize("platform", [None, "SKL", "Xe2"])
def test_findings(isa: Path, platform: str | None, tool: Path) -> None:
    options = ["--platform", platform] if platform else []
    options += ["--group", "igc,manual", "--dialect", dialect_of(isa)]
    expected = [finding_of(f) for f in json.loads(run(tool, "verify", "--json", *options, isa))]
    findings = read(isa).verify(platform, groups=["igc", "manual"])
    assert len(findings) == len(expected)
    assert [attributes_of(f, e) for f, e in zip(findings, expected)] == expected
    by_default = json.loads(run(tool, "verify", "--json", "--dialect", dialect_of(isa), isa))
    assert len(read(isa).verify()) == len(by_default)


def test_findings_in_texts(text: Path, tool: Path) -> None:
    expected = [finding_of(f) for f in json.loads(run(tool, "verify", "--json", text))]
    findings = genvisa.parse(text.read_bytes()).verify()
    assert [attributes_of(f, e) for f, e in zip(findings, expected)] == expected
    assert len(findings) == len(expected)
    assert (text.name == "illegal.visaasm") <= (len(findings) > 0)


TEXT_4_2 = """\
.version 4.2
.kernel "k"
.decl x v_type=G type=ud num_elts=16 align=GRF
mov (M1, 16) x(0,0)<1> 0x1:ud
ret (M1, 1)
"""


@pytest.mark.parametrize("comments", ["", "//Platform: XE2\n"])
@pytest.mark.parametrize("platform", [None, "TGLLP"])
def test_warning_of_assumed_registers(
    comments: str, platform: str | None, tool: Path, tmp_path: Path
) -> None:
    """The package warns if the tool warns."""
    path = tmp_path / "k.visaasm"
    path.write_text(TEXT_4_2 + comments)
    options = ["--platform", platform] if platform else []
    command = [str(tool), "verify", *options, str(path)]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert genvisa.parse(TEXT_4_2 + comments).verify(platform) == []
    assert ("are assumed" in expected) == (not comments and not platform)
    assert [warning.category for warning in found] == (
        [genvisa.AssumptionWarning] if "are assumed" in expected else []
    )
    for warning in found:
        assert "registers of 32 bytes are assumed" in str(warning.message)
        assert warning.filename == __file__


class Explanation:
    """The lines that `genvisa explain --parts` prints."""

    OFFSET = slice(2, 10)
    BYTES = slice(12, 41)
    NAME = 43
    VALUE = 67

    def __init__(self, text: str) -> None:
        # Remarks about GEN binaries, padding and removed code are not fields.
        remark = re.compile(r"gen binary \d+ of |padding: |code removed ")
        self.lines = [line for line in text.split("\n") if line and not remark.match(line)]
        self.at = 0

    def next(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def check_heading(self, name: str, field: genvisa.Field) -> None:
        assert self.next() == f"{name} at {field['offset']:#x}"

    def check(self, field: genvisa.Field, depth: int, file: bytes, strings: set[str]) -> None:
        """Compares a field and its parts with the next lines."""
        line, rows, column = self.next(), [], []
        assert line[self.OFFSET] == f"0x{field['offset']:06x}", (line, field)
        name = "  " * depth + field["name"]
        rest = line[self.NAME :]
        assert rest.startswith(name), (line, field)
        rows.append(line[self.BYTES])
        column.append(rest[len(name) :])
        # The rest of long values and meanings, and of the bytes.
        while self.at < len(self.lines) and self.lines[self.at].startswith(" " * 12):
            line = self.next()
            (column if line.startswith(" " * self.VALUE) else rows).append(line.strip())
        if not field["parts"]:
            end = field["offset"] + field["size"]
            assert bytes.fromhex("".join(rows)) == file[field["offset"] : end], (line, field)
        printed = "".join("".join(column).split())
        value = "".join(field["value"].split())
        assert printed.startswith(value), (line, field)
        meaning = printed[len(value) :]
        if meaning != "".join(field["meaning"].split()):
            # The name of a string or label, which the tool quotes, escapes and shortens.
            assert field["meaning"] in strings
            quoted = '"' + re.sub(r"""([\\"'])""", r"\\\1", field["meaning"]) + '"'
            assert meaning == (quoted if len(quoted) <= 28 else f"{quoted[:28]}...")
        for part in field["parts"]:
            self.check(part, depth + 1, file, strings)


def test_explanation(isa: Path, tool: Path) -> None:
    """Every field has the offset, bytes, name, value and meaning that the tool prints."""
    text = run(tool, "explain", "--parts", "--dialect", dialect_of(isa), isa)
    printed, module, file = Explanation(text), read(isa), isa.read_bytes()
    groups = module.explain()
    assert len(groups) == 1 + len(module.routines)
    for index, group in enumerate(groups):
        strings: set[str] = set()
        code: list[genvisa.Field] = []
        if index > 0:
            routine = module.routines[index - 1]
            strings = set(routine.strings)
            code = [field for instruction in routine.instructions for field in instruction.fields()]
        printed.check_heading(f"{group['name']},", group)
        in_code: list[genvisa.Field] = []
        for part in group["parts"]:
            if not re.match(r"instruction \d+$", part["name"]):
                printed.check(part, 0, file, strings)
                continue
            count = f"{part['size']} byte{'' if part['size'] == 1 else 's'}"
            printed.check_heading(f"{part['name']}: {part['value']}, {count}", part)
            for field in part["parts"]:
                printed.check(field, 0, file, strings)
            in_code += part["parts"]
        assert in_code == code
    assert printed.at == len(printed.lines)
