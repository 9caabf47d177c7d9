from __future__ import annotations

from polyseme.explorer.period_chart import WIDTH, chart_columns
from polyseme.words.periods import Period


def test_columns_stand_where_their_years_are() -> None:
    found = chart_columns([Period(1800, 1809, 5, (0.25, 0.75)), Period(1830, 1839, 50, (1.0, 0.0))])
    assert [column.x for column in found] == [0, WIDTH * 3 / 4]
    assert [piece.width for piece in found[0].pieces] == [25, 75]
    assert [column.few for column in found] == [True, False]
    assert found[1].said == "1830–1839: sense 1 100%"
    assert chart_columns([]) == []
