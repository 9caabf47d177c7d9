"""How people use a scale, who may have been careless, and whether similarity is a distance: as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from polyseme.agreement.careless_responding import CarelessnessReport
from polyseme.agreement.group_effect import GroupEffect
from polyseme.agreement.implied_pairs import ImpliedPair
from polyseme.agreement.pair_savings import PairSaving, SavingSimulation
from polyseme.agreement.scale_use import ItemSpread, RatingSpread, ScaleUse, SeveralSenses, ValueDistribution
from polyseme.agreement.triangles import Metricity, Triangles
from polyseme.errors import count_noun
from polyseme.rating import Item, Scale
from polyseme.reports.tables import Cell, Table

SAVED = ("Left out", "Error", "Error of the mean", "Within bounds", "ρ with all", "Pairs")
SAVING_RULES = (
    "A study as simulated on these ratings asks one pair after the other, and leaves out those that need not be asked:"
    " because the answers before say that they must be so similar, or leave only so wide a range of ratings."
)
SAVING_NOTE = (
    "Left out: the share of pairs that is not asked, but filled in from the others. Error: how far these are off on the"
    " mean, and how far the lemma's mean rating would be. Within bounds: the share of them that lie where the triangle"
    " inequality says. ρ: of the completed ratings with the full ones."
)


def format_item(item: Item) -> str:
    """An item as people read it: the lemma, and the usage with the sense or the other usage.

    >>> format_item(Item("Usim", "win.v", "1", "2"))
    'win.v: 1 – 2'
    """
    return f"{item.lemma}: {item.usage} – {item.target}"


# -- use of the scale ------------------------------------------------------------------------------------------------


def distribution_table(used: ScaleUse, scale: Scale | None = None) -> Table:
    """Which share of the judgements has which value: of all, of each group, of each annotator."""
    values = used.overall.values
    headings = ("Who", *(f"{value:g}" for value in values), "Mean", "Judgements", "Cannot decide")
    groups = tuple(each._replace(name=f"group {each.name or '(none)'}") for each in used.groups)
    rows = tuple(_distribution_row(each) for each in (used.overall, *groups, *used.annotators))
    rules = (1, 1 + len(groups)) if groups else (1,)
    meanings = [f"{value:g} {scale.label(value)}" for value in values] if scale and any(scale.labels) else []
    left_out = used.left_out
    notes = [
        "The share of each value among the judgements that have one.",
        *([f"{'; '.join(meanings)}."] if meanings else []),
        f"Not counted: {left_out.repeats} repeats, control items and training, and {left_out.changed} answers that were"
        " changed later.",
    ]
    return Table("Use of the scale", headings, rows, tuple(notes), rules=rules)


def _distribution_row(each: ValueDistribution) -> tuple[Cell, ...]:
    return (each.name, *each.shares, each.mean, each.total, each.undecided)


def group_effect_table(effect: GroupEffect, title: str = "Groups of annotators", names: Sequence[str] = ()) -> Table:
    """The distributions of groups beside one another, with the test below; values may have names."""
    values = effect.groups[0].values if effect.groups else ()
    headings = ("Group", "Annotators", *(names or (f"{value:g}" for value in values)), "Mean")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.name or "(none)", each.annotators, *each.shares, each.mean) for each in effect.groups
    )
    plain = f"Taken as independent, the judgements would give p = {effect.p_if_independent:.2g} (χ²): do not trust it."
    notes = (effect.sentence,) if effect.reason else (effect.sentence, plain)
    return Table(title, headings, rows, notes)


def spread_table(overall: RatingSpread, lemmas: Sequence[RatingSpread]) -> Table:
    """The lemmas, the hardest first, below all of them."""
    headings = ("Lemma", "Variance", "± error", "Range", "α", "Mean", "Items", "Judgements", "By one alone")
    rows = tuple(
        (
            each.name,
            each.variance,
            each.error,
            each.range,
            each.alpha,
            each.mean,
            each.items,
            each.judgements,
            each.single,
        )
        for each in (overall, *lemmas)
    )
    notes = (
        "Variance and range of the values that annotators gave to an item, on the mean over items: the larger, the"
        " harder the lemma. α: agreement, 1 at best, 0 as if by chance. Items that one annotator alone judged are"
        " left out.",
        *(f"{each.name}: {each.reason}." for each in (overall, *lemmas) if each.reason),
    )
    return Table("Hard and easy lemmas", headings, rows, notes, rules=(1,) if lemmas else ())


def range_table(spread: RatingSpread) -> Table:
    """How many items have which range."""
    rows = tuple((f"{width:g}", count, count / spread.items) for width, count in spread.ranges)
    note = f"Range: the highest minus the lowest value of an item; the mean is {spread.range:.2f}."
    return Table(f"Ranges of items ({spread.name})", ("Range", "Items", "Share"), rows, (spread.reason or note,))


def widest_table(items: Sequence[ItemSpread], at_most: int = 20) -> Table:
    """The items that annotators are farthest apart on."""
    known = [each for each in items if not math.isnan(each.variance)]
    widest = sorted(known, key=lambda each: (-each.variance, each.item))[:at_most]
    rows = tuple((format_item(each.item), each.variance, each.range, each.mean, each.judged) for each in widest)
    note = (
        f"{len(widest):,} of {count_noun(len(known), 'item')} that two annotators or more judged. Variance and range of"
        " the values that they gave: read these items first to see why people differ."
    )
    return Table("Items with the widest spread", ("Item", "Variance", "Range", "Mean", "Annotators"), rows, (note,))


def several_senses_table(found: Mapping[str, Sequence[SeveralSenses]]) -> Table:
    """How many usages have several senses rated high; by name, as ``all`` or a group of annotators."""
    rows = tuple(
        (name, f"{each.threshold:g}", each.share, each.share_of_answers, each.share_by_mean, each.usages, each.answers)
        for name, thresholds in found.items()
        for each in thresholds
    )
    headings = ("Annotators", "Rated at least", "Some annotator", "Each annotator", "Mean rating", "Usages", "Answers")
    notes = (
        "The share of usages with two senses or more rated so high: by some annotator alone; by each, as the share of"
        " answers, one an annotator and usage; by the mean rating of each sense.",
    )
    return Table("Usages with several senses", headings, rows, notes)


# -- care ------------------------------------------------------------------------------------------------------------


def flag_table(found: CarelessnessReport) -> Table:
    """The flags, with what each says, and one example each."""
    rows = tuple(
        (flag.annotator, flag.check, flag.sentence, _example(flag.evidence[0].item, flag.evidence[0].words))
        if flag.evidence
        else (flag.annotator, flag.check, flag.sentence, None)
        for flag in found.flags
    )
    notes = (
        *(() if rows else ("Nobody is flagged.",)),
        "A flag is a reason to look, not to leave someone out: an honest annotator may be flagged by chance.",
        *(f"Not checked: {check}: {reason}." for check, reason in found.not_checked),
    )
    return Table("Annotators to look at", ("Annotator", "Check", "Finding", "Example"), rows, notes)


def evidence_table(found: CarelessnessReport) -> Table:
    """All the evidence for the flags."""
    rows = tuple(
        (flag.annotator, flag.check, format_item(each.item), each.words)
        for flag in found.flags
        for each in flag.evidence
    )
    note = "The judgements for which annotators were flagged, the strongest first: read them before you decide."
    return Table("Evidence", ("Annotator", "Check", "Item", "What was said"), rows, (note,))


def finding_table(found: CarelessnessReport) -> Table:
    """What each check says of each annotator, flagged or not."""
    rows = tuple(
        (each.annotator, each.check, each.figure, each.usual, "yes" if each.flagged else "", each.sentence)
        for each in found.findings
    )
    note = "Figure: what the check measures, in the unit that the finding names; usual: the same for the others."
    return Table("All checks", ("Annotator", "Check", "Figure", "Usual", "Flagged", "Finding"), rows, (note,))


def _example(item: Item, words: str) -> str:
    return f"{format_item(item)}: {words}"


# -- metricity -------------------------------------------------------------------------------------------------------


def triangle_table(found: Triangles) -> Table:
    """The triangle inequality on averages, on lemmas, and on annotators."""
    parts = [(found.averages, *found.lemmas), (found.individuals, *found.annotators) if found.annotators else ()]
    rows = tuple(_triangle_row(each) for part in parts for each in part)
    first = len(parts[0])
    notes = [
        "Obey: the share of triples of usages whose longest side is no longer than the two others together, with d ="
        " highest + 1 − rating. By chance: that share had the same ratings been dealt out at random. Missed by: how"
        " much too long the longest side is, on the mean of the triples that miss it.",
        *([f"{found.open} pairs that someone could not decide are left out of the averages."] if found.open else []),
    ]
    rules = (1, first, first + 1) if found.annotators else (1,)
    headings = ("Ratings", "Obey", "By chance", "Triples", "Missed", "Missed by", "At most", "Pairs")
    return Table("Is similarity a distance?", headings, rows, tuple(notes), rules=rules)


def _triangle_row(each: Metricity) -> tuple[Cell, ...]:
    return (each.name, each.share, each.chance, each.triples, each.missed, each.amount, each.largest, each.pairs)


def worst_triple_table(found: Metricity) -> Table:
    """The triples that miss the inequality by most, with their ratings."""
    rows = tuple(
        (each.lemma, *each.usages, *each.ratings, each.amount, each.annotator or "averages") for each in found.worst
    )
    headings = ("Lemma", "A", "B", "C", "A–B", "B–C", "A–C", "Missed by", "Ratings of")
    note = f"{found.missed} of {found.triples} triples miss it." if found.triples else f"{found.reason}."
    return Table(f"Triples that miss the triangle inequality ({found.name})", headings, rows, (note,), digits=2)


def savings_table(simulations: Sequence[SavingSimulation]) -> Table:
    """What several rules and orders of asking would have saved."""
    rows = tuple((str(each.rule), str(each.order), *_saving_cells(each.total)) for each in simulations)
    headings = ("Pairs not asked", "Order of asking", *SAVED)
    return Table("What could be left out", headings, rows, (SAVING_RULES, SAVING_NOTE))


def _saving_cells(each: PairSaving) -> tuple[Cell, ...]:
    return (each.share, each.error, each.error_of_mean, each.within, each.rho, each.pairs)


def lemma_savings_table(simulation: SavingSimulation) -> Table:
    """What one rule would have saved on each lemma."""
    rows = tuple((each.name, *_saving_cells(each)) for each in (simulation.total, *simulation.lemmas))
    title = f"What is left out, by lemma (pairs that are {simulation.rule}; asked {simulation.order})"
    return Table(title, ("Lemma", *SAVED), rows, (SAVING_NOTE,), rules=(1,))


def implied_table(found: Sequence[ImpliedPair], most: int | None = None) -> Table:
    """The pairs that need not be asked, and why; those that are known best first."""
    known = sorted(found, key=lambda each: each.highest - each.lowest)[:most]
    rows = tuple(
        (each.lemma, each.first, each.second, each.lowest, each.highest, ", ".join(each.through)) for each in known
    )
    headings = ("Lemma", "Usage", "Usage", "At least", "At most", "Because of")
    notes = (
        f"{len(rows):,} of {count_noun(len(found), 'pair')} that nobody has judged, and whose rating is known to lie"
        " between these bounds: both usages were compared with those that are named last.",
    )
    return Table("Pairs that need not be asked", headings, rows, notes, digits=2)
