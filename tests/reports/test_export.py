"""Tables and plots as files named after their titles."""

from pathlib import Path

import pytest
from markupsafe import Markup

from polyseme.errors import InputError
from polyseme.reports.export import plot_files, table_files, write_files
from polyseme.reports.page import Report, ReportSection, make_anchors, make_slug
from polyseme.reports.plots import SeriesPoint, plot_series
from polyseme.reports.tables import Table

SCORES = Table("Scores: all, 50%", ("System", "F1"), (("a", 1 / 3),))


def test_tables_are_written_with_all_digits(tmp_path: Path) -> None:
    assert write_files(tmp_path / "deep" / "down", table_files([SCORES, SCORES])) == 4
    names = sorted(path.name for path in (tmp_path / "deep" / "down").iterdir())
    assert names == ["scores-all-50-2.csv", "scores-all-50-2.tex", "scores-all-50.csv", "scores-all-50.tex"]
    assert (tmp_path / "deep" / "down" / "scores-all-50.csv").read_text() == f"System,F1\na,{1 / 3}\n"


def test_plots_are_written_as_svg_and_png() -> None:
    pytest.importorskip("altair", reason="needs polyseme[plots]")
    files = dict(plot_files([plot_series("α of “path”", "Words", [SeriesPoint("x", "series", 0.5)], "α")]))
    assert list(files) == ["of-path.svg", "of-path.png"]
    assert files["of-path.png"].startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="the folder cannot be created"):
        write_files(tmp_path / "file", table_files([SCORES]))


def test_slugs_are_safe_file_names() -> None:
    assert make_slug("../../etc/passwd") == "etc-passwd"
    assert make_slug("<script>") == "script"
    assert make_anchors(["a", "a", "A!", ""]) == ["a", "a-2", "a-3", "section"]
    assert len(make_slug("long " * 100)) <= 80


def test_a_page_has_contents_only_if_it_has_several_sections() -> None:
    section, contents = ReportSection("A", "w", []), ReportSection("Contents", "w", [])
    single = Report("T", "I", [section]).page()
    several = Report("T", "I", [section, contents]).page("polyseme report <x>")
    assert "<nav" not in single
    assert "<footer" not in single
    assert '<a href="#contents-2">Contents</a>' in several
    assert '<section id="contents-2">' in several
    assert "<code>polyseme report &lt;x&gt;</code>, polyseme " in several


def test_a_report_lists_its_tables() -> None:
    other = Table("Long", ("x",), ())
    report = Report("T", "I", [ReportSection("A", "w", [SCORES, Markup("<p>x</p>")])], long_tables=[other])
    assert report.tables() == [SCORES, other]
    assert not report.plots()
    assert "<p>x</p>" in report.page()
