"""Gold with a record of the choice: by which rule, from which ratings, and what was left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.gold.choices import number_usages
from polyseme.gold.combination import AnnotatorModel, select_annotator_model
from polyseme.gold.estimates import ItemEstimates
from polyseme.gold.rule import Gold
from polyseme.gold.usage_clusters import UsageClusters
from polyseme.gold.usage_graph import UsageClustering, build_graph_from_judgements, build_graph_from_pairs
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import UsagePair


@dataclass(frozen=True, eq=False)
class GoldStandard:
    """A gold labelling, how it was made, what could not be told, and the usages that are noise, with their lemmas."""

    labelling: Labelling
    record: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    noise: Mapping[str, str] = field(default_factory=dict)


def gold_from_ratings(rule: Gold, ratings: Ratings) -> GoldStandard:
    """The gold of ratings of senses, with a record."""
    given = rule.prepared(ratings)
    found = rule.estimated(given)
    made = rule.labelling(given, found.value)
    usages = len(number_usages(given)[0])
    record = {
        **_count_judgements(rule, ratings),
        "usages": {"rated": usages, "labelled": len(made), "unlabelled": usages - len(made)},
        **_record_annotators(found, select_annotator_model(rule.combine, given)),
    }
    return GoldStandard(made, record, found.notes)


def clusters_from_ratings(part: UsageClusters, ratings: Ratings) -> GoldStandard:
    """The clusters of ratings of pairs of usages, with a record."""
    given = collect_judgements(ratings)
    found = Gold(part.combine).estimated(given)
    clustering = part.clustering(build_graph_from_judgements(given, found.value))
    record = {
        **_count_judgements(part, ratings),
        **_record_clustering(clustering),
        **_record_annotators(found, select_annotator_model(part.combine, given)),
    }
    return GoldStandard(part.labelling(clustering), record, found.notes, clustering.noise)


def clusters_from_pairs(part: UsageClusters, pairs: Iterable[UsagePair]) -> GoldStandard:
    """The clusters of pairs of usages whose similarity is known, with a record."""
    clustering = part.clustering(build_graph_from_pairs(pairs))
    record = {"rule": repr(part), "pairs": len(clustering.graph.similarity), **_record_clustering(clustering)}
    return GoldStandard(part.labelling(clustering), record, (), clustering.noise)


def _count_judgements(rule: object, ratings: Ratings) -> dict[str, Any]:
    given: Judgements = collect_judgements(ratings)
    return {
        "rule": repr(rule),
        "task": given.items[0].task if given.items else "",
        "judgements": len(given),
        "items": len(given.items),
        "annotators": len(given.annotators),
        "left out": {
            "undecided": given.left_out.undecided,
            "repeats, control items and training": given.left_out.repeats,
            "changed later": given.left_out.changed,
            "items that nobody decided": int((given.judged == 0).sum()),
        },
    }


def _record_clustering(found: UsageClustering) -> dict[str, Any]:
    labelled = int((found.cluster >= 0).sum())
    return {
        "usages": {"rated": len(found.cluster), "labelled": labelled, "unlabelled": len(found.cluster) - labelled},
        "threshold": found.threshold,
        "clusters": found.counts(),
        "loss": found.partition.loss,
        "no partition has a loss below": found.partition.bound,
    }


def _record_annotators(found: ItemEstimates, model: AnnotatorModel | None) -> dict[str, Any]:
    """What a model learnt; nothing of a rule."""
    if model is None:
        return {}
    people = {
        each.name: {"judgements": each.judgements}
        | ({"reason": each.reason} if each.reason else {})
        | {
            name: {"value": figure.value, "interval": [figure.low, figure.high]}
            for name, figure in each.figures.items()
        }
        for each in found.annotators
    }
    errors = [error for error in found.error.tolist() if not math.isnan(error)]
    typical = {"mean error of a value": math.fsum(errors) / len(errors)} if errors else {}
    return {
        "model": {
            "part": repr(model),
            "rounds": found.rounds,
            "settled": found.settled,
            **typical,
            "annotators": people,
        }
    }
