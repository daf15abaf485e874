"""Analysis and editing of routines."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from conftest import DATA

import genvisa


def read(isa: Path) -> genvisa.Module:
    return genvisa.read(isa, "manual" if isa.name == "manual.isa" else "igc2022")


def test_graphs_and_pressure(isa: Path, tool: Path) -> None:
    """They are those of `genvisa cfg`."""
    module = read(isa)
    command = [str(tool), "cfg", "--format", "json", "--registers", "32"]
    command += ["--dialect", module.dialect, str(isa)]
    printed = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    assert len(printed) == len(module.routines)
    for routine, expected in zip(module.routines, printed):
        analysis = routine.analysis(registers=32)
        peak = expected["peak"]
        assert analysis.peak == (peak and (peak["instruction"], peak["registers"]))
        registers = [count for block in expected["blocks"] for count in block["registers"]]
        assert analysis.pressure == registers
        assert [block["block"] for block in expected["blocks"]] == [b.index for b in analysis.blocks]
        for json_block, block in zip(expected["blocks"], analysis.blocks):
            assert json_block["first"] == block.instructions.start
            assert len(json_block["instructions"]) == len(block.instructions)
            for successor in block.successors:
                assert block.index in analysis.blocks[successor].predecessors
        loops = [(loop["header"], loop["depth"]) for loop in expected["loops"]]
        assert [(loop.header, loop.depth) for loop in analysis.loops] == loops
        for loop in analysis.loops:
            assert all(analysis.blocks[block].loop_depth >= loop.depth for block in loop.blocks)


SUM = """\
.version 3.6
.kernel "sum"
.decl x v_type=G type=d num_elts=8 align=GRF
.decl y v_type=G type=d num_elts=8 align=GRF
.decl z v_type=G type=d num_elts=8 align=GRF
mov (M1, 8) x(0,0)<1> 0x1:d
mov (M1, 8) y(0,0)<1> 0x2:d
mov (M1, 8) x(0,0)<1> 0x3:d
add (M1, 8) z(0,0)<1> x(0,0)<1;1,0> y(0,0)<1;1,0>
mov (M1, 8) x(0,0)<1> z(0,0)<1;1,0>
"""


def test_values() -> None:
    (routine,) = genvisa.parse(SUM).routines
    analysis = routine.analysis(registers=32)
    x, y, z = (variable.id for variable in routine.variables)
    assert analysis.pressure == [0, 0, 1, 2, 1]
    assert analysis.live(3) == [(x, 32), (y, 32)]
    assert analysis.definitions(3, x) == [2]
    assert analysis.uses(0, x) == []
    assert analysis.uses(3, z) == [4]
    accesses = [(one.root, one.kind, one.ranges) for one in analysis.accesses(3)]
    assert sorted(accesses, key=lambda access: access[0].number) == [
        (x, "read", [(0, 32)]),
        (y, "read", [(0, 32)]),
        (z, "write", [(0, 32)]),
    ]
    assert {one.condition for one in analysis.accesses(3)} == {"active_lanes"}
    assert repr(analysis) == "<Analysis: 1 blocks, 0 loops, peak of 2 registers>"
    with pytest.raises(IndexError):
        analysis.live(5)
    with pytest.warns(genvisa.AssumptionWarning, match="registers of 32 bytes"):
        genvisa.parse(SUM.replace("3.6", "4.2")).routines[0].analysis()


def test_unchanged_instructions_give_the_same_module(isa: Path) -> None:
    module = read(isa)
    for routine in module.routines:
        same = routine.with_instructions(routine.instructions)
        assert same.text() == module.text()


def test_editing() -> None:
    (routine,) = genvisa.parse(SUM).routines
    kept = [one for one in routine.instructions if one.index != 0]
    edited = routine.with_instructions([kept[0], "mul (M1, 8) y(0,0)<1> y(0,0)<1;1,0> 0x5:d", *kept[1:]])
    expected = SUM.replace("mov (M1, 8) x(0,0)<1> 0x1:d\n", "").replace(
        "0x2:d\n", "0x2:d\nmul (M1, 8) y(0,0)<1> y(0,0)<1;1,0> 0x5:d\n"
    )
    assert edited.text() == genvisa.parse(expected).text()
    assert genvisa.read(edited.to_bytes()).text() == edited.text()
    # The original is unchanged.
    assert len(routine.instructions) == 5
    (other,) = edited.routines
    with pytest.raises(ValueError, match="belongs to another routine"):
        routine.with_instructions(other.instructions)
    with pytest.raises(genvisa.TextError, match="`w` is not declared"):
        routine.with_instructions(["mov (M1, 8) w(0,0)<1> 0x1:d"])
    with pytest.raises(ValueError, match="names a label"):
        routine.with_instructions(["there:"])
    with pytest.raises(ValueError, match="is not one line"):
        routine.with_instructions(["ret (M1, 1)\nret (M1, 1)"])


def test_notebooks() -> None:
    module = genvisa.read(DATA / "tour.isa")
    html = module._repr_html_()
    assert html.startswith("<pre>.version 3.6\n") and "level(0,0)&lt;1&gt;" in html
    assert "level(0,0)&lt;1&gt;" in module.routines[0]._repr_html_()
