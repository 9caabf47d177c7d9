"""From ratings to agreement and gold, for any source of ratings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from polyseme.datasets.opening import (
    InventorySource,
    LabellingSource,
    RatingsSource,
    UsagesSource,
    is_name,
    open_inventory,
    open_labelling,
    open_substitutes,
    open_usages,
)
from polyseme.errors import InputError, add_file_name, quote_value
from polyseme.gold import disputes
from polyseme.gold.combination import COMBINATIONS, MODEL_RULE, AnnotatorModel
from polyseme.gold.disputes import DisputedItem
from polyseme.gold.record import GoldStandard, clusters_from_pairs, clusters_from_ratings, gold_from_ratings
from polyseme.gold.rule import Gold
from polyseme.gold.usage_clusters import UsageClusters
from polyseme.interface.named_sources import name_sources
from polyseme.interface.rating_sources import RatingSource, open_rating_source
from polyseme.labelling import Labelling
from polyseme.parts import build
from polyseme.progress import ShowProgress, show_progress_bar
from polyseme.rating import WSSIM, Ratings, Scale
from polyseme.reports import agreement_assembly as assembly
from polyseme.reports.agreement_result import AgreementResult

Labellings = LabellingSource | Sequence[LabellingSource] | Mapping[str, LabellingSource]
"""Labellings of models: one, several, or several by name."""
AnnotatorGroups = Mapping[str, Sequence[str]] | Sequence[str]
"""Groups of annotators by name, or texts such as ``first=ann,bob``."""


def measure_agreement(
    ratings: RatingsSource | Sequence[RatingsSource],
    *,
    task: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    sections: str | Sequence[str] | None = None,
    inventory: InventorySource | None = None,
    complete: bool | None = None,
    groups: str | os.PathLike[str] | None = None,
    labellings: Labellings | None = None,
    substitutes: LabellingSource | None = None,
    usages: UsagesSource | None = None,
    controls: RatingsSource | None = None,
    scale: str | Scale | None = None,
    group: AnnotatorGroups = (),
    pooling: Literal["usages", "pairs"] = "usages",
    resamples: int = 1000,
    seed: int = 0,
    study: str | None = None,
    progress: bool | None = None,
) -> AgreementResult:
    """Measure how annotators agree: every pair, each against the others and without each, Krippendorff's α.

    Args:
        ratings: Ratings, or what :func:`polyseme.read_ratings` takes; or averages of pairs.
        task: Only these tasks: WSsim, Usim, WSbest or SYNbest.
        by: The breakdowns: lemma, pos, round or group. Default: all of these that differ.
        sections: agreement (default), scale, annotators, metricity, schemes, senses, groups, or all.
        inventory: The senses that were rated. Default: those of the data set or of the study.
        complete: Whether senses without a rating count as rated 1. Default: if there is an inventory, and no study.
        groups: A file of coarse groups of senses, for the section senses.
        labellings: Labellings of models, each as one more annotator in the section schemes.
        substitutes: Substitutes of the usages, for the section schemes.
        usages: The usages, for examples. Default: those of the data set or of the study.
        controls: The expected answers to control items, for the section annotators.
        scale: The scale, as ``1-5``. Default: that of the study, or from the ratings.
        group: Groups of annotators by name, such as ``{"first": ["ann", "bob"]}``.
        pooling: What has the same weight in WSbest and SYNbest: ``usages``, or ``pairs`` of answers.
        resamples: How many bootstrap resamples give the intervals; 0 for none.
        seed: The random seed.
        study: The title of a study, where a database holds several.
        progress: Whether progress is shown. Default: on a terminal and in a notebook.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", 1, 5), ("bob", 1, 4), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> measure_agreement([Rating(name, "WSsim", "win.v", f"u{n}", "s", value) for name, n, value in rows])
    <AgreementResult of the ratings: WSsim rho 0.866, alpha.ordinal 0.731>
    """
    names, ends = _list_texts(sections), assembly.parse_scale(scale) if isinstance(scale, str) else scale
    assembly.select_sections(names, all_sections=False)
    options = assembly.AgreementOptions(_list_texts(task), _list_texts(by), complete, resamples, seed, pooling)
    with show_progress_bar("Reading ratings", progress) as show:
        source = open_rating_source(ratings, study)
        data = _open_section_data(source, groups, labellings, substitutes, usages, controls, ends)
        return _assemble_agreement(source, data, options, names, inventory, _list_groups(group), show)


def _open_section_data(
    source: RatingSource,
    groups: str | os.PathLike[str] | None,
    labellings: Labellings | None,
    substitutes: LabellingSource | None,
    usages: UsagesSource | None,
    controls: RatingsSource | None,
    scale: Scale | None,
) -> assembly.SectionData:
    return assembly.SectionData(
        source.name,
        {usage.id: usage for usage in (source.usages if usages is None else open_usages(usages))},
        None if groups is None else _read_groups(groups),
        _open_labellings(labellings),
        None if substitutes is None else open_substitutes(substitutes),
        None if controls is None else open_rating_source(controls).ratings,
        scale or source.scale,
    )


def _assemble_agreement(
    source: RatingSource,
    data: assembly.SectionData,
    options: assembly.AgreementOptions,
    names: Sequence[str] | None,
    inventory: InventorySource | None,
    groups: Sequence[assembly.AnnotatorGroup],
    show: ShowProgress,
) -> AgreementResult:
    chosen = assembly.select_sections(names, all_sections=False, of_averages=bool(source.averages))
    if source.averages:
        assembly.check_no_groups(groups)
        tasks, notes = assembly.assemble_sections_of_averages(source.averages, data, options, chosen)
    else:
        rows = assembly.assign_annotator_groups(source.ratings, groups)
        senses = source.inventory if inventory is None else open_inventory(inventory)
        if source.of_study and inventory is None and options.complete is None:
            options = options._replace(complete=False)
        tasks, notes = assembly.assemble_sections(rows, senses, data, options, chosen, show)
    notes = [*(note for task, note in source.notes if task in tasks), *notes]
    return AgreementResult(Path(source.name).name, tasks, tuple(notes))


def make_gold(
    ratings: RatingsSource | Sequence[RatingsSource],
    *,
    combine: str | AnnotatorModel = "mean",
    weights: Literal["rating", "sum", "max"] = "rating",
    threshold: float | None = None,
    support: int = 0,
    lowest: float | None = None,
    task: str | None = None,
    clusters: bool = False,
    graded: bool = False,
    smallest: int = 1,
    seed: int = 0,
    study: str | None = None,
) -> GoldStandard:
    """Make a gold standard from ratings; it has the labelling, and a record of how it was made.

    The decisions of managers, ratings with the role ``adjudication``, replace the judgements of annotators.

    Args:
        ratings: Ratings, a table of them, a file or folder, a data set, the database of a study; or a list of these.
        combine: How the ratings of several annotators are combined: ``mean``, ``median``, ``mode``, ``model``, or a
            model of annotators, as a part or its specification.
        weights: Ratings as they are (``rating``), or divided by the usage's ``sum`` or ``max``.
        threshold: Only senses with this combined rating or a higher one; with clusters, the rating above which
            usages are similar. Default for clusters: the middle of the scale.
        support: Only senses that this many annotators rated above the lowest.
        lowest: The lowest value of the scale: the sense does not apply. Default: that of the study's scale, or 1.
        task: The task, if there are several.
        clusters: Whether usages are clustered by ratings of Usim.
        graded: With clusters: whether a usage may be in several.
        smallest: With clusters: usages of smaller clusters are noise, and not labelled.
        seed: With clusters: the random seed of the search in large graphs.
        study: The title of a study, where a database holds several.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 4), ("ann", "b", 1), ("bob", "b", 2)]
    >>> gold = make_gold([Rating(name, "WSsim", "win.v", "win.v.1", sense, value) for name, sense, value in rows])
    >>> gold.labelling["win.v.1"]
    {'a': 4.5, 'b': 1.5}
    """
    _check_options(clusters, {"graded": graded, "smallest": smallest > 1, "seed": seed}, "clusters")
    sense_options = {"weights": weights != "rating", "support": support, "lowest": lowest not in (None, 1)}
    _check_options(not clusters, sense_options, "ratings of senses, not for clusters")
    combination = _parse_combination(combine)
    middle: Any = "middle" if threshold is None else threshold
    cluster_rule = UsageClusters(middle, combination, graded, smallest=smallest, seed=seed)
    rule = Gold(combination, weights, WSSIM.lowest if lowest is None else lowest, threshold or 0.0, support)
    source = open_rating_source(ratings, study)
    with _name_errors(ratings, source):
        if source.averages and clusters:
            return replace(clusters_from_pairs(cluster_rule, source.averages), source=source.name)
        rows = _select_task(source, task or ("Usim" if clusters else None))
        if clusters:
            gold = clusters_from_ratings(_fit_to_scale(cluster_rule, source.scale), rows)
        else:
            least = source.scale.lowest if source.scale and lowest is None else rule.lowest
            gold = gold_from_ratings(replace(rule, lowest=float(least)), rows)
    invalid = (note for task, note in source.notes if task == gold.record["task"])
    return replace(gold, source=source.name, notes=(*invalid, *gold.notes))


def find_disputed_items(
    ratings: RatingsSource | Sequence[RatingsSource],
    most: int | None = None,
    *,
    task: str | None = None,
    study: str | None = None,
) -> tuple[DisputedItem, ...]:
    """Find the items on which annotators differ, the most disputed first, for adjudication.

    Items that a manager has decided are left out.

    Args:
        ratings: Ratings, a table of them, a file or folder, a data set, or the database of a study.
        most: The greatest number of items. Default: all.
        task: The task, if there are several.
        study: The title of a study, where a database holds several.

    >>> from polyseme.rating import Rating
    >>> rows = [("ann", "a", 5), ("bob", "a", 1), ("ann", "b", 1), ("bob", "b", 1)]
    >>> ratings = [Rating(name, "WSsim", "win.v", "win.v.1", sense, value) for name, sense, value in rows]
    >>> [(item.item.target, dict(item.answers)) for item in find_disputed_items(ratings)]
    [('a', {'ann': '5', 'bob': '1'})]
    """
    source = open_rating_source(ratings, study)
    with _name_errors(ratings, source):
        if source.averages:
            raise InputError("these are averages; to find disputed items, pass the ratings of annotators")
        return disputes.find_disputed_items(_select_task(source, task), most)


# -- options -----------------------------------------------------------------------------------------------------------


def _list_texts(value: str | Sequence[str] | None) -> list[str] | None:
    """Return a list of one or several texts; none if there are none."""
    return [value] if isinstance(value, str) else list(value or ()) or None


def _read_groups(path: str | os.PathLike[str]) -> Any:
    from polyseme.agreement.sense_groups import read_grouping

    return read_grouping(Path(path))


def _open_labellings(labellings: Any) -> dict[str, Labelling]:
    """Open labellings under their names."""
    is_empty = labellings is None or (isinstance(labellings, dict | list | tuple) and not labellings)
    sources = {} if is_empty else name_sources(labellings, "model")
    return {name: open_labelling(source) for name, source in sources.items()}


def _list_groups(groups: AnnotatorGroups) -> list[assembly.AnnotatorGroup]:
    if isinstance(groups, Mapping):
        return [(name, [members] if isinstance(members, str) else members) for name, members in groups.items()]
    return [assembly.parse_annotator_group(text) for text in _list_texts(groups) or ()]


def _check_options(applies: bool, options: Mapping[str, object], purpose: str) -> None:
    """Raise an error if an option is set that does not apply."""
    if not applies and (wrong_options := [option for option, value in options.items() if value]):
        raise InputError(f"the option {wrong_options[0]} is for {purpose}; drop it")


def _parse_combination(combine: str | AnnotatorModel) -> str | AnnotatorModel:
    """Return the name of a rule, or a model of annotators."""
    if not isinstance(combine, str) or combine in COMBINATIONS or combine == MODEL_RULE:
        return combine
    try:
        model: AnnotatorModel = build(combine, "annotators")
    except InputError as error:
        problem = f"combine {quote_value(combine)} is not known; allowed are {', '.join([*COMBINATIONS, MODEL_RULE])}"
        raise InputError(f"{problem}, or a part: {error}") from None
    return model


def _fit_to_scale(rule: UsageClusters, scale: Scale | None) -> UsageClusters:
    """Return clusters whose threshold is the middle of a scale, if no other is set."""
    if scale is None or rule.threshold != "middle":
        return rule
    return replace(rule, threshold=(scale.lowest + scale.highest) / 2)


def _name_errors(ratings: object, source: RatingSource) -> Any:
    """Name the source in errors and warnings, if it has a name."""
    return add_file_name(source.name) if is_name(ratings) else nullcontext()


def _select_task(source: RatingSource, task: str | None) -> Ratings:
    """Select the ratings of one task; an error names the tasks if it is not clear which."""
    ratings = source.ratings
    tasks = sorted({row.task for row in ratings})
    if not tasks:
        raise InputError("there are no ratings; write a row for each judgement")
    if task is None and len(tasks) == 1:
        return ratings
    if task is None:
        problem = f"the ratings are of several tasks ({', '.join(tasks)}), whose values cannot be compared"
        raise InputError(f"{problem}; choose one: --task {tasks[0]}, or in Python task={tasks[0]!r}")
    if task not in tasks:
        raise InputError(f"there are no ratings of {task}; there are ratings of {', '.join(tasks)}")
    return ratings.filter(lambda row: row.task == task)
