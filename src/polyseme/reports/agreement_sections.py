"""Sections of an agreement report: values for programs, and tables, texts and plots for people.

The command and the page of ``polyseme agreement`` have the same sections. A section that does not apply to the ratings
returns the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from polyseme.agreement import overview
from polyseme.agreement.careless_responding import check_responses
from polyseme.agreement.group_effect import GroupEffect, mark_several_answers, measure_group_effect
from polyseme.agreement.group_similarity import compare_group_similarity
from polyseme.agreement.implied_pairs import Close, Narrow, find_implied_pairs
from polyseme.agreement.judgements import collect_judgements
from polyseme.agreement.pair_savings import simulate_savings
from polyseme.agreement.related_senses import SensePair, correlate_senses, correlation_histogram
from polyseme.agreement.scale_use import (
    count_several_senses,
    measure_item_spreads,
    measure_scale_use,
    measure_spread,
    rank_by_difficulty,
)
from polyseme.agreement.scheme_comparison import SchemeTable, tabulate_usage_pairs, tabulate_usage_senses
from polyseme.agreement.sense_conflicts import (
    ConflictCount,
    CutOffCount,
    compute_cut_off_curve,
    count_correlation_conflicts,
    count_group_conflicts,
)
from polyseme.agreement.sense_ratings import average_sense_ratings
from polyseme.agreement.triangles import check_triangle_inequality
from polyseme.gold.rule import Gold
from polyseme.labelling import Labelling
from polyseme.rating import CHOICE, Ratings
from polyseme.reports import agreement_plots as plots
from polyseme.reports.agreement_input import CHOICES, OF_PAIRS, OF_SENSES, AgreementInput
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

SHOWN_PAIRS = 20
"""The number of implied pairs that are shown."""


@dataclass(frozen=True)
class AgreementSection:
    """A section.

    Args:
        value: The values, for programs.
        tables: The tables, for people.
        title: The title.
        text: An explanation.
        plots: Draws the plots, which takes time and needs other libraries than tables.
    """

    value: Any
    tables: list[Table]
    title: str = ""
    text: str = ""
    plots: Callable[[], list[Plot]] = list

    def __repr__(self) -> str:
        return f"<AgreementSection: {self.title}>"

    def _repr_html_(self) -> str:
        from polyseme.display.ratings import render_section

        return render_section(self)


def agreement_section(data: AgreementInput) -> AgreementSection | str:
    """The agreement of the annotators."""
    if all(row.role for row in data.ratings):
        return f"{data.task}: {data.explain_no_judgements()}, so there is nothing to compare"
    if len(annotators := data.ratings.annotators) < 2:
        return f"all ratings of {data.task} are by one annotator, {annotators[0]}; a comparison needs two"
    breakdowns = tuple(overview.BREAKDOWNS) if data.by is None else data.by
    agreement = overview.measure_agreement(data.ratings, breakdowns, data.resamples, data.seed, data.pooling)[data.task]
    data.notes.extend(
        f"{data.task}: all ratings are of one {breakdown}, so there is no table by {breakdown}."
        for breakdown in data.by or ()
        if breakdown not in agreement.parts
    )
    text = (
        "Do annotators who judge the same items agree? Spearman's ρ asks whether they put items in"
        " the same order. Krippendorff's α asks how much they agree beyond chance; missing judgements are allowed. For"
        " comparison: two trained annotators of Erk, McCarthy & Gaylord (2013) have a ρ between .42 and .73."
        " Krippendorff demands an α of .8 for conclusions, or at least .667. Ratings of graded meaning rarely reach"
        " this. The mean of several annotators is more reliable than a single annotator."
    )
    tables = agreement_tables(agreement)
    plot = partial(plots.plot_agreement, agreement)
    return AgreementSection(agreement.summary(), tables, "Agreement of annotators", text, plot)


def scale_section(data: AgreementInput) -> AgreementSection | str:
    """The use of the scale, items with a wide spread, and difficult lemmas."""
    if data.task in CHOICES:
        return f"{data.task} has no scale: annotators choose"
    judgements, scale_use = collect_judgements(data.ratings), measure_scale_use(data.ratings, data.scale)
    if not len(judgements):
        return f"{data.task}: {data.explain_no_judgements()}, so the scale is not used"
    overall, lemmas = measure_spread(judgements), rank_by_difficulty(judgements)
    tables = [distribution_table(scale_use, data.scale), spread_table(overall, lemmas), range_table(overall)]
    value: dict[str, Any] = {
        "distribution": [row._asdict() for row in (scale_use.overall, *scale_use.groups, *scale_use.annotators)],
        "spread": [row._asdict() for row in (overall, *lemmas)],
    }
    if len(scale_use.groups) > 1:
        effect = measure_group_effect(data.ratings, data.scale, data.seed)
        tables.append(group_effect_table(effect))
        value["groups"] = {"p": effect.p, "chi_square": effect.chi_square, "reason": effect.reason}
    if data.task == OF_SENSES:
        several = count_several_senses(judgements, [data.scale.highest - step for step in range(3)])
        tables.append(several_senses_table({"all": several}))
        value["several"] = [row._asdict() for row in several]
    tables.append(widest_table(measure_item_spreads(judgements)))
    text = (
        "Do annotators use all values of the scale, or only its ends? Where the ratings of an item differ widely,"
        " annotators understand it differently. Lemmas with many such items are difficult, or their senses hard to"
        " distinguish."
    )
    plot = partial(plots.plot_scale_use, scale_use, overall)
    return AgreementSection(value, _name_task(data, tables), "Use of the scale", text, plot)


def annotators_section(data: AgreementInput) -> AgreementSection | str:
    """Annotators who may be careless, with the evidence."""
    if data.task in CHOICES:
        return f"{data.task} has no scale, which the checks for careless annotators need"
    report = check_responses(data.ratings, data.scale, data.expected)
    value = {
        "flags": [flag._asdict() | {"evidence": [row._asdict() for row in flag.evidence]} for flag in report.flags],
        "findings": [finding._asdict() | {"evidence": len(finding.evidence)} for finding in report.findings],
        "not_checked": {check.check: check.reason for check in report.checks if check.reason},
    }
    text = (
        "A flag is a reason to look closer, not a verdict. Careful annotators can be flagged by chance or for an"
        " uncommon opinion. Read the evidence before you exclude an annotator."
    )
    tables = [flag_table(report), *([evidence_table(report)] if report.flags else []), finding_table(report)]
    return AgreementSection(value, _name_task(data, tables), "Attention checks", text)


def _name_task(data: AgreementInput, tables: Sequence[Table]) -> list[Table]:
    """Put the task before the titles of tables."""
    return [replace(table, title=f"{data.task}: {table.title[:1].lower()}{table.title[1:]}") for table in tables]


def metricity_section(data: AgreementInput) -> AgreementSection | str:
    """Whether similarities obey the triangle inequality, and how many questions this would save."""
    if data.task != OF_PAIRS:
        return f"the triangle inequality applies to pairs of usages (Usim), not to {data.task}"
    triangles = check_triangle_inequality(data.averages or data.ratings, data.scale)
    pairs, highest = data.pairs, data.scale.highest
    rules = (Close(highest - 1), Close(highest - 2), Narrow(1), Narrow(2))
    simulations = [simulate_savings(pairs, rule, scale=data.scale, seed=data.seed) for rule in rules]
    implied = find_implied_pairs(pairs, Narrow(1), data.scale)
    value = {
        "averages": triangles.averages._asdict(),
        "lemmas": [row._asdict() for row in triangles.lemmas],
        "individuals": triangles.individuals._asdict(),
        "annotators": [row._asdict() for row in triangles.annotators],
        "savings": [{"rule": repr(run.rule), "order": repr(run.order), **run.total.to_json()} for run in simulations],
        "implied": [pair._asdict() for pair in implied],
    }
    text = (
        "If usage A is close in meaning to B, and B to C, then A cannot be far from C. Three ratings that say otherwise"
        " violate the triangle inequality: one may be a slip, or B may have two meanings at once. Where there are no"
        " violations, two ratings bound the third, so annotators need not rate the third pair."
    )
    tables = [triangle_table(triangles), worst_triple_table(triangles.averages), savings_table(simulations)]
    tables += [implied_table(implied, SHOWN_PAIRS)] if implied else []
    return AgreementSection(value, tables, "Triangle inequality", text)


def schemes_section(data: AgreementInput) -> AgreementSection | str:
    """The ratings beside models, labels or substitutes of the same usages."""
    if data.task not in SCHEMES:
        return f"{data.task}: only WSsim and Usim are compared with other schemes"
    schemes = SCHEMES[data.task](data)
    if schemes is None:
        return f"{data.task}: to compare the ratings with other schemes, add --labelling or --substitutes"
    tables = [schemes_matrix(schemes)]
    correlations = schemes.correlations().items()
    value: dict[str, Any] = {
        "correlations": [{"first": first, "second": second, **row._asdict()} for (first, second), row in correlations]
    }
    if data.task == OF_PAIRS:
        for name, labelling in data.labellings.items():
            similarity = compare_group_similarity(data.pairs, labelling, data.grouping)
            tables += [
                lemmas_table(similarity, f"{name}: mean Usim within and across senses"),
                groups_table(similarity, data.usages, f"{name}: senses to inspect first"),
                neighbours_table(similarity, data.usages, f"{name}: senses that may be one"),
            ]
            value[name] = {"within": similarity.overall.within, "across": similarity.overall.across}
    text = (
        "Each column is one description of the same usages: an annotator, the mean of annotators, another task, or a"
        " model. A model that agrees with annotators as well as they agree with each other is as good as an annotator."
    )
    return AgreementSection(value, tables, "Comparison with other schemes", text)


def _pair_schemes(data: AgreementInput) -> SchemeTable | None:
    """Usim beside the distance of sense ratings, the overlap of substitutes, and labellings."""
    wssim, substitutes = data.tasks.get(OF_SENSES), data.substitutes or _count_substitutes(data.tasks.get("SYNbest"))
    if not (data.labellings or substitutes or wssim):
        return None
    rated = data.averages or data.ratings
    return tabulate_usage_pairs(rated, wssim=wssim, substitutes=substitutes, labellings=data.labellings)


def _sense_schemes(data: AgreementInput) -> SchemeTable | None:
    """WSsim beside chosen senses and labellings; if there are none, as distances beside substitutes."""
    best = data.tasks.get("WSbest")
    tags = Gold("mode")(best) if best else None
    if data.labellings or (tags is not None and len(tags)):
        return tabulate_usage_senses(data.ratings, tags={"WSbest": tags} if tags else None, labellings=data.labellings)
    return tabulate_usage_pairs(wssim=data.ratings, substitutes=data.substitutes) if data.substitutes else None


def _count_substitutes(ratings: Ratings | None) -> Labelling | None:
    """The substitutes of annotators, each with the number of annotators."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in ratings or ():
        if row.value > 0 and not row.role:
            counts.setdefault((row.lemma, row.usage), Counter())[row.target] += 1
    return Labelling((*usage, substitutes) for usage, substitutes in counts.items()) if counts else None


SCHEMES: Mapping[str, Callable[[AgreementInput], SchemeTable | None]] = {
    OF_PAIRS: _pair_schemes,
    OF_SENSES: _sense_schemes,
}
"""The tasks that are compared with other schemes."""


def senses_section(data: AgreementInput) -> AgreementSection | str:
    """Which senses annotators treat as similar, and where groups of senses do not fit."""
    if data.task != OF_SENSES:
        return f"related senses are computed from ratings of senses (WSsim), not from {data.task}"
    ratings = average_sense_ratings(data.ratings)
    related = correlate_senses(ratings)
    if not related:
        return f"{data.task}: no lemma has two senses with ratings, so no senses can be related"
    correlation_conflicts = list(count_correlation_conflicts(ratings, related))
    curve = compute_cut_off_curve(ratings, related)
    tables: list[Table] = []
    group_conflicts: list[ConflictCount] = []
    if data.grouping is not None:
        coverage = data.grouping.coverage({lemma: means.senses for lemma, means in ratings.items()})
        data.notes.append(f"{data.grouping.name}: {coverage.describe()}")
        group_conflicts = list(count_group_conflicts(ratings, data.grouping))
        tables.append(conflicts_table(group_conflicts, f"Usages in conflict with {data.grouping.name}"))
        tables += [conflict_examples(count, data.usages) for count in group_conflicts if count.conflicts][:2]
    tables.append(conflicts_table(correlation_conflicts, "Senses that apply together, but are not related"))
    tables += [cut_off_table(curve), related_table(related), histogram_table(correlation_histogram(related))]
    value = {
        "cut_offs": [point._asdict() for point in curve],
        "related": [
            {"lemma": pair.lemma, "first": pair.first, "second": pair.second, **pair.correlation._asdict()}
            for pair in related
        ],
        "conflicts": [
            {"question": count.question, "usages": count.usages, "of": count.total, "share": count.share}
            for count in (*correlation_conflicts, *group_conflicts)
        ],
    }
    text = (
        "Two senses are related if annotators rate both high for the same usages, and both low for the same usages. The"
        " correlation of their mean ratings over usages measures this. Related senses should be in one group of a"
        " dictionary."
    )
    return AgreementSection(
        value,
        tables,
        "Related senses",
        text,
        partial(_plot_senses, curve, related, data),
    )


def _plot_senses(curve: Sequence[CutOffCount], related: Sequence[SensePair], data: AgreementInput) -> list[Plot]:
    return [plots.plot_cut_offs(curve), *plots.plot_related_senses(related, data.grouping, data.inventory)]


def groups_section(data: AgreementInput) -> AgreementSection | str:
    """Whether groups of annotators answer differently, such as those who did the tasks in another order."""
    if len({row.group for row in data.ratings}) < 2:
        return f"{data.task}: all annotators are in one group; --group NAME=ANNOTATOR,… puts them into several"
    chosen = data.task in CHOICES
    least = CHOICE.highest if chosen else data.scale.highest
    values = measure_group_effect(data.ratings, data.scale, data.seed)
    several = measure_group_effect(mark_several_answers(data.ratings, least), CHOICE, data.seed)
    tables = [] if data.task == "SYNbest" else [group_effect_table(values, f"{data.task}: values by group")]
    value: dict[str, Any] = {"values": _effect_record(values)}
    if data.task != OF_PAIRS:
        title = f"{data.task}: answers with several {'targets' if chosen else f'senses at {least}'}"
        tables.append(group_effect_table(several, title, ("one or none", "several")))
        value["several"] = _effect_record(several)
    text = (
        "Do groups of annotators answer differently, for example because they did another task before? The test"
        " permutes the annotators among the groups, and counts how often the groups then differ as much."
    )
    return AgreementSection(value, tables, "Groups of annotators", text)


def _effect_record(effect: GroupEffect) -> dict[str, Any]:
    groups = [{"name": group.name, "annotators": group.annotators, "shares": group.shares} for group in effect.groups]
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
"""The sections by name."""
