"""Shares over time, and what of their change is more than chance."""

import pytest

from polyseme.portrait.periods import changes, fitting_width, over_time, peaks, span, time_field
from portraits import planted, portrait, usage


def test_shares_of_periods() -> None:
    found = over_time(planted(20), width=20)
    assert [(each.start, each.end, each.usages, each.few) for each in found] == [
        (1800, 1819, 10, False),
        (1820, 1839, 10, False),
    ]
    assert found[0].shares == pytest.approx((0.2, 0.8))  # money has the greater share of all, and so comes first
    assert found[1].shares == pytest.approx((0.9, 0.1))
    assert all(each.few for each in over_time(planted(20)))
    assert span(planted(20)) == (1800, 1838)


def test_a_sense_that_rose_and_one_that_fell() -> None:
    found = {each.sense: each for each in changes(planted())}
    rose, fell = found["bank.n.s1"], found["bank.n.s2"]
    assert rose.rose
    assert not fell.rose
    assert rose.significant
    assert rose.p == fell.p == pytest.approx(2 / 2001)
    assert (rose.before, rose.after) == pytest.approx((0.2, 0.9))
    assert rose.correlation == pytest.approx(-fell.correlation)
    assert 1800 < rose.early < rose.late < 1918


def test_what_takes_turns_does_not_change() -> None:
    assert not any(each.significant for each in changes(planted(turned=False)))
    assert not any(each.significant for each in peaks(planted(turned=False)))


def test_usages_of_one_document_are_one_witness() -> None:
    """Twenty usages of money in one late document are no trend: any document could have been the last."""
    usages = [usage(n, f"the {{}} {n}", document=f"d{min(n, 6)}", year=1900 + min(n, 6)) for n in range(27)]
    found = changes(portrait([(0.0, 1.0)] * 6 + [(1.0, 0.0)] * 21, usages))
    assert found[0].p > 0.05


def test_a_peak() -> None:
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=1900 + n) for n in range(60)]
    found = peaks(portrait([(0.9, 0.1) if 20 <= n < 30 else (0.1, 0.9) for n in range(60)], usages))
    first = next(each for each in found if each.sense == "bank.n.s1")
    assert (first.period.start, first.period.usages, first.significant) == (1920, 10, True)
    assert (first.share, first.elsewhere) == pytest.approx((0.9, 0.1))


def test_where_the_time_stands() -> None:
    named = [usage(n, "{}", page=1800 + n, Date=f"19{n}0-01", document="1700-x") for n in range(3)]
    assert time_field(named) == "Date"
    assert time_field([usage(n, "{}", document=f"speeches/18{n}0-Polk-1.txt") for n in range(3)]) == "document"
    assert time_field([usage(n, "{}", document=f"chapter {n}") for n in range(3)]) is None
    assert time_field([usage(n, "{}", year=1900) for n in range(3)]) is None  # one year only: nothing changes
    assert time_field([]) is None


def test_without_a_time() -> None:
    found = portrait([(0.5, 0.5)] * 3, [usage(n, "{}") for n in range(3)])
    assert over_time(found) == []
    assert changes(found) == []
    assert peaks(found) == []
    assert span(found) is None


def test_the_width_that_fits() -> None:
    assert fitting_width(planted(60)) == 50
    assert fitting_width(planted(60), enough=5) == 10
    assert fitting_width(planted(60), enough=8) == 20
