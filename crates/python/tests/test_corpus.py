"""The example about many machines computes each part once, whatever happens to its workers."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, ROOT

import genvisa

for module in ["fsspec", "pyarrow", "distributed"]:
    pytest.importorskip(module, reason=f"{module} is not installed")

import fsspec
from pyarrow import dataset

EXAMPLES = ROOT / "crates" / "python" / "examples"
COMMANDS = ["stats", "verify", "diff"]
FILES = 40
PART = 4


@pytest.fixture(scope="module")
def corpus() -> Iterator[Any]:
    # The workers import the module as well, with the path of this process.
    sys.path.insert(0, str(EXAMPLES))
    yield importlib.import_module("corpus")
    sys.path.remove(str(EXAMPLES))


@pytest.fixture
def builds(tmp_path: Path) -> tuple[str, str]:
    """Makes two builds, in which some files differ, are wrong, or exist once."""
    texts = [DATA / name for name in ["collatz.visaasm", "collatz-2.visaasm", "illegal.visaasm"]]
    for build in range(2):
        for index in range(FILES):
            file = tmp_path / f"build-{build}" / f"program-{index % 3}" / f"{index:03}.visaasm"
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(texts[2 if index % 5 == 0 else build if index % 2 else 0], file)
    (tmp_path / "build-0" / "program-0" / "wrong.visaasm").write_text("hello\n")
    (tmp_path / "build-1" / "program-1" / "new.isa").write_bytes((DATA / "tour.isa").read_bytes())
    return str(tmp_path / "build-0"), str(tmp_path / "build-1")


def rows(out: str) -> dict[str, Any]:
    """Returns the rows of all output files, in the order of the files."""
    return {name: dataset.dataset(f"{out}/{name}").to_table().to_pylist() for name in COMMANDS}


def sequential(corpus: Any, builds: tuple[str, str], out: Path) -> tuple[dict[str, Any], list[Any]]:
    run = corpus.Run(str(out), builds, {"platform": "bmg"})
    todo = corpus.parts(run, PART)
    corpus.compute(run, todo)
    return rows(run.out), todo


def wait_for(condition: Callable[[], object]) -> None:
    # Starting a worker takes long on a busy machine.
    for _ in range(2400):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("timeout")


def test_output(corpus: Any, builds: tuple[str, str], tmp_path: Path) -> None:
    found, todo = sequential(corpus, builds, tmp_path / "out")
    assert len(todo) == 11
    statistics = [row for row in found["stats"] if row["error"] is None]
    expected = [entry for build in builds for entry in named_stats(build)]
    key = lambda row: (row["build"], row["file"], row["routine"])
    assert sorted(map(key, statistics)) == sorted(expected)
    (wrong,) = (row for row in found["stats"] if row["error"])
    assert (wrong["build"], wrong["file"]) == (builds[0], "program-0/wrong.visaasm")
    findings = [row for row in found["verify"] if row["rule"] and row["build"] == builds[0]]
    illegal = {f"program-{index % 3}/{index:03}.visaasm" for index in range(0, FILES, 5)}
    assert {row["file"] for row in findings if row["rule"] != "syntax"} == illegal
    assert {row["file"] for row in findings if row["rule"] == "syntax"} == {"program-0/wrong.visaasm"}
    only = [(row["side"], row["only"]) for row in found["diff"] if row["only"]]
    assert sorted(only) == [("a", "program-0/wrong.visaasm"), ("b", "program-1/new.isa")]
    changed = {Path(row["file"]).stem for row in found["diff"] if row["routine"]}
    assert changed == {f"{index:03}" for index in range(1, FILES, 2) if index % 5}


def named_stats(build: str) -> Iterator[tuple[str, str, str]]:
    try:
        entries = genvisa.stats(build, platform="bmg")
    except genvisa.ToolError as error:
        entries = error.answer
    for entry in entries:
        yield build, os.path.relpath(entry["file"], build), entry["routine"]


def test_a_bucket_works_the_same(corpus: Any, builds: tuple[str, str], tmp_path: Path) -> None:
    expected, todo = sequential(corpus, builds, tmp_path / "out")
    memory = fsspec.filesystem("memory")
    for index, build in enumerate(builds):
        memory.put(build, f"/bucket/{index}", recursive=True)
    remote = ("memory://bucket/0", "memory://bucket/1")
    run = corpus.Run("memory://bucket/out", remote, {"platform": "bmg"})
    assert corpus.parts(run, PART) == todo
    corpus.compute(run, todo)
    memory.get("/bucket/out", str(tmp_path / "copy"), recursive=True)
    text = repr(rows(str(tmp_path / "copy")))
    for name, build in zip(remote, builds):
        text = text.replace(name, build)
    assert text == repr(expected)


def test_another_run_is_not_continued(corpus: Any, builds: tuple[str, str], tmp_path: Path) -> None:
    _, todo = sequential(corpus, builds, tmp_path / "out")
    sequential(corpus, builds, tmp_path / "out")
    with pytest.raises(ValueError, match="contains the output of another run"):
        corpus.compute(corpus.Run(str(tmp_path / "out"), builds, {}), todo)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_worker_is_killed(corpus: Any, builds: tuple[str, str], tmp_path: Path) -> None:
    distributed: Any = importlib.import_module("distributed")
    expected, todo = sequential(corpus, builds, tmp_path / "expected")
    out = tmp_path / "out"
    run = corpus.Run(str(out), builds, {"platform": "bmg"})
    # A worker cannot finish this part, because it waits for somebody who writes to the pipe.
    part = todo[5]
    file = Path(builds[1], part.files[2])
    moved = file.rename(tmp_path / "moved")
    os.mkfifo(file)

    def complete(number: int) -> bool:
        return all((out / name / f"{number:06}.parquet").exists() for name in COMMANDS)

    with (
        # If the test fails, the thread ends when the client is closed.
        ThreadPoolExecutor(1) as thread,
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        ids = client.run(os.getpid)
        assert len(ids) == 2
        future = thread.submit(corpus.compute, run, todo, client)
        wait_for(lambda: all(complete(other.number) for other in todo if other != part))

        def busy() -> list[str]:
            return [worker for worker, keys in client.processing().items() if keys]

        # The scheduler learns later that the other worker has finished.
        wait_for(lambda: len(busy()) == 1)
        (address,) = busy()
        # The files of the part were begun.
        wait_for(lambda: len(list(out.glob(f"*/.{part.number:06}.*"))) == len(COMMANDS))
        assert not any((out / name / f"{part.number:06}.parquet").exists() for name in COMMANDS)
        # The next worker finds the file.
        moved.replace(file)
        os.kill(ids[address], signal.SIGKILL)
        future.result(timeout=120)
    assert rows(run.out) == expected
    names = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    files = [f"{name}/{part.number:06}.parquet" for name in COMMANDS for part in todo]
    assert names == sorted([*files, "run.json"])
