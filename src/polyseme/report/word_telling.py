"""A word's story in plain sentences, made from the figures; what is not significant is not told."""

from __future__ import annotations

import numpy as np

from polyseme.errors import counted
from polyseme.portrait.periods import LEAST_YEARS, Change, Peak, Period
from polyseme.report.word_story import WordStory

ENOUGH = 0.1
"""A change of the share by less is not worth telling, however sure it is."""
BOTH = 0.3
"""A usage has two senses at once if each has this weight or more."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """A small number as a word.

    >>> in_words(5), in_words(12)
    ('five', '12')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.634), percent(0.004)
    ('63%', 'under 1%')
    """
    return f"{share:.0%}" if share >= 0.01 else "under 1%"


def period_name(period: Period) -> str:
    """A period as people call it.

    >>> period_name(Period(1930, 1939, 4, ())), period_name(Period(1920, 1939, 4, ()))
    ('the 1930s', '1920–1939')
    """
    return f"the {period.start}s" if period.end - period.start == 9 else f"{period.start}–{period.end}"


def told_changes(story: WordStory) -> list[Change]:
    """The changes that are clear and large enough to be told, the largest first."""
    kept = [each for each in story.changes or () if each.clear and abs(each.after - each.before) >= ENOUGH]
    return sorted(kept, key=lambda each: -abs(each.after - each.before))


def told_peaks(story: WordStory) -> list[Peak]:
    """The peaks that are significant and high enough to be told, the highest first."""
    kept = [each for each in story.peaks if each.significant and not each.period.few]
    high = [each for each in kept if each.share - each.elsewhere >= 1.5 * ENOUGH]
    return sorted(high, key=lambda each: each.elsewhere - each.share)


def two_at_once(story: WordStory) -> float:
    """The share of the labelled usages that have two senses at once."""
    rows = story.portrait.weights[story.portrait.labelled]
    return float(np.mean((rows >= BOTH).sum(axis=1) >= 2)) if len(rows) else 0.0


def headline(story: WordStory) -> str:
    """The one thing to know of the word: what rose, as that is new; else what fell or had its time."""
    changes, peaks = told_changes(story), told_peaks(story)
    if changes:
        first = next((each for each in changes if each.rose), changes[0])
        how = "rose" if first.rose else "fell"
        return f"“{_name(story, first.sense)}” {how} from {percent(first.before)} to {percent(first.after)}"
    if peaks:
        return f"“{_name(story, peaks[0].sense)}” peaks in {period_name(peaks[0].period)}"
    if story.portrait.senses:
        return f"mostly “{story.names[0]}” ({percent(float(story.portrait.shares[0]))})"
    return "no senses"


def telling(story: WordStory) -> list[str]:
    """The story, sentence by sentence."""
    found = [_overview(story), *_over_time(story), *_at_once(story), *_dictionary(story)]
    if story.certainty is not None:
        found += [story.certainty.words, story.runs]
    return [sentence for sentence in found if sentence]


def _overview(story: WordStory) -> str:
    portrait = story.portrait
    count, years = counted(len(portrait.usages), "usage"), ""
    if story.periods:
        years = " from {} to {}".format(*story.years)
    if story.count > len(portrait.usages):
        years += f", drawn at random from {story.count:,}"
    if not portrait.senses:
        return f"There are {count}{years}, and no senses."
    senses = f"{in_words(len(portrait.senses))} sense{'s' if len(portrait.senses) > 1 else ''}"
    first = f"the most common, “{story.names[0]}”, has {percent(float(portrait.shares[0]))} of the weight"
    closing = "," if story.count > len(portrait.usages) else ""
    return f"The model divides {count}{years}{closing} into {senses}; {first}."


def _over_time(story: WordStory) -> list[str]:
    """What rose and fell, or why nothing is said of that, and what peaked besides."""
    if not story.periods:
        return []
    changes, peaks = told_changes(story)[:3], told_peaks(story)
    found = [_change(story, each, number == 0) for number, each in enumerate(changes)] or [_no_change(story)]
    told = {each.sense for each in changes}
    return found + [_peak(story, each) for each in peaks if each.sense not in told][:2]


def _no_change(story: WordStory) -> str:
    """Why no sense is said to rise or to fall."""
    count = len(story.portrait.senses)
    if count < 2:
        return "With fewer than two senses there is nothing whose share could rise or fall."
    if story.changes is None:
        return f"There are too few years to test whether senses rise or fall: it takes {in_words(LEAST_YEARS)}."
    if not any(each.significant for each in story.changes):
        return f"None of the {in_words(count)} senses has a significant trend."
    return f"No sense with a significant trend clearly rose or fell by {ENOUGH:.0%} of the weight or more."


def _change(story: WordStory, change: Change, first: bool) -> str:
    verb = "rose" if change.rose else "fell"
    name, before, after = _name(story, change.sense), percent(change.before), percent(change.after)
    if first:
        return f"“{name}” {verb}: {before} of the weight up to {change.early}, {after} from {change.late} on."
    return f"“{name}” {verb} from {before} to {after}."


def _peak(story: WordStory, peak: Peak) -> str:
    there, else_ = percent(peak.share), percent(peak.elsewhere)
    return (
        f"“{_name(story, peak.sense)}” had its time in {period_name(peak.period)}: {there}, against {else_} otherwise."
    )


def _at_once(story: WordStory) -> list[str]:
    if len(story.portrait.senses) < 2:
        return []
    share = percent(two_at_once(story)).capitalize()
    return [f"{share} of the usages have two senses at once, to {BOTH:.0%} or more each."]


def _dictionary(story: WordStory) -> list[str]:
    if story.beside is None:
        return []
    every, unmatched = len(story.beside.senses), len(story.beside.unmatched)
    lists = f"{story.dictionary} lists {in_words(every)} sense{'s' if every != 1 else ''}"
    if not unmatched:
        return [f"{lists}, and each resembles one that is found here."]
    return [f"{lists}, of which {in_words(unmatched)} resemble{'s' if unmatched == 1 else ''} none that is found here."]


def _name(story: WordStory, sense: str) -> str:
    return story.names[story.portrait.number(sense)]
