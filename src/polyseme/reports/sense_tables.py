"""Tables of schemes beside one another, of related senses, and of what ratings say of groups of senses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from polyseme.agreement.group_similarity import GroupSimilarity
from polyseme.agreement.related_senses import CorrelationHistogram, SensePair
from polyseme.agreement.scheme_comparison import SchemeTable
from polyseme.agreement.sense_conflicts import ConflictCount, CutOffCount
from polyseme.reports.tables import Table
from polyseme.usage import Usage, UsagePair

Usages = Mapping[str, Usage]
"""Usages by name, for their sentences."""


def schemes_matrix(schemes: SchemeTable, title: str = "Spearman's ρ between schemes") -> Table:
    """ρ of every two columns as a square; what is undefined is explained below it."""
    found = schemes.correlations()
    both = {**found, **{(other, one): each for (one, other), each in found.items()}}
    rows = (
        (one, *(both[one, other].rho if one != other else None for other in schemes.names)) for one in schemes.names
    )
    said = dict.fromkeys(each.reason for each in found.values() if each.reason)
    silent = (f"{name}: nothing of {count:,} of {len(schemes.items):,} items" for name, count in _missing(schemes))
    note = "1: both put the items in the same order, 0: no connection; of a distance and a similarity −1 is best."
    return Table(title, ("", *schemes.names), tuple(rows), notes=(note, *silent, *said))


def _missing(schemes: SchemeTable) -> list[tuple[str, int]]:
    return [(name, count) for name in schemes.names if (count := schemes.missing(name))]


def schemes_list(schemes: SchemeTable, title: str = "Spearman's ρ between schemes") -> Table:
    """ρ of every two columns, one a row, with p and the number of items; the strongest first, whichever way it goes."""
    found = sorted(schemes.correlations().items(), key=lambda each: _weakness(each[1].rho))
    rows = tuple((*names, each.rho, _p(each.p), each.items, each.reason) for names, each in found)
    return Table(title, ("Scheme", "Scheme", "ρ", "p", "Items", "Why not"), rows)


def _weakness(rho: float) -> float:
    return math.inf if math.isnan(rho) else -abs(rho)


def _p(p: float) -> str | None:
    """A p-value as it is read: it never is 0."""
    return None if math.isnan(p) else "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def related_table(pairs: Iterable[SensePair], title: str = "Related senses") -> Table:
    """The correlation of every two senses of a lemma, lemma by lemma, the most related first."""
    given = list(pairs)
    order = {lemma: place for place, lemma in enumerate(dict.fromkeys(pair.lemma for pair in given))}
    given.sort(key=lambda pair: (order[pair.lemma], math.isnan(pair.correlation.rho), -pair.correlation.rho))
    rows = tuple(
        (*pair[:3], rho, _p(p), items, reason) for pair in given for rho, p, items, reason in [pair.correlation]
    )
    note = (
        "ρ: 1 if people rate the two senses high and low for the same usages, −1 if the one applies where the other"
        " does not; p: how often chance alone gives so strong a ρ."
    )
    headings = ("Lemma", "Sense", "Sense", "ρ", "p", "Usages", "Why not")
    return Table(title, headings, rows, (note,))


def histogram_table(histogram: CorrelationHistogram, title: str = "Correlations between senses") -> Table:
    """How many pairs of senses have which correlation."""
    rows = tuple((f"{bar.low:g} to {bar.high:g}", bar.pairs) for bar in histogram.bars)
    said = f"{histogram.negative} negative, {histogram.positive} positive, {histogram.undefined} undefined"
    return Table(title, ("ρ", "Pairs of senses"), rows, notes=(said,))


def cut_off_table(curve: Sequence[CutOffCount], title: str = "Senses that apply together") -> Table:
    """The curve of cut-offs: a row each, and a column for each rating from which on a sense applies."""
    leasts = list(dict.fromkeys(point.least for point in curve))
    usages = {(point.cut_off, point.least): point.usages for point in curve}
    rows = tuple(
        (cut, *(usages[cut, least] for least in leasts)) for cut in dict.fromkeys(each.cut_off for each in curve)
    )
    note = (
        "How many usages have two senses whose mean ratings are both as high, and whose correlation is at most ρ. Those"
        " up to 0 are of senses that otherwise exclude each other."
    )
    return Table(title, ("ρ at most", *(f"both ≥ {least:g}" for least in leasts)), rows, (note,), digits=1)


def conflicts_table(conflicts: Iterable[ConflictCount], title: str = "Usages in conflict") -> Table:
    """How many usages answer each question with yes."""
    rows = tuple((each.question, each.usages, each.of, each.share, each.reason) for each in conflicts)
    note = (
        "How many usages are such, by the mean ratings of senses: two senses that apply together, though they should"
        " not, or one without the other, though they should be one."
    )
    return Table(title, ("Question", "Usages", "Of", "Share", "Why not"), rows, (note,))


def conflict_examples(conflicts: ConflictCount, usages: Usages, most: int = 10) -> Table:
    """Usages in conflict with their senses and sentences, those with the highest ratings first."""
    found = sorted(conflicts.found, key=lambda each: -(each.first_mean + each.second_mean))[:most]
    rows = tuple(
        (each.lemma, each.first, each.first_mean, each.second, each.second_mean, _sentence(each.usage, usages))
        for each in found
    )
    headings = ("Lemma", "Sense", "Mean", "Sense", "Mean", "Usage")
    return Table(f"Examples: {conflicts.question}", headings, rows, digits=2)


def _sentence(usage: str, usages: Usages) -> str:
    """The sentence with its target marked; the usage's name if it is not known."""
    found = usages.get(usage)
    return usage if found is None else f"{found.left}[{found.target}]{found.right}"


def lemmas_table(found: GroupSimilarity, title: str = "Mean Usim within and across groups") -> Table:
    """Lemmas whose groups tell usages apart least come first; the last row is all of them."""
    rows = tuple(
        (each.name, each.within, each.within_pairs, each.across, each.across_pairs, each.difference, each.reason)
        for each in (*found.lemmas, found.overall)
    )
    headings = ("Lemma", "Within", "Pairs", "Across", "Pairs", "Difference", "Why not")
    note = "Mean similarity of usages that are in one group, and in two: a good grouping has a large difference."
    left = (f"{found.left_out:,} pairs left out: a usage has no sense that is in a group",) if found.left_out else ()
    return Table(title, headings, rows, notes=(note, *left), digits=2, rules=(len(rows) - 1,))


def groups_table(found: GroupSimilarity, usages: Usages | None = None, title: str = "Groups to look at first") -> Table:
    """Groups whose usages are least alike come first, with the two usages that are least alike."""
    rows = tuple(
        (each.lemma, each.group, each.usages, each.pairs, each.mean, *_example(each.least_similar, usages or {}))
        for each in found.groups
    )
    headings = ("Lemma", "Group", "Usages", "Pairs", "Mean Usim", "Usim", "Usage", "Usage")
    note = (
        "The lower the mean, the less alike the usages of a group: it may need to be split. The example is its worst."
    )
    alone = (f"{found.alone:,} groups with one usage only have no pairs",) if found.alone else ()
    return Table(title, headings, rows, notes=(note, *alone), digits=2)


def neighbours_table(
    found: GroupSimilarity, usages: Usages | None = None, title: str = "Groups that may be one"
) -> Table:
    """Every two groups of a lemma, those whose usages are most alike first, with two such usages."""
    rows = tuple(
        (each.lemma, each.first, each.second, each.pairs, each.mean, *_example(each.most_similar, usages or {}))
        for each in found.neighbours
    )
    note = "The higher the mean, the more alike the usages of two groups: these may be one. The example is the closest."
    headings = ("Lemma", "Group", "Group", "Pairs", "Mean Usim", "Usim", "Usage", "Usage")
    return Table(title, headings, rows, (note,), digits=2)


def _example(pairs: Sequence[UsagePair], usages: Usages) -> tuple[float | None, str, str]:
    if not pairs:
        return None, "", ""
    return pairs[0].similarity, _sentence(pairs[0].first, usages), _sentence(pairs[0].second, usages)
