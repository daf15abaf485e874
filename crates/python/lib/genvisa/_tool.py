"""The answers of the command-line tool, as values of Python.

The functions have the options of the commands: `no_stats=True` is `--no-stats`, `platform="bmg"` is
`--platform=bmg`, and a list repeats an option. Options that are `None` or `False` are omitted.
"""

from __future__ import annotations

import html
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, Union

from . import _genvisa

_Path = Union[str, "os.PathLike[str]"]
_Json = list[dict[str, Any]]
_T = TypeVar("_T")


class ToolError(_genvisa.Error):
    """A command failed for an input.

    The message contains all errors, each with the name of its file.
    """

    messages: tuple[str, ...]
    """The errors."""
    answer: Any
    """What the command could compute, which is what its function returns."""

    def __init__(self, messages: list[str], answer: Any) -> None:
        super().__init__("\n".join(messages))
        self.messages = tuple(messages)
        self.answer = answer


class ToolWarning(UserWarning):
    """A warning of a command."""


class Answer(NamedTuple):
    """What a command prints."""

    code: int
    """The exit code; the help of the command states the meanings."""
    output: bytes
    """Standard output, without colors."""
    messages: tuple[str, ...]
    """The lines of standard error."""


class Page(str):
    """An HTML page, which a notebook shows in a frame."""

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 40em; border: 0"
        return f'<iframe srcdoc="{html.escape(self)}" style="{style}"></iframe>'


class Listing(str):
    """A text, which a notebook shows with its lines."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self)}</pre>"


def _text(arg: object) -> str:
    return os.fspath(arg) if isinstance(arg, os.PathLike) else str(arg)


def _options(options: dict[str, Any]) -> list[str]:
    args = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                args.append(option)
            elif one is not None and one is not False:
                args.append(f"{option}={_text(one)}")
    return args


def run(*args: str | int | os.PathLike[str], **options: Any) -> Answer:
    """Runs a command line, such as `run("dis", path, offsets=True)`, and returns what it prints.

    Other threads of Python run meanwhile.
    """
    command, *paths = map(_text, args) if args else ("--help",)
    code, output, messages = _genvisa._run([command, *_options(options), *paths])
    return Answer(code, output, tuple(line for _, _, line in messages))


def main() -> int:
    """Runs the tool with the arguments and the streams of the process. Returns the exit code."""
    # Python would handle an interrupt only after the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _genvisa._main(sys.argv)


def messages_of(
    messages: list[tuple[str, str, str]],
) -> tuple[list[str], list[tuple[type[Warning], str]]]:
    """Returns the errors and the warnings of a command."""
    categories: dict[str, type[Warning]] = {
        "warning": ToolWarning,
        "assumption": _genvisa.AssumptionWarning,
    }
    errors = [text for kind, text, _ in messages if kind == "error"]
    found = [(categories[kind], text) for kind, text, _ in messages if kind != "error"]
    return errors, found


def _answer(
    command: str, paths: tuple[_Path, ...], options: dict[str, Any], parse: Callable[[bytes], _T]
) -> _T:
    # A path may begin with a dash.
    arguments = [command, *_options(options), "--", *map(_text, paths)]
    _, output, messages = _genvisa._run(arguments)
    errors, found = messages_of(messages)
    for category, text in found:
        warnings.warn(text, category, stacklevel=4)
    value = parse(output)
    if errors:
        raise ToolError(errors, value)
    return value


def _list(command: str, paths: tuple[_Path, ...], options: dict[str, Any]) -> _Json:
    parse: Callable[[bytes], _Json] = lambda output: json.loads(output) if output else []
    return _answer(command, paths, options, parse)


def stats(*paths: _Path, **options: Any) -> _Json:
    """Returns the statistics of the routines of files and folders: what `genvisa stats --json` prints.

    Registers are those of the platform; sizes are in bytes.
    """
    return _list("stats", paths, {"json": True, **options})


def info(*paths: _Path, **options: Any) -> _Json:
    """Returns the kernels of device binaries in files and folders, with the members of `.ze_info`, or the routines
    and tables of .isa files and texts: what `genvisa info --json` prints."""
    return _list("info", paths, {"json": True, **options})


def isa(mnemonic: str | None = None, **options: Any) -> _Json:
    """Returns the instructions with a mnemonic, or a list with the instruction set and the types of its fields: what
    `genvisa isa --json` prints."""
    return _list("isa", () if mnemonic is None else (mnemonic,), {"json": True, **options})


def cfg(path: _Path, **options: Any) -> _Json:
    """Returns the control-flow graphs of the routines of a file, with blocks, edges, loops and pressure:
    what `genvisa cfg --format json` prints."""
    return _list("cfg", (path,), {"format": "json", **options})


def equiv(a: _Path, b: _Path, **options: Any) -> _Json:
    """Returns whether the kernels of two device binaries, or a kernel and its edit, compute the same: what
    `genvisa equiv --json` prints."""
    return _list("equiv", (a, b), {"json": True, **options})


def diff(a: _Path, b: _Path | None = None, **options: Any) -> _Json:
    """Returns the differences between two files or folders, an empty list if there are none: what
    `genvisa diff --json` prints."""
    return _list("diff", (a,) if b is None else (a, b), {"json": True, **options})


def diff_text(a: _Path, b: _Path | None = None, **options: Any) -> Listing:
    """Returns the differences between two files or folders as a unified diff."""
    paths = (a,) if b is None else (a, b)
    return _answer("diff", paths, options, lambda output: Listing(output.decode()))


def verify(*paths: _Path, **options: Any) -> _Json:
    """Returns the findings in files and folders, also the syntax errors of texts: what `genvisa verify --json` prints.

    `Module.verify` verifies a module in memory.
    """
    return _list("verify", paths, {"json": True, **options})


def check(*paths: _Path, **options: Any) -> _Json:
    """Returns the findings in the inline assembly of sources: what `genvisa check --json` prints.

    `check_template` checks a template in memory.
    """
    return _list("check", paths, {"json": True, **options})


def extract(*paths: _Path, out_dir: _Path | None = None, **options: Any) -> _Json:
    """Returns the .isa files and texts in programs, libraries and device binaries: what
    `genvisa extract --json` prints. Writes them to the folder `out_dir`, if it is not `None`.

    The path `lib.so!3` names the third object of a file in all functions of this package that have
    the path of a file, except `read`.
    """
    where = {"list": True} if out_dir is None else {"out_dir": out_dir}
    return _list("extract", paths, {"json": True, **where, **options})


def pack(file: _Path, *new: _Path, output: _Path, **options: Any) -> _Json:
    """Writes a copy of a program or library in which objects are replaced, and returns what
    `genvisa pack --json` prints."""
    return _list("pack", (file, *new), {"json": True, "output": output, **options})


def report(a: _Path, b: _Path | None = None, **options: Any) -> Page:
    """Returns a page about a file, or about the changes from `a` to `b`, with statistics, pressure,
    graphs and text: what `genvisa report` writes."""
    paths = (a,) if b is None else (a, b)
    return _answer("report", paths, {"output": "-", **options}, lambda output: Page(output.decode()))


def assemble(
    text: str | bytes | bytearray | memoryview, dialect: Any = None, version: str | None = None
) -> bytes:
    """Returns the .isa file that a .visaasm text describes. Raises `TextError` if the text has errors."""
    return _genvisa.parse(text, dialect, version).to_bytes()
