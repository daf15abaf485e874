"""The part of the package that is written in Rust.

`read` reads a .isa file, and `parse` a .visaasm text. Both return a `Module`. All objects are
immutable, and those of a module share its bytes: an `Instruction` does not copy the file.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, final, overload

from ._field import Field

__all__ = [
    "__version__",
    "Error",
    "TextError",
    "AssumptionWarning",
    "read",
    "parse",
    "Module",
    "Routine",
    "Analysis",
    "Block",
    "Loop",
    "Access",
    "Instructions",
    "Instruction",
    "Operand",
    "Id",
    "Variable",
    "SimpleVariable",
    "Label",
    "Input",
    "Attribute",
    "GenBinary",
    "Finding",
    "check_template",
    "TemplateReport",
    "TemplateFinding",
    "Diagnostic",
    "format",
]

__version__: str

def _run(args: list[str]) -> tuple[int, bytes, list[tuple[str, str, str]]]:
    """Runs a command line of the tool, and returns the exit code, standard output and the messages: the kind of
    each ("error", "warning" or "assumption"), its text, and what the program prints on standard error."""

def _main(args: list[str]) -> int:
    """Runs a command line, which begins with the name of the program, with the streams of the process."""

# These names exist for type checkers only.
_Dialect = Literal["manual", "igc2022", "igc2026"]
_Style = Literal["complete", "genx-ir"]
_Severity = Literal["error", "warning"]

class Error(Exception):
    """Bytes or a text that cannot be decoded, or a module that cannot be encoded.

    The message contains the path and the offset.
    """

    file: os.PathLike[str] | None
    """The file, if `read` opened it."""
    offset: int | None
    """The offset in the file of the integer that is wrong, or of the first missing byte.

    None for text. If encoding fails, the length of the output so far.
    """
    path: tuple[str, ...]
    """The path to the wrong field, such as ``("kernel `k`", "instruction 417 mad", "src1")``."""

class AssumptionWarning(UserWarning):
    """A result depends on an assumption, such as the size of a register."""

class TextError(Error):
    """A text with errors. The message contains the lines of all errors."""

    line: int
    """The line of the first error, from 1."""
    column: int
    """The column of the first error, in characters from 1."""
    diagnostics: tuple[Diagnostic, ...]
    """The errors, at most a hundred, in the order of the text."""

def read(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview,
    dialect: _Dialect = "igc2022",
) -> Module:
    """Reads a .isa file, from its path or from its bytes.

    Raises `Error` if the bytes are not a valid file, and `OSError` if it cannot be opened.
    Instructions are decoded on demand.
    """

def parse(
    text: str | bytes | bytearray | memoryview,
    dialect: _Dialect | None = None,
    version: str | None = None,
) -> Module:
    """Parses a .visaasm text.

    The default version is the newest that the text states, and the default dialect the one that has
    it: igc2026 for 4.2, otherwise igc2022. Raises `TextError` if the text has errors.
    """

def format(text: str | bytes | bytearray | memoryview, dialect: _Dialect | None = None) -> str:
    """Returns a .visaasm text as the tool formats it, with its comments.

    Raises `TextError` if the text has errors.
    """

@final
class Module:
    """A .isa file, or the module that a text describes."""

    @property
    def version(self) -> str:
        """The vISA version, such as "3.6"."""

    @property
    def dialect(self) -> _Dialect:
        """The dialect in which the module was read."""

    @property
    def routines(self) -> tuple[Routine, ...]:
        """The kernels, then the functions that the file defines."""

    @property
    def kernels(self) -> tuple[Routine, ...]: ...
    @property
    def functions(self) -> tuple[Routine, ...]: ...
    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings about a text. None for files."""

    def _repr_html_(self) -> str: ...
    def to_bytes(self) -> bytes:
        """Returns the bytes of the file. For a module that was read from a file, they are the same.

        Raises `Error` if the version has no binary form.
        """

    def text(
        self, *, style: _Style = "complete", offsets: bool = False, numbers: bool = True
    ) -> str:
        """Returns the text of all routines, as `genvisa dis` prints it.

        Raises `Error` if an instruction cannot be decoded.
        """

    def explain(self) -> list[Field]:
        """Returns every field of the file, as `genvisa explain` prints them.

        The first is the header. The others are the routines, with the fields of their tables, then
        their instructions as parts. For a text, these are the fields of the file that `to_bytes`
        returns. The result needs many times the memory of the file; `Instruction.fields` returns
        those of one instruction.
        """

    def verify(
        self,
        platform: str | None = None,
        *,
        groups: Iterable[Literal["igc", "manual"]] | None = None,
    ) -> list[Finding]:
        """Returns the rules of vISA that the module breaks, as `genvisa verify` does.

        `platform` is a name such as "SKL"; the default is the one that a text states. `groups` are
        the groups of rules: by default "igc", and in dialect manual both.

        Warns with `AssumptionWarning` if neither a text of version 4.2 nor `platform` states the
        platform.
        """

@final
class Routine:
    """A kernel or a function."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["kernel", "function"]: ...
    @property
    def index(self) -> int:
        """The index in `Module.routines`."""

    @property
    def instructions(self) -> Instructions: ...
    @property
    def variables(self) -> tuple[Variable, ...]:
        """The general variables that the routine declares."""

    @property
    def addresses(self) -> tuple[SimpleVariable, ...]: ...
    @property
    def predicates(self) -> tuple[SimpleVariable, ...]: ...
    @property
    def surfaces(self) -> tuple[SimpleVariable, ...]: ...
    @property
    def samplers(self) -> tuple[SimpleVariable, ...]: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...
    @property
    def inputs(self) -> tuple[Input, ...]:
        """The variables, surfaces and samplers that are set when a kernel starts."""

    @property
    def attributes(self) -> tuple[Attribute, ...]: ...
    @property
    def strings(self) -> tuple[str, ...]:
        """The string pool."""

    @property
    def gen_binaries(self) -> tuple[GenBinary, ...]:
        """The machine code of a kernel."""

    def text(
        self, *, style: _Style = "complete", offsets: bool = False, numbers: bool = True
    ) -> str:
        """Returns the text of the routine, as `genvisa dis --routine` prints it.

        Raises `Error` if an instruction cannot be decoded.
        """

    def analysis(
        self, platform: str | None = None, *, registers: Literal[32, 64] | None = None
    ) -> Analysis:
        """Analyses control flow, liveness and register pressure.

        `registers` is the size of a register in bytes. The default is that of the platform: of the
        argument, or of the one that the text states. If it is unknown, warns with
        `AssumptionWarning`. Raises `Error` if an instruction cannot be decoded.
        """

    def with_instructions(self, instructions: Iterable[Instruction | str]) -> Module:
        """Returns a copy of the module in which this routine has other instructions.

        They are instructions of this routine and texts in its names, such as
        ``"mov (M1, 8) x(0,0)<1> 0x0:d"``. Jumps refer to labels, so nothing has to be adjusted.
        Raises `TextError` for a text with errors, and `ValueError` for an instruction of another
        routine and for a text that names a label or a string.
        """

    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Analysis:
    """Control flow, liveness and register pressure of a routine.

    Instructions and blocks are numbers: indexes in `Routine.instructions` and in `blocks`.
    """

    @property
    def routine(self) -> Routine: ...
    @property
    def register_bytes(self) -> int:
        """The size of a register, in bytes."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The basic blocks, in the order of the code. Block 0 is the entry."""

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The natural loops, each before the loops that it contains."""

    @property
    def pressure(self) -> list[int]:
        """The number of live registers before each instruction."""

    @property
    def peak(self) -> tuple[int, int] | None:
        """The first instruction before which the most registers are live, and their number."""

    def live(self, instruction: int) -> list[tuple[Id, int]]:
        """Returns what is live before an instruction, with the number of live bytes, or of bits of a
        predicate."""

    def definitions(self, instruction: int, id: Id) -> list[int]:
        """Returns the instructions that may have written what an instruction reads of `id`."""

    def uses(self, instruction: int, id: Id) -> list[int]:
        """Returns the instructions that may read what an instruction writes to `id`."""

    def accesses(self, instruction: int) -> list[Access]:
        """Returns the accesses of an instruction to storage."""

@final
class Block:
    """A basic block."""

    @property
    def index(self) -> int: ...
    @property
    def instructions(self) -> range: ...
    @property
    def label(self) -> Id | None:
        """The label that it begins with."""

    @property
    def successors(self) -> list[int]: ...
    @property
    def predecessors(self) -> list[int]: ...
    @property
    def loop_depth(self) -> int:
        """The number of loops that contain it."""

    @property
    def is_divergent(self) -> bool:
        """Whether lanes may have diverged in it."""

    @property
    def is_reachable(self) -> bool: ...
    @property
    def peak(self) -> int:
        """The largest number of live registers before one of its instructions."""

@final
class Loop:
    """A natural loop."""

    @property
    def header(self) -> int:
        """The block through which control enters the loop."""

    @property
    def blocks(self) -> list[int]:
        """Its blocks, with those of the loops that it contains."""

    @property
    def depth(self) -> int:
        """1 for outermost loops."""

    @property
    def parent(self) -> int | None:
        """The index of the innermost loop that contains this one."""

@final
class Access:
    """An access of an instruction to the storage of a variable, address variable or predicate."""

    @property
    def root(self) -> Id:
        """The variable that has the storage, which is not an alias."""

    @property
    def kind(
        self,
    ) -> Literal["read", "write", "discard", "address_taken", "indirect_read", "indirect_write"]: ...
    @property
    def condition(self) -> Literal["always", "active_lanes", "predicated", "possible"]:
        """Which of the units are accessed."""

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The units, as starts and ends: bytes of the root, or bits of a predicate."""

@final
class Instructions:
    """The instructions of a routine.

    They are decoded while you iterate. If one cannot be decoded, iterating returns those before it,
    and then raises `Error`; `len` and indexing raise it at once.
    """

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Instruction]: ...
    @overload
    def __getitem__(self, index: int, /) -> Instruction: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Instruction]: ...

@final
class Instruction:
    """An instruction."""

    @staticmethod
    def from_bytes(
        data: bytes | bytearray | memoryview, dialect: _Dialect = "igc2022", version: str = "3.6"
    ) -> Instruction:
        """Decodes the bytes of one instruction. Its routine declares nothing, so its text has ids such as V32,
        and the bytes in an annotation.

        Dialect "manual" ignores the version. Raises `Error` if the bytes are not one instruction.
        """

    @staticmethod
    def parse(
        text: str | bytes | bytearray | memoryview, dialect: _Dialect = "igc2022", version: str = "3.6"
    ) -> Instruction:
        """Parses one instruction, whose names are ids: `V32`, `A0`, `P1`, `S0`, `T6` and `L3`.

        Raises `TextError` if the text has errors.
        """

    @property
    def routine(self) -> Routine: ...
    @property
    def index(self) -> int:
        """The index in its routine. Labels and debug information count as instructions."""

    @property
    def offset(self) -> int:
        """The offset in the file; for text, in the code of the routine."""

    @property
    def size(self) -> int:
        """The number of bytes."""

    @property
    def bytes(self) -> bytes: ...
    @property
    def opcode(self) -> int:
        """The first byte."""

    @property
    def mnemonic(self) -> str:
        """The name in the table of GenX_IR, such as "add" or "media_ld"."""

    @property
    def kind(
        self,
    ) -> Literal[
        "mov",
        "arith",
        "logic",
        "compare",
        "address",
        "flow",
        "data_port",
        "sampler",
        "svm",
        "lsc",
        "sync",
        "misc",
    ]: ...
    @property
    def text(self) -> str:
        """The line in the text of the routine, with the names that it declares.

        For a subroutine, this is the line with `.function`, which precedes its label.
        """

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands, in the order of their bytes."""

    def operand(self, field: str) -> Operand:
        """Returns the first operand with a name, such as "dst" or "surface".

        Raises `KeyError` if there is none.
        """

    @property
    def reads(self) -> tuple[Id, ...]:
        """What the instruction names and reads: variables, predicates, surfaces, samplers.

        A null operand is the variable `%null`.
        """

    @property
    def writes(self) -> tuple[Id, ...]:
        """The variables that the instruction names and writes."""

    def fields(self) -> list[Field]:
        """Returns the fields in the order of their bytes, beginning with the opcode."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Operand:
    """An operand of an instruction."""

    @property
    def field(self) -> str:
        """The name of the field, such as "src0"."""

    @property
    def kind(
        self,
    ) -> Literal[
        "exec",
        "predicate",
        "variable",
        "address",
        "indirect",
        "immediate",
        "surface",
        "sampler",
        "state",
        "raw",
        "label",
        "string",
    ]:
        """The kind.

        "variable" is a region of a general variable, "address" one of an address variable, and
        "indirect" one of the variables whose addresses an address variable contains. "raw" is a
        general variable from a byte offset on.
        """

    @property
    def text(self) -> str:
        """The text, with ids instead of names, such as "V33(0,0)<0;1,0>"."""

    @property
    def id(self) -> Id | None:
        """What the operand refers to. The address variable, if it is indirect."""

    @property
    def name(self) -> str:
        """The name of `id`. The text, if there is none."""

    @property
    def value(self) -> int | float | None:
        """The value of a constant. None for vectors of constants and half floats."""

    @property
    def is_written(self) -> bool: ...

@final
class Id:
    """An entry of the tables of a routine, by its id. Equal ids have equal attributes."""

    @property
    def table(
        self,
    ) -> Literal[
        "variable",
        "address",
        "predicate",
        "surface",
        "sampler",
        "label",
        "string",
        "file_variable",
        "unknown",
    ]: ...
    @property
    def number(self) -> int:
        """The id. The first general variable that a routine declares is 32, the first surface 6."""

    @property
    def name(self) -> str:
        """The declared or predefined name. Made of the id, such as "T6", if there is none."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Variable:
    """A general variable."""

    @property
    def id(self) -> Id: ...
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str:
        """The type of the elements, such as "ud"."""

    @property
    def num_elements(self) -> int: ...
    @property
    def size(self) -> int:
        """The number of bytes."""

    @property
    def align(self) -> str:
        """The alignment, such as "GRF"."""

    @property
    def alias(self) -> Id | None:
        """The variable whose storage it shares."""

    @property
    def alias_offset(self) -> int:
        """The offset into that storage, in bytes."""

    @property
    def attributes(self) -> tuple[Attribute, ...]: ...

@final
class SimpleVariable:
    """An address variable, a predicate, a surface or a sampler."""

    @property
    def id(self) -> Id: ...
    @property
    def name(self) -> str: ...
    @property
    def num_elements(self) -> int: ...
    @property
    def attributes(self) -> tuple[Attribute, ...]: ...

@final
class Label:
    """A label."""

    @property
    def id(self) -> Id: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str:
        """The kind, such as "block" or "subroutine"."""

@final
class Input:
    """A variable, surface or sampler that is set when a kernel starts."""

    @property
    def id(self) -> Id: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str:
        """The table, and who supplies the value, such as "general, local id"."""

    @property
    def offset(self) -> int:
        """The offset in the payload of the thread, in bytes."""

    @property
    def size(self) -> int: ...

@final
class Attribute:
    """An attribute of a routine or a variable."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> bool | int | str | bytes:
        """The value. Its bytes, if the name is unknown."""

@final
class GenBinary:
    """Machine code of a kernel. Its bytes are not decoded."""

    @property
    def platform(self) -> int: ...
    @property
    def platform_name(self) -> str | None:
        """The name of the platform, if the documents have it."""

    @property
    def bytes(self) -> bytes: ...

@final
class Finding:
    """A broken rule and its place in a module. `str` prints one line."""

    @property
    def rule(self) -> str:
        """The name of the rule, such as "media-ld-dst-size"."""

    @property
    def group(self) -> Literal["igc", "manual"]: ...
    @property
    def severity(self) -> _Severity: ...
    @property
    def message(self) -> str: ...
    @property
    def expected(self) -> str | None:
        """What the rule requires. None if the message is a statement."""

    @property
    def found(self) -> str | None:
        """What the place contains instead. None if the message is a statement."""

    @property
    def path(self) -> tuple[str, ...]:
        """The place, such as ``("kernel `k`", "instruction 3 lzd", "dst")``."""

    @property
    def name(self) -> str | None:
        """The name of the variable, label or other entry that the finding is about."""

    @property
    def routine(self) -> int | None:
        """The index of the routine."""

    @property
    def instruction(self) -> int | None:
        """The index of the instruction in its routine, if the finding is about one."""

    @property
    def offset(self) -> int | None:
        """The offset of the instruction in the file. None for text."""

    @property
    def line(self) -> int | None:
        """The line in the text, from 1. None for files."""

    @property
    def column(self) -> int | None:
        """The column in the text, in characters from 1. None for files."""

    @property
    def end_line(self) -> int | None:
        """The line of the end. None for files."""

    @property
    def end_column(self) -> int | None:
        """The column after the end. None for files."""

    @property
    def statement(self) -> str:
        """The requirement of the rule."""

    @property
    def source(self) -> str:
        """The origin of the rule: a page or section of the manual, or "IGC"."""

    @property
    def url(self) -> str:
        """The address of the page about the rule."""

def check_template(
    template: str,
    constraints: str,
    *,
    types: Sequence[str | None] | None = None,
    lanes: Literal[8, 16, 32] | None = None,
    platform: str | None = None,
    path: Literal["simt", "vc"] | None = None,
) -> TemplateReport:
    """Checks a template of inline vISA, for example one that the program has built.

    `template` and `constraints` are those of LLVM IR: operands are `$0`, and the constraints are
    separated by commas, such as "=rw,rw,~{memory}". `types` are the types of the operands in the order
    of the constraints, such as "i32" or "<8 x float>", and None if one is not known. `lanes` is the
    number of work-items for which the compiler compiles a kernel at once. `platform` is a name such as
    "Xe2". `path` is the part of the compiler; by default, it is derived from the constraints.

    The rules that need a fact that is not known are skipped.
    """

@final
class TemplateReport:
    """The result of `check_template`."""

    @property
    def findings(self) -> list[TemplateFinding]: ...
    @property
    def unknown(self) -> tuple[str, ...]:
        """The facts that are not known, such as "the number of lanes"."""

    @property
    def path(self) -> Literal["simt", "vc"]:
        """The part of the compiler whose rules were applied."""

    @property
    def text(self) -> str:
        """The text that was checked: the template with names instead of operands."""

@final
class TemplateFinding:
    """A finding about a template. `str` prints one line."""

    @property
    def rule(self) -> str:
        """The name of the rule, such as "operand-bounds", or "syntax"."""

    @property
    def severity(self) -> _Severity: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str | None:
        """A hint."""

    @property
    def span(self) -> tuple[int, int] | None:
        """The characters of the template. None if the finding is about a constraint."""

    @property
    def line(self) -> int | None:
        """The line in the template, from 1. None if the finding is about a constraint."""

    @property
    def column(self) -> int | None:
        """The column in the template, in characters from 1."""

    @property
    def operand(self) -> int | None:
        """The number of the operand whose constraint the finding is about."""

    @property
    def url(self) -> str | None:
        """The address of the page about the rule. None for "syntax", which has none."""

@final
class Diagnostic:
    """An error or a warning about a text. `str` prints it with the line."""

    @property
    def severity(self) -> _Severity: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str | None:
        """A hint, such as "did you mean `mov`?"."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def column(self) -> int:
        """The column, in characters from 1."""
