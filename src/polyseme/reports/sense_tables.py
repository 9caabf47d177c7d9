"""Tables of annotation schemes, of related senses, and of groups of senses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from polyseme.agreement.group_similarity import GroupSimilarity
from polyseme.agreement.related_senses import CorrelationHistogram, SensePair
from polyseme.agreement.scheme_comparison import SchemeTable
from polyseme.agreement.sense_conflicts import ConflictCount, CutOffCount
from polyseme.errors import count_noun
from polyseme.reports.tables import Table, format_p
from polyseme.usage import Usage, UsagePair
from polyseme.words.descriptions import bracket_target

UsagesById = Mapping[str, Usage]
"""Usages by id, for their sentences."""


def schemes_matrix(schemes: SchemeTable, title: str = "Spearman's ρ between schemes") -> Table:
    """The correlation of every two schemes as a square matrix; notes explain undefined cells."""
    correlations = schemes.correlations()
    matrix = {**correlations, **{(second, first): row for (first, second), row in correlations.items()}}
    rows = (
        (first, *(matrix[first, second].rho if first != second else None for second in schemes.names))
        for first in schemes.names
    )
    reasons = dict.fromkeys(row.reason for row in correlations.values() if row.reason)
    missing = ((name, schemes.missing(name)) for name in schemes.names)
    gaps = (f"{name}: no value for {count:,} of {len(schemes.items):,} items" for name, count in missing if count)
    note = "1: both put the items in the same order, 0: no connection; for a distance and a similarity, −1 is best."
    return Table(title, ("", *schemes.names), tuple(rows), notes=(note, *gaps, *reasons))


def related_table(pairs: Iterable[SensePair], title: str = "Related senses") -> Table:
    """The correlation of every two senses of a lemma, lemma by lemma, most related first."""
    pairs = list(pairs)
    order = {lemma: number for number, lemma in enumerate(dict.fromkeys(pair.lemma for pair in pairs))}
    pairs.sort(key=lambda pair: (order[pair.lemma], math.isnan(pair.correlation.rho), -pair.correlation.rho))
    rows = tuple(
        (*pair[:3], rho, format_p(p), items, reason) for pair in pairs for rho, p, items, reason in [pair.correlation]
    )
    note = (
        "ρ: 1 if annotators rate the two senses high for the same usages, −1 if one sense applies where the other does"
        " not. p: the probability of a ρ as strong by chance."
    )
    return Table(title, ("Lemma", "Sense", "Sense", "ρ", "p", "Usages", "Reason"), rows, (note,))


def histogram_table(histogram: CorrelationHistogram, title: str = "Correlations between senses") -> Table:
    """How many pairs of senses have which correlation."""
    rows = tuple((f"{bar.low:g} to {bar.high:g}", bar.pairs) for bar in histogram.bars)
    counts = f"{histogram.negative} negative, {histogram.positive} positive, {histogram.undefined} undefined"
    return Table(title, ("ρ", "Pairs of senses"), rows, notes=(counts,))


def cut_off_table(curve: Sequence[CutOffCount], title: str = "Senses that apply together") -> Table:
    """The curve of cut-offs: one row a cut-off, one column a rating from which a sense applies."""
    leasts = list(dict.fromkeys(point.least for point in curve))
    usages = {(point.cut_off, point.least): point.usages for point in curve}
    cut_offs = dict.fromkeys(point.cut_off for point in curve)
    rows = tuple((cut_off, *(usages[cut_off, least] for least in leasts)) for cut_off in cut_offs)
    note = (
        "The number of usages with two senses whose mean ratings are both as high and whose correlation is at most ρ."
        " Rows up to 0 are senses that otherwise exclude each other."
    )
    return Table(title, ("ρ at most", *(f"both ≥ {least:g}" for least in leasts)), rows, (note,), digits=1)


def conflicts_table(conflicts: Iterable[ConflictCount], title: str = "Usages in conflict") -> Table:
    """How many usages are in conflict, by kind of conflict."""
    rows = tuple((row.question, row.usages, row.total, row.share, row.reason) for row in conflicts)
    note = (
        "The number of usages in conflict, by the mean ratings of senses: two senses apply together that should not, or"
        " only one of two senses applies that belong together."
    )
    return Table(title, ("Question", "Usages", "Of", "Share", "Reason"), rows, (note,))


def conflict_examples(conflicts: ConflictCount, usages: UsagesById, limit: int = 10) -> Table:
    """Usages in conflict with their senses and sentences, highest ratings first."""
    ranked = sorted(conflicts.conflicts, key=lambda row: -(row.first_mean + row.second_mean))[:limit]
    rows = tuple(
        (row.lemma, row.first, row.first_mean, row.second, row.second_mean, _sentence(row.usage, usages))
        for row in ranked
    )
    headings = ("Lemma", "Sense", "Mean", "Sense", "Mean", "Usage")
    return Table(f"Examples: {conflicts.question}", headings, rows, digits=2)


def _sentence(usage: str, usages: UsagesById) -> str:
    """The sentence of a usage with its target in brackets, or else the id of the usage."""
    return bracket_target(usages[usage]) if usage in usages else usage


def lemmas_table(similarity: GroupSimilarity, title: str = "Mean Usim within and across groups") -> Table:
    """The lemmas, least distinct groups first; the last row is all lemmas."""
    rows = tuple(
        (row.name, row.within, row.within_pairs, row.across, row.across_pairs, row.difference, row.reason)
        for row in (*similarity.lemmas, similarity.overall)
    )
    headings = ("Lemma", "Within", "Pairs", "Across", "Pairs", "Difference", "Reason")
    note = "Mean similarity of usages in one group, and in two groups: a good grouping has a large difference."
    count = similarity.left_out
    left_out = (f"{count_noun(count, 'pair')} left out: a usage has no sense that is in a group",) if count else ()
    return Table(title, headings, rows, notes=(note, *left_out), digits=2, rules=(len(rows) - 1,))


def groups_table(
    similarity: GroupSimilarity, usages: UsagesById | None = None, title: str = "Groups to inspect first"
) -> Table:
    """The groups, least similar usages first, with the two least similar usages."""
    rows = tuple(
        (row.lemma, row.group, row.usages, row.pairs, row.mean, *_example(row.least_similar, usages or {}))
        for row in similarity.groups
    )
    headings = ("Lemma", "Group", "Usages", "Pairs", "Mean Usim", "Usim", "Usage", "Usage")
    note = (
        "The lower the mean, the less similar the usages of a group: consider splitting it. The example is the least"
        " similar pair."
    )
    alone = (f"no pairs in {count_noun(similarity.alone, 'group')} with only one usage",) if similarity.alone else ()
    return Table(title, headings, rows, notes=(note, *alone), digits=2)


def neighbours_table(
    similarity: GroupSimilarity, usages: UsagesById | None = None, title: str = "Groups that may be one"
) -> Table:
    """Every two groups of a lemma, most similar usages first, with the two most similar usages."""
    rows = tuple(
        (row.lemma, row.first, row.second, row.pairs, row.mean, *_example(row.most_similar, usages or {}))
        for row in similarity.neighbours
    )
    note = (
        "The higher the mean, the more similar the usages of two groups: they may be one. The example is the most"
        " similar pair."
    )
    headings = ("Lemma", "Group", "Group", "Pairs", "Mean Usim", "Usim", "Usage", "Usage")
    return Table(title, headings, rows, (note,), digits=2)


def _example(pairs: Sequence[UsagePair], usages: UsagesById) -> tuple[float | None, str, str]:
    if not pairs:
        return None, "", ""
    return pairs[0].similarity, _sentence(pairs[0].first, usages), _sentence(pairs[0].second, usages)
