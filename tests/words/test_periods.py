"""Shares over time, and the significance of their change."""

from dataclasses import replace

import pytest

from polyseme.words.periods import (
    SenseChange,
    choose_period_width,
    detect_changes,
    detect_peaks,
    find_time_field,
    find_year,
    shares_by_period,
    year_span,
)
from polyseme.words.profile import WordProfile
from word_profiles import bank_profile, changing_profile, usage


def require_changes(profile: WordProfile) -> list[SenseChange]:
    """The changes, which must have been tested."""
    rows = detect_changes(profile)
    assert rows is not None
    return rows


def test_shares_are_computed_by_period() -> None:
    rows = shares_by_period(changing_profile(20), width=20)
    assert [(row.start, row.end, row.usages, row.few) for row in rows] == [
        (1800, 1819, 10, False),
        (1820, 1838, 10, False),
    ]
    assert rows[0].shares == pytest.approx((0.2, 0.8))  # money has the greater share of all, and so comes first
    assert rows[1].shares == pytest.approx((0.9, 0.1))
    assert all(row.few for row in shares_by_period(changing_profile(20)))
    assert year_span(changing_profile(20)) == (1800, 1838)


def test_a_rising_and_a_falling_sense_are_detected() -> None:
    rows = {row.sense: row for row in require_changes(changing_profile())}
    rose, fell = rows["bank.n.s1"], rows["bank.n.s2"]
    assert rose.rose
    assert not fell.rose
    assert rose.significant
    assert rose.clear
    assert rose.p == fell.p == pytest.approx(2 / 2001)
    assert (rose.before, rose.after) == pytest.approx((0.2, 0.9))
    assert rose.correlation == pytest.approx(-fell.correlation)
    assert 1800 < rose.early < rose.late < 1918


def test_alternating_senses_do_not_change() -> None:
    assert not any(row.significant for row in require_changes(changing_profile(changes=False)))
    assert not any(row.significant for row in detect_peaks(changing_profile(changes=False)))


def test_usages_of_one_document_count_as_one_unit() -> None:
    """Twenty usages of money in usage_in_field late document are no trend: any document could be the last."""
    usages = [usage(n, f"the {{}} {n}", document=f"d{min(n, 6)}", year=1900 + min(n, 6)) for n in range(27)]
    rows = require_changes(bank_profile([(0.0, 1.0)] * 6 + [(1.0, 0.0)] * 21, usages))
    assert rows[0].p > 0.05


def test_a_trend_that_the_thirds_contradict_is_not_clear() -> None:
    up = SenseChange("bank.n.s1", 0.4, 0.01, 0.30, 0.25, 1850, 1900)
    assert (up.significant, up.rose, up.clear) == (True, True, False)
    assert not SenseChange("bank.n.s1", 0.4, 0.01, 0.3, 0.3, 1850, 1900).clear
    assert SenseChange("bank.n.s1", -0.4, 0.01, 0.3, 0.25, 1850, 1900).clear
    assert not SenseChange("bank.n.s1", -0.4, 0.2, 0.3, 0.25, 1850, 1900).clear


def test_the_first_and_the_last_third_have_no_year_in_common() -> None:
    """Of thirty usages, eighteen are of 1910: this year is in the middle, so in neither third."""
    years = [1890] * 3 + [1900] * 3 + [1910] * 18 + [1920] * 3 + [1930] * 2 + [1940]
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=year) for n, year in enumerate(years)]
    weights = [(0.0, 1.0) if year < 1910 else (0.5, 0.5) if year == 1910 else (1.0, 0.0) for year in years]
    money = next(row for row in require_changes(bank_profile(weights, usages)) if row.sense == "bank.n.s1")
    assert (money.early, money.late, money.before, money.after) == (1900, 1920, 0.0, 1.0)
    assert money.clear


@pytest.mark.parametrize("first, early, late", [(True, 1900, 1901), (False, 1903, 1904)])
def test_a_year_at_the_edge_with_most_usages_is_a_third_of_its_own(first: bool, early: int, late: int) -> None:
    years = [1900] * 20 + [1901, 1902, 1903, 1904] if first else [1900, 1901, 1902, 1903] + [1904] * 20
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=year) for n, year in enumerate(years)]
    rows = require_changes(bank_profile([(0.5, 0.5)] * 24, usages))
    assert {(row.early, row.late) for row in rows} == {(early, late)}


def test_too_few_years_are_not_tested() -> None:
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=1900 + n % 4) for n in range(40)]
    assert detect_changes(bank_profile([(0.5, 0.5)] * 40, usages)) is None
    five = [usage(n, f"the {{}} {n}", document=f"d{n}", year=1900 + n % 5) for n in range(40)]
    rows = require_changes(bank_profile([(0.5, 0.5)] * 40, five))
    assert [row.significant for row in rows] == [False, False]


def test_a_few_years_are_periods_of_their_own_without_peaks() -> None:
    """The rule is that of trends: fewer than five years are not tested."""
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=(1970, 1985, 2000)[n % 3]) for n in range(60)]
    profile = bank_profile([(1.0, 0.0) if n % 3 == 0 else (0.0, 1.0) for n in range(60)], usages)
    width = choose_period_width(profile)
    assert [(row.start, row.end) for row in shares_by_period(profile, width=width)] == [
        (1970, 1970),
        (1985, 1985),
        (2000, 2000),
    ]
    assert (detect_changes(profile), detect_peaks(profile, width=width)) == (None, [])


def test_a_peak_is_detected() -> None:
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=1900 + n) for n in range(60)]
    rows = detect_peaks(bank_profile([(0.9, 0.1) if 20 <= n < 30 else (0.1, 0.9) for n in range(60)], usages))
    first = next(row for row in rows if row.sense == "bank.n.s1")
    assert (first.period.start, first.period.usages, first.significant) == (1920, 10, True)
    assert (first.share, first.elsewhere) == pytest.approx((0.9, 0.1))


def test_the_time_field_is_found_by_its_name() -> None:
    usages = [usage(n, "{}", page=1800 + n, Date=f"19{n}0-01", document="1700-x") for n in range(3)]
    assert find_time_field(usages) == "Date"
    assert find_time_field([usage(n, "{}", document=f"speeches/18{n}0-Polk-1.txt") for n in range(3)]) == "document"
    assert find_time_field([usage(n, "{}", document=f"chapter {n}") for n in range(3)]) is None
    assert (
        find_time_field([usage(n, "{}", year=1900) for n in range(3)]) is None
    )  # usage_in_field year only: nothing changes
    assert find_time_field([]) is None


def test_other_numbers_are_not_years() -> None:
    assert find_time_field([usage(n, "{}", length=1500 + n) for n in range(3)]) is None
    assert find_time_field([usage(n, "{}", candidate=1800 + n) for n in range(3)]) is None
    assert find_time_field([usage(n, "{}", document=f"report no. 18{n}0") for n in range(3)]) is None
    assert find_time_field([usage(n, "{}", document=f"{1000 + n}-words.txt") for n in range(3)]) is None
    assert find_time_field([usage(n, "{}", document=f"t.csv#{1800 + n}") for n in range(3)]) is None
    assert find_time_field([usage(n, "{}", years_sold=1000 + n) for n in range(3)]) is None


@pytest.mark.parametrize(
    "field, value, year",
    [
        ("pub_year", 1871, 1871),
        ("dateWritten", "1871-03-02", 1871),
        ("publication-date", "1871/3", 1871),
        ("pub_year", "c. 1871", None),
        ("pub_year", "18710", None),
        ("Year", "about 1871", 1871),
        ("decade", "1870s", 1870),
        ("document", "letters/1871/0042.txt", 1871),
        ("document", "a.jsonl#1871-Smith", 1871),
    ],
)
def test_years_are_found_in_dates_and_names(field: str, value: object, year: int | None) -> None:
    usage_in_field, other = (
        replace(usage(0, "{}"), meta={field: row}) for row in (value, str(value).replace("187", "188"))
    )
    assert find_year(usage_in_field, field) == year
    assert find_time_field([usage_in_field, other]) == (field if year else None)


def test_undated_usages_have_no_periods_and_changes() -> None:
    rows = bank_profile([(0.5, 0.5)] * 3, [usage(n, "{}") for n in range(3)])
    assert shares_by_period(rows) == []
    assert detect_changes(rows) is None
    assert detect_peaks(rows) == []
    assert year_span(rows) is None


def test_periods_begin_and_end_with_the_data() -> None:
    years = [1791, 1795, 1822, 1899, 1904]
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=year) for n, year in enumerate(years)]
    rows = shares_by_period(bank_profile([(0.5, 0.5)] * 5, usages), width=30)
    assert [(row.start, row.end, row.usages) for row in rows] == [(1791, 1819, 2), (1820, 1849, 1), (1880, 1904, 2)]


def test_the_period_width_gives_enough_usages() -> None:
    assert choose_period_width(changing_profile(60)) == 30
    assert choose_period_width(changing_profile(60), enough=20) == 50
    assert choose_period_width(changing_profile(60), enough=5) == 10
    assert choose_period_width(changing_profile(60), enough=8) == 20
