"""Gold with a record of the choice: by which rule, from which ratings, and what was left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from polyseme.agreement.judgements import Judgements, judgements
from polyseme.gold.choices import usage_of_items
from polyseme.gold.clusters import UsageClusters
from polyseme.gold.combining import AnnotatorModel, model_for
from polyseme.gold.estimated import Estimated
from polyseme.gold.rule import Gold
from polyseme.gold.usage_graph import Clustering, graph_of_judgements, graph_of_pairs
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import UsagePair


@dataclass(frozen=True, eq=False)
class Made:
    """A gold labelling, how it was made, what could not be told, and the usages that are noise, with their lemmas."""

    labelling: Labelling
    record: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    noise: Mapping[str, str] = field(default_factory=dict)


def gold_of_ratings(rule: Gold, ratings: Ratings) -> Made:
    """The gold of ratings of senses, with a record."""
    given = rule.prepared(ratings)
    found = rule.estimated(given)
    made = rule.labelling(given, found.value)
    usages = len(usage_of_items(given)[0])
    record = {
        **_counts(rule, ratings),
        "usages": {"rated": usages, "labelled": len(made), "unlabelled": usages - len(made)},
        **_learnt(found, model_for(rule.combine, given)),
    }
    return Made(made, record, found.notes)


def clusters_of_ratings(part: UsageClusters, ratings: Ratings) -> Made:
    """The clusters of ratings of pairs of usages, with a record."""
    given = judgements(ratings)
    found = Gold(part.combine).estimated(given)
    clustering = part.clustering(graph_of_judgements(given, found.value))
    record = {**_counts(part, ratings), **_clustered(clustering), **_learnt(found, model_for(part.combine, given))}
    return Made(part.labelling(clustering), record, found.notes, clustering.noise)


def clusters_of_pairs(part: UsageClusters, pairs: Iterable[UsagePair]) -> Made:
    """The clusters of pairs of usages whose similarity is known, with a record."""
    clustering = part.clustering(graph_of_pairs(pairs))
    record = {"rule": repr(part), "pairs": len(clustering.graph.similarity), **_clustered(clustering)}
    return Made(part.labelling(clustering), record, (), clustering.noise)


def _counts(rule: object, ratings: Ratings) -> dict[str, Any]:
    given: Judgements = judgements(ratings)
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


def _clustered(found: Clustering) -> dict[str, Any]:
    labelled = int((found.cluster >= 0).sum())
    return {
        "usages": {"rated": len(found.cluster), "labelled": labelled, "unlabelled": len(found.cluster) - labelled},
        "threshold": found.threshold,
        "clusters": found.counts(),
        "loss": found.partition.loss,
        "no partition has a loss below": found.partition.bound,
    }


def _learnt(found: Estimated, model: AnnotatorModel | None) -> dict[str, Any]:
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
