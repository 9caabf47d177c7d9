"""Use of the scale, care and metricity as tables."""

from collections.abc import Callable

import pytest

from polyseme.agreement.careless_responding import check_responses
from polyseme.agreement.group_effect import measure_group_effect
from polyseme.agreement.implied_pairs import Close, Narrow, find_implied_pairs
from polyseme.agreement.judgements import collect_judgements
from polyseme.agreement.pair_savings import simulate_savings
from polyseme.agreement.scale_use import (
    count_several_senses,
    measure_item_spreads,
    measure_scale_use,
    measure_spread,
    rank_by_difficulty,
)
from polyseme.agreement.triangles import check_triangle_inequality
from polyseme.rating import UNDECIDED, WSSIM, Rating, Ratings
from polyseme.reports.scale_tables import (
    distribution_table,
    evidence_table,
    finding_table,
    flag_table,
    group_effect_table,
    implied_table,
    range_table,
    savings_table,
    several_senses_table,
    spread_table,
    triangle_table,
    widest_table,
    worst_triple_table,
)
from polyseme.reports.tables import WRITERS, Table
from polyseme.usage import UsagePair


def wssim(annotator: str, sense: str, value: float, group: str) -> Rating:
    return Rating(annotator, "WSsim", f"{sense}.n", f"{sense}1", sense, value, group=group)


SENSES = Ratings(
    wssim(annotator, sense, value, group)
    for annotator, group, values in [
        ("ann", "x", (5, 1, UNDECIDED)),
        ("bob", "y", (3, 1, 4)),
        ("cat", "y", (1, 1, UNDECIDED)),
    ]
    for sense, value in zip("abc", values, strict=True)
)
PAIRS = [UsagePair("a.n", one, two, rating) for one, two, rating in [("1", "2", 5), ("2", "3", 5), ("1", "3", 2)]]
USIM = Ratings(Rating(annotator, "Usim", *pair[:3], pair.similarity) for annotator in ("ann", "bob") for pair in PAIRS)
LONG = Ratings(
    Rating(annotator, "WSsim", "a.n", f"u{n}", "s", 3 if annotator == "cat" else 1 + n % 5, order=n)
    for annotator in ("ann", "bob", "cat")
    for n in range(40)
)

TABLES: dict[str, Callable[[], Table]] = {
    "distributions": lambda: distribution_table(measure_scale_use(SENSES, WSSIM), WSSIM),
    "groups": lambda: group_effect_table(measure_group_effect(SENSES)),
    "no groups": lambda: group_effect_table(measure_group_effect(USIM)),
    "lemmas": lambda: spread_table(
        measure_spread(collect_judgements(SENSES)), rank_by_difficulty(collect_judgements(SENSES))
    ),
    "ranges": lambda: range_table(measure_spread(collect_judgements(SENSES))),
    "items": lambda: widest_table(measure_item_spreads(collect_judgements(SENSES))),
    "several": lambda: several_senses_table({"all": count_several_senses(collect_judgements(SENSES))}),
    "flags": lambda: flag_table(check_responses(LONG)),
    "evidence": lambda: evidence_table(check_responses(LONG)),
    "findings": lambda: finding_table(check_responses(LONG)),
    "triangles": lambda: triangle_table(check_triangle_inequality(USIM)),
    "averages": lambda: triangle_table(check_triangle_inequality(PAIRS)),
    "worst": lambda: worst_triple_table(check_triangle_inequality(USIM).individuals),
    "savings": lambda: savings_table([simulate_savings(PAIRS), simulate_savings(PAIRS, Narrow(2))]),
    "implied": lambda: implied_table(find_implied_pairs(PAIRS[:2])),
    "nothing": lambda: distribution_table(measure_scale_use(Ratings([]))),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_written(name: str) -> None:
    table = TABLES[name]()
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert all(0 <= rule <= len(table.rows) for rule in table.rules)
    for writer in [*WRITERS.values(), Table.__html__]:
        assert table.columns[0] in writer(table)


def test_shares_and_what_values_mean() -> None:
    table = TABLES["distributions"]()
    assert [row[0] for row in table.rows] == ["all", "group x", "group y", "ann", "bob", "cat"]
    assert table.rows[0][:6] == ("all", 4 / 7, 0.0, 1 / 7, 1 / 7, 1 / 7)
    assert table.rows[0][6:] == pytest.approx((16 / 7, 7, 2))
    assert table.rules == (1, 3)
    assert "1 completely different; 2 mostly different" in table.notes[1]


def test_undefined_figures_have_a_reason() -> None:
    assert "c.n: no item of c.n was judged by two annotators." in TABLES["lemmas"]().notes
    assert TABLES["no groups"]().notes == ("No test of the groups: all judgements are of one group.",)


def test_flags_say_who_and_why() -> None:
    table = TABLES["flags"]()
    assert [row[:2] for row in table.rows] == [("cat", "few values")]
    assert table.rows[0][3] == "a.n: u0 – s: gave 3; the others' mean is 1"
    assert any(note.startswith("Not checked: speed: response times") for note in table.notes)
    assert len(TABLES["evidence"]().rows) == 5
    assert len(TABLES["findings"]().rows) == 9


def test_triangles_of_averages_and_of_people() -> None:
    table = TABLES["triangles"]()
    assert [row[0] for row in table.rows] == ["averages", "a.n", "individuals", "ann", "bob"]
    assert table.rows[0][1:4] == pytest.approx((0, 5 / 9, 1))
    assert TABLES["worst"]().rows[0] == ("a.n", "1", "2", "3", 5.0, 5.0, 2.0, 2.0, "ann")


def test_what_is_saved() -> None:
    rows = TABLES["savings"]().rows
    assert rows[0][:2] == (str(Close(4)), "one usage after the other")
    assert 0 <= float(rows[0][2] or 0) <= 1 / 3
    assert TABLES["implied"]().rows == (("a.n", "1", "3", 4.0, 5.0, "2"),)
