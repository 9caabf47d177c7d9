"""A word report in plain sentences; what is not significant is left out."""

from __future__ import annotations

import numpy as np

from polyseme.errors import count_noun
from polyseme.words.examples import SECOND_SENSE
from polyseme.words.periods import LEAST_YEARS, Period, SenseChange, SensePeak
from polyseme.words.word_reports import WordReport

NOTABLE_CHANGE = 0.1
"""Smaller changes of a share are not reported, even if they are significant."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spell_number(number: int) -> str:
    """Spell a small number as a word.

    >>> spell_number(5), spell_number(12)
    ('five', '12')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _spell_senses(count: int) -> str:
    return f"{spell_number(count)} sense{'' if count == 1 else 's'}"


def format_percent(share: float) -> str:
    """Format a share as a percentage.

    >>> format_percent(0.634), format_percent(0.004)
    ('63%', 'under 1%')
    """
    return f"{share:.0%}" if share >= 0.01 else "under 1%"


def format_period(period: Period) -> str:
    """Format a period.

    >>> format_period(Period(1930, 1939, 4, ())), format_period(Period(1920, 1939, 4, ()))
    ('the 1930s', '1920–1939')
    """
    return f"the {period.start}s" if period.end - period.start == 9 else f"{period.start}–{period.end}"


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


def share_with_two_senses(report: WordReport) -> float:
    """The share of the labelled usages that have two senses at once."""
    rows = report.profile.weights[report.profile.labelled]
    return float(np.mean((rows >= SECOND_SENSE).sum(axis=1) >= 2)) if len(rows) else 0.0


def headline(report: WordReport) -> str:
    """The most important finding: a sense that rose, else one that fell, peaked or is most frequent."""
    changes, peaks = notable_changes(report), notable_peaks(report)
    if changes:
        change = next((change for change in changes if change.rose), changes[0])
        verb = "rose" if change.rose else "fell"
        shares = f"{format_percent(change.before)} to {format_percent(change.after)}"
        return f"“{report.name(change.sense)}” {verb} from {shares}"
    if peaks:
        return f"“{report.name(peaks[0].sense)}” peaks in {format_period(peaks[0].period)}"
    if report.profile.senses:
        return f"mostly “{report.names[0]}” ({format_percent(float(report.profile.shares[0]))})"
    return "no senses"


def summarise_word(report: WordReport) -> list[str]:
    """The findings, as sentences."""
    sentences = [_overview(report), *_over_time(report), *_two_senses(report), *_dictionary(report)]
    if report.certainty is not None:
        sentences += [report.certainty.verdict, report.run_note]
    return [sentence for sentence in sentences if sentence]


def _overview(report: WordReport) -> str:
    profile = report.profile
    usages = count_noun(len(profile.usages), "usage")
    if report.periods:
        usages += " from {} to {}".format(*report.years)
    sampled = report.total > len(profile.usages)
    if sampled:
        usages += f", drawn at random from {report.total:,}"
    if not profile.senses:
        return f"There are {usages}, and no senses."
    most = f"the most common, “{report.names[0]}”, has {format_percent(float(profile.shares[0]))} of the weight"
    return f"The model divides {usages}{',' * sampled} into {_spell_senses(len(profile.senses))}; {most}."


def _over_time(report: WordReport) -> list[str]:
    """The senses that rose and fell, or why none is reported, and the peaks of other senses."""
    if not report.periods:
        return []
    changes = notable_changes(report)[:3]
    sentences = [_change_sentence(report, change, number == 0) for number, change in enumerate(changes)]
    changed = {change.sense for change in changes}
    peaks = [_peak_sentence(report, peak) for peak in notable_peaks(report) if peak.sense not in changed]
    return [*(sentences or [_explain_no_change(report)]), *peaks[:2]]


def _explain_no_change(report: WordReport) -> str:
    """Explain why the summary names no rising or falling sense."""
    count = len(report.profile.senses)
    if count < 2:
        return "With fewer than two senses, no share can rise or fall."
    if report.changes is None:
        return f"There are too few years to test whether senses rise or fall: it takes {spell_number(LEAST_YEARS)}."
    if not any(change.significant for change in report.changes):
        return f"None of the {spell_number(count)} senses has a significant trend."
    return f"No sense with a significant trend clearly rose or fell by {NOTABLE_CHANGE:.0%} of the weight or more."


def _change_sentence(report: WordReport, change: SenseChange, first: bool) -> str:
    subject = f"“{report.name(change.sense)}” {'rose' if change.rose else 'fell'}"
    before, after = format_percent(change.before), format_percent(change.after)
    if first:
        return f"{subject}: {before} of the weight up to {change.early}, {after} from {change.late} on."
    return f"{subject} from {before} to {after}."


def _peak_sentence(report: WordReport, peak: SensePeak) -> str:
    shares = f"{format_percent(peak.share)}, against {format_percent(peak.elsewhere)} otherwise"
    return f"“{report.name(peak.sense)}” had its peak in {format_period(peak.period)}: {shares}."


def _two_senses(report: WordReport) -> list[str]:
    if len(report.profile.senses) < 2:
        return []
    share = format_percent(share_with_two_senses(report)).capitalize()
    return [f"{share} of the usages have two senses at once, to {SECOND_SENSE:.0%} or more each."]


def _dictionary(report: WordReport) -> list[str]:
    if report.comparison is None:
        return []
    unmatched = len(report.comparison.unmatched)
    senses = f"{report.dictionary} lists {_spell_senses(len(report.comparison.senses))}"
    if not unmatched:
        return [f"{senses}; all of them resemble a sense induced here."]
    verb = "resembles" if unmatched == 1 else "resemble"
    return [f"{senses}; {spell_number(unmatched)} of them {verb} no sense induced here."]
