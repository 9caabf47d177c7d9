"""What a page of results is made of: rows with their labellings and the scores of every unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from polyseme.errors import count_noun
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.tasks.result import Figures, RunRow, TaskResult
from polyseme.tasks.task import LabellingTask
from polyseme.usage import Usage


@dataclass(frozen=True)
class ScoredRow:
    """A row with its labellings and their results, one a seed; none, where only its figures are known.

    Args:
        row: The row.
        task: The task that scores it.
        labellings: The labellings.
        results: Their results.
    """

    row: RunRow
    task: LabellingTask
    labellings: tuple[Labelling, ...] = ()
    results: tuple[TaskResult, ...] = ()


@dataclass(frozen=True)
class ScoredRows:
    """The rows of a run, or of keys, with their results.

    Args:
        title: The title of the page.
        task: The task, with the first mapping if there are several.
        gold: The gold labelling.
        usages: The usages by identifier; one without text is not quoted.
        rows: The rows.
        measures: The figures to show; by default all of the task.
        inventory: The senses of gold, where they are described.
        maps_senses: Whether labels are mapped to the senses of gold.
        spreads: The standard deviations over seeds, by the name of a row and its mapping.
        notes: Sentences for the summary.
        about: What was run, as headings and texts.
    """

    title: str
    task: LabellingTask
    gold: Labelling
    usages: Mapping[str, Usage]
    rows: tuple[ScoredRow, ...]
    measures: Sequence[str] = ()
    inventory: Inventory | None = None
    maps_senses: bool = False
    spreads: Mapping[tuple[str, str], Figures] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()

    def map_to_gold(self, scored: ScoredRow) -> Labelling:
        """Return the labelling of a row, its first seed, with the senses of gold."""
        return scored.task.map_to_gold(self.gold, scored.labellings[0])


def describe_size(gold: Labelling) -> str:
    """Describe the size of a gold labelling in words."""
    senses = count_noun(len(gold.columns), "gold sense")
    return f"{count_noun(len(gold), 'usage')} of {count_noun(len(gold.lemmas), 'lemma')}, {senses}"
