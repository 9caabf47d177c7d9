"""Run the notebooks and write their outputs: ``python tools/run_notebooks.py``; with ``--check``, compare them only.

Each runs in a temporary copy of ``examples/``, so that what it writes is gone afterwards. A notebook must end without
errors and warnings. Its outputs must be small and must not name folders of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
FOLDER = EXAMPLES / "notebooks"
IGNORED = shutil.ignore_patterns("*.index", "*.db", "*.html", "results", "texts*", ".ipynb_checkpoints")
CELL_SECONDS = 300
LARGEST = 150_000
"""The most bytes of a notebook with its outputs."""

Notebook = Any


def list_notebooks() -> list[Path]:
    """List the notebooks of the examples."""
    return sorted(FOLDER.glob("*.ipynb"))


def read_notebook(path: Path) -> Notebook:
    """Read a notebook."""
    import nbformat

    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def format_notebook(notebook: Notebook) -> str:
    """Return the text of a notebook's file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def run_notebook(path: Path) -> Notebook:
    """Run a notebook in a temporary copy of the examples, and return it with its new outputs.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell ends with an error.
    """
    from nbclient import NotebookClient

    notebook = read_notebook(path)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shutil.copytree(EXAMPLES, Path(folder, "examples"), ignore=IGNORED)
        client = NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            resources={"metadata": {"path": str(Path(folder, "examples", "notebooks"))}},
        )
        client.execute(env={**os.environ, "IPYTHONDIR": str(Path(folder, "ipython"))})
        tidy_outputs(notebook)
        if problems := list(find_problems(notebook, folder)):
            raise ValueError(f"{path.name}: {'; '.join(problems)}")
    return notebook


def tidy_outputs(notebook: Notebook) -> None:
    """Remove what is different in every run, and progress bars, which are empty in the end."""
    notebook.metadata.pop("language_info", None)
    for cell in list_code_cells(notebook):
        cell.metadata.pop("execution", None)
        cell.outputs = [output for output in cell.outputs if output.get("data", True)]
        for output in cell.outputs:
            output.pop("transient", None)


def find_problems(notebook: Notebook, folder: str) -> Iterator[str]:
    """Yield what is wrong with the outputs of a notebook that ran in a folder."""
    for number, cell in enumerate(list_code_cells(notebook), start=1):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"code cell {number} wrote to stderr: {output.text.strip()}"
        text = json.dumps(cell.outputs)
        for place in (folder, str(Path.home()), str(EXAMPLES.parent)):
            if json.dumps(place)[1:-1] in text:
                yield f"the output of code cell {number} has the path {place}"
    if (size := len(format_notebook(notebook).encode())) > LARGEST:
        yield f"it has {size:,} bytes; {LARGEST:,} are allowed"


def list_code_cells(notebook: Notebook) -> list[Any]:
    """Return the cells with code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def describe_outputs(notebook: Notebook) -> list[list[str]]:
    """Return the formats of the values that each code cell displays."""
    return [
        [" ".join(sorted(output.data)) for output in cell.outputs if "data" in output]
        for cell in list_code_cells(notebook)
    ]


def find_changes(committed: Notebook, fresh: Notebook) -> Iterator[str]:
    """Yield the code cells that display values of other formats than the committed ones.

    Values are not compared: language models give slightly different figures on other processors, and a data set may be
    missing, which a cell then prints.
    """
    pairs = zip(describe_outputs(committed), describe_outputs(fresh), strict=True)
    for number, (before, after) in enumerate(pairs, start=1):
        if before != after:
            yield f"code cell {number} displays {after}; committed is {before}"


def main(arguments: list[str] | None = None) -> int:
    """Run notebooks; return 1 if ``--check`` finds that one must be written again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="Default: all in examples/notebooks.")
    parser.add_argument("--check", action="store_true", help="Write nothing, and compare the outputs.")
    options = parser.parse_args(arguments)
    has_changes = False
    for path in options.notebooks or list_notebooks():
        fresh = run_notebook(path)
        if not options.check:
            path.write_text(format_notebook(fresh), "utf-8")
            print(f"{path.name}: {path.stat().st_size:,} bytes")
            continue
        for change in find_changes(read_notebook(path), fresh):
            has_changes = True
            print(f"{path.name}: {change}; type: make notebooks", file=sys.stderr)
    return int(has_changes)


if __name__ == "__main__":
    sys.exit(main())
