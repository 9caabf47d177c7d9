"""Tables for making gold: disputed items, and the parameters of annotators in a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from polyseme.gold.disputes import DisputedItem
from polyseme.reports.tables import Cell, Table

MEANINGS = {
    "bias": "bias: how much higher the annotator rates items in the middle of the scale",
    "stretch": "stretch: 1 for an annotator who uses the scale as the others do, less for one who uses a part of it",
    "noise": "noise: standard deviation of the ratings around what the annotator perceives",
    "reliability": "reliability: correlation of what the annotator perceives with the items' values",
}
"""The meaning of the parameters of annotators."""


def disputed_table(items: Iterable[DisputedItem]) -> Table:
    """The most disputed items, with the answer of each annotator."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*row.item[1:], row.dispute, row.judged, _join_by_annotator(row.answers), _join_by_annotator(row.comments))
        for row in items
    )
    columns = ("Lemma", "Usage", "Target", "Dispute", "Judged by", "Answers", "Comments")
    note = (
        "Dispute: squared differences from the mean, or the entropy of choices. Items with few annotators count less."
    )
    return Table("Most disputed items", columns, rows, (note,) if rows else ("The annotators agree on all items.",))


def _join_by_annotator(texts: Mapping[str, str]) -> str:
    return "; ".join(f"{annotator}: {text}" for annotator, text in texts.items())


def disputed_records(items: Iterable[DisputedItem]) -> list[dict[str, Any]]:
    """The same items for programs."""
    return [
        {
            **disputed.item._asdict(),
            "dispute": disputed.dispute,
            "judged": disputed.judged,
            "said": dict(disputed.answers),
            "comments": dict(disputed.comments),
        }
        for disputed in items
    ]


def annotator_model_table(record: Mapping[str, Any]) -> Table:
    """The parameters of annotators in the record of a gold standard."""
    annotators = record["model"]["annotators"]
    fields = ((name, value) for parameters in annotators.values() for name, value in parameters.items())
    figures = list(dict.fromkeys(name for name, value in fields if isinstance(value, dict)))
    rows = tuple(
        (name, parameters["judgements"], *(_interval_cell(parameters.get(figure)) for figure in figures))
        for name, parameters in annotators.items()
    )
    notes = [MEANINGS[figure] for figure in figures if figure in MEANINGS]
    notes += [f"{name}: {parameters['reason']}" for name, parameters in annotators.items() if "reason" in parameters]
    return Table("Annotators", ("Annotator", "Judgements", *figures), rows, tuple(notes))


def _interval_cell(figure: Mapping[str, Any] | None) -> Cell:
    """A figure with its interval: ``0.52 (0.40 to 0.64)``."""
    return "{:.2f} ({:.2f} to {:.2f})".format(figure["value"], *figure["interval"]) if figure else None
