"""The page of results from planted findings: the text states the figures, and all texts are escaped."""

from dataclasses import replace

import pytest

from polyseme.reports.results import (
    Breakdown,
    Confusion,
    FailedUsage,
    FigureWithSignificance,
    Findings,
    Mistakes,
    ResultLine,
)
from polyseme.reports.results_page import results_report
from polyseme.reports.results_tables import MarkedFloat, breakdown_table, lemma_table, reliability_table, scores_table
from polyseme.reports.tables import table_to_csv, table_to_latex
from polyseme.tasks.columns import ScoreColumn
from polyseme.usage import Usage

EVIL = "<img src=x onerror=alert(1)>"
F1 = ScoreColumn("F1", "f1")


@pytest.fixture(autouse=True)
def _libraries() -> None:
    pytest.importorskip("altair", reason="needs polyseme[plots]")


def planted_findings() -> Findings:
    usage = Usage("u1", EVIL, f"a {EVIL} bank {EVIL}", 31, 35, meta={"genre": EVIL})
    failure = FailedUsage(usage, {"money": 1.0}, {EVIL: 0.75, "shore": 0.25}, 1.0)
    lines = [
        ResultLine(
            EVIL,
            "model",
            {"f1": FigureWithSignificance(0.5, 0.4, 0.6, 0.3, 0.2, 0.4, 0.001, 0.002)},
            lemmas={EVIL: 0.75, "b": 0.25},
        ),
        ResultLine(
            "paper",
            "system",
            {"f1": FigureWithSignificance(0.3, 0.2, 0.4, 0.1, -0.1, 0.3, 0.2, 0.2)},
            lemmas={EVIL: 0.5, "b": 0.1},
        ),
        ResultLine("chance", "baseline", {"f1": FigureWithSignificance(0.2, 0.1, 0.3)}, lemmas={EVIL: 0.2, "b": 0.2}),
    ]
    return Findings(
        title=EVIL,
        task="all-words",
        columns=[F1],
        measure=F1,
        lines=lines,
        best=EVIL,
        best_system="paper",
        reference="chance",
        sizes={EVIL: 3, "b": 2},
        breakdowns=[Breakdown("genre", {EVIL: 3, "x": 2}, {EVIL: {EVIL: 0.5, "x": 0.4}}, 1)],
        mistakes=Mistakes(
            [1.0, 0.0], 1, [failure], [Confusion(EVIL, "money", EVIL, 0.75, 1)], {(EVIL, "money"): EVIL}, True
        ),
        notes=[EVIL],
        samples=1000,
        about=[("Data", EVIL)],
    )


def test_all_texts_are_escaped() -> None:
    page = results_report(planted_findings()).page(command=EVIL)
    assert "<img" not in page
    assert page.count("&lt;img") > 20


def test_the_summary_states_the_figures() -> None:
    page = results_report(planted_findings()).page()
    assert " is 0.500 (95% interval 0.400 to 0.600), significantly above chance (0.200);" in page
    assert "; corrected p = 0.0020.</p>" in page
    assert "Of the published systems in the table, paper has the highest " in page
    assert "(0.750) and worst on b (0.250)." in page
    assert "Error above 0.5: 1 of 2 usages. Without an answer: 1 usage." in page
    assert "<mark>bank</mark>" in page


def test_an_insignificant_difference_is_called_so() -> None:
    findings = planted_findings()
    weak = replace(findings.lines[0], figures={"f1": FigureWithSignificance(0.5, 0.4, 0.6, 0.3, -0.2, 0.4, 0.1, 0.2)})
    page = results_report(replace(findings, lines=[weak, *findings.lines[1:]])).page()
    assert ", not significantly above chance (0.200); corrected p = 0.2000." in page


def test_marks_are_shown_to_people_but_not_in_csv() -> None:
    table = scores_table(planted_findings())
    assert [table.format(row[1]) for row in table.rows] == ["0.500*", "0.300", "0.200"]
    assert table_to_csv(table).splitlines()[1:3] == [f"{EVIL},0.5,,,,,", "paper,0.3,,,,,"]
    assert "0.500*" in table_to_latex(table)
    assert MarkedFloat(0.5) == 0.5
    assert any("Holm's method for 2 comparisons" in note for note in table.notes)
    assert table.rules == (1, 2)


def test_intervals_lemmas_and_groups_have_tables() -> None:
    findings = planted_findings()
    tested = reliability_table(findings, "F1", "f1")
    assert tested.rows[0][1:] == (0.5, 0.4, 0.6, 0.3, 0.2, 0.4, "0.0010", "0.0020", "*")
    assert tested.rows[1][-1] == ""
    assert lemma_table(findings).rows == ((EVIL, 3, 0.75, 0.5, 0.2), ("b", 2, 0.25, 0.1, 0.2))
    assert lemma_table(findings, 1).notes == ("1 more lemmas are in the files that --tables writes.",)
    parts = breakdown_table(findings, findings.breakdowns[0])
    assert parts.columns == ("System", f"{EVIL} (3)", "x (2)")
    assert parts.rows == ((EVIL, 0.5, 0.4),)


def test_one_lemma_has_no_intervals_and_no_plot_of_lemmas() -> None:
    findings = planted_findings()
    lines = [
        ResultLine("m", "model", {"f1": FigureWithSignificance(0.5)}, lemmas={"b": 0.5}),
        ResultLine("c", "baseline", {"f1": FigureWithSignificance(0.2)}),
    ]
    short = replace(
        findings, lines=lines, best="m", best_system="", reference="c", samples=0, breakdowns=[], mistakes=None
    )
    report = results_report(short)
    assert [section.heading for section in report.sections] == ["In short", "Scores"]
    assert report.introduction == "The F1 of m is 0.500, compared with c (0.200)."


def test_the_best_of_several_models_is_named_first() -> None:
    findings = planted_findings()
    other = ResultLine("other", "model", {"f1": FigureWithSignificance(0.1)})
    report = results_report(replace(findings, lines=[*findings.lines, other]))
    assert report.introduction.startswith(f"{EVIL} has the highest F1 of 2 models: 0.500 (95% interval")


def test_the_reference_is_not_compared_with_itself() -> None:
    report = results_report(replace(planted_findings(), reference=EVIL))
    assert report.introduction == f"The F1 of {EVIL} is 0.500 (95% interval 0.400 to 0.600)."
