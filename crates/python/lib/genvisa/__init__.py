"""vISA, the instruction set between Intel's GPU compilers and their finalizer.

`read` reads a .isa file, and `parse` a .visaasm text. Both return a `Module`. `stats`, `cfg`, `diff`,
`verify`, `check`, `extract` and others return the answers of the tool for files and folders. `table` returns
the statistics of many files as an Arrow table.
"""

from . import _genvisa
from ._field import Field
from ._genvisa import *
from ._genvisa import __version__ as __version__
from ._table import answer_table, batches, table, table_schema, write_table
from ._tool import (
    Answer,
    Listing,
    Page,
    ToolError,
    ToolWarning,
    assemble,
    cfg,
    check,
    diff,
    diff_text,
    equiv,
    extract,
    info,
    isa,
    pack,
    report,
    run,
    stats,
    verify,
)

__all__ = [
    "Field",
    "Answer",
    "Listing",
    "Page",
    "ToolError",
    "ToolWarning",
    "answer_table",
    "assemble",
    "batches",
    "cfg",
    "check",
    "diff",
    "diff_text",
    "equiv",
    "extract",
    "info",
    "isa",
    "pack",
    "report",
    "run",
    "stats",
    "table",
    "table_schema",
    "verify",
    "write_table",
]
__all__ += _genvisa.__all__
