"""Mapping of a labelling to the senses of a gold standard, which is opened before the long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polyseme.datasets.opening import LabellingSource, open_labelling
from polyseme.interface.scoring import map_senses
from polyseme.labelling import Labelling
from polyseme.parts import build


@dataclass(eq=False)
class LabellingMapper:
    """Maps the induced senses of a labelling to those of gold.

    Args:
        gold: The gold labelling.
        part: The mapping.
        folds: A usage is mapped by the other folds; 1: by all usages, including itself.
        mapped: How many usages the last labelling has that could be mapped.
    """

    gold: Labelling
    part: Any
    folds: int = 5
    mapped: int = 0

    @classmethod
    def open(cls, gold: LabellingSource, mapping: Any = "Distribution", folds: int = 5) -> LabellingMapper:
        """Open a gold standard, and build the mapping.

        Args:
            gold: What :func:`polyseme.read_labelling` takes.
            mapping: The mapping, as a part or its specification.
            folds: The number of folds.

        >>> mapper = LabellingMapper.open({"bank.n.1": {"river": 1}, "bank.n.2": {"money": 1}}, folds=1)
        >>> mapper.map(Labelling.from_dict({"bank.n.2": {"s2": 1}}, lemma="bank.n"))["bank.n.2"]
        {'money': 1.0}
        """
        return cls(open_labelling(gold), build(mapping, "mapping") if isinstance(mapping, str) else mapping, folds)

    @property
    def mapping(self) -> str:
        """The specification of the mapping."""
        return repr(self.part)

    def map(self, labelling: Labelling) -> Labelling:
        """Return a labelling with the senses of gold."""
        labels = map_senses(labelling, self.gold, self.part, self.folds)
        self.mapped = len(labels)
        return labels

    def write_to(self, write: Callable[[Labelling], None]) -> Callable[[Labelling], None]:
        """Return a function that maps a labelling, and writes it."""
        return lambda labelling: write(self.map(labelling))
