"""The findings about a word: they state what its data show, whatever the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.words.certainty import Certainty
from polyseme.words.periods import Period, SenseChange, SensePeak
from polyseme.words.profile import WordProfile
from polyseme.words.summary import describe_procedure, headline, summarise_word, summarise_words
from polyseme.words.word_reports import WordReport, make_word_report
from word_profiles import bank_profile, changing_profile, usage

MONEY, SHORE = "money, loan, interest", "river, water"


def report_of(profile: WordProfile, **changes: object) -> WordReport:
    """The report of a single run, without peaks."""
    return replace(make_word_report([profile]), peaks=(), **changes)  # type: ignore[arg-type]


def falling_profile() -> WordProfile:
    """*bank* from 1800 on: *shore* falls from all usages to a half, and three other senses share what it loses."""
    usages, labels = [], {}
    for number in range(60):
        use = usage(number, f"the {{}} {number}", document=f"d{number}", year=1800 + number)
        usages.append(use)
        shore = 1.0 if number < 30 else 0.5
        rest = {f"bank.n.s{sense}": (1 - shore) / 3 for sense in (1, 3, 4)}
        labels[use.id] = {"bank.n.s2": shore, **{sense: weight for sense, weight in rest.items() if weight}}
    senses = [Sense(f"bank.n.s{n}", "bank.n", features=((f"word{n}", 1.0),)) for n in (1, 2, 3, 4)]
    profile = bank_profile([(0.0, 1.0)] * 60, usages)
    return replace(profile, senses=tuple(senses), labelling=Labelling.from_dict(labels, lemma="bank.n"))


def certainty(agreement: float, *senses: float) -> Certainty:
    return Certainty(3, agreement, 0.8, 0.5, 0.4, senses)


# -- change ------------------------------------------------------------------------------------------------------------


def test_a_rising_sense_comes_first() -> None:
    report = report_of(changing_profile())
    finding, second, *_ = summarise_word(report)
    assert finding == f"The sense “{MONEY}” rose from 20% of usages (before 1841) to 90% (after 1877)."
    assert second == f"“{SHORE}” fell from 80% to 10%."
    assert headline(report) == f"“{MONEY}” rose from 20% to 90%"


def test_a_falling_sense_comes_first_if_none_rises() -> None:
    report = report_of(falling_profile())
    fell = [change for change in report.changes or () if not change.rose]
    finding = summarise_word(replace(report, changes=tuple(fell)))[0]
    assert finding == "The sense “word2” fell from 100% of usages (before 1821) to 50% (after 1838)."
    assert headline(replace(report, changes=tuple(fell))) == "“word2” fell from 100% to 50%"


def test_the_stated_periods_and_shares_are_those_of_the_data() -> None:
    """The shares before and after the stated years, counted again from the usages."""
    profile = changing_profile()
    change = next(change for change in report_of(profile).changes or () if change.rose)
    years = np.array([int(str(use.meta["date"])[:4]) for use in profile.usages])
    money = profile.weights[:, profile.number(change.sense)]
    assert money[years < change.early + 1].mean() == pytest.approx(change.before)
    assert money[years > change.late - 1].mean() == pytest.approx(change.after)


def test_a_peak_comes_first_if_nothing_else_changes() -> None:
    peak = SensePeak("bank.n.s1", Period(1900, 1929, 40, ()), 0.6, 0.1, 0.01)
    report = replace(report_of(changing_profile(changes=False)), peaks=(peak,))
    finding = f"The sense “{MONEY}” peaks in 1900–1929: 60% of usages, against 10% in other years."
    assert summarise_word(report)[0] == finding
    assert headline(report) == f"“{MONEY}” peaks in 1900–1929"


# -- no change ---------------------------------------------------------------------------------------------------------


def test_the_main_senses_come_first_if_nothing_changes() -> None:
    report = report_of(changing_profile(changes=False))
    finding, reason, *_ = summarise_word(report)
    assert finding == f"The main sense is “{MONEY}” (55% of usages)."
    assert reason == "No sense rises or falls significantly over time."
    assert headline(report) == f"mostly “{MONEY}” (55%)"


def test_small_or_contradictory_trends_are_left_out() -> None:
    small = SenseChange("bank.n.s1", 0.5, 0.01, 0.30, 0.32, 1840, 1878)
    contradictory = SenseChange("bank.n.s2", 0.5, 0.01, 0.60, 0.40, 1840, 1878)
    report = report_of(changing_profile(), changes=(small, contradictory))
    summary = " ".join(summarise_word(report))
    assert "No sense clearly rises or falls by 10% of usages or more." in summary
    assert "rose" not in summary + headline(report)


def test_too_few_years_are_not_the_same_as_no_change() -> None:
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=1900 + 20 * (n % 2)) for n in range(40)]
    profile = bank_profile([(1.0, 0.0) if n % 2 else (0.0, 1.0) for n in range(40)], usages)
    summary = " ".join(summarise_word(report_of(profile)))
    assert "There are too few years to test for change; the test needs five." in summary
    assert "significantly" not in summary


def test_undated_usages_say_nothing_of_time() -> None:
    usages = [usage(n, f"the {{}} {n}") for n in range(20)]
    summary = summarise_word(report_of(bank_profile([(0.6, 0.4)] * 20, usages)))
    assert summary == [f"The main sense is “{MONEY}” (60% of usages).", "100% of usages have two senses at once."]


def test_a_single_sense_is_all_there_is() -> None:
    profile = changing_profile()
    single = replace(
        profile,
        senses=profile.senses[:1],
        labelling=Labelling.from_dict({use.id: {"bank.n.s1": 1.0} for use in profile.usages}, lemma="bank.n"),
    )
    assert summarise_word(report_of(single)) == ["All usages have the same sense, “money, loan, interest”."]
    assert headline(report_of(single)) == "one sense: “money, loan, interest”"


def test_a_word_may_have_no_senses() -> None:
    profile = replace(changing_profile(), senses=(), labelling=Labelling([]))
    report = WordReport(profile, profile.labelled, np.zeros((0, 2)))
    assert summarise_word(report) == ["The model induces no senses from these usages."]
    assert headline(report) == "no senses"


def test_senses_with_small_shares_do_not_dominate() -> None:
    usages = [usage(n, f"the {{}} {n}") for n in range(20)]
    senses = tuple(Sense(f"bank.n.s{n}", "bank.n", features=((f"word{n}", 1.0),)) for n in range(10))
    labels = {use.id: {f"bank.n.s{n % 10}": 1.0} for n, use in enumerate(usages)}
    profile = WordProfile("bank.n", tuple(usages), Labelling.from_dict(labels, lemma="bank.n"), senses, "by hand")
    expected = "None of the ten senses dominates: the most frequent, “word0”, has 10% of usages."
    assert summarise_word(report_of(profile))[0] == expected


# -- certainty ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [certainty(0.3, 0.9, 0.9), certainty(0.9, 0.4, 0.4)])
def test_findings_are_cautious_where_certainty_is_low(low: Certainty) -> None:
    report = report_of(changing_profile(), certainty=low)
    finding, second, *_, last = summarise_word(report)
    assert finding.startswith(f"The sense “{MONEY}” seems to have risen from 20% of usages")
    assert second == f"“{SHORE}” seems to have fallen from 80% to 10%."
    assert last == low.verdict
    assert "seems to have risen" in headline(report)


def test_findings_are_plain_where_certainty_is_high() -> None:
    summary = " ".join(summarise_word(report_of(changing_profile(), certainty=certainty(0.9, 0.95, 0.6))))
    assert "seem" not in summary
    assert summary.endswith("Certainty is high: repeated runs of the model give almost the same senses.")


def test_reliable_senses_are_named_if_others_are_not() -> None:
    summary = summarise_word(report_of(changing_profile(), certainty=certainty(0.6, 0.9, 0.2)))
    assert summary[-1] == f"Other runs confirm “{MONEY}”, but not the other sense."


# -- several words, procedure ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changed, expected",
    [
        ((True, False, False), "One of three words shows a clear change of sense between 1800 and 1918."),
        ((True, True), "Both words show a clear change of sense between 1800 and 1918."),
        ((False, False), "Neither word shows a clear change of sense between 1800 and 1918."),
        ((True,), ""),
    ],
)
def test_several_words_have_one_finding(changed: Sequence[bool], expected: str) -> None:
    assert summarise_words([report_of(changing_profile(changes=change)) for change in changed]) == expected


def test_an_uncertain_change_is_not_counted_as_clear() -> None:
    certain, doubtful = (
        report_of(changing_profile(), certainty=certainty(*figures)) for figures in ((0.9, 0.95, 0.9), (0.3, 0.9, 0.9))
    )
    expected = "One of three words shows a clear change of sense between 1800 and 1918."
    assert summarise_words([certain, doubtful, report_of(changing_profile(changes=False))]) == expected


def test_the_procedure_states_the_sample() -> None:
    sampled = report_of(changing_profile(), total=9999)
    start = "The report is based on 60 usages from 1800 to 1918, "
    assert describe_procedure(sampled)[0] == f"{start}a random sample of the 9,999 in the corpus."
    assert describe_procedure(replace(sampled, total=60))[0] == f"{start}all in the corpus."
