"""The functions about files return what the commands print."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, ROOT

import genvisa


def printed(tool: Path, *args: str | Path) -> Any:
    command = [str(tool), *map(str, args)]
    output = subprocess.run(command, capture_output=True, check=False).stdout
    return json.loads(output or b"[]")


def dialect_of(isa: Path) -> str:
    return "manual" if isa.name == "manual.isa" else "igc2022"


@pytest.mark.filterwarnings("ignore::genvisa.AssumptionWarning")
@pytest.mark.parametrize("command", ["stats", "info", "verify"])
def test_lists(command: str, isa: Path, tool: Path) -> None:
    expected = printed(tool, command, "--json", "--dialect", dialect_of(isa), isa)
    answer = getattr(genvisa, command)(isa, dialect=dialect_of(isa))
    assert answer == expected
    assert command == "verify" or answer


def test_device_binaries(tool: Path) -> None:
    folder = DATA.parent.parent / "crates/container/tests/data"
    answer = genvisa.info(folder)
    assert answer == printed(tool, "info", "--json", folder)
    spills = {kernel["name"]: kernel["spill_size"] for kernel in answer[0]["kernels"]}
    # ocloc says that 298 registers of 32 bytes are spilled.
    assert spills == {"reversed": 0, "sorted": 0, "spilled": 298 * 32}


def test_compared_kernels(tool: Path) -> None:
    folder = DATA.parent.parent / "crates"
    binary = folder / "interp/tests/data/scale-bmg.bin"
    edited = folder / "equiv/tests/data/scale-edited.visaasm"
    answer = genvisa.equiv(binary, edited)
    assert answer == printed(tool, "equiv", "--json", binary, edited)
    assert [one["verdict"] for one in answer] == ["differ"]
    assert [one["verdict"] for one in genvisa.equiv(binary, edited, arg="n=1", runs=4)] == ["equal"]


def test_graphs(isa: Path, tool: Path) -> None:
    expected = printed(tool, "cfg", "--format", "json", "--dialect", dialect_of(isa), isa)
    assert genvisa.cfg(isa, dialect=dialect_of(isa)) == expected
    # Some files have no code but that of the GPU.
    dialect: Any = dialect_of(isa)
    instructions = [len(one.instructions) for one in genvisa.read(isa, dialect).routines]
    blocks = [len(graph["blocks"]) for graph in expected]
    assert list(map(bool, blocks)) == list(map(bool, instructions))


COLLATZ = [DATA / "collatz.visaasm", DATA / "collatz-2.visaasm"]


@pytest.mark.filterwarnings("ignore::genvisa.AssumptionWarning")
def test_differences(tool: Path) -> None:
    assert genvisa.diff(*COLLATZ) == printed(tool, "diff", "--json", *COLLATZ)
    assert len(genvisa.diff(*COLLATZ)) == 1
    assert genvisa.diff(COLLATZ[0], COLLATZ[0]) == []
    text = genvisa.diff_text(*COLLATZ, no_stats=True, unified=0)
    changes = [line for line in text.splitlines() if line.startswith("+    ")]
    assert [line.split()[1] for line in changes] == ["shl", "add"]
    assert "+    shl (M1, 16) V35(0,0)&lt;1&gt;" in text._repr_html_()


def test_sources(tool: Path) -> None:
    source = DATA / "inline" / "scale.cl"
    expected = printed(tool, "check", "--json", "--platform", "bmg", source)
    assert genvisa.check(source, platform="bmg") == expected
    assert expected[0]["blocks"]


def test_errors_of_a_source() -> None:
    folder = DATA / "inline"
    # One of the files has wrong hints.
    with pytest.raises(genvisa.ToolError, match="hint: the block has no such operand") as error:
        genvisa.check(folder, platform="bmg")
    assert len(error.value.answer) > 5


def test_objects_in_files(tour: bytes, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fnot an ELF file" + tour + bytes(64))
    (found,) = genvisa.extract(program)
    assert [one["routines"] for one in found["objects"]] == [["tour"]]
    genvisa.extract(program, out_dir=tmp_path / "objects")
    (written,) = (tmp_path / "objects").iterdir()
    assert written.read_bytes() == tour
    genvisa.pack(program, written, output=tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == program.read_bytes()
    (routine,) = genvisa.stats(f"{program}!1")
    assert routine["totals"]["instructions"] == 14


def test_text(tool: Path) -> None:
    text = COLLATZ[0].read_text()
    expected = subprocess.run([tool, "fmt", COLLATZ[0]], stdout=subprocess.PIPE, check=True).stdout
    assert genvisa.format(text) == expected.decode()
    plain = (DATA / "plain.visaasm").read_bytes()
    assert genvisa.read(genvisa.assemble(plain)).to_bytes() == genvisa.assemble(plain)
    with pytest.raises(genvisa.TextError) as error:
        genvisa.format(".kernel \n")
    assert error.value.line == 1


def test_a_failure_keeps_the_answers_about_other_files(tmp_path: Path) -> None:
    (tmp_path / "good.visaasm").write_bytes((DATA / "plain.visaasm").read_bytes())
    (tmp_path / "wrong.visaasm").write_text('.version 3.6\n.kernel "k"\nadd\n')
    with pytest.raises(genvisa.ToolError, match="wrong.visaasm:3:4") as error:
        genvisa.stats(tmp_path)
    assert [Path(one["file"]).name for one in error.value.answer] == ["good.visaasm"]
    with pytest.raises(genvisa.ToolError, match="unexpected argument '--no-such-option'"):
        genvisa.stats(tmp_path, no_such_option=1)


def test_warnings(tmp_path: Path) -> None:
    text = tmp_path / "k.visaasm"
    text.write_text('.version 4.2\n.kernel "k"\nret (M1, 1)\n')
    with pytest.warns(genvisa.AssumptionWarning, match="registers of 32 bytes are assumed") as found:
        genvisa.stats(text)
    assert found[0].filename == __file__


def test_errors_of_read_suggest_a_function(tmp_path: Path) -> None:
    with pytest.raises(genvisa.Error, match="this is text, which `genvisa.parse` reads") as error:
        genvisa.read(COLLATZ[0])
    assert error.value.file == COLLATZ[0]
    (tmp_path / "library").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(100))
    with pytest.raises(genvisa.Error, match="`genvisa.extract` finds"):
        genvisa.read(tmp_path / "library")


def test_pages() -> None:
    page = genvisa.report(DATA / "tour.isa")
    assert page.startswith("<!DOCTYPE html>")
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')


def test_a_command_line(isa: Path, tool: Path) -> None:
    args = [str(tool), "dis", "--dialect", dialect_of(isa), str(isa)]
    expected = subprocess.run(args, capture_output=True, check=True)
    assert genvisa.run("dis", isa, dialect=dialect_of(isa)) == (0, expected.stdout, ())


def test_threads() -> None:
    paths = [DATA / "tour.isa"] * 32
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda path: genvisa.stats(path, registers=32), paths))
    assert answers == [genvisa.stats(paths[0], registers=32)] * 32


def test_the_command_of_the_package() -> None:
    command = ["genvisa", "stats", "--json", "--registers", "32", "tests/data/tour.isa"]
    output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(output)[0]["routine"] == "tour"
