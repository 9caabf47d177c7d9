"""Gold standards with a record: the rule, the ratings, and what was left out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from polyseme.agreement.judgements import collect_judgements
from polyseme.gold.adjudication import AdjudicatedRatings, apply_adjudications
from polyseme.gold.combination import combine_ratings
from polyseme.gold.estimates import ItemEstimates
from polyseme.gold.rule import Gold
from polyseme.gold.usage_clusters import UsageClusters
from polyseme.gold.usage_graph import UsageClustering, build_graph_from_judgements, build_graph_from_pairs
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import UsagePair

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class GoldStandard:
    """A gold labelling with a record.

    Args:
        labelling: The labelling.
        record: How it was made.
        notes: What could not be estimated, in words.
        noise: The usages that are in no cluster, with their lemmas.
        source: The name of the ratings.
    """

    labelling: Labelling
    record: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    noise: Mapping[str, str] = field(default_factory=dict)
    source: str = "the ratings"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GoldStandard):
            return NotImplemented
        same_values = json.dumps(self.to_dict()) == json.dumps(other.to_dict())  # NaN equals NaN
        return same_values and (self.labelling, self.noise) == (other.labelling, other.noise)

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Return the labelling, usage → {sense: weight}, the record and the notes as plain values."""
        labels = {usage: dict(senses) for usage, senses in self.labelling.items()}
        return {"labelling": labels, "record": dict(self.record), "notes": list(self.notes)}

    def to_frame(self) -> pd.DataFrame:
        """Return the labelling as a data frame of pandas: a row for each sense of a usage, with its weight."""
        return self.labelling.to_frame()

    def __repr__(self) -> str:
        return f"<GoldStandard by {self.record.get('rule', '')}: {repr(self.labelling).strip('<>')}>"

    def _repr_html_(self) -> str:
        from polyseme.display.labellings import render_gold

        return render_gold(self)


def gold_from_ratings(rule: Gold, ratings: Ratings) -> GoldStandard:
    """Make a gold standard from ratings of senses."""
    adjudicated = apply_adjudications(ratings)
    judgements = rule.prepare(adjudicated.judgements)
    estimates = combine_ratings(rule.combine, judgements)
    labelling = rule.label(judgements, estimates, adjudicated.values)
    rated = {(item.lemma, item.usage) for item in (*judgements.items, *adjudicated.values)}
    usages = _count_usages(len(rated), len(labelling))
    record = {**_count_judgements(rule, adjudicated), "usages": usages, **_record_annotators(estimates)}
    return GoldStandard(labelling, record, estimates.notes)


def clusters_from_ratings(part: UsageClusters, ratings: Ratings) -> GoldStandard:
    """Make a gold standard from ratings of pairs of usages."""
    adjudicated = apply_adjudications(ratings)
    judgements = collect_judgements(adjudicated.judgements)
    estimates = combine_ratings(part.combine, judgements)
    clustering = part.cluster(build_graph_from_judgements(judgements, estimates.value, adjudicated.values))
    counts = _count_judgements(part, adjudicated)
    record = {**counts, **_record_clustering(clustering), **_record_annotators(estimates)}
    return GoldStandard(part.label(clustering), record, estimates.notes, clustering.noise)


def clusters_from_pairs(part: UsageClusters, pairs: Iterable[UsagePair]) -> GoldStandard:
    """Make a gold standard from pairs of usages with a similarity."""
    clustering = part.cluster(build_graph_from_pairs(pairs))
    record = {
        "rule": repr(part),
        "rule in words": str(part),
        "pairs": len(clustering.graph.similarity),
        **_record_clustering(clustering),
    }
    return GoldStandard(part.label(clustering), record, (), clustering.noise)


def _count_usages(rated: int, labelled: int) -> dict[str, int]:
    return {"rated": rated, "labelled": labelled, "unlabelled": rated - labelled}


def _count_judgements(rule: object, ratings: AdjudicatedRatings) -> dict[str, Any]:
    judgements = collect_judgements(ratings.judgements)
    items = dict.fromkeys((*judgements.items, *ratings.values))
    return {
        "rule": repr(rule),
        "rule in words": str(rule),
        "task": next((item.task for item in items), ""),
        "judgements": len(judgements),
        "items": len(items),
        "annotators": len(judgements.annotators),
        "adjudicated": {"items": ratings.units, "judgements replaced": ratings.replaced},
        "left out": {
            "undecided": judgements.left_out.undecided,
            "repeats, control items and training": judgements.left_out.repeats,
            "changed later": judgements.left_out.changed,
            "items that nobody decided": int((judgements.judged == 0).sum()),
        },
    }


def _record_clustering(clustering: UsageClustering) -> dict[str, Any]:
    return {
        "usages": _count_usages(len(clustering.cluster), int((clustering.cluster >= 0).sum())),
        "threshold": clustering.threshold,
        "clusters": clustering.counts(),
        "loss": clustering.partition.loss,
        "no partition has a loss below": clustering.partition.bound,
    }


def _record_annotators(estimates: ItemEstimates) -> dict[str, Any]:
    """Record what a model estimated; nothing for a rule."""
    if not estimates.model:
        return {}
    annotators: dict[str, dict[str, Any]] = {}
    for annotator in estimates.annotators:
        entry = annotators[annotator.name] = {"judgements": annotator.judgements}
        if annotator.reason:
            entry["reason"] = annotator.reason
        for name, figure in annotator.figures.items():
            entry[name] = {"value": figure.value, "interval": [figure.low, figure.high]}
    fit: dict[str, Any] = {"part": estimates.model, "rounds": estimates.rounds, "settled": estimates.settled}
    if errors := [error for error in estimates.error.tolist() if not math.isnan(error)]:
        fit["mean error of a value"] = math.fsum(errors) / len(errors)
    return {"model": {**fit, "annotators": annotators}}
