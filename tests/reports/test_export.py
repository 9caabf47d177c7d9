"""Tables and plots as files called after their titles."""

from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.reports.export import plot_files, table_files, write_files
from polyseme.reports.page import HtmlBlock, Report, add_footer, make_anchors, make_slug, render_report
from polyseme.reports.plots import PlotDot, plot_dots
from polyseme.reports.tables import Table

SCORES = Table("Scores: all, 50%", ("System", "F1"), (("a", 1 / 3),))


def test_tables_go_to_files_with_every_digit(tmp_path: Path) -> None:
    assert write_files(tmp_path / "deep" / "down", table_files([SCORES, SCORES])) == 4
    names = sorted(each.name for each in (tmp_path / "deep" / "down").iterdir())
    assert names == ["scores-all-50-2.csv", "scores-all-50-2.tex", "scores-all-50.csv", "scores-all-50.tex"]
    assert (tmp_path / "deep" / "down" / "scores-all-50.csv").read_text() == f"System,F1\na,{1 / 3}\n"


def test_plots_go_to_files() -> None:
    pytest.importorskip("altair", reason="needs polyseme[plots]")
    files = dict(plot_files([plot_dots("α of “each”", "Words", [PlotDot("x", 0.5)], "α")]))
    assert list(files) == ["of-each.svg", "of-each.png"]
    assert files["of-each.png"].startswith(b"\x89PNG")


def test_where_no_folder_can_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="no folder can be made there"):
        write_files(tmp_path / "file", table_files([SCORES]))


def test_names_lead_nowhere_else() -> None:
    assert make_slug("../../etc/passwd") == "etc-passwd"
    assert make_slug("<script>") == "script"
    assert make_anchors(["a", "a", "A!", ""]) == ["a", "a-2", "a-3", "section"]
    assert len(make_slug("long " * 100)) <= 80


def test_a_page_has_contents_only_if_it_has_several_sections() -> None:
    one = render_report("T", "I", [("A", "w", [])])
    two = add_footer(render_report("T", "I", [("A", "w", []), ("Contents", "w", [])]), "polyseme report <x>")
    assert "<nav" not in one
    assert "<footer" not in one
    assert '<a href="#contents-2">Contents</a>' in two
    assert '<section id="contents-2">' in two
    assert "<code>polyseme report &lt;x&gt;</code>, polyseme " in two


def test_a_report_knows_its_tables() -> None:
    other = Table("Long", ("x",), ())
    made = Report("T", "I", [("A", "w", [SCORES, HtmlBlock("<p>x</p>")])], more=[other])
    assert made.tables() == [SCORES, other]
    assert not made.plots()
    assert "<p>x</p>" in made.page()
