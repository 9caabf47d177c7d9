"""How many published figures there are, and how many of them are computed."""

from polyseme.reports.reproduction_tables import coverage_table
from polyseme.tasks.coverage import FigureCount, count_computed_figures, count_figures
from polyseme.tasks.published import read_known_differences

ROWS = count_figures()
TASKS = sorted({row.task for row in ROWS})


def test_every_source_is_listed_once() -> None:
    assert len({(row.task, row.source) for row in ROWS}) == len(ROWS)


def test_every_computed_figure_is_of_a_listed_source() -> None:
    unlisted = {task: set(count_computed_figures(task)) - {row.source for row in count_figures(task)} for task in TASKS}
    assert not any(unlisted.values()), unlisted


def test_figures_that_are_not_computed_have_a_reason() -> None:
    """No more figures are computed than there are; 0 stands for a number that is not known."""
    assert not [row for row in ROWS if row.computed > row.printed and row.printed]
    assert not [row for row in ROWS if not row.reason and row.computed != row.printed]


def test_read_known_differences_are_of_listed_sources() -> None:
    sources = {(row.task, row.source) for row in ROWS}
    assert {key[:2] for key in read_known_differences() if key[0] in TASKS} <= sources


def test_the_table_has_sums_and_leaves_out_unknown_numbers() -> None:
    rows = [
        FigureCount("a", "§1", 3, 2, "lost"),
        FigureCount("a", "Table 1", 0, 0, "lost"),
        FigureCount("b", "§2", 1, 1, ""),
    ]
    table = coverage_table(rows)
    assert table.rows == (
        ("a", "all", 3, 2, ""),
        ("", "§1", 3, 2, "lost"),
        ("", "Table 1", None, 0, "lost"),
        ("b", "all", 1, 1, ""),
        ("", "§2", 1, 1, ""),
    )
    assert table.rules == (3,)
    assert table.notes == ("3 of 4 figures are computed",)
