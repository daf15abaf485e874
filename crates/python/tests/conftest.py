"""Files that the tests read, and the tool that they compare with."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import genvisa

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"


def corpus() -> Path | None:
    """Returns the folder of more .isa files."""
    folder = os.environ.get("GENVISA_CORPUS")
    return Path(folder) if folder else None


def object_files() -> list[Path]:
    """Returns the .isa files of the repository and of the corpus."""
    folders = [DATA, corpus()]
    return sorted(file for folder in folders if folder for file in folder.glob("*.isa"))


def check_lines(lines: Iterable[str], instructions: Iterable[genvisa.Instruction]) -> None:
    """Checks that the texts of instructions are the lines of a listing without numbers, in order.

    Between them are declarations, annotations and empty lines.
    """
    lines = iter(lines)
    for instruction in instructions:
        for line in lines:
            if line.strip() == instruction.text:
                break
            assert re.match(r"\.|//|$", line), (line, instruction.text)
        else:
            pytest.fail(f"{instruction!r}: there is no line {instruction.text}")
        # The line of the label follows.
        if instruction.mnemonic == "func":
            assert next(lines) == ""
            assert re.match(r"\S+:", next(lines))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test with the argument `isa` for each .isa file, and one with `text` for each text."""
    if "isa" in metafunc.fixturenames:
        files = [pytest.param(file, id=file.name) for file in object_files()]
        if corpus() is None:
            reason = "GENVISA_CORPUS is not set to a folder of .isa files"
            files.append(pytest.param(None, id="corpus", marks=pytest.mark.skip(reason)))
        metafunc.parametrize("isa", files)
    if "text" in metafunc.fixturenames:
        texts = sorted(DATA.glob("*.visaasm"))
        metafunc.parametrize("text", texts, ids=[text.name for text in texts])


@pytest.fixture(scope="session")
def tool() -> Path:
    """Returns the path of the tool."""
    path = os.environ.get("GENVISA")
    if not path:
        pytest.skip("GENVISA is not set to the path of the tool")
    return Path(path).resolve()


@pytest.fixture(scope="session")
def tour() -> bytes:
    return (DATA / "tour.isa").read_bytes()
