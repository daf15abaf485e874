"""The notebook finds out why a build is slower."""

from __future__ import annotations

import base64
import importlib
from typing import Any

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "crates" / "python" / "examples"

for module in ["nbclient", "nbformat", "ipykernel", "pyarrow", "pandas", "matplotlib"]:
    pytest.importorskip(module, reason=f"{module} is not installed")


def test_notebook() -> None:
    nbformat: Any = importlib.import_module("nbformat")
    nbclient: Any = importlib.import_module("nbclient")
    notebook = nbformat.read(EXAMPLES / "why_slower.ipynb", as_version=4)
    resources = {"metadata": {"path": str(EXAMPLES)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    pictures = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
    assert all(base64.b64decode(picture).startswith(b"\x89PNG") for picture in pictures)
    text = "".join(output.text for output in outputs if output.get("name") == "stdout")
    assert "divide_by_length in divide_by_length.visaasm: 36 to 103" in text
    assert "They came from sqrtm (+29), divm (+22), or (+3)" in text
    assert "The same as before: vISA instructions, messages," in text
