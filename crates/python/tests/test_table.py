"""Tables contain what `stats` returns."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA

import genvisa

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")

TEXT = DATA / "plain.visaasm"
WRONG = '.version 3.6\n.kernel "k"\nadd\n'


def flat(value: Any, names: list[str], name: str = "") -> Iterator[tuple[str, Any]]:
    """Returns the values of an entry of `stats` by the names of columns."""
    if name in names:
        yield name, list(value.items()) if isinstance(value, dict) else value
    elif value is not None:
        for key, one in value.items():
            yield from flat(one, names, f"{name}_{key}" if name else key)


@pytest.mark.filterwarnings("ignore::genvisa.AssumptionWarning")
@pytest.mark.parametrize("options", [{}, {"by_line": True, "asm": DATA / "lines" / "scale.asm"}])
def test_rows_are_the_entries_of_stats(options: dict[str, Any]) -> None:
    paths = [DATA / "lines" / "scale.visaasm"] if options else sorted(DATA.glob("*.visaasm"))
    table = genvisa.table(paths, **options)
    names = table.column_names
    assert len(set(names)) == len(names)
    try:
        entries = genvisa.stats(*paths, **options)
    except genvisa.ToolError as error:
        entries = error.answer
    rows = [row for row in table.to_pylist() if row["error"] is None]
    assert rows == [{**dict.fromkeys(names), **dict(flat(entry, names))} for entry in entries]
    assert rows[0]["totals_instructions"] > 1 and rows[0]["control_flow_blocks"] >= 1
    assert table.schema == genvisa.table_schema()
    assert table.schema.field("operations").type == pa.map_(pa.string(), pa.int64())
    if options:
        assert rows[0]["lines"] and rows[0]["machine_code_of_instructions"]


@pytest.mark.filterwarnings("ignore::genvisa.AssumptionWarning")
def test_answers_of_other_commands() -> None:
    findings = genvisa.verify(DATA / "tour.isa", group=["igc", "manual"], platform="pvc")
    differences = genvisa.diff(DATA / "collatz.visaasm", DATA / "collatz-2.visaasm")
    only = {"file": "old", "side": "a", "only": "k.visaasm"}
    for command, answer in [("verify", findings), ("diff", [*differences, only])]:
        table = genvisa.answer_table(command, answer)
        names = table.column_names
        assert table.to_pylist() == [{**dict.fromkeys(names), **entry} for entry in answer]
        assert genvisa.answer_table(command, []).schema == table.schema
        assert names.count("error") == 1
    with pytest.raises(ValueError, match="`dis` is not a list"):
        genvisa.table_schema("dis")


def test_the_files_of_folders_are_those_of_the_tool(tmp_path: Path) -> None:
    for name in ["b/k.visaasm", "b.visaasm", "a/c/k.visaasm", ".git/k.visaasm", ".k.visaasm", "k.cl"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TEXT, tmp_path / name)
    shutil.copy(DATA / "tour.isa", tmp_path)
    (tmp_path / "link.visaasm").symlink_to(TEXT)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "empty").mkdir()
    expected = [entry["file"] for entry in genvisa.stats(tmp_path, registers=32)]
    assert len(expected) == 5
    assert genvisa.table(tmp_path, registers=32)["file"].to_pylist() == expected
    (row,) = genvisa.table(tmp_path / "empty").to_pylist()
    assert "contains no .isa or .visaasm files" in row["error"]


def test_errors_are_rows(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.visaasm"
    wrong.write_text(WRONG)
    partly = tmp_path / "partly.isa"
    partly.write_bytes((DATA / "tour.isa").read_bytes()[:-1])
    paths = [TEXT, wrong, tmp_path / "none.isa", TEXT, partly]
    rows = genvisa.table(paths, registers=32).to_pylist()
    assert [row["file"] for row in rows] == list(map(str, paths))
    assert [row["routine"] for row in rows] == ["plain", None, None, "plain", None]
    assert [row["error"] is None for row in rows] == [True, False, False, True, False]
    assert "wrong.visaasm:3:4" in rows[1]["error"]
    assert "No such file" in rows[2]["error"]
    with pytest.raises(genvisa.ToolError, match="unexpected argument"):
        genvisa.table(TEXT, no_such_option=1)
    with pytest.raises(TypeError, match="filter"):
        genvisa.table(TEXT, routine="plain")


def test_progress_and_threads(tmp_path: Path) -> None:
    # Parts of different sizes finish in another order.
    paths = [TEXT if index % 40 else DATA / "tour.isa" for index in range(500)]
    calls: list[tuple[int, int | None]] = []
    table = genvisa.table(
        paths, registers=32, threads=4, progress=lambda done, total: calls.append((done, total))
    )
    assert table["file"].to_pylist() == list(map(str, paths))
    assert calls[-1] == (500, 500)
    assert [done for done, _ in calls] == sorted({done for done, _ in calls})
    totals: list[int | None] = []
    genvisa.table(iter(paths), registers=32, progress=lambda _, total: totals.append(total))
    assert set(totals) == {None}


def test_batches_read_files_when_they_are_needed() -> None:
    read = 0

    def paths() -> Iterator[Path]:
        nonlocal read
        for read in itertools.count(1):
            yield TEXT

    batches = genvisa.batches(paths(), registers=32, threads=2)
    first, second = next(batches), next(batches)
    assert first.num_rows + second.num_rows <= read < 2 * second.num_rows + 200
    batches.close()


def test_parquet(tmp_path: Path) -> None:
    file = tmp_path / "out" / "table.parquet"
    file.parent.mkdir()
    paths = [*[TEXT] * 3000, tmp_path / "none.isa"]
    assert genvisa.write_table(paths, file, registers=32) == 3001
    assert parquet.read_table(file) == genvisa.table(paths, registers=32)
    assert parquet.read_metadata(file).num_row_groups == 3

    def fails() -> Iterator[Path]:
        yield from paths
        raise RuntimeError("no more names")

    before = file.read_bytes()
    with pytest.raises(RuntimeError, match="no more names"):
        genvisa.write_table(fails(), file, registers=32)
    assert [one.name for one in file.parent.iterdir()] == ["table.parquet"]
    assert file.read_bytes() == before


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    text = tmp_path / "k.visaasm"
    shutil.copy(TEXT, text)
    inputs: list[Path | list[Path]] = [tmp_path, [text]]
    for paths in inputs:
        with pytest.raises(ValueError, match="is one of the inputs"):
            genvisa.write_table(paths, text)
    assert text.read_bytes() == TEXT.read_bytes()
    assert len(list(tmp_path.iterdir())) == 1


def test_warnings_of_a_class_are_issued_once(tmp_path: Path) -> None:
    for index in range(20):
        (tmp_path / f"{index}.visaasm").write_text('.version 4.2\n.kernel "k"\nret (M1, 1)\n')
    with pytest.warns(genvisa.AssumptionWarning, match="registers of 32 bytes are assumed") as found:
        genvisa.table(tmp_path)
    assert len(found) == 1


def test_pyarrow_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'genvisa\[arrow\]'"):
        genvisa.table(TEXT)
