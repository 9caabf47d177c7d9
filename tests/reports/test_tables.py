"""A table is a value; how it is text is chosen last."""

import csv
import html.parser
import io
import math
import sys
from dataclasses import replace

import pytest

from polyseme.reports.page import Report, ReportSection
from polyseme.reports.tables import (
    WRITERS,
    Table,
    table_to_csv,
    table_to_latex,
    table_to_markdown,
    table_to_text,
)

NASTY = r"a|b & <i>50%</i> \x_1 #{y}~^$ 'q' \"d\""
TABLE = Table(
    "Scores & <more>",
    ("System", "F₁ | 100%", "n"),
    ((NASTY, 0.123456, 3), ("b.key", None, 12), ("c.key", math.nan, 0), ("d.key", -0.2, 7)),
    notes=("a note & so on",),
    rules=(2,),
)


def test_tables_are_written_in_four_formats() -> None:
    assert set(WRITERS) == {"table", "csv", "markdown", "latex"}


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_a_table_without_rows_has_headings(form: str) -> None:
    assert "System" in WRITERS[form](Table("none", ("System", "F1"), ()))


def test_numbers_are_rounded_for_people_only() -> None:
    assert [TABLE.format(cell) for cell in ("x", 0.12351, 3, None, math.nan, -0.2)] == [
        "x",
        "0.124",
        "3",
        "–",
        "–",
        "-0.200",
    ]
    assert Table("t", ("x",), (), digits=1).format(0.26) == "0.3"
    assert "0.123456" in table_to_csv(TABLE)
    for text in (table_to_text(TABLE), table_to_markdown(TABLE), table_to_latex(TABLE), TABLE.__html__()):
        assert "0.123" in text
        assert "0.1234" not in text


def test_csv_reads_back() -> None:
    head, *rows = csv.reader(io.StringIO(table_to_csv(TABLE)))
    assert tuple(head) == TABLE.columns
    assert rows == [[NASTY, "0.123456", "3"], ["b.key", "", "12"], ["c.key", "", "0"], ["d.key", "-0.2", "7"]]


def markdown_cells(line: str) -> list[str]:
    """Cells by the rules of GitHub's tables: a bar with a backslash before it is text."""
    cells, cell, escaped = [], "", False
    for character in line:
        if escaped:
            cell, escaped = cell + character, False
        elif character == "\\":
            escaped = True
        elif character == "|":
            cells.append(cell.strip())
            cell = ""
        else:
            cell += character
    return cells[1:]


def test_markdown_cells_are_escaped_and_aligned() -> None:
    head, rule, *rows, blank, note = table_to_markdown(TABLE).split("\n")
    assert (blank, note) == ("", "a note & so on")
    assert rule == "|---|---:|---:|"
    assert markdown_cells(head) == list(TABLE.columns)
    assert markdown_cells(rows[0]) == [NASTY, "0.123", "3"]
    assert [markdown_cells(row)[1] for row in rows] == ["0.123", "–", "–", "-0.200"]


def test_latex_is_escaped_and_has_rules() -> None:
    lines = table_to_latex(TABLE).split("\n")
    assert lines[0] == r"\begin{tabular}{lrr}"
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\midrule", r"\bottomrule"]
    assert lines.index(r"\midrule", 4) == 6, "a rule before the third row"
    assert lines[2] == r"System & F₁ | 100\% & n \\"
    assert lines[4].startswith(r"a|b \& <i>50\%</i> \textbackslash{}x\_1 \#\{y\}\textasciitilde{}\textasciicircum{}\$")
    assert lines[5] == r"b.key & -- & 12 \\"
    assert all(line.count("{") - line.count(r"\{") == line.count("}") - line.count(r"\}") for line in lines)


class Elements(html.parser.HTMLParser):
    """The elements of a page, which must be closed, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parse(text: str) -> Elements:
    elements = Elements()
    elements.feed(text)
    elements.close()
    assert not elements.open
    return elements


def test_html_is_escaped_and_has_scopes() -> None:
    elements = parse(TABLE.__html__())
    assert "i" not in {tag for tag, _ in elements.seen}, "names are escaped"
    assert {"Scores & <more>", NASTY, "–", "a note & so on"} <= set(elements.text)
    rows = [attributes for tag, attributes in elements.seen if tag == "tr"]
    assert [row.get("class") for row in rows] == [None, None, None, "rule", None]
    assert [attributes.get("class") for tag, attributes in elements.seen if tag == "td"] == ["number"] * 8
    assert [attributes["scope"] for tag, attributes in elements.seen if tag == "th"] == ["col"] * 3 + ["row"] * 4


def test_a_table_without_rows_shows_only_its_notes_on_a_page() -> None:
    elements = parse(replace(TABLE, rows=(), rules=()).__html__())
    assert "a note & so on" in elements.text
    assert "th" not in {tag for tag, _ in elements.seen}


def test_a_page_is_complete_and_escaped() -> None:
    section = ReportSection("Head <1>", "Text & <text>", [TABLE, TABLE])
    page = Report("A <b> & c", "Words & <words>", [section]).page()
    elements = parse(page)
    assert {"A <b> & c", "Words & <words>", "Head <1>", "Text & <text>"} <= set(elements.text)
    assert [tag for tag, _ in elements.seen].count("table") == 2
    assert ("html", {"lang": "en"}) in elements.seen


def test_text_is_as_wide_as_necessary_in_a_pipe() -> None:
    title, head, _, *rows, note = table_to_text(TABLE).split("\n")
    assert title == "Scores & <more>"
    assert head.split("  ")[0].strip() == "System"
    assert NASTY in rows[0]
    assert note == "a note & so on"
    assert "[bold]x[/bold]" in table_to_text(Table("t", ("[red]a[/red]",), (("[bold]x[/bold]",),))), "no markup is read"
    long = "name" * 60
    assert long in table_to_text(Table("t", ("System", "F1"), ((long, 0.5),)))


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_long_specifications_leave_room_for_prose_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"option_{number}={number}," for number in range(40)]
    prose = "a sentence that says what the part does, of eleven words or so"
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "100")
    text = table_to_text(Table("parts", ("Part", "Kind", "What it does"), ((" ".join(names), "inducer", prose),)))
    assert max(map(len, text.split("\n"))) <= 100
    assert all(name in text for name in names)
    assert "a sentence that says what the part does," in text


def test_nothing_is_cut_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    headings = ("System", "Jaccard F1", "Fuzzy B-Cubed", "What it is")
    prose = "a few words that may be wrapped where the terminal ends"
    table = Table("wide", headings, (("a-rather-long-name.key", 0.12345, 0.5, prose), ("b.key", 0.5, -0.25, "short")))
    monkeypatch.setattr(sys, "stdout", Terminal())
    for columns in ("30", "70", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        text = table_to_text(table)
        assert all(word in text for word in ("a-rather-long-name.key", "0.123", "0.500", "-0.250", "Jaccard"))
        assert all(word in text for word in prose.split())
        wrapped = max(map(len, text.split("\n"))) < len(prose) + 40
        assert wrapped == (columns != "200")
