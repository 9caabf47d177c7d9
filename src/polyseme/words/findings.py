"""Findings about the senses of a word as sentences, with their figures."""

from __future__ import annotations

from collections.abc import Sequence

from polyseme.words.periods import Period, SenseChange, SensePeak

MAIN_SHARE = 0.2
"""A sense with this share of the usages is one of the main senses."""
MAJORITY = 0.5
"""A sense with this share is the main sense, whatever the others have."""
MOST_MAIN_SENSES = 3
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spell_number(number: int) -> str:
    """Spell a small number as a word.

    >>> spell_number(5), spell_number(12)
    ('five', '12')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def format_percent(share: float) -> str:
    """Format a share as a percentage; two shares that add up to 1 are percentages that add up to 100.

    >>> format_percent(0.634), format_percent(0.004), format_percent(0.996), format_percent(0)
    ('63%', 'under 1%', 'over 99%', '0%')
    >>> format_percent(0.145), format_percent(0.855)
    ('14%', '86%')
    """
    percent = round(100 * share, 6)  # halves are exact, and rounded to the even number
    if 0 < percent < 1:
        return "under 1%"
    return "over 99%" if 99 < percent < 100 else f"{percent:.0f}%"


def format_period(period: Period) -> str:
    """Format a period.

    >>> [format_period(Period(start, end, 4, ())) for start, end in ((1930, 1939), (1920, 1949), (1930, 1930))]
    ['the 1930s', '1920–1949', '1930']
    """
    if period.start == period.end:
        return str(period.start)
    is_decade = period.start % 10 == 0 and period.end - period.start == 9
    return f"the {period.start}s" if is_decade else f"{period.start}–{period.end}"


def join_phrases(phrases: Sequence[str]) -> str:
    """Join phrases as in a sentence.

    >>> join_phrases(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(phrases[:-1]), *phrases[-1:])))


def main_senses(shares: Sequence[float]) -> int:
    """How many senses are main senses: one that has most usages, or up to three with many.

    Args:
        shares: The shares of the senses, in descending order.

    >>> main_senses([0.7, 0.3]), main_senses([0.45, 0.35, 0.2]), main_senses([0.15, 0.1])
    (1, 3, 0)
    """
    if shares and shares[0] >= MAJORITY:
        return 1
    return min(sum(share >= MAIN_SHARE for share in shares), MOST_MAIN_SENSES)


def state_main_senses(names: Sequence[str], shares: Sequence[float]) -> str:
    """State the most frequent senses of a word.

    Args:
        names: The names of the senses, most frequent first.
        shares: Their shares of the usages.

    >>> state_main_senses(["money", "shore"], [0.7, 0.3])
    'The main sense is “money” (70% of usages).'
    >>> state_main_senses(["money", "shore", "row"], [0.45, 0.35, 0.2])
    'The main senses are “money” (45% of usages), “shore” (35%) and “row” (20%).'
    """
    if len(names) < 2:
        return f"All usages have the same sense, “{names[0]}”." if names else ""
    main = main_senses(shares)
    if not main:
        first = f"the most frequent, “{names[0]}”, has {format_percent(shares[0])} of usages"
        return f"None of the {spell_number(len(names))} senses dominates: {first}."
    listed = join_phrases(_name_shares(names[:main], shares, " of usages"))
    return f"The main sense is {listed}." if main == 1 else f"The main senses are {listed}."


def state_main_senses_briefly(names: Sequence[str], shares: Sequence[float]) -> str:
    """State the one or two most frequent senses of a word in a few words.

    >>> state_main_senses_briefly(["money", "shore"], [0.7, 0.3])
    'mostly “money” (70%)'
    >>> state_main_senses_briefly(["money", "shore", "row"], [0.45, 0.35, 0.2])
    'mainly “money” (45%) and “shore” (35%)'
    """
    if len(names) < 2:
        return f"one sense: “{names[0]}”" if names else "no senses"
    if shares[0] >= MAJORITY:
        return f"mostly {_name_shares(names[:1], shares)[0]}"
    return f"mainly {join_phrases(_name_shares(names[:2], shares))}"


def _name_shares(names: Sequence[str], shares: Sequence[float], unit: str = "") -> list[str]:
    """The senses with their shares; the first one has the unit."""
    pairs = enumerate(zip(names, shares, strict=False))
    return [f"“{name}” ({format_percent(share)}{'' if row else unit})" for row, (name, share) in pairs]


def state_change(name: str, change: SenseChange, *, certain: bool = True) -> str:
    """State that a sense rose or fell, and when.

    Args:
        name: The name of the sense.
        change: Its change.
        certain: Whether other runs of the model confirm the sense; otherwise the wording is cautious.

    >>> change = SenseChange("bank.n.s1", 0.5, 0.01, 0.07, 0.31, 1948, 1981)
    >>> state_change("money, loan", change)
    'The sense “money, loan” rose from 7% of usages (before 1949) to 31% (after 1980).'
    >>> state_change("money, loan", change, certain=False)
    'The sense “money, loan” seems to have risen from 7% of usages (before 1949) to 31% (after 1980).'
    """
    before = f"{format_percent(change.before)} of usages (before {change.early + 1})"
    after = f"{format_percent(change.after)} (after {change.late - 1})"
    return f"The sense “{name}” {_choose_verb(change, certain)} from {before} to {after}."


def state_change_briefly(name: str, change: SenseChange, *, certain: bool = True) -> str:
    """State that a sense rose or fell, without the years.

    >>> change = SenseChange("bank.n.s1", -0.5, 0.01, 0.17, 0.004, 1948, 1981)
    >>> state_change_briefly("shore", change)
    '“shore” fell from 17% to under 1%'
    """
    shares = f"{format_percent(change.before)} to {format_percent(change.after)}"
    return f"“{name}” {_choose_verb(change, certain)} from {shares}"


def _choose_verb(change: SenseChange, certain: bool) -> str:
    if certain:
        return "rose" if change.rose else "fell"
    return "seems to have risen" if change.rose else "seems to have fallen"


def state_peak(name: str, peak: SensePeak, *, certain: bool = True) -> str:
    """State the period in which a sense is most frequent.

    >>> peak = SensePeak("bank.n.s1", Period(1900, 1929, 40, ()), 0.38, 0.04, 0.01)
    >>> state_peak("money, loan", peak)
    'The sense “money, loan” peaks in 1900–1929: 38% of usages, against 4% in other years.'
    """
    shares = f"{format_percent(peak.share)} of usages, against {format_percent(peak.elsewhere)} in other years"
    verb = "peaks" if certain else "seems to peak"
    return f"The sense “{name}” {verb} in {format_period(peak.period)}: {shares}."


def state_matches(dictionary: str, senses: int, unmatched: int) -> str:
    """State how many senses of a dictionary may resemble the induced senses.

    >>> state_matches("WordNet", 9, 2)
    'WordNet lists nine senses; seven of them may resemble senses of this corpus.'
    >>> state_matches("WordNet", 1, 1)
    'WordNet lists one sense; by its words, it resembles no sense of this corpus.'
    """
    listed = f"{dictionary} lists {spell_number(senses)} sense{'' if senses == 1 else 's'}"
    if unmatched == senses:
        words, verb = ("its words, it", "resembles") if senses == 1 else ("their words, they", "resemble")
        return f"{listed}; by {words} {verb} no sense of this corpus."
    subject = "it" if senses == 1 else f"{spell_number(senses - unmatched)} of them" if unmatched else "all of them"
    return f"{listed}; {subject} may resemble {'a sense' if senses - unmatched == 1 else 'senses'} of this corpus."
