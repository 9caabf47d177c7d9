"""What experiments label and score: usages with gold, of a data set or of a user's own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from polyseme.datasets import DataSet
from polyseme.formats import read_labelling, read_ratings, read_usages
from polyseme.formats.splits import MappingSplit
from polyseme.gold import Gold
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import Usage

Splits = Mapping[str, Sequence[MappingSplit]]
"""By the name of the setting, how usages are split to learn and to test a mapping."""


class EvaluationData(Protocol):
    """What usages are labelled and scored with."""

    @property
    def usages(self) -> tuple[Usage, ...]:
        """The usages."""
        ...

    @property
    def gold(self) -> Labelling:
        """Their gold labelling."""
        ...

    @property
    def systems(self) -> Mapping[str, Labelling]:
        """Published labellings of them."""
        ...

    @property
    def splits(self) -> Splits:
        """How they are split to learn and to test a mapping."""
        ...


class UserFiles:
    """The usages of a user's file, and what another has of them: a gold labelling, or ratings."""

    def __init__(self, usages: str, gold: str) -> None:
        self._gold = gold
        self.usages: tuple[Usage, ...] = tuple(read_usages(usages))
        self.systems: Mapping[str, Labelling] = {}
        self.splits: Splits = {}

    @cached_property
    def gold(self) -> Labelling:
        """The gold labelling."""
        return read_labelling(self._gold)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of the usages' senses."""
        return read_ratings(self._gold)


def get_gold(task: str, data: EvaluationData) -> Labelling:
    """What usages are scored by: for Jurgens 2012 the means of ratings, where a data set has them; else its gold."""
    if task == "jurgens-2012" and isinstance(data, DataSet) and "ratings" in data.entry.contents:
        return Gold("mean", "sum")(data.ratings)
    return data.gold


def get_splits(task: str, data: EvaluationData, gold: Labelling) -> Splits:
    """How the usages that are scored are split, if the task learns a mapping so and the data say how."""
    if task != "semeval-2010" or (isinstance(data, DataSet) and "splits" not in data.entry.contents):
        return {}
    return {name: [_restricted(each, gold) for each in every] for name, every in data.splits.items()}


def _restricted(split: MappingSplit, gold: Labelling) -> MappingSplit:
    return MappingSplit(*(part.restrict(usage for usage in part if usage in gold) for part in split))
