"""Tables on the way to a gold standard: disputed items, and what a model learnt of annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from polyseme.gold.disputes import DisputedItem
from polyseme.reports.tables import Cell, Table

MEANINGS = {
    "bias": "bias: how much higher the annotator rates items in the middle of the scale",
    "stretch": "stretch: 1 for one who uses the scale as the others do, less for one who uses a part of it",
    "noise": "noise: standard deviation of the ratings around what the annotator perceives",
    "reliability": "reliability: correlation of what the annotator perceives with the items' values",
}
"""What the figures of a model of annotators mean."""


def disputed_table(found: Iterable[DisputedItem]) -> Table:
    """The most disputed items, with what each annotator said."""
    rows = tuple(
        (
            each.item.lemma,
            each.item.usage,
            each.item.target,
            each.dispute,
            each.judged,
            "; ".join(f"{who}: {said}" for who, said in each.said.items()),
            "; ".join(f"{who}: {comment}" for who, comment in each.comments.items()),
        )
        for each in found
    )
    columns = ("Lemma", "Usage", "Target", "Dispute", "Judged by", "Who said what", "Comments")
    note = "dispute: squared differences from the mean, or, of choices, their entropy; few annotators weigh less"
    return Table("Most disputed items", columns, rows, (note,) if rows else ("annotators agree on all items",))


def disputed_records(found: Iterable[DisputedItem]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            **each.item._asdict(),
            "dispute": each.dispute,
            "judged": each.judged,
            "said": dict(each.said),
            "comments": dict(each.comments),
        }
        for each in found
    ]


def annotator_model_table(record: Mapping[str, Any]) -> Table:
    """What a model learnt of annotators, as a record of gold has it."""
    people = record["model"]["annotators"]
    figures = list(dict.fromkeys(name for each in people.values() for name in each if _is_figure(each[name])))
    rows = tuple((who, each["judgements"], *_cells(each, figures)) for who, each in people.items())
    notes = [MEANINGS[name] for name in figures if name in MEANINGS]
    notes += [f"{who}: {each['reason']}" for who, each in people.items() if "reason" in each]
    return Table("Annotators", ("Annotator", "Judgements", *figures), rows, tuple(notes))


def _is_figure(value: object) -> bool:
    return isinstance(value, dict)


def _cells(each: Mapping[str, Any], figures: Iterable[str]) -> list[Cell]:
    """Figures with their intervals: ``0.52 (0.40 to 0.64)``."""
    return [
        f"{each[name]['value']:.2f} ({each[name]['interval'][0]:.2f} to {each[name]['interval'][1]:.2f})"
        if name in each
        else None
        for name in figures
    ]
