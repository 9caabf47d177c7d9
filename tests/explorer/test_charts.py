"""Charts of the explorer."""

from __future__ import annotations

from polyseme.explorer.charts import WIDTH, chart_columns
from polyseme.words.periods import Period


def test_columns_are_placed_by_their_years() -> None:
    columns = chart_columns([Period(1800, 1809, 5, (0.25, 0.75)), Period(1830, 1839, 50, (1.0, 0.0))])
    assert [(column.x, column.width) for column in columns] == [(0, WIDTH / 4), (WIDTH * 3 / 4, WIDTH / 4)]
    assert [segment.width for segment in columns[0].segments] == [25, 75]
    assert [column.few for column in columns] == [True, False]
    assert columns[1].title == "1830–1839: sense 1 100%"
    assert chart_columns([]) == []


def test_single_years_stand_side_by_side() -> None:
    columns = chart_columns([Period(year, year, 20, (1.0,)) for year in (1800, 1990, 2000)])
    assert [(column.label, column.x, column.width) for column in columns] == [
        ("1800", 0, WIDTH / 3),
        ("1990", WIDTH / 3, WIDTH / 3),
        ("2000", WIDTH * 2 / 3, WIDTH / 3),
    ]


def test_columns_of_shorter_periods_are_narrower() -> None:
    columns = chart_columns([Period(1791, 1819, 5, (1.0,)), Period(1820, 1849, 5, (1.0,))])
    assert [column.label for column in columns] == ["1791", "1820"]
    assert columns[0].width < columns[1].width
    assert columns[0].x + columns[0].width == columns[1].x
