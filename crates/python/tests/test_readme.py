"""The programs of the README do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, object_files

import genvisa

README = (ROOT / "crates" / "python" / "README.md").read_text()


def programs() -> list[str]:
    blocks: list[str] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    return blocks


def run(program: str, *args: Path | str) -> str:
    command = [sys.executable, "-c", program, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_ten_lines_print_every_media_ld_with_its_surface(tool: Path) -> None:
    program = programs()[0]
    assert len([line for line in program.splitlines() if line]) <= 10
    expected = []
    # The dialect of one file is not the default.
    files = [file for file in object_files() if file.name != "manual.isa"]
    for file in files:
        dis = [str(tool), "dis", "--offsets", str(file)]
        text = subprocess.run(dis, capture_output=True, text=True, check=True).stdout
        surfaces: dict[str, str] = {}
        for line in text.splitlines():
            if kernel := re.match(r'\.(?:kernel|global_function) "(.*)"', line):
                routine, surfaces = kernel[1], {}
            elif surface := re.match(r"\.decl (T\d+) v_type=T(?:.* v_name=(\S+))?", line):
                surfaces[surface[1]] = surface[2] or surface[1]
            elif load := re.match(r"0x(\w+)(?: \w\w)+ +media_ld\S* \S+ (T\d+) ", line):
                place = f"{file} {routine} {int(load[1], 16):#x}"
                expected.append(f"{place}: {load[2]} {surfaces.get(load[2], load[2])}")
    assert len(expected) >= (100 if os.environ.get("GENVISA_CORPUS") else 1)
    assert run(program, *files).splitlines() == expected


def test_output_in_the_readme_is_that_of_the_program() -> None:
    output = run(programs()[0], "tests/data/tour.isa").strip()
    assert f"it prints `{output}`" in README


def test_error_of_the_readme_has_an_offset_and_a_path() -> None:
    assert run(programs()[-1]) == "6 ('num_kernels',)\n"


def test_table_of_the_readme_has_errors() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    output = run(programs()[1])
    assert "error: " in output
    assert "tests/data/tour.isa tour " in output


def test_install_command_is_that_of_ci() -> None:
    command = re.search(r"```sh\n(pip install .*)\n```", README)
    assert command is not None
    assert f"{command[1]}\n" in (ROOT / ".ci" / "run").read_text()


def test_attributes_in_the_table_exist() -> None:
    table = README.split("## What there is")[1].split("\n## ")[0]
    rows: list[str] = re.findall(r"^\|.*?\| (.*) \|$", table, re.MULTILINE)
    count = 0
    for row in rows:
        owner = ""
        for word in re.findall(r"`([\w.]+)", row):
            owner, name = word.split(".") if not word.startswith(".") else (owner, word[1:])
            target = genvisa if owner == "genvisa" else getattr(genvisa, owner)
            assert hasattr(target, name), word
            count += 1
    assert count > 20


@pytest.mark.parametrize("program", programs())
def test_programs_have_correct_types(program: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "program.py"
    path.write_text(program)
    command = [sys.executable, "-m", "mypy", "--strict", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stdout
