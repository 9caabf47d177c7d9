"""What ratings tell, section by section: plain values for programs, and tables, words and plots for people.

The command and the page of ``polyseme agreement`` are made of the same sections. One that does not apply to the ratings
says why, instead of being silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from polyseme.agreement import overview, scheme_comparison
from polyseme.agreement.careless_responding import check_responses
from polyseme.agreement.group_effect import GroupEffect, mark_several_answers, measure_group_effect
from polyseme.agreement.group_similarity import compare_group_similarity
from polyseme.agreement.implied_pairs import Close, Narrow, find_implied_pairs
from polyseme.agreement.judgements import collect_judgements
from polyseme.agreement.pair_savings import simulate_savings
from polyseme.agreement.related_senses import correlate_senses, correlation_histogram
from polyseme.agreement.scale_use import (
    count_several_senses,
    measure_item_spreads,
    measure_scale_use,
    measure_spread,
    rank_by_difficulty,
)
from polyseme.agreement.sense_conflicts import compute_cut_off_curve, count_correlation_conflicts, count_group_conflicts
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.agreement.sense_ratings import average_sense_ratings
from polyseme.agreement.triangles import average_usage_pairs, check_triangle_inequality
from polyseme.errors import InputError
from polyseme.gold.rule import Gold
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import CHOICE, DUREL, WSSIM, Ratings, Scale
from polyseme.reports import agreement_plots as plots
from polyseme.reports.agreement_tables import agreement_tables
from polyseme.reports.plots import Plot
from polyseme.reports.scale_tables import (
    distribution_table,
    evidence_table,
    finding_table,
    flag_table,
    group_effect_table,
    implied_table,
    range_table,
    savings_table,
    several_senses_table,
    spread_table,
    triangle_table,
    widest_table,
    worst_triple_table,
)
from polyseme.reports.sense_tables import (
    conflict_examples,
    conflicts_table,
    cut_off_table,
    groups_table,
    histogram_table,
    lemmas_table,
    neighbours_table,
    related_table,
    schemes_matrix,
)
from polyseme.reports.tables import Table
from polyseme.usage import Usage, UsagePair

ENOUGH_TO_GUESS_SCALE = 50
"""So many judgements without the highest value of a scale say that it is another scale."""
SHOWN_PAIRS = 20
"""So many pairs are shown that a study could leave out."""
OF_SENSES, OF_PAIRS, CHOICES = "WSsim", "Usim", frozenset({"WSbest", "SYNbest"})


@dataclass(frozen=True)
class AgreementInput:
    """The ratings of a task, and what a section may ask besides."""

    task: str
    ratings: Ratings
    tasks: Mapping[str, Ratings] = field(default_factory=dict)
    """Those of all tasks, to compare them with one another."""
    inventory: Inventory | None = None
    by: Sequence[str] | None = None
    resamples: int = 1000
    seed: int = 0
    notes: list[str] = field(default_factory=list)
    usages: Mapping[str, Usage] = field(default_factory=dict)
    grouping: SenseGrouping | None = None
    labellings: Mapping[str, Labelling] = field(default_factory=dict)
    substitutes: Labelling | None = None
    expected: Ratings | None = None
    known_scale: Scale | None = None
    """The scale of the values, if it is said."""
    pooling: str = "usages"
    """What has the same say where people choose: see :func:`~polyseme.agreement.chosen_sets.compute_mean_credit`."""
    averages: Sequence[UsagePair] = ()
    """Mean ratings of pairs of usages, where there are no others."""

    @property
    def pairs(self) -> Sequence[UsagePair]:
        """The mean rating of each pair of usages."""
        return self.averages or average_usage_pairs(self.ratings)

    @cached_property
    def scale(self) -> Scale:
        """The scale on which the values are: if not said, that of word usage graphs where nothing is above it."""
        if self.task in CHOICES:
            return CHOICE
        if self.known_scale is None:
            self._note_guess()
        scale = self.known_scale or (DUREL if self._up_to_four else WSSIM)
        off = next((value for value in self._values if not (self.averages or scale.allows(value))), None)
        if off is not None:
            said = f"the value {off:g} is not on the scale from {scale.lowest} to {scale.highest}"
            raise InputError(
                f"{self.task}: {said}; say which scale it is, as in --scale 0-10; values are whole numbers"
            )
        return scale

    @cached_property
    def _values(self) -> list[float]:
        return [row.value for row in self.ratings if row.value == row.value] or [each[3] for each in self.averages]

    @property
    def _up_to_four(self) -> bool:
        """Whether this looks like the scale of word usage graphs, on which senses are rated more rarely than pairs."""
        enough = bool(self._values) if self.task == OF_PAIRS else len(self._values) >= ENOUGH_TO_GUESS_SCALE
        return enough and max(self._values) <= DUREL.highest

    def _note_guess(self) -> None:
        if self._up_to_four:
            said = "no value is above 4, so that the scale is taken to be that of word usage graphs, from 1 to 4"
            self.notes.append(f"{self.task}: {said} (--scale 1-5 if it is not).")


@dataclass(frozen=True)
class AgreementSection:
    """A part of the answer: what a program reads, and what people do."""

    value: Any
    tables: list[Table]
    title: str = ""
    words: str = ""
    plots: Callable[[], list[Plot]] = list
    """Drawn only for a page: it takes a while, and libraries that a table does not need."""


def agreement_section(given: AgreementInput) -> AgreementSection | str:
    """How the annotators agree; or why that cannot be said."""
    if all(row.role for row in given.ratings):
        return f"{given.task}: {_explain_no_judgements(given)}, so that there is nothing to compare"
    if len(people := given.ratings.annotators) < 2:
        return f"all ratings of {given.task} are by one annotator, {people[0]}; to compare, it takes two"
    by = tuple(overview.BREAKDOWNS) if given.by is None else given.by
    found = overview.measure_agreement(given.ratings, by, given.resamples, given.seed, given.pooling)[given.task]
    for each in given.by or ():
        if each not in found.parts:
            given.notes.append(f"{given.task}: all ratings are of one {each}, so that there is no table by {each}.")
    words = (
        "Do people who judge the same items come to the same result? Spearman's ρ asks whether they put items in the"
        " same order; Krippendorff's α how much they agree beyond chance, and takes missing judgements as they are. To"
        " compare: in the studies of the paper, two people who were trained have a ρ between .42 and .73. For data that"
        " conclusions are drawn from, Krippendorff asks for an α of .8, or at least .667, which graded meaning rarely"
        " reaches: the mean of several people can be relied upon more than one of them."
    )
    return AgreementSection(
        found.summary(), agreement_tables(found), "How people agree", words, lambda: plots.plot_agreement(found)
    )


def _explain_no_judgements(given: AgreementInput) -> str:
    """Why there is no judgement to count."""
    if all(row.role for row in given.ratings):
        return "all ratings are hidden repeats, control items or training"
    return "nobody could decide on any item"


def scale_section(given: AgreementInput) -> AgreementSection | str:
    """How the values of the scale are used, on which items people are apart, and which lemmas are hard."""
    if given.task in CHOICES:
        return f"{given.task} has no scale: people choose"
    found, used = collect_judgements(given.ratings), measure_scale_use(given.ratings, given.scale)
    if not len(found):
        return f"{given.task}: {_explain_no_judgements(given)}, so that there is no use of the scale to be seen"
    overall, lemmas = measure_spread(found), rank_by_difficulty(found)
    tables = [distribution_table(used, given.scale), spread_table(overall, lemmas), range_table(overall)]
    value: dict[str, Any] = {
        "distribution": [each._asdict() for each in (used.overall, *used.groups, *used.annotators)],
        "spread": [each._asdict() for each in (overall, *lemmas)],
    }
    if len(used.groups) > 1:
        effect = measure_group_effect(given.ratings, given.scale, given.seed)
        tables.append(group_effect_table(effect))
        value["groups"] = {"p": effect.p, "chi_square": effect.chi_square, "reason": effect.reason}
    if given.task == OF_SENSES:
        several = count_several_senses(found, [given.scale.highest - step for step in range(3)])
        tables.append(several_senses_table({"all": several}))
        value["several"] = [each._asdict() for each in several]
    tables.append(widest_table(measure_item_spreads(found)))
    words = (
        "Are all values of the scale used, or only its ends? Where the ratings of an item lie far apart, people"
        " understand it differently; lemmas with many such items are hard, or their senses hard to tell apart."
    )
    return AgreementSection(value, tables, "Use of the scale", words, lambda: plots.plot_scale_use(used, overall))


def annotators_section(given: AgreementInput) -> AgreementSection | str:
    """Who may have been careless, with the evidence."""
    if given.task in CHOICES:
        return f"{given.task} has no scale, by which careless annotators could be told"
    found = check_responses(given.ratings, given.scale, given.expected)
    value = {
        "flags": [flag._asdict() | {"evidence": [each._asdict() for each in flag.evidence]} for flag in found.flags],
        "findings": [each._asdict() | {"evidence": len(each.evidence)} for each in found.findings],
        "not_checked": {each.check: each.reason for each in found.checks if each.reason},
    }
    words = (
        "A flag is a reason to look, not a verdict: an honest annotator can be flagged by chance or for an opinion of"
        " their own. Read the evidence before you leave anybody out."
    )
    tables = [flag_table(found), *([evidence_table(found)] if found.flags else []), finding_table(found)]
    return AgreementSection(value, tables, "Careless annotators", words)


def metricity_section(given: AgreementInput) -> AgreementSection | str:
    """Whether similarities are those of a space, and how many questions that would save."""
    if given.task != OF_PAIRS:
        return f"the triangle inequality is asked of pairs of usages (Usim), not of {given.task}"
    found = check_triangle_inequality(given.averages or given.ratings, given.scale)
    pairs, top = given.pairs, given.scale.highest
    rules = (Close(top - 1), Close(top - 2), Narrow(1), Narrow(2))
    simulations = [simulate_savings(pairs, rule, scale=given.scale, seed=given.seed) for rule in rules]
    known = find_implied_pairs(pairs, Narrow(1), given.scale)
    value = {
        "averages": found.averages._asdict(),
        "lemmas": [each._asdict() for each in found.lemmas],
        "individuals": found.individuals._asdict(),
        "annotators": [each._asdict() for each in found.annotators],
        "savings": [
            {"rule": repr(each.rule), "order": repr(each.order), **each.total._asdict()} for each in simulations
        ],
        "implied": [each._asdict() for each in known],
    }
    words = (
        "If a usage is close to a second, and that one to a third, the first cannot be far from the third: distances"
        " obey the triangle inequality. Where ratings do, two of them bound the third, which need not be asked for."
    )
    tables = [triangle_table(found), worst_triple_table(found.averages), savings_table(simulations)]
    tables += [implied_table(known, SHOWN_PAIRS)] if known else []
    return AgreementSection(value, tables, "Is similarity metric?", words)


def schemes_section(given: AgreementInput) -> AgreementSection | str:
    """Ratings beside what models, taggers or substitutes say of the same usages."""
    if given.task not in SCHEMES:
        return f"{given.task}: other schemes are compared with WSsim and Usim"
    found = SCHEMES[given.task](given)
    if isinstance(found, str):
        return found
    tables = [schemes_matrix(found)]
    value: dict[str, Any] = {
        "correlations": [
            {"first": one, "second": other, **each._asdict()} for (one, other), each in found.correlations().items()
        ]
    }
    if given.task == OF_PAIRS:
        for name, labelling in given.labellings.items():
            within = compare_group_similarity(given.pairs, labelling, given.grouping)
            tables += [
                lemmas_table(within, f"{name}: mean Usim within and across senses"),
                groups_table(within, given.usages, f"{name}: senses to look at first"),
                neighbours_table(within, given.usages, f"{name}: senses that may be one"),
            ]
            value[name] = {"within": within.overall.within, "across": within.overall.across}
    words = (
        "Each column is one way to say what a usage means: an annotator, their mean, another task, or a model, which is"
        " one more annotator in the same table. Where people and a model agree as people do with one another, it is as"
        " good as they are."
    )
    return AgreementSection(value, tables, "Beside other schemes", words)


def _pair_schemes(given: AgreementInput) -> scheme_comparison.SchemeTable | str:
    """Usim beside the distance of sense ratings, the overlap of substitutes, and labellings."""
    wssim, substitutes = given.tasks.get(OF_SENSES), given.substitutes or _count_substitutes(given.tasks.get("SYNbest"))
    if not (given.labellings or substitutes or wssim):
        return f"{given.task}: give --labelling or --substitutes to compare the ratings with other schemes"
    rated = given.averages or given.ratings
    return scheme_comparison.tabulate_usage_pairs(
        rated, wssim=wssim, substitutes=substitutes, labellings=given.labellings
    )


def _sense_schemes(given: AgreementInput) -> scheme_comparison.SchemeTable | str:
    """WSsim beside the senses that were chosen, and labellings; if there are none, as distances beside substitutes."""
    best = given.tasks.get("WSbest")
    tags = Gold("mode")(best) if best else None
    if given.labellings or (tags is not None and len(tags)):
        return scheme_comparison.tabulate_usage_senses(
            given.ratings, tags={"WSbest": tags} if tags else None, labellings=given.labellings
        )
    if given.substitutes:
        return scheme_comparison.tabulate_usage_pairs(wssim=given.ratings, substitutes=given.substitutes)
    return f"{given.task}: give --labelling or --substitutes to compare the ratings with other schemes"


def _count_substitutes(given: Ratings | None) -> Labelling | None:
    """The substitutes that people wrote, each with how many did."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in given or ():
        if row.value > 0 and not row.role:
            counts.setdefault((row.lemma, row.usage), Counter())[row.target] += 1
    return Labelling((*usage, found) for usage, found in counts.items()) if counts else None


SCHEMES: Mapping[str, Callable[[AgreementInput], scheme_comparison.SchemeTable | str]] = {
    OF_PAIRS: _pair_schemes,
    OF_SENSES: _sense_schemes,
}
"""What the ratings of a task are compared with."""


def senses_section(given: AgreementInput) -> AgreementSection | str:
    """Which senses people treat alike, and where coarse groups do not fit."""
    if given.task != OF_SENSES:
        return f"senses are related by ratings of senses (WSsim), not by {given.task}"
    rated = average_sense_ratings(given.ratings)
    related = correlate_senses(rated)
    if not related:
        return f"{given.task}: no lemma has two senses that were rated, so that none can be related"
    shown = correlation_histogram(related)
    conflicts = list(count_correlation_conflicts(rated, related))
    curve = compute_cut_off_curve(rated, related)
    value: dict[str, Any] = {
        "cut_offs": [point._asdict() for point in curve],
        "related": [{**each._asdict(), **each.correlation._asdict()} for each in related],
    }
    tables: list[Table] = []
    if given.grouping is not None:
        coverage = given.grouping.coverage({lemma: each.senses for lemma, each in rated.items()})
        given.notes.append(f"{given.grouping.name}: {coverage.said()}")
        found = count_group_conflicts(rated, given.grouping)
        tables.append(conflicts_table(found, f"Usages in conflict with {given.grouping.name}"))
        tables += [conflict_examples(each, given.usages) for each in found if each.found][:2]
        conflicts += found
    tables.append(
        conflicts_table(count_correlation_conflicts(rated, related), "Senses that apply together, but are not related")
    )
    tables += [cut_off_table(curve), related_table(related), histogram_table(shown)]
    value["conflicts"] = [
        {"question": each.question, "usages": each.usages, "of": each.of, "share": each.share} for each in conflicts
    ]
    for each in value["related"]:
        each.pop("correlation")
    words = (
        "If people rate two senses high for the same usages and low for the same ones, they treat them as one meaning:"
        " the correlation of their mean ratings over usages says how related they are. Groups of senses that a"
        " dictionary puts together should agree with that."
    )
    return AgreementSection(
        value,
        tables,
        "The senses under the lens",
        words,
        lambda: [plots.plot_cut_offs(curve), *plots.plot_related_senses(related, given.grouping, given.inventory)],
    )


def groups_section(given: AgreementInput) -> AgreementSection | str:
    """Whether groups of annotators answer differently, as those who did the tasks in another order."""
    if len({row.group for row in given.ratings}) < 2:
        return f"{given.task}: all annotators are in one group; --group NAME=ANNOTATOR,… puts them into several"
    chosen = given.task in CHOICES
    least = CHOICE.highest if chosen else given.scale.highest
    values = measure_group_effect(given.ratings, given.scale, given.seed)
    several = measure_group_effect(mark_several_answers(given.ratings, least), CHOICE, given.seed)
    tables = [] if given.task == "SYNbest" else [group_effect_table(values, f"{given.task}: values by group")]
    value: dict[str, Any] = {"values": _effect_record(values)}
    if given.task != OF_PAIRS:
        title = f"{given.task}: answers with several {'targets' if chosen else f'senses at {least}'}"
        tables.append(group_effect_table(several, title, ("one or none", "several")))
        value["several"] = _effect_record(several)
    words = (
        "Do groups of people answer differently, say because they did another task before? The test puts the annotators"
        " into groups in all ways, and counts how often the groups then differ as much as they do."
    )
    return AgreementSection(value, tables, "Groups of annotators", words)


def _effect_record(effect: GroupEffect) -> dict[str, Any]:
    groups = [{"name": each.name, "annotators": each.annotators, "shares": each.shares} for each in effect.groups]
    return {"groups": groups, "chi_square": effect.chi_square, "p": effect.p, "reason": effect.reason}


SECTIONS: Mapping[str, Callable[[AgreementInput], AgreementSection | str]] = {
    "agreement": agreement_section,
    "scale": scale_section,
    "annotators": annotators_section,
    "metricity": metricity_section,
    "schemes": schemes_section,
    "senses": senses_section,
    "groups": groups_section,
}
"""The parts of the answer by name."""
