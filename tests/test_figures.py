"""The figures of the README and of docs/results.md are those of the records in docs/figures: none is typed by hand."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
BY_HAND = ("polyseme reproduce", "python bench/")
"""What a paragraph names above a table that is no record of a run: published figures beside ours, and timings."""


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["README.md", "docs/results.md"])
def test_tables_are_those_of_the_records(tables: ModuleType, page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "<!-- figures:" in text
    assert tables.update_tables(text) == text, "type: python docs/tables.py"


def test_a_figure_that_is_changed_is_noticed(tables: ModuleType) -> None:
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("| `UoS(top='all')` |"))
    changed = text.replace(line, re.sub(r"\.\d\d\d", ".999", line, count=1))
    assert changed != text
    assert tables.update_tables(changed) == text


def test_every_table_of_systems_has_its_record() -> None:
    """A table without a mark is one that a benchmark or `polyseme reproduce` prints, which the section names."""
    for section in re.split(r"\n(?=##+ )", (ROOT / "docs" / "results.md").read_text(encoding="utf-8")):
        lines = section.splitlines()
        heads = [number for number, line in enumerate(lines) if line.startswith("|") and lines[number - 1][:1] != "|"]
        for number in heads:
            marked = lines[number - 1].startswith("<!-- figures:")
            assert marked or any(command in section for command in BY_HAND), f"{lines[0]}: {lines[number]}"


def test_every_record_is_of_a_plan_and_is_shown() -> None:
    pages = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/results.md"))
    for path in (ROOT / "docs" / "figures").glob("*.json"):
        assert (ROOT / "examples" / f"{path.stem}.toml").is_file(), path
        assert f"<!-- figures: {path.stem} " in pages, path
        assert json.loads(path.read_text(encoding="utf-8"))["rows"], path


def test_numbers_are_written_as_in_the_field(tables: ModuleType) -> None:
    assert [tables._number(value, 3) for value in (0.5, -0.008, 1.0, 8.66)] == [".500", "-.008", "1.000", "8.660"]
    assert tables._number(0.0, 0) == "0"
