"""The summary of a word report: its findings as sentences, most important first, and how they were made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polyseme.errors import count_noun
from polyseme.words.certainty import is_low
from polyseme.words.examples import SECOND_SENSE
from polyseme.words.findings import (
    format_percent,
    format_period,
    join_phrases,
    spell_number,
    state_change,
    state_change_briefly,
    state_main_senses,
    state_main_senses_briefly,
    state_peak,
)
from polyseme.words.periods import LEAST_YEARS, SenseChange, SensePeak
from polyseme.words.word_reports import WordReport

NOTABLE_CHANGE = 0.1
"""Smaller changes of a share are not reported, even if they are significant."""
MOST_CHANGES = 3
MOST_PEAKS = 2


def notable_changes(report: WordReport) -> list[SenseChange]:
    """The changes that are clear and large enough to report, largest first."""
    changes = (change for change in report.changes or () if change.clear)
    notable = [change for change in changes if abs(change.after - change.before) >= NOTABLE_CHANGE]
    return sorted(notable, key=lambda change: -abs(change.after - change.before))


def notable_peaks(report: WordReport) -> list[SensePeak]:
    """The peaks that are significant and high enough to report, highest first."""
    peaks = (peak for peak in report.peaks if peak.significant and not peak.period.few)
    notable = [peak for peak in peaks if peak.share - peak.elsewhere >= 1.5 * NOTABLE_CHANGE]
    return sorted(notable, key=lambda peak: peak.elsewhere - peak.share)


def main_change(report: WordReport) -> SenseChange | None:
    """The change to report first: the sense that rose most, or else the one that fell most."""
    changes = notable_changes(report)
    return next((change for change in changes if change.rose), changes[0] if changes else None)


def share_with_two_senses(report: WordReport) -> float:
    """The share of the labelled usages that have two senses at once."""
    rows = report.profile.weights[report.profile.labelled]
    return float(np.mean((rows >= SECOND_SENSE).sum(axis=1) >= 2)) if len(rows) else 0.0


def is_certain(report: WordReport, sense: str) -> bool:
    """Whether no run of the model contradicts a sense; a single run contradicts none."""
    certainty = report.certainty
    return certainty is None or not (
        is_low(certainty.agreement) or is_low(certainty.senses[report.profile.number(sense)])
    )


# -- findings ------------------------------------------------------------------------------------------------------


def headline(report: WordReport) -> str:
    """The most important finding in a few words: a change, or else a peak or the most frequent sense."""
    change, peaks = main_change(report), notable_peaks(report)
    if change:
        return state_change_briefly(report.name(change.sense), change, certain=is_certain(report, change.sense))
    if peaks:
        verb = "peaks" if is_certain(report, peaks[0].sense) else "seems to peak"
        return f"“{report.name(peaks[0].sense)}” {verb} in {format_period(peaks[0].period)}"
    return state_main_senses_briefly(report.names, report.profile.shares.tolist())


def summarise_word(report: WordReport) -> list[str]:
    """The findings as sentences, the most important one first."""
    if not report.profile.senses:
        return ["The model induces no senses from these usages."]
    main = state_main_senses(report.names, report.profile.shares.tolist())
    changes = _describe_changes(report)
    findings = [*changes, main] if changes else [main, _explain_no_change(report)]
    verdicts = [report.certainty.verdict, _name_reliable_senses(report)] if report.certainty is not None else []
    return [sentence for sentence in (*findings, _describe_two_senses(report), *verdicts) if sentence]


def _describe_changes(report: WordReport) -> list[str]:
    """The senses that rose and fell, and the peaks of other senses."""
    first = main_change(report)
    changes = [change for change in notable_changes(report) if change is not first][: MOST_CHANGES - 1]
    sentences = []
    if first:
        sentences.append(state_change(report.name(first.sense), first, certain=is_certain(report, first.sense)))
    for change in changes:
        brief = state_change_briefly(report.name(change.sense), change, certain=is_certain(report, change.sense))
        sentences.append(f"{brief}.")
    changed = {change.sense for change in (first, *changes) if change}
    peaks = [peak for peak in notable_peaks(report) if peak.sense not in changed][:MOST_PEAKS]
    return sentences + [
        state_peak(report.name(peak.sense), peak, certain=is_certain(report, peak.sense)) for peak in peaks
    ]


def _explain_no_change(report: WordReport) -> str:
    """Explain why the summary names no change; empty if there is nothing to test."""
    if not report.periods or len(report.profile.senses) < 2:
        return ""
    if report.changes is None:
        return f"There are too few years to test for change; the test needs {spell_number(LEAST_YEARS)}."
    if not any(change.significant for change in report.changes):
        return "No sense rises or falls significantly over time."
    return f"No sense clearly rises or falls by {NOTABLE_CHANGE:.0%} of usages or more."


def _describe_two_senses(report: WordReport) -> str:
    if len(report.profile.senses) < 2:
        return ""
    share = share_with_two_senses(report)
    if not share:
        return "No usage has two senses at once."
    return f"{format_percent(share).capitalize()} of usages have two senses at once."


def _name_reliable_senses(report: WordReport) -> str:
    """Name the senses that other runs of the model confirm, if these are some of them only."""
    assert report.certainty is not None
    pairs = list(zip(report.names, report.certainty.senses, strict=False))
    reliable = [f"“{name}”" for name, share in pairs if not is_low(share)]
    if len(reliable) in (0, len(pairs)):
        return ""  # the verdict is about all senses
    others = "the other sense" if len(pairs) - len(reliable) == 1 else "the other senses"
    return f"Other runs confirm {join_phrases(reliable)}, but not {others}."


def summarise_words(reports: Sequence[WordReport]) -> str:
    """State how many of several words change beyond doubt; empty if the change of fewer than two of them was tested."""
    tested = [report for report in reports if report.changes is not None]
    if len(tested) < 2:
        return ""
    changed = sum(any(is_certain(report, change.sense) for change in notable_changes(report)) for report in tested)
    first, last = min(report.years[0] for report in tested), max(report.years[1] for report in tested)
    return f"{_count_words(changed, len(tested))} a clear change of sense between {first} and {last}."


def _count_words(count: int, total: int) -> str:
    """The subject and the verb of a statement about some of several words.

    >>> _count_words(6, 8), _count_words(1, 3), _count_words(0, 2)
    ('Six of eight words show', 'One of three words shows', 'Neither word shows')
    """
    if total == 2 and count != 1:
        return "Both words show" if count else "Neither word shows"
    number = spell_number(count).capitalize() if count else "None"
    return f"{number} of {spell_number(total)} words {'shows' if count == 1 else 'show'}"


# -- procedure -----------------------------------------------------------------------------------------------------


def describe_procedure(report: WordReport) -> list[str]:
    """How the report was made, as sentences."""
    usages, sampled = count_noun(len(report.profile.usages), "usage"), report.total > len(report.profile.usages)
    years = " from {} to {}".format(*report.years) if report.periods else ""
    source = f"a random sample of the {report.total:,} in the corpus" if sampled else "all in the corpus"
    count = len(report.profile.senses)
    senses = f"{spell_number(count)} sense{'' if count == 1 else 's'}"
    return [f"The report is based on {usages}{years}, {source}.", f"The model divides them into {senses}."]
