"""The ratings of a task and the other data that agreement sections use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from polyseme.agreement.chosen_sets import CREDIT_BY_TASK
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.agreement.triangles import average_usage_pairs
from polyseme.errors import InputError
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import CHOICE, DUREL, WSSIM, Ratings, Scale
from polyseme.usage import Usage, UsagePair

ENOUGH_TO_GUESS_SCALE = 50
"""With this many judgements and none of the highest value, ratings of senses are taken to be on a shorter scale."""
OF_SENSES, OF_PAIRS, CHOICES = "WSsim", "Usim", frozenset(CREDIT_BY_TASK)


@dataclass(frozen=True)
class AgreementInput:
    """The ratings of a task, and the other data that sections use.

    Args:
        task: The name of the task.
        ratings: Its ratings.
        tasks: The ratings of all tasks, for comparing tasks.
        inventory: The senses.
        by: The breakdowns; by default, all.
        resamples: The number of bootstrap samples.
        seed: The random seed.
        notes: Notes are added to this list.
        usages: The usages by id, for their sentences.
        grouping: Groups of senses.
        labellings: The labels of models, by name.
        substitutes: The substitutes of usages.
        expected: The right answers of control items.
        known_scale: The scale; by default, it is guessed.
        pooling: The unit of equal weight for choices: see
            :func:`~polyseme.agreement.chosen_sets.compute_mean_credit`.
        averages: Mean ratings of pairs of usages, if there are no single ratings.
    """

    task: str
    ratings: Ratings
    tasks: Mapping[str, Ratings] = field(default_factory=dict)
    inventory: Inventory | None = None
    by: Sequence[str] | None = None
    resamples: int = 1000
    seed: int = 0
    notes: list[str] = field(default_factory=list)
    usages: Mapping[str, Usage] = field(default_factory=dict)
    grouping: SenseGrouping | None = None
    labellings: Mapping[str, Labelling] = field(default_factory=dict)
    substitutes: Labelling | None = None
    expected: Ratings | None = None
    known_scale: Scale | None = None
    pooling: str = "usages"
    averages: Sequence[UsagePair] = ()

    @property
    def pairs(self) -> Sequence[UsagePair]:
        """The mean rating of each pair of usages."""
        return self.averages or average_usage_pairs(self.ratings)

    @cached_property
    def scale(self) -> Scale:
        """The scale of the values; by default, 1 to 4 as in word usage graphs if no value is higher, otherwise 1 to 5.

        Raises:
            InputError: A value is not on the scale.
        """
        if self.task in CHOICES:
            return CHOICE
        shorter = self.known_scale is None and self._has_shorter_scale
        if shorter:
            guess = "no value is above 4, so the scale is taken to be that of word usage graphs, from 1 to 4"
            self.notes.append(f"{self.task}: {guess} (--scale 1-5 if it is not).")
        scale = self.known_scale or (DUREL if shorter else WSSIM)
        wrong = next((value for value in self._values if not (self.averages or scale.allows(value))), None)
        if wrong is not None:
            problem = f"the value {wrong:g} is not on the scale from {scale.lowest} to {scale.highest}"
            raise InputError(f"{self.task}: {problem}; name the scale, as in --scale 0-10; values are whole numbers")
        return scale

    @cached_property
    def _values(self) -> list[float]:
        return [row.value for row in self.ratings if row.value == row.value] or [pair[3] for pair in self.averages]

    @property
    def _has_shorter_scale(self) -> bool:
        """Whether the values look like those of word usage graphs, where ratings of senses are rarer than of pairs."""
        enough = bool(self._values) if self.task == OF_PAIRS else len(self._values) >= ENOUGH_TO_GUESS_SCALE
        return enough and max(self._values) <= DUREL.highest

    def explain_no_judgements(self) -> str:
        """Why there are no judgements to count."""
        if all(row.role for row in self.ratings):
            return "all ratings are hidden repeats, control items or training"
        return "no annotator could decide on any item"
