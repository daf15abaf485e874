"""Templates of inline assembly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_tool import run

import genvisa

MOVE = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"


def test_legal() -> None:
    report = genvisa.check_template(MOVE, "=rw,rw", types=["i32", "i32"], lanes=16, platform="Xe2")
    assert report.findings == []
    assert report.unknown == ()
    assert report.path == "simt"
    assert report.text == "mov (M1, 16) OPERAND_0_(0,0)<1> OPERAND_1_(0,0)<1;1,0>"


def test_place() -> None:
    template = "{ // é\n" + MOVE.replace("(0,0)<1>", "(1,0)<1>") + "\n}"
    report = genvisa.check_template(template, "=rw,rw", types=["i32", "float"], lanes=16)
    [finding] = report.findings
    assert finding.rule == "operand-bounds"
    assert finding.severity == "error"
    assert finding.url is not None
    assert finding.url.endswith("/docs/rules.md#operand-bounds")
    assert "`$0`, which has 64 bytes" in finding.message
    assert finding.help is not None
    assert finding.span is not None
    start, end = finding.span
    assert template[start:end] == "$0(1,0)<1>"
    assert (finding.line, finding.column, finding.operand) == (2, 14, None)
    assert str(finding) == f"2:14: error[operand-bounds]: {finding.message}"


def test_constraints() -> None:
    report = genvisa.check_template(MOVE, "=r,r", lanes=16, path="simt")
    [output, inputs] = report.findings
    assert (output.rule, output.operand, output.span) == ("constraint", 0, None)
    assert (inputs.operand, inputs.line, inputs.column) == (1, None, None)


def test_unknown() -> None:
    report = genvisa.check_template(MOVE, "=rw,rw", types=["i32"])
    assert report.unknown == ("the number of lanes", "the type of operand 1")
    assert repr(report) == "<TemplateReport: 0 findings, 2 unknown>"


def test_platform_and_path() -> None:
    tanh = "tanh (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    rules = [finding.rule for finding in genvisa.check_template(tanh, "=rw,rw", platform="Xe2").findings]
    assert rules == ["opcode-platform"]
    assert genvisa.check_template(MOVE, "=rw,rw", path="vc").path == "vc"


@pytest.mark.parametrize(
    "arguments",
    [
        {"lanes": 4},
        {"platform": "Xe0"},
        {"path": "other"},
        {"types": ["i33"]},
        {"types": ["i32", None, "i32"]},
    ],
)
def test_wrong_arguments(arguments: Any) -> None:
    with pytest.raises(ValueError):
        genvisa.check_template(MOVE, "=rw,rw", **arguments)


def test_tool(tool: Path, tmp_path: Path) -> None:
    """The tool reports the same about a file with the template."""
    template = "add (M1, 32) $0(0,0)<1> $1(0,0)<1;1,0> 1:d"
    report = genvisa.check_template(template, "=rw,rw", types=["i32", "i32"], lanes=16, platform="Xe2")
    file = tmp_path / "kernel.ll"
    file.write_text(f'define void @f(i32 %x) {{\n  %r = call i32 asm "{template}", "=rw,rw"(i32 %x)\n}}\n')
    lines = [line for line in run(tool, "check", "--lanes", "16", file).splitlines() if "[" in line]
    messages = [line.split("]: ", 1)[1] for line in lines if line.startswith(("error", "warning"))]
    assert messages == [finding.message for finding in report.findings] != []
