"""The data that tasks are run on: a data set, or two files of a user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from polyseme.datasets import DataSet
from polyseme.formats import read_labelling, read_ratings, read_usages
from polyseme.formats.splits import MappingSplit
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import Usage


class UserFiles:
    """The usages of one file, and their gold labelling or ratings from another."""

    def __init__(self, usages: str, gold: str) -> None:
        self._gold = gold
        self.usages: tuple[Usage, ...] = tuple(read_usages(usages))
        self.systems: Mapping[str, Labelling] = {}
        self.splits: Mapping[str, Sequence[MappingSplit]] = {}

    @cached_property
    def gold(self) -> Labelling:
        """The gold labelling."""
        return read_labelling(self._gold)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of the usages' senses."""
        return read_ratings(self._gold)


class UserData:
    """Usages and their gold labelling, as values."""

    def __init__(self, usages: Sequence[Usage], gold: Labelling) -> None:
        self.usages, self.gold = tuple(usages), gold
        self.systems: Mapping[str, Labelling] = {}
        self.splits: Mapping[str, Sequence[MappingSplit]] = {}

    @property
    def ratings(self) -> Ratings:
        """No ratings."""
        return Ratings(())


EvaluationData = DataSet | UserFiles | UserData


def has_content(data: EvaluationData, content: str) -> bool:
    """Whether a data set holds a kind of content; the files of a user hold usages and gold only."""
    return isinstance(data, DataSet) and content in data.entry.contents
