"""The statistics of many files as an Arrow table, a row for each routine.

The columns and their types are derived from the JSON Schema of `genvisa stats --json`.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import tempfile
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _genvisa
from ._tool import ToolError, _options, _text, messages_of, run

if TYPE_CHECKING:
    import pyarrow as pa

_Path = Union[str, "os.PathLike[str]"]
_Paths = Union[_Path, Iterable[_Path]]
_Progress = Callable[[int, Optional[int]], object]
_Schema = dict[str, Any]

# Objects whose keys the schema does not list, although they are always the same.
_FIXED = (("totals",), ("control_flow",))
_MINIMAL = '.version 3.6\n.kernel "k"\nret (M1, 1)\n'
# The suffixes of the files that the tool reads in folders.
_SUFFIXES = (".isa", ".visaasm")
# Files that a thread reads before it returns rows.
_CHUNK = 16
# Rows of a batch; the last files of a batch can add more.
_BATCH = 1024


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("tables need pyarrow: pip install 'genvisa[arrow]'") from error
    return pyarrow


class _Column(NamedTuple):
    path: tuple[str, ...]
    """The keys of the value in an answer of `stats`."""
    field: Any
    """The name, type and description, a `pyarrow.Field`."""


class _Columns:
    """Derives columns from a JSON Schema."""

    def __init__(self, definitions: _Schema) -> None:
        self.pa = _arrow()
        self.definitions = definitions

    def resolve(self, schema: _Schema) -> _Schema:
        """Replaces a reference, the alternatives of a value or null by the value, and those of several
        objects by an object with all properties."""
        choices = [self.resolve(one) for one in schema.get("anyOf", []) if one.get("type") != "null"]
        if choices:
            schema = {**choices[0], **{key: schema[key] for key in schema if key != "anyOf"}}
        if len(choices) > 1:
            schema["properties"] = {
                key: one for choice in choices for key, one in _properties(choice)
            }
            del schema["required"]
        if "$ref" in schema:
            schema = {**self.definitions[schema["$ref"].rpartition("/")[2]], **schema}
        return schema

    def type(self, schema: _Schema) -> Any:
        schema = self.resolve(schema)
        # All words are strings.
        names = schema.get("type", "string")
        (name,) = {names} if isinstance(names, str) else set(names) - {"null"}
        if name == "array":
            return self.pa.list_(self.type(schema["items"]))
        if name == "object" and "properties" in schema:
            return self.pa.struct([(key, self.type(one)) for key, one in _properties(schema)])
        if name == "object":
            return self.pa.map_(self.pa.string(), self.type(schema["additionalProperties"]))
        types = {"integer": "int64", "number": "float64", "string": "string", "boolean": "bool"}
        return self.pa.type_for_alias(types[name])

    def of_object(self, schema: _Schema, path: tuple[str, ...] = ()) -> Iterator[_Column]:
        """Returns the columns of an object, with those of the objects in it."""
        for name, one in _properties(schema):
            one = self.resolve(one)
            inner = (*path, name)
            if inner in _FIXED:
                one = {"properties": dict.fromkeys(_example()[name], one["additionalProperties"])}
            if "properties" in one:
                yield from self.of_object(one, inner)
            else:
                text = one.get("description", "")
                metadata = {"description": text} if text else None
                field = self.pa.field("_".join(inner), self.type(one), metadata=metadata)
                yield _Column(inner, field)


def _properties(schema: _Schema) -> Iterable[tuple[str, _Schema]]:
    """Returns the properties of an object in the order in which the schema requires them."""
    properties: _Schema = schema["properties"]
    return ((name, properties[name]) for name in schema.get("required", properties))


@functools.lru_cache(maxsize=None)
def _example() -> _Schema:
    """Returns the answer of `stats` about a routine."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "k.visaasm")
        file.write_text(_MINIMAL)
        (example,) = json.loads(run("stats", file, json=True, registers=32).output)
    return dict(example)


@functools.lru_cache(maxsize=None)
def _columns(command: str) -> tuple[_Column, ...]:
    """Returns the columns of the answer of a command, the last of which is `error`."""
    definitions = json.loads(run("schema").output)["$defs"]
    if definitions.get(command, {}).get("type") != "array":
        raise ValueError(f"the answer of `{command}` is not a list")
    columns = _Columns(definitions)
    found = columns.of_object(columns.resolve(definitions[command]["items"]))
    metadata = {"description": "The errors of the file. Other columns are null."}
    error = _Column(("error",), _arrow().field("error", "string", metadata=metadata))
    return (*(column for column in found if column.path != error.path), error)


def table_schema(command: str = "stats") -> pa.Schema:
    """Returns the columns of `table`, or of `answer_table` for a command, a `pyarrow.Schema`.

    The metadata of a column contains its description. Integers are numbers of instructions, messages,
    blocks and so on; those whose name ends in `bytes` are sizes in bytes.
    """
    return _arrow().schema([column.field for column in _columns(command)])


def answer_table(command: str, answer: Iterable[dict[str, Any]]) -> pa.Table:
    """Returns an answer, such as `verify` and `diff` return, as a table with the columns of
    `table_schema(command)`. Keys that an item lacks, such as `error`, are null."""
    return _arrow().Table.from_batches([_batch(list(answer), command)])


def _value(row: _Schema, path: tuple[str, ...]) -> Any:
    value: Any = row
    for key in path:
        # An object can be null.
        value = None if value is None else value.get(key)
    # Arrow makes maps from pairs.
    return list(value.items()) if isinstance(value, dict) else value


def _batch(rows: list[_Schema], command: str) -> pa.RecordBatch:
    pa = _arrow()
    arrays = []
    for column in _columns(command):
        values = [_value(row, column.path) for row in rows]
        arrays.append(pa.array(values, column.field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=table_schema(command))


def _walk(folder: str) -> Iterator[str]:
    """Returns the files that the tool reads in a folder, in its order."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError:
        # The tool reports the error.
        yield folder
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        elif entry.name.endswith(_SUFFIXES) and entry.is_file():
            yield entry.path


def _expand(path: str) -> Iterator[str]:
    """Returns the files of a folder, or the folder if it contains none, which the tool reports."""
    found = _walk(path) if os.path.isdir(path) else iter(())
    return itertools.chain([next(found, path)], found)


def _files(paths: _Paths, output: Path | None = None) -> Iterator[str]:
    """Returns the files of paths. Raises `ValueError` for the existing file `output`."""
    replaced = output.stat() if output and output.exists() else None
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        for file in _expand(_text(path)):
            if replaced and os.path.exists(file) and os.path.samestat(os.stat(file), replaced):
                raise ValueError(f"the output {output} is one of the inputs")
            yield file


def _count(paths: _Paths) -> int | None:
    """Returns the number of files, `None` if `paths` can be iterated only once."""
    if isinstance(paths, (str, os.PathLike, Sized)):
        return sum(1 for _ in _files(paths))
    return None


class _Part(NamedTuple):
    """What a thread computes."""

    files: int
    batch: Any
    warnings: list[tuple[type[Warning], str]]


class _Reader:
    """Reads files with the same options."""

    def __init__(self, options: dict[str, Any]) -> None:
        if "routine" in options or "kernel" in options:
            raise TypeError("a table has all routines; filter its column `routine` instead")
        self.arguments = ["stats", *_options({"json": True, **options}), "--"]
        # Not in a thread.
        _columns("stats")

    def rows(self, files: list[str]) -> tuple[list[_Schema], list[str], _Part]:
        """Returns the rows and the errors of files."""
        code, output, messages = _genvisa._run([*self.arguments, *files])
        errors, found = messages_of(messages)
        if code == 2:
            raise ToolError(errors, None)
        rows = json.loads(output) if output else []
        return rows, errors, _Part(len(files), None, found)

    def part(self, files: list[str]) -> _Part:
        rows, errors, part = self.rows(files)
        if errors:
            # Read the files again, one by one, to know which file an error is about.
            rows = []
            for file in files:
                good, errors, _ = self.rows([file])
                rows += good
                if errors:
                    rows.append({"file": file, "error": "\n".join(errors)})
        return part._replace(batch=_batch(rows, "stats"))


def _parts(files: Iterable[str], reader: _Reader, threads: int) -> Iterator[_Part]:
    """Reads files in threads, and returns the parts in their order."""
    files = iter(files)
    pending: deque[Future[_Part]] = deque()
    pool = ThreadPoolExecutor(threads, "genvisa")
    try:
        while True:
            # More parts than threads, because they finish in another order.
            while len(pending) < 2 * threads and (chunk := list(itertools.islice(files, _CHUNK))):
                pending.append(pool.submit(reader.part, chunk))
            if not pending:
                return
            yield pending.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def batches(
    paths: _Paths,
    *,
    progress: _Progress | None = None,
    threads: int | None = None,
    **options: Any,
) -> Generator[pa.RecordBatch, None, None]:
    """Returns the rows of `table` as record batches of about a thousand rows.

    Only a batch and the files that the threads read are in memory.
    """
    reader = _Reader(options)
    total = _count(paths) if progress else None
    return _batches(_files(paths), reader, progress, total, threads)


def _batches(
    files: Iterator[str],
    reader: _Reader,
    progress: _Progress | None,
    total: int | None,
    threads: int | None,
) -> Generator[pa.RecordBatch, None, None]:
    pa = _arrow()
    held: list[Any] = []
    seen: set[type[Warning]] = set()
    done = 0
    for part in _parts(files, reader, threads or os.cpu_count() or 1):
        for category, text in part.warnings:
            if category not in seen:
                seen.add(category)
                warnings.warn(f"{text} (other warnings of this class are omitted)", category, stacklevel=2)
        held.append(part.batch)
        if sum(batch.num_rows for batch in held) >= _BATCH:
            yield from pa.Table.from_batches(held).combine_chunks().to_batches()
            held.clear()
        done += part.files
        if progress:
            progress(done, total)
    if held:
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()


def table(
    paths: _Paths,
    *,
    progress: _Progress | None = None,
    threads: int | None = None,
    **options: Any,
) -> pa.Table:
    """Returns the statistics of files as a `pyarrow.Table`, a row for each routine.

    `paths` is a file, a folder, or an iterable of them. The rows are in the order of the files.
    `options` are those of `stats`, except `routine`. Only the first warning of each class is
    issued.

    The columns are the values of `stats`: an object such as `peak` is a column for each value, such as
    `peak_registers`; counts by name, such as `operations`, are `map<string, int64>`; and lists are
    `list<struct>`. `table_schema` describes them. Registers have `register_bytes` bytes; other sizes
    are in bytes. For a file with errors, another row has its name in `file` and the errors in `error`;
    its other columns are null.

    `threads` read the files, by default one for each core. The caller's thread calls
    `progress(done, total)` with numbers of files; `total` is `None` if `paths` is an iterator.
    """
    found = batches(paths, progress=progress, threads=threads, **options)
    return _arrow().Table.from_batches(found, table_schema())


def write_table(
    paths: _Paths,
    file: _Path,
    *,
    progress: _Progress | None = None,
    threads: int | None = None,
    **options: Any,
) -> int:
    """Writes the statistics of files to a Parquet file, and returns the number of rows.

    The arguments are those of `table`. Rows are in memory only until they are written. The file is
    written under a temporary name in the same folder, and renamed when it is complete.
    """
    _arrow()
    from pyarrow import parquet

    reader = _Reader(options)
    total = _count(paths) if progress else None
    target = Path(file)
    temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
    rows = 0
    try:
        with parquet.ParquetWriter(temporary, table_schema()) as writer:
            for batch in _batches(_files(paths, target), reader, progress, total, threads):
                writer.write_batch(batch)
                rows += batch.num_rows
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return rows
