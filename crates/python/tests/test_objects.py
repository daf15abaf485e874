"""The objects of a module."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, ROOT

import genvisa


@pytest.fixture
def routine(tour: bytes) -> genvisa.Routine:
    return genvisa.read(tour).routines[0]


def test_version_is_that_of_the_crate() -> None:
    manifest = (ROOT / "Cargo.toml").read_text()
    version = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)
    assert version is not None
    assert genvisa.__version__ == version[1]
    assert metadata("genvisa")["Version"] == version[1].replace("-dev", ".dev0")
    assert metadata("genvisa")["License-Expression"] == "MIT"


def test_read_accepts_paths_and_bytes(tour: bytes) -> None:
    path = DATA / "tour.isa"
    sources: list[Any] = [path, str(path), tour, bytearray(tour)]
    for source in sources:
        assert genvisa.read(source).to_bytes() == tour


def test_file_is_reproduced(isa: Path) -> None:
    module = genvisa.read(isa, "manual" if isa.name == "manual.isa" else "igc2022")
    assert module.to_bytes() == isa.read_bytes()


def test_text_is_reproduced(text: Path) -> None:
    module = genvisa.parse(text.read_text())
    again = genvisa.parse(module.text())
    assert again.text() == module.text()
    assert (again.version, again.dialect) == (module.version, module.dialect)


def test_parse_returns_warnings() -> None:
    source = (DATA / "wrong" / "annotation.visaasm").read_text()
    [warning] = genvisa.parse(source).warnings
    assert (warning.severity, warning.line) == ("warning", 3)
    assert genvisa.read(DATA / "tour.isa").warnings == ()


def test_parse_in_another_version() -> None:
    source = '.version 3.6\n.kernel "k"\n    ret (M1, 1)\n'
    assert genvisa.parse(source).version == "3.6"
    module = genvisa.parse(source, version="3.2", dialect="igc2026")
    assert (module.version, module.dialect) == ("3.2", "igc2026")
    assert module.to_bytes()[4:6] == b"\x03\x02"


def test_kernels_and_functions() -> None:
    kernel = '.version 3.6\n.kernel "k"\n    ret (M1, 1)\n'
    module = genvisa.parse(f'.version 3.6\n.global_function "f"\n    fret (M1, 1)\n{kernel}')
    assert [kernel.name for kernel in module.kernels] == ["k"]
    assert [function.name for function in module.functions] == ["f"]
    assert [i.mnemonic for i in module.functions[0].instructions] == ["fret"]
    assert module.routines == module.kernels + module.functions
    assert [(routine.kind, routine.index) for routine in module.routines] == [
        ("kernel", 0),
        ("function", 1),
    ]


def test_declarations(routine: genvisa.Routine) -> None:
    level = routine.variables[0]
    assert (level.name, level.type, level.num_elements, level.size) == ("level", "ud", 8, 32)
    assert (level.align, level.alias, level.alias_offset) == ("GRF", None, 0)
    assert (level.id.table, level.id.number, str(level.id)) == ("variable", 32, "level")
    assert [(surface.id.number, surface.name) for surface in routine.surfaces] == [
        (6, "texture"),
        (7, "image"),
        (8, "target"),
    ]
    assert [(label.name, label.kind) for label in routine.labels] == [
        ("entry", "subroutine"),
        ("done", "block"),
    ]
    assert [sampler.name for sampler in routine.samplers] == ["linear"]
    assert [(predicate.name, predicate.num_elements) for predicate in routine.predicates] == [
        ("lit", 8)
    ]
    [entry] = routine.inputs
    assert (entry.name, entry.kind, entry.offset, entry.size) == ("x", "general", 32, 4)
    [target] = routine.attributes
    assert (target.name, target.value) == ("Target", 1)
    [binary] = routine.gen_binaries
    assert (binary.platform, binary.platform_name, len(binary.bytes)) == (5, "SKL", 16)
    assert routine.strings[1] == "tour"


def test_aliases() -> None:
    source = (
        '.version 3.6\n.kernel "k"\n.decl x v_type=G type=d num_elts=8 align=GRF\n'
        ".decl y v_type=G type=b num_elts=4 alias=<x, 4>\n    ret (M1, 1)\n"
    )
    x, y = genvisa.parse(source).routines[0].variables
    assert (y.alias, y.alias_offset) == (x.id, 4)


def test_operands(routine: genvisa.Routine) -> None:
    load = routine.instructions[4]
    assert (load.mnemonic, load.opcode, load.kind) == ("media_ld", 0x37, "data_port")
    assert load.text == "media_ld.nomod (16,8) T7 0 x(0,0)<0;1,0> 0x4:ud block.0"
    assert str(load) == load.text
    found = [(operand.field, operand.kind, operand.name) for operand in load.operands]
    assert found == [
        ("surface", "surface", "image"),
        ("x_offset", "variable", "x"),
        ("y_offset", "immediate", "0x4:ud"),
        ("dst", "raw", "block"),
    ]
    assert load.operand("x_offset").text == "V45(0,0)<0;1,0>"
    assert load.operand("y_offset").value == 4
    assert (load.operand("y_offset").id, load.operand("surface").value) == (None, None)
    assert [operand.is_written for operand in load.operands] == [False, False, False, True]
    with pytest.raises(KeyError, match="media_ld has no operand `src0`"):
        load.operand("src0")
    assert [read.name for read in load.reads] == ["image", "x"]
    assert [written.name for written in load.writes] == ["block"]


def test_constants_have_values(routine: genvisa.Routine) -> None:
    add = routine.instructions[8]
    assert add.operand("src1").value == 1.0
    assert add.operand("pred").name == "lit"
    assert [(read.table, read.name) for read in add.reads] == [
        ("predicate", "lit"),
        ("variable", "depth"),
    ]


def test_fields(routine: genvisa.Routine) -> None:
    load = routine.instructions[4]
    fields = {field["name"]: field for field in load.fields()}
    assert fields["opcode"]["value"] == "media_ld"
    assert fields["surface"]["value"] == "T7"
    assert fields["surface"]["offset"] == load.offset + load.bytes.index(b"\x07", 1)
    assert [part["name"] for part in fields["x_offset"]["parts"]][0] == "tag"
    assert sum(field["size"] for field in fields.values()) == load.size == len(load.bytes)
    label = routine.instructions[9].fields()[1]
    assert (label["value"], label["meaning"]) == ("label 1", "done")


def test_instructions_are_a_sequence(routine: genvisa.Routine) -> None:
    instructions = routine.instructions
    everything = list(instructions)
    assert len(instructions) == len(everything) == 14
    assert [instruction.index for instruction in everything] == list(range(14))
    assert everything == list(instructions)
    assert instructions[-1] == everything[13] == instructions[13]
    for chosen in (slice(2, 5), slice(None, None, -1), slice(-3, None), slice(20, 30), slice(0, 9, 4)):
        assert instructions[chosen] == everything[chosen]
    for index in (14, -15, 1 << 40):
        with pytest.raises(IndexError):
            instructions[index]
    with pytest.raises(TypeError):
        instructions["0"]  # type: ignore[call-overload]


def test_equality_and_hashes(tour: bytes) -> None:
    module, other = genvisa.read(tour), genvisa.read(tour)
    assert module.routines[0] == module.kernels[0] != other.routines[0]
    first, again = (module.routines[0].instructions[1] for _ in range(2))
    assert first == again and len({first, again}) == 1
    assert first != module.routines[0].instructions[2]
    assert first != other.routines[0].instructions[1]
    assert first.routine == module.routines[0]
    assert first.operand("dst").id == module.routines[0].variables[0].id
    assert (first == 1) is False


def test_objects_are_immutable(routine: genvisa.Routine) -> None:
    load = routine.instructions[4]
    objects: list[Any] = [routine, load, load.operands[0], load.operands[0].id, routine.variables[0]]
    for value in objects:
        for name in ("name", "mnemonic", "new"):
            with pytest.raises(AttributeError):
                setattr(value, name, "x")


def test_objects_keep_the_file_alive(tour: bytes) -> None:
    path_free = bytes(bytearray(tour))
    instruction = genvisa.read(path_free).routines[0].instructions[4]
    del path_free
    gc.collect()
    assert instruction.bytes == tour[instruction.offset : instruction.offset + instruction.size]
    assert instruction.routine.name == "tour"


def test_instructions_do_not_copy_the_file() -> None:
    """20000 instructions of a file of 400 KB would need 8 GB."""
    program = """
import genvisa, resource
line = "    mov (M1, 8) x(0,0)<1> 0x1:d\\n"
source = '.version 3.6\\n.kernel "k"\\n.decl x v_type=G type=d num_elts=8 align=GRF\\n'
data = genvisa.parse(source + 20000 * line).to_bytes()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
instructions = list(genvisa.read(data).routines[0].instructions)
assert len(instructions) == 20000 and instructions[-1].text == line.strip()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    pytest.importorskip("resource")
    command = [sys.executable, "-c", program]
    growth = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert int(growth) < 64 * 1024


def test_objects_with_a_buffer(tour: bytes) -> None:
    text = genvisa.read(tour).text()
    for file in (bytearray(tour), memoryview(tour)):
        assert genvisa.read(file).text() == text
    assert genvisa.parse(memoryview(text.encode())).text() == text
    with pytest.raises(TypeError):
        genvisa.parse(3)  # type: ignore[arg-type]


FIVE = [
    ("info_3d", "resinfo.RGBA (M1, 8)  T6 V32.0 V33.0", "RESINFO (8) T6 V32.0 V33.0"),
    (
        "media_ld",
        "media_ld.top (32,8) T6 0 V33(0,0)<0;1,0> 0x10:ud V34.0",
        "MEDIA_LD.2 (32, 8) T6 0 V33(0,0)<0;1,0> 0x10:ud V34.0",
    ),
    (
        "rt_write_3d",
        "rt_write_3d.<RTI><Z><LRTW> (M1, 8) T6 %null.0 0x1:ub V32.0 V33.0 V34.0 V35.0 V36.0",
        "RT_WRITE.<LRTW><RTI><Z> (8) T6 0x1:ub V32.0 V33.0 V34.0 V35.0 V36.0",
    ),
    (
        "gather4_typed",
        "gather4_typed.RG (M1, 8) T6 V32.0 V33.0 %null.0 %null.0 V34.64",
        "GATHER4_TYPED.RG (8) T6 V32.0 V33.0 %null.0 %null.0 V34.64",
    ),
    (
        "sample_3d",
        "sample_3d.RGBA (M1, 8)  0x0:uw S0 T6 V34.0 %null.0 V32.0 V33.0",
        "SAMPLE_3d.RGBA (8) 0x0:uw S0 T6 V34.0 V32.0 V33.0",
    ),
]


@pytest.mark.parametrize("mnemonic, line, manual", FIVE)
def test_instruction_without_module(mnemonic: str, line: str, manual: str) -> None:
    parsed = genvisa.Instruction.parse(line)
    decoded = genvisa.Instruction.from_bytes(parsed.bytes)
    assert (decoded.mnemonic, decoded.text.split(" //@")[0].strip()) == (mnemonic, line)
    assert decoded.bytes == parsed.bytes
    other = genvisa.Instruction.parse(manual, "manual")
    again = genvisa.Instruction.from_bytes(other.bytes, "manual")
    assert again.text.split(" //@")[0].strip() == manual
    names = [field["name"] for field in decoded.fields()]
    assert names == [field["name"] for field in parsed.fields()]
    # The destination of a message, or the first color.
    field = "r" if mnemonic == "rt_write_3d" else "dst"
    assert field in names
    assert decoded.operand(field).field == field


def test_instruction_without_module_has_errors() -> None:
    with pytest.raises(genvisa.TextError, match="`x` is not declared"):
        genvisa.Instruction.parse("mov (M1, 8) x(0,0)<1> 0x1:d")
    with pytest.raises(genvisa.Error, match="unknown info operation"):
        genvisa.Instruction.from_bytes(b"\x70\x0c\x03")
    with pytest.raises(genvisa.Error):
        genvisa.Instruction.from_bytes(b"\x59\x59")
    with pytest.raises(TypeError, match="is bytes"):
        genvisa.Instruction.from_bytes("Y")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no binary form"):
        genvisa.Instruction.parse("ret (M1, 1)", "igc2026", "4.2")
