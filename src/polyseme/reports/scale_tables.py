"""Tables of the use of a scale, of careless annotators, and of the triangle inequality."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from polyseme.agreement.careless_responding import CarelessnessReport
from polyseme.agreement.group_effect import GroupEffect
from polyseme.agreement.implied_pairs import ImpliedPair
from polyseme.agreement.pair_savings import SavingSimulation
from polyseme.agreement.scale_use import ItemSpread, RatingSpread, ScaleUse, SeveralSenses
from polyseme.agreement.triangles import Metricity, Triangles
from polyseme.errors import count_noun
from polyseme.rating import Item, Scale
from polyseme.reports.tables import Cell, Table

SAVING_COLUMNS = ("Left out", "Error", "Error of the mean", "Within bounds", "ρ with all", "Pairs")
SAVING_RULES = (
    "A simulated study on these ratings presents pairs one by one and skips implied pairs. A pair is implied if earlier"
    " answers make it as similar as stated, or leave it a range of ratings as narrow as stated."
)
SAVING_NOTE = (
    "Left out: the share of pairs that are filled in from the others. Error: their mean error, and the error of the"
    " lemma's mean rating. Within bounds: the share of them within the bounds of the triangle inequality. ρ: the"
    " correlation of the completed ratings with the full ones."
)


def format_item(item: Item) -> str:
    """Format an item: the lemma, and the usage with the sense or the other usage.

    >>> format_item(Item("Usim", "win.v", "1", "2"))
    'win.v: 1 – 2'
    """
    return f"{item.lemma}: {item.usage} – {item.target}"


# -- use of the scale ------------------------------------------------------------------------------------------------


def distribution_table(scale_use: ScaleUse, scale: Scale | None = None) -> Table:
    """The share of each value among the judgements of all, of each group and of each annotator."""
    values, left_out = scale_use.overall.values, scale_use.left_out
    headings = ("Annotator", *(f"{value:g}" for value in values), "Mean", "Judgements", "Cannot decide")
    groups = tuple(group._replace(name=f"group {group.name or '(none)'}") for group in scale_use.groups)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *row.shares, row.mean, row.total, row.undecided)
        for row in (scale_use.overall, *groups, *scale_use.annotators)
    )
    rules = (1, 1 + len(groups)) if groups else (1,)
    meanings = [f"{value:g} {scale.label(value)}" for value in values] if scale and any(scale.labels) else []
    notes = (
        "The share of each value among the judgements that have one.",
        *([f"{'; '.join(meanings)}."] if meanings else []),
        f"Not counted: {left_out.repeats} repeats, control items and training, and {left_out.changed} answers that were"
        " changed later.",
    )
    return Table("Use of the scale", headings, rows, notes, rules=rules)


def group_effect_table(effect: GroupEffect, title: str = "Groups of annotators", names: Sequence[str] = ()) -> Table:
    """The distributions of groups side by side, with the test below them; values may have names."""
    values = effect.groups[0].values if effect.groups else ()
    headings = ("Group", "Annotators", *(names or (f"{value:g}" for value in values)), "Mean")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (group.name or "(none)", group.annotators, *group.shares, group.mean) for group in effect.groups
    )
    plain = f"A χ² test assumes independent judgements, so do not trust its p of {effect.p_if_independent:.2g}."
    notes = (effect.sentence,) if effect.reason else (effect.sentence, plain)
    return Table(title, headings, rows, notes)


def spread_table(overall: RatingSpread, lemmas: Sequence[RatingSpread]) -> Table:
    """All lemmas together, then each lemma, most difficult first."""
    headings = ("Lemma", "Variance", "± error", "Range", "α", "Mean", "Items", "Judgements", "Judged once")
    spreads = (overall, *lemmas)
    rows = tuple(
        (row.name, row.variance, row.error, row.range, row.alpha, row.mean, row.items, row.judgements, row.single)
        for row in spreads
    )
    notes = (
        "Variance and range of the values of an item, as means over items: the larger, the more difficult the lemma."
        " α: agreement, 1 at best, 0 by chance. Items that only one annotator judged are left out.",
        *(f"{row.name}: {row.reason}." for row in spreads if row.reason),
    )
    return Table("Difficult and easy lemmas", headings, rows, notes, rules=(1,) if lemmas else ())


def range_table(spread: RatingSpread) -> Table:
    """How many items have which range."""
    rows = tuple((f"{width:g}", count, count / spread.items) for width, count in spread.ranges)
    note = f"Range: the highest minus the lowest value of an item; the mean is {spread.range:.2f}."
    return Table(f"Ranges of items ({spread.name})", ("Range", "Items", "Share"), rows, (spread.reason or note,))


def widest_table(items: Sequence[ItemSpread], limit: int = 20) -> Table:
    """The items with the widest spread."""
    defined = [item for item in items if not math.isnan(item.variance)]
    widest = sorted(defined, key=lambda item: (-item.variance, item.item))[:limit]
    rows = tuple((format_item(row.item), row.variance, row.range, row.mean, row.judged) for row in widest)
    note = (
        f"{len(widest):,} of {count_noun(len(defined), 'item')} that two or more annotators judged. Variance and range"
        " of their values: read these items first to see why annotators differ."
    )
    return Table("Items with the widest spread", ("Item", "Variance", "Range", "Mean", "Annotators"), rows, (note,))


def several_senses_table(counts: Mapping[str, Sequence[SeveralSenses]]) -> Table:
    """How many usages have several senses with a high rating, by name: ``all`` or a group of annotators."""
    rows = tuple(
        (name, f"{row.threshold:g}", row.share, row.share_of_answers, row.share_by_mean, row.usages, row.answers)
        for name, thresholds in counts.items()
        for row in thresholds
    )
    headings = ("Annotators", "Rated at least", "Some annotator", "Each annotator", "Mean rating", "Usages", "Answers")
    notes = (
        "The share of usages with two or more senses rated as high. Some annotator: by at least one annotator. Each"
        " annotator: the share of answers, one per annotator and usage. Mean rating: by the mean rating of each sense.",
    )
    return Table("Usages with several senses", headings, rows, notes)


# -- careless annotators ---------------------------------------------------------------------------------------------


def flag_table(report: CarelessnessReport) -> Table:
    """The flags, with the finding and one example."""
    rows = tuple(
        (
            flag.annotator,
            flag.check,
            flag.sentence,
            f"{format_item(flag.evidence[0].item)}: {flag.evidence[0].words}" if flag.evidence else None,
        )
        for flag in report.flags
    )
    notes = (
        *(() if rows else ("No annotator is flagged.",)),
        "A flag is a reason to look closer, not to exclude an annotator: careful annotators can be flagged by chance.",
        *(f"Not checked: {check}: {reason}." for check, reason in report.not_checked),
    )
    return Table("Flagged annotators", ("Annotator", "Check", "Finding", "Example"), rows, notes)


def evidence_table(report: CarelessnessReport) -> Table:
    """All evidence for the flags."""
    rows = tuple(
        (flag.annotator, flag.check, format_item(row.item), row.words) for flag in report.flags for row in flag.evidence
    )
    note = "The judgements behind the flags, strongest first: read them before you decide."
    return Table("Evidence", ("Annotator", "Check", "Item", "Judgement"), rows, (note,))


def finding_table(report: CarelessnessReport) -> Table:
    """The result of each check for each annotator, flagged or not."""
    rows = tuple(
        (row.annotator, row.check, row.figure, row.usual, "yes" if row.flagged else "", row.sentence)
        for row in report.findings
    )
    note = "Figure: what the check measures, in the unit of the finding. Others: the median of the other annotators."
    return Table("All checks", ("Annotator", "Check", "Figure", "Others", "Flagged", "Finding"), rows, (note,))


# -- metricity -------------------------------------------------------------------------------------------------------


def triangle_table(triangles: Triangles) -> Table:
    """The triangle inequality on averages, lemmas and annotators."""
    parts = [(triangles.averages, *triangles.lemmas)]
    if triangles.annotators:
        parts.append((triangles.individuals, *triangles.annotators))
    rows = tuple(
        (row.name, row.share, row.chance, row.triples, row.missed, row.amount, row.largest, row.pairs)
        for part in parts
        for row in part
    )
    notes = (
        "Obey: the share of triples of usages whose longest side is no longer than the two others together, with d ="
        " highest + 1 − rating. By chance: that share if the same ratings are permuted. Mean violation: how much too"
        " long the longest side is, as a mean over the triples that violate the inequality.",
        *(
            [f"Not averaged: {count_noun(triangles.open, 'pair')} on which an annotator could not decide."]
            if triangles.open
            else []
        ),
    )
    first = len(parts[0])
    rules = (1, first, first + 1) if triangles.annotators else (1,)
    headings = ("Ratings", "Obey", "By chance", "Triples", "Violations", "Mean violation", "Largest", "Pairs")
    return Table("Triples that obey the triangle inequality", headings, rows, notes, rules=rules)


def worst_triple_table(metricity: Metricity) -> Table:
    """The triples that miss the inequality by most, with their ratings."""
    rows = tuple(
        (row.lemma, *row.usages, *row.ratings, row.amount, row.annotator or "averages") for row in metricity.worst
    )
    headings = ("Lemma", "A", "B", "C", "A–B", "B–C", "A–C", "Violation", "Ratings of")
    triples = f"{metricity.missed} of {count_noun(metricity.triples, 'triple')} violate it."
    note = triples if metricity.triples else f"{metricity.reason}."
    return Table(f"Triples that violate the triangle inequality ({metricity.name})", headings, rows, (note,), digits=2)


def savings_table(simulations: Sequence[SavingSimulation]) -> Table:
    """The savings of several rules and orders of pairs."""
    rows = tuple(
        (
            str(run.rule),
            str(run.order),
            total.share,
            total.error,
            total.error_of_mean,
            total.within,
            total.rho,
            total.pairs,
        )
        for run in simulations
        for total in [run.total]
    )
    headings = ("Pairs not asked", "Order of pairs", *SAVING_COLUMNS)
    return Table("Implied pairs in a simulated study", headings, rows, (SAVING_RULES, SAVING_NOTE))


def implied_table(pairs: Sequence[ImpliedPair], limit: int | None = None) -> Table:
    """The implied pairs and their bounds, narrowest first."""
    narrowest = sorted(pairs, key=lambda pair: pair.highest - pair.lowest)[:limit]
    rows = tuple(
        (pair.lemma, pair.first, pair.second, pair.lowest, pair.highest, ", ".join(pair.through)) for pair in narrowest
    )
    headings = ("Lemma", "Usage", "Usage", "At least", "At most", "Because of")
    notes = (
        f"{len(rows):,} of {count_noun(len(pairs), 'pair')} that no annotator judged. Their ratings must lie between"
        " these bounds, as both usages were compared with the usages in the last column.",
    )
    return Table("Implied pairs", headings, rows, notes, digits=2)
