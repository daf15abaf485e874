"""Statistics and findings of builds, and the differences of two builds, as Parquet files.

    corpus.py OUT BUILD [OTHER] [--platform NAME] [--workers N | --scheduler ADDRESS]

A build is a folder with .isa and .visaasm files, and OUT a folder. Both are paths or addresses that fsspec
reads, such as s3://bucket/builds/2.40. Files of two builds are compared if their paths in the builds are
the same.

OUT gets the folders `stats`, `verify` and, for two builds, `diff`, each with a file for each part of the
input. A file is written under a hidden name and renamed when it is complete. A part whose files exist is
not computed again, so that the same command continues a run that was interrupted. A part of a worker that
is killed is computed by another.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import posixpath
import sys
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import fsspec
import pyarrow as pa
from pyarrow import parquet

import genvisa

SUFFIXES = (".isa", ".visaasm")
HIDDEN = ".part"


class Part(NamedTuple):
    """Files of builds, which are read together."""

    number: int
    files: tuple[str, ...]
    """Paths in the builds."""


class Run(NamedTuple):
    """What all parts have in common."""

    out: str
    builds: tuple[str, ...]
    options: dict[str, Any]


def parts(run: Run, size: int) -> list[Part]:
    """Returns the parts of the input, each with at most `size` files of a build."""
    names: set[str] = set()
    for build in run.builds:
        fs, root = fsspec.url_to_fs(build)
        root = root.rstrip("/") + "/"
        names.update(file[len(root) :] for file in fs.find(root) if file.endswith(SUFFIXES))
    files = sorted(names)
    return [
        Part(number, tuple(files[start : start + size]))
        for number, start in enumerate(range(0, len(files), size))
    ]


def outputs(run: Run, part: Part) -> dict[str, str]:
    """Returns the path of the file of a part for each command."""
    commands = ["stats", "verify", "diff"][: 2 if len(run.builds) == 1 else 3]
    root = fsspec.url_to_fs(run.out)[1]
    return {
        command: posixpath.join(root, command, f"{part.number:06}.parquet") for command in commands
    }


@contextlib.contextmanager
def writer(run: Run, path: str, schema: pa.Schema) -> Iterator[parquet.ParquetWriter]:
    """Opens a Parquet file, which gets its name when it is complete."""
    fs = fsspec.url_to_fs(run.out)[0]
    folder, name = posixpath.split(path)
    fs.makedirs(folder, exist_ok=True)
    temporary = posixpath.join(folder, f".{name}.{uuid.uuid4().hex}{HIDDEN}")
    try:
        with fs.open(temporary, "wb") as file, parquet.ParquetWriter(file, schema) as opened:
            yield opened
        # On a local disk, this is atomic. A bucket shows a copy when it is complete.
        fs.mv(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            fs.rm(temporary)
        raise


def schema_of(command: str) -> pa.Schema:
    """Returns the columns of the files of a command: those of its answer, and the build."""
    columns = genvisa.table_schema(command)
    return columns if command == "diff" else columns.insert(0, pa.field("build", pa.string()))


def download(build: str, part: Part, folder: Path) -> list[Path]:
    """Copies the files of a part to a local folder, and returns the copies."""
    fs, root = fsspec.url_to_fs(build)
    copies = []
    for file in part.files:
        copy = folder / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            copy.write_bytes(fs.cat_file(posixpath.join(root, file)))
            copies.append(copy)
    return copies


def named(value: Any, folders: dict[str, str]) -> Any:
    """Replaces the local folders in an answer."""
    if isinstance(value, list):
        return [named(one, folders) for one in value]
    if isinstance(value, dict):
        return {key: named(one, folders) for key, one in value.items()}
    if isinstance(value, str):
        for folder, name in folders.items():
            value = value.replace(folder, name)
    return value


def answer(command: str, files: list[Path], options: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the answer about files. If they have errors, they are in the column `error`."""
    try:
        found: list[dict[str, Any]] = getattr(genvisa, command)(*files, **options)
    except genvisa.ToolError as error:
        if command == "diff" and error.answer:
            # The answer contains the errors.
            found = error.answer
        else:
            found = [*(error.answer or []), {"file": str(files[0]), "error": str(error)}]
    return found


def scratch() -> str | None:
    """Returns the folder that Dask removes if the worker is killed, or else the default."""
    with contextlib.suppress(ImportError, ValueError):
        from distributed import get_worker

        return str(get_worker().local_directory)
    return None


def work(run: Run, part: Part) -> int:
    """Writes the files of a part that do not exist, and returns the part's number."""
    fs = fsspec.url_to_fs(run.out)[0]
    paths = {command: path for command, path in outputs(run, part).items() if not fs.exists(path)}
    if not paths:
        return part.number
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        # The column `register_bytes` has the size that is assumed.
        warnings.simplefilter("ignore", genvisa.AssumptionWarning)
        local = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=scratch())))
        opened = {
            command: stack.enter_context(writer(run, path, schema_of(command)))
            for command, path in paths.items()
        }
        folders = {}
        for index, build in enumerate(run.builds):
            folder = local / str(index)
            folders[f"{folder}/"] = ""
            files = download(build, part, folder)
            for command in opened.keys() & {"stats", "verify"}:
                rows = [row for file in files for row in answer(command, [file], run.options)]
                rows = [{"build": build, **row} for row in named(rows, folders)]
                table = genvisa.answer_table(command, rows)
                builds = pa.array([build] * len(rows), pa.string())
                opened[command].write_table(table.add_column(0, "build", builds))
        if "diff" in opened:
            rows = differences(run, part, local)
            opened["diff"].write_table(genvisa.answer_table("diff", rows))
    return part.number


def differences(run: Run, part: Part, local: Path) -> list[dict[str, Any]]:
    """Returns the differences of two builds, whose files are in the folders 0 and 1."""
    rows: list[dict[str, Any]] = []
    folders = {str(local / str(index)): build for index, build in enumerate(run.builds)}
    for file in part.files:
        sides = [local / folder / file for folder in ("0", "1")]
        if all(side.exists() for side in sides):
            rows += named(answer("diff", sides, run.options), folders)
        else:
            index = [side.exists() for side in sides].index(True)
            rows.append({"file": run.builds[index], "side": "ab"[index], "only": file})
    return rows


def check_manifest(run: Run, todo: list[Part]) -> None:
    """Writes what the run is about. Raises `ValueError` if the folder contains another run."""
    fs, root = fsspec.url_to_fs(run.out)
    path = posixpath.join(root, "run.json")
    digest = hashlib.sha256(json.dumps(todo).encode()).hexdigest()
    text = json.dumps({**run._asdict(), "parts": len(todo), "sha256": digest}).encode()
    if fs.exists(path):
        if fs.cat_file(path) != text:
            raise ValueError(f"{run.out} contains the output of another run")
        return
    fs.makedirs(root, exist_ok=True)
    fs.pipe_file(path, text)


def compute(run: Run, todo: list[Part], client: Any = None) -> None:
    """Computes parts, on the workers of a `distributed.Client` if there is one."""
    check_manifest(run, todo)
    if client is None:
        done: Any = (work(run, part) for part in todo)
    else:
        from distributed import as_completed

        futures = client.map(work, [run] * len(todo), todo, pure=False)
        done = (number for _, number in as_completed(futures, with_results=True))
    for count, _ in enumerate(done, 1):
        print(f"\r{count} of {len(todo)} parts", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    # Files of workers that were killed.
    fs, root = fsspec.url_to_fs(run.out)
    for path in fs.find(root):
        if path.endswith(HIDDEN):
            fs.rm(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", help="folder of the Parquet files")
    parser.add_argument("builds", nargs="+", help="one or two builds")
    parser.add_argument("--platform", help="platform of the files, such as bmg")
    parser.add_argument("--part", type=int, default=500, metavar="FILES", help="files of a part")
    parser.add_argument("--workers", type=int, default=2, help="local processes; 0: this one")
    parser.add_argument("--scheduler", help="address of a Dask scheduler with workers")
    args = parser.parse_args()
    if len(args.builds) > 2:
        parser.error("more than two builds")
    options = {"platform": args.platform} if args.platform else {}
    run = Run(args.out, tuple(args.builds), options)
    todo = parts(run, args.part)
    if args.workers == 0 and not args.scheduler:
        compute(run, todo)
        return
    from distributed import Client, LocalCluster

    if args.scheduler:
        with Client(args.scheduler) as client:
            compute(run, todo, client)
        return
    # A thread for each worker: the files of a part are read one after the other.
    with LocalCluster(args.workers, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            compute(run, todo, client)


if __name__ == "__main__":
    main()
