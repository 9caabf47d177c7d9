"""A word's story in plain sentences, made from the figures; what is not significant is not told."""

from __future__ import annotations

import numpy as np

from polyseme.errors import count_noun
from polyseme.words.periods import LEAST_YEARS, Period, SenseChange, SensePeak
from polyseme.words.word_report import WordReport

NOTABLE_CHANGE = 0.1
"""A change of the share by less is not worth telling, however sure it is."""
SECOND_SENSE = 0.3
"""A usage has two senses at once if each has this weight or more."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spell_number(number: int) -> str:
    """A small number as a word.

    >>> spell_number(5), spell_number(12)
    ('five', '12')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def format_percent(share: float) -> str:
    """A share as people read it.

    >>> format_percent(0.634), format_percent(0.004)
    ('63%', 'under 1%')
    """
    return f"{share:.0%}" if share >= 0.01 else "under 1%"


def format_period(period: Period) -> str:
    """A period as people call it.

    >>> format_period(Period(1930, 1939, 4, ())), format_period(Period(1920, 1939, 4, ()))
    ('the 1930s', '1920–1939')
    """
    return f"the {period.start}s" if period.end - period.start == 9 else f"{period.start}–{period.end}"


def notable_changes(story: WordReport) -> list[SenseChange]:
    """The changes that are clear and large enough to be told, the largest first."""
    kept = [each for each in story.changes or () if each.clear and abs(each.after - each.before) >= NOTABLE_CHANGE]
    return sorted(kept, key=lambda each: -abs(each.after - each.before))


def notable_peaks(story: WordReport) -> list[SensePeak]:
    """The peaks that are significant and high enough to be told, the highest first."""
    kept = [each for each in story.peaks if each.significant and not each.period.few]
    high = [each for each in kept if each.share - each.elsewhere >= 1.5 * NOTABLE_CHANGE]
    return sorted(high, key=lambda each: each.elsewhere - each.share)


def share_with_two_senses(story: WordReport) -> float:
    """The share of the labelled usages that have two senses at once."""
    rows = story.portrait.weights[story.portrait.labelled]
    return float(np.mean((rows >= SECOND_SENSE).sum(axis=1) >= 2)) if len(rows) else 0.0


def headline(story: WordReport) -> str:
    """The one thing to know of the word: what rose, as that is new; else what fell or had its time."""
    changes, peaks = notable_changes(story), notable_peaks(story)
    if changes:
        first = next((each for each in changes if each.rose), changes[0])
        how = "rose" if first.rose else "fell"
        return (
            f"“{_name(story, first.sense)}” {how} from {format_percent(first.before)} to {format_percent(first.after)}"
        )
    if peaks:
        return f"“{_name(story, peaks[0].sense)}” peaks in {format_period(peaks[0].period)}"
    if story.portrait.senses:
        return f"mostly “{story.names[0]}” ({format_percent(float(story.portrait.shares[0]))})"
    return "no senses"


def summarise_word(story: WordReport) -> list[str]:
    """The story, sentence by sentence."""
    found = [_overview(story), *_over_time(story), *_at_once(story), *_dictionary(story)]
    if story.certainty is not None:
        found += [story.certainty.words, story.runs]
    return [sentence for sentence in found if sentence]


def _overview(story: WordReport) -> str:
    portrait = story.portrait
    count, years = count_noun(len(portrait.usages), "usage"), ""
    if story.periods:
        years = " from {} to {}".format(*story.years)
    if story.count > len(portrait.usages):
        years += f", drawn at random from {story.count:,}"
    if not portrait.senses:
        return f"There are {count}{years}, and no senses."
    senses = f"{spell_number(len(portrait.senses))} sense{'s' if len(portrait.senses) > 1 else ''}"
    first = f"the most common, “{story.names[0]}”, has {format_percent(float(portrait.shares[0]))} of the weight"
    closing = "," if story.count > len(portrait.usages) else ""
    return f"The model divides {count}{years}{closing} into {senses}; {first}."


def _over_time(story: WordReport) -> list[str]:
    """What rose and fell, or why nothing is said of that, and what peaked besides."""
    if not story.periods:
        return []
    changes, peaks = notable_changes(story)[:3], notable_peaks(story)
    found = [_change_sentence(story, each, number == 0) for number, each in enumerate(changes)] or [
        _explain_no_change(story)
    ]
    told = {each.sense for each in changes}
    return found + [_peak_sentence(story, each) for each in peaks if each.sense not in told][:2]


def _explain_no_change(story: WordReport) -> str:
    """Why no sense is said to rise or to fall."""
    count = len(story.portrait.senses)
    if count < 2:
        return "With fewer than two senses there is nothing whose share could rise or fall."
    if story.changes is None:
        return f"There are too few years to test whether senses rise or fall: it takes {spell_number(LEAST_YEARS)}."
    if not any(each.significant for each in story.changes):
        return f"None of the {spell_number(count)} senses has a significant trend."
    return f"No sense with a significant trend clearly rose or fell by {NOTABLE_CHANGE:.0%} of the weight or more."


def _change_sentence(story: WordReport, change: SenseChange, first: bool) -> str:
    verb = "rose" if change.rose else "fell"
    name, before, after = _name(story, change.sense), format_percent(change.before), format_percent(change.after)
    if first:
        return f"“{name}” {verb}: {before} of the weight up to {change.early}, {after} from {change.late} on."
    return f"“{name}” {verb} from {before} to {after}."


def _peak_sentence(story: WordReport, peak: SensePeak) -> str:
    there, else_ = format_percent(peak.share), format_percent(peak.elsewhere)
    return f"“{_name(story, peak.sense)}” had its time in {format_period(peak.period)}: {there}, against {else_} otherwise."


def _at_once(story: WordReport) -> list[str]:
    if len(story.portrait.senses) < 2:
        return []
    share = format_percent(share_with_two_senses(story)).capitalize()
    return [f"{share} of the usages have two senses at once, to {SECOND_SENSE:.0%} or more each."]


def _dictionary(story: WordReport) -> list[str]:
    if story.beside is None:
        return []
    every, unmatched = len(story.beside.senses), len(story.beside.unmatched)
    lists = f"{story.dictionary} lists {spell_number(every)} sense{'s' if every != 1 else ''}"
    if not unmatched:
        return [f"{lists}, and each resembles one that is found here."]
    return [
        f"{lists}, of which {spell_number(unmatched)} resemble{'s' if unmatched == 1 else ''} none that is found here."
    ]


def _name(story: WordReport, sense: str) -> str:
    return story.names[story.portrait.number(sense)]
