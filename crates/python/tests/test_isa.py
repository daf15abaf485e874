"""A decoder that knows only what `genvisa.isa()` states finds the fields that the library finds."""

from __future__ import annotations

import json
import subprocess
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
