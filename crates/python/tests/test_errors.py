"""Wrong input raises `genvisa.Error`, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, check_lines

import genvisa


def use(module: genvisa.Module) -> None:
    """Uses everything of a module whose code may be wrong."""
    repr(module)
    module.verify("SKL", groups=["igc", "manual"])
    for routine in module.routines:
        tables = [routine.variables, routine.addresses, routine.predicates, routine.surfaces]
        tables += [routine.samplers, routine.labels, routine.inputs, routine.gen_binaries]
        repr((routine, routine.name, tables, routine.strings))
        repr([attribute.value for attribute in routine.attributes])
        repr([(v.alias, v.size, v.type, v.align, v.attributes) for v in routine.variables])
        decoded = []
        try:
            for instruction in routine.instructions:
                decoded.append(instruction)
                assert instruction.fields()[0]["offset"] == instruction.offset
                repr((instruction, instruction.operands, instruction.reads, instruction.writes))
        except genvisa.Error as error:
            assert error.path[1].startswith(f"instruction {len(decoded)}")
            for action in (lambda: len(routine.instructions), routine.text, module.explain):
                with pytest.raises(genvisa.Error):
                    action()
            [instruction.text for instruction in decoded]
            continue
        assert list(routine.instructions[:]) == decoded
        check_lines(routine.text(numbers=False).split("\n"), decoded)
        routine.text(style="genx-ir", offsets=True)
    try:
        module.text()
        module.explain()
    except genvisa.Error:
        assert not can_be_written(module) or not all(map(can_be_decoded, module.routines))


def can_be_written(module: genvisa.Module) -> bool:
    """Returns whether the module is a file, or a text that has a binary form."""
    try:
        module.to_bytes()
    except genvisa.Error:
        return False
    return True


def can_be_decoded(routine: genvisa.Routine) -> bool:
    try:
        len(routine.instructions)
    except genvisa.Error:
        return False
    return True


def test_truncated_files(tour: bytes) -> None:
    for size in range(len(tour)):
        with pytest.raises(genvisa.Error) as raised:
            genvisa.read(tour[:size])
        error = raised.value
        assert type(error) is genvisa.Error
        assert error.offset is not None and 0 <= error.offset <= len(tour)
        assert f"(offset {error.offset:#x})" in str(error)
        assert str(error).startswith(", ".join(error.path))


def test_changed_bytes(tour: bytes) -> None:
    accepted = 0
    for at, byte in enumerate(tour):
        for value in {0, 1, 0x20, 0x7F, 0xFF, byte ^ 0x80, (byte + 1) % 256} - {byte}:
            try:
                module = genvisa.read(tour[:at] + bytes([value]) + tour[at + 1 :])
            except genvisa.Error:
                continue
            accepted += 1
            use(module)
    assert accepted > 1000


def test_random_bytes() -> None:
    source = random.Random(1)
    for _ in range(500):
        size = source.randrange(200)
        data = b"CISA\x03\x06" + bytes(source.choices(b"\x00\x00\x01\x02\x20\xff", k=size))
        try:
            use(genvisa.read(data))
        except genvisa.Error:
            pass


def test_wrong_instruction(tour: bytes) -> None:
    """Iterating returns the instructions before it."""
    offset = genvisa.read(tour).routines[0].instructions[5].offset
    retired = genvisa.read(tour[:offset] + b"\x3b" + tour[offset + 1 :])
    [routine] = retired.routines
    iterator = iter(routine.instructions)
    assert [next(iterator).mnemonic for _ in range(5)][-1] == "media_ld"
    with pytest.raises(genvisa.Error, match="retired") as raised:
        next(iterator)
    assert raised.value.offset == offset
    assert raised.value.path == ("kernel `tour`", "instruction 5")
    assert list(iterator) == []
    with pytest.raises(genvisa.Error, match="retired"):
        routine.instructions[0]
    assert [finding.rule for finding in retired.verify()] == ["code-decodes"]


def test_truncated_texts(text: Path) -> None:
    source = text.read_bytes()
    for size in range(0, len(source), 7):
        try:
            use(genvisa.parse(source[:size]))
        except genvisa.TextError as error:
            lines = source[:size].count(b"\n") + 1
            assert all(1 <= diagnostic.line <= lines for diagnostic in error.diagnostics)


def test_errors_in_a_text() -> None:
    source = '.version 3.6\n.kernel "k"\n    movv (M1, 1) %null.0 0x1:d\n    ret (M1, 3)\n'
    with pytest.raises(genvisa.TextError) as raised:
        genvisa.parse(source)
    error = raised.value
    assert isinstance(error, genvisa.Error)
    assert (error.line, error.column) == (3, 5)
    assert (error.offset, error.path) == (None, ())
    first, second = error.diagnostics
    assert (first.severity, first.message) == ("error", "unknown instruction `movv`")
    assert first.help == "did you mean `mov`?"
    assert second.line == 4
    assert str(error) == f"{first}\n\n{second}"
    assert " --> 3:5\n" in str(first)


def test_text_without_a_binary_form() -> None:
    module = genvisa.parse('.version 4.2\n.kernel "k"\n    ret (M1, 1)\n')
    assert (module.version, module.dialect) == ("4.2", "igc2026")
    assert module.routines[0].instructions[0].mnemonic == "ret"
    for action in (module.to_bytes, module.explain):
        with pytest.raises(genvisa.Error, match="no binary form"):
            action()


def test_wrong_arguments(tour: bytes) -> None:
    module: Any = genvisa.read(tour)
    read: Any = genvisa.read
    with pytest.raises(ValueError, match="manual, igc2022 or igc2026"):
        read(tour, "igc2023")
    with pytest.raises(ValueError, match="a platform such as SKL"):
        module.verify("Voodoo")
    with pytest.raises(ValueError, match="a group"):
        module.verify(groups=["all"])
    with pytest.raises(ValueError, match="complete or genx-ir"):
        module.text(style="plain")
    with pytest.raises(ValueError, match="a version: 3.0"):
        genvisa.parse("", version="three")
    with pytest.raises(ValueError, match="igc2022"):
        genvisa.parse("", dialect="igc2022", version="4.2")
    with pytest.raises(FileNotFoundError, match="missing.isa"):
        genvisa.read("missing.isa")
    for value in (None, 5, ["tour.isa"]):
        with pytest.raises(TypeError):
            read(value)
    with pytest.raises(TypeError):
        genvisa.parse(DATA)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        genvisa.Module()
