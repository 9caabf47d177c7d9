from __future__ import annotations

from polyseme.explore.chart import WIDTH, columns
from polyseme.portrait.periods import Period


def test_columns_stand_where_their_years_are() -> None:
    found = columns([Period(1800, 1809, 5, (0.25, 0.75)), Period(1830, 1839, 50, (1.0, 0.0))])
    assert [column.x for column in found] == [0, WIDTH * 3 / 4]
    assert [piece.width for piece in found[0].pieces] == [25, 75]
    assert [column.few for column in found] == [True, False]
    assert found[1].said == "1830–1839: sense 1 100%"
    assert columns([]) == []
