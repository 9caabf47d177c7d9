"""The figures of the README and the documentation come from records in docs/figures: none is typed by hand."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
COMMANDS = ("polyseme reproduce", "python bench/", "python -m training.")
"""A section names one of these if its tables are printed by a command and not made from a record of a run."""


def load_tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TABLES = load_tables()
PAGES: list[Path] = TABLES.list_pages()


def read_page(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tables_are_those_of_the_records(page: Path) -> None:
    assert TABLES.update_tables(read_page(page), page) == read_page(page), "type: python docs/tables.py"


def test_the_readme_and_the_results_have_tables_of_figures() -> None:
    assert ROOT / "README.md" in PAGES
    assert RESULTS / "index.md" in PAGES


def test_a_figure_that_is_changed_is_noticed() -> None:
    page = RESULTS / "semeval-2013.md"
    text = read_page(page)
    line = next(line for line in text.splitlines() if line.startswith("| `UoS(top='all')` |"))
    changed = text.replace(line, re.sub(r"\.\d\d\d", ".999", line, count=1))
    assert changed != text
    assert TABLES.update_tables(changed, page) == text


def test_text_beside_figures_stays_with_its_row() -> None:
    text = """<!-- figures: usim model published only MirrorWiC, BERT; Substitution() -->
| system | source | ρ |
|---|---|---:|
| `Substitution()` | ours | .999 |
| gone | nobody | |
"""
    *_, first, second = TABLES.update_tables(text, ROOT / "README.md").splitlines()
    assert first == "| MirrorWiC, BERT |  | .618 |"
    assert second == "| `Substitution()` | ours | .694 |"


def test_a_row_that_no_record_has_is_an_error() -> None:
    with pytest.raises(SystemExit, match=r"usim: no row UoY\(\); there are Substitution\(\), TokenEncoder"):
        TABLES.update_tables(
            "<!-- figures: usim model only UoY() -->\n| system | ρ |\n|---|---:|\n", ROOT / "README.md"
        )


def test_links_of_headlines_lead_from_their_page() -> None:
    text = "<!-- headlines -->\n| task | figure | polyseme |\n|---|---|---:|\n"
    assert "(docs/results/semeval-2013.md)" in TABLES.update_tables(text, ROOT / "README.md")
    assert "(../results/semeval-2013.md)" in TABLES.update_tables(text, ROOT / "docs" / "models" / "index.md")


def list_sections(text: str) -> Iterator[list[str]]:
    """The lines of each section, without those of code."""
    for section in re.split(r"\n(?=##+ )", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        yield section.splitlines()


def has_figures(lines: list[str]) -> bool:
    """Whether a table has cells such as .370 or 12.4."""
    return any(re.search(r"\| *\d*\.\d+( ±[^|]*)? *\|", line) for line in lines)


@pytest.mark.parametrize("page", sorted(RESULTS.glob("*.md")), ids=lambda page: page.name)
def test_every_table_of_figures_has_its_record_or_its_command(page: Path) -> None:
    for lines in list_sections(read_page(page)):
        starts = [number for number, line in enumerate(lines) if line.startswith("|") and lines[number - 1][:1] != "|"]
        for number in starts:
            end = next((n for n in range(number, len(lines)) if not lines[n].startswith("|")), len(lines))
            is_marked = lines[number - 1].endswith("-->")
            is_printed = any(command in line for command in COMMANDS for line in lines)
            assert is_marked or is_printed or not has_figures(lines[number:end]), f"{lines[0]}: {lines[number]}"


@pytest.mark.parametrize("page", sorted(RESULTS.glob("*.md")), ids=lambda page: page.name)
def test_tables_have_at_most_seven_columns(page: Path) -> None:
    wide = [line for line in read_page(page).splitlines() if line.startswith("|") and line.count("|") > 8]
    assert not wide


def test_every_record_has_a_plan_or_commands_and_is_shown() -> None:
    pages = "".join(map(read_page, PAGES))
    for path in (ROOT / "docs" / "figures").glob("*.json"):
        rows = json.loads(read_page(path))["rows"]
        assert rows, path
        assert (ROOT / "examples" / f"{path.stem}.toml").is_file() or all(row["command"] for row in rows), path
        assert re.search(rf"<!-- figures:[^>]*\b{re.escape(path.stem)}[, ]", pages), path


def test_every_published_figure_names_its_source() -> None:
    with (ROOT / "docs" / "figures" / "published.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert rows
    for row in rows:
        assert re.search(r"\b(19|20)\d\d\b", row["source"]), row
        assert 0 < float(row["value"]) < 1, row


def test_headlines_lead_to_pages_of_results() -> None:
    entries = tomllib.loads(read_page(ROOT / "docs" / "figures" / "headlines.toml"))["headline"]
    assert all((RESULTS / f"{entry['page']}.md").is_file() for entry in entries)


def test_numbers_are_written_as_in_the_field() -> None:
    assert [TABLES.format_number(value, 3) for value in (0.5, -0.008, 1.0, 8.66)] == [".500", "-.008", "1.000", "8.660"]
    assert TABLES.format_number(0.0, 0) == "0"
