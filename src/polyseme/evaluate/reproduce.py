"""Computing published tables again from the published answer keys."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, Protocol

from polyseme.errors import InputError, InputWarning
from polyseme.evaluate import graded_words, tasks
from polyseme.evaluate.published import Cell
from polyseme.evaluate.result import TaskResult
from polyseme.evaluate.worked import EXAMPLES, worked_examples
from polyseme.formats.answer_key import load_key, read_key
from polyseme.formats.splits import Split
from polyseme.gold import Gold
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import Ratings


class Printed(NamedTuple):
    """A figure of a published table, and from which keys it can be computed."""

    source: str
    system: str
    gold: str
    key: str
    setting: str
    figure: str
    value: str


def printed_figures(task: str) -> list[Printed]:
    """The shipped figures of a task: the paper's tables, and what its scorer prints."""
    text = files("polyseme.evaluate").joinpath("figures", f"{task}.tsv").read_text(encoding="utf-8")
    _, *lines = text.splitlines()
    return [Printed(*line.split("\t")) for line in lines]


class Data(Protocol):
    """What is needed of a data set."""

    @property
    def place(self) -> Path:
        """Where it lies."""
        ...

    @property
    def ratings(self) -> Ratings:
        """The judgements of its annotators."""
        ...

    @property
    def splits(self) -> dict[str, list[Split]]:
        """The official splits."""
        ...

    @property
    def inventory(self) -> Inventory:
        """The senses."""
        ...


Load = Callable[[str], Data]
"""Gives a data set by its name, as :func:`polyseme.load` does."""


def wanted(source: str, table: str | None) -> bool:
    """Whether a figure's source is what was asked for: everything, ``3`` for Table 3, or its whole name.

    >>> wanted("Table 3", "3"), wanted("Figure 1", "Figure 1"), wanted("Figure 1", "1")
    (True, True, False)
    """
    return table is None or source in (table, f"Table {table}")


def cell_count(task: str, table: str | None = None) -> int:
    """How many figures :func:`reproduce` computes."""
    return sum(wanted(source, table) for source in _sources_of(task))


def _sources_of(task: str) -> list[str]:
    """Where each figure of a task is printed."""
    examples = [cell.source for cell in worked_examples(task)] if task in EXAMPLES else []
    printed = [each.source for each in printed_figures(task)] if task in DATA_SETS else []
    return [*examples, *printed, *(each.source for each in _of_studies(task))]


def reproduce(task: str, load: Load, table: str | None = None) -> Iterator[Cell]:
    """Every published figure of a task beside ours, or those of one table.

    Those for which senses must be induced are left out: :mod:`polyseme.experiment.jurgens_2012` computes them.
    """
    found = False
    for cells in (_examples(task, table), _from_keys(task, load, table), _studied(task, load, table)):
        for cell in cells:
            found = True
            yield cell
    if not found:
        there = ", ".join(dict.fromkeys([*_sources_of(task), *INDUCED.get(task, ())]))
        raise InputError(f"{task} has no figures of {table!r}; there are {there}")


INDUCED = {"jurgens-2012": ("Table 2",)}
"""The tables for which senses must be induced."""


def _examples(task: str, table: str | None) -> Iterator[Cell]:
    if task in EXAMPLES:
        yield from (cell for cell in worked_examples(task) if wanted(cell.source, table))


def _studied(task: str, load: Load, table: str | None) -> Iterator[Cell]:
    """Figures of a study that are computed from a data set and a dictionary, not from keys."""
    printed = [each for each in _of_studies(task) if wanted(each.source, table)]
    for source in dict.fromkeys(each.source for each in printed):
        ours = STUDIES[task][source](load)
        for each in printed:
            if each.source == source:
                value, noise = ours[each.system, each.figure]
                yield Cell(task, source, each.system, each.figure, each.value, value, noise)


def _of_studies(task: str) -> list[Printed]:
    studies = STUDIES.get(task, {})
    return [each for each in printed_figures(task) if each.source in studies] if studies else []


Score = Callable[[Data, Printed], TaskResult]


def _from_keys(task: str, load: Load, table: str | None) -> Iterator[Cell]:
    if task not in DATA_SETS:
        return
    name, score = DATA_SETS[task]
    figures = [printed for printed in printed_figures(task) if wanted(printed.source, table)]
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for printed in figures:
        run = (printed.gold, printed.key, printed.setting)
        if run not in found:
            with warnings.catch_warnings():
                # The published keys have usages outside gold, repeated and empty lines: known, and not the point here.
                warnings.simplefilter("ignore", InputWarning)
                found[run] = score(load(name), printed).figures()
        yield Cell(task, printed.source, printed.system, printed.figure, printed.value, found[run][printed.figure])


def _semeval_2013(data: Data, printed: Printed) -> TaskResult:
    key = load_key(data.place / printed.key, "semeval-2013")
    return tasks.semeval_2013(
        read_key(data.place / printed.gold, "semeval-2013"),
        key.labelling,
        mapping=printed.setting != "by-name",
        single_sense=printed.setting == "mapped-single",
        unlabelled=key.unlabelled,
    )


def _semeval_2010(data: Data, printed: Printed) -> TaskResult:
    splits = data.splits if printed.setting == "supervised" else None
    return tasks.semeval_2010(read_key(data.place / printed.gold), read_key(data.place / printed.key), splits=splits)


DATA_SETS: dict[str, tuple[str, Score]] = {
    "semeval-2013": ("semeval-2013-task-13", _semeval_2013),
    "semeval-2010": ("semeval-2010-task-14", _semeval_2010),
}
"""The tasks whose figures are computed from a data set: its name, and how a key of it is scored."""

Study = Callable[[Load], graded_words.Figures]


def _trial(study: Callable[[Labelling, Inventory], graded_words.Figures]) -> Study:
    """On the gold standard of Jurgens 2012, from the ratings, and the dictionary's senses."""

    def on_the_trial_data(load: Load) -> graded_words.Figures:
        data = load("semeval-2013-task-13-trial")
        return study(Gold("mean", "sum")(data.ratings), data.inventory)

    return on_the_trial_data


STUDIES: dict[str, dict[str, Study]] = {
    "jurgens-2012": {
        "Table 1": _trial(graded_words.senses_per_usage),
        "§2.2": _trial(graded_words.tied_usages),
        "Table 3": _trial(graded_words.baseline_scores),
    }
}
"""The tables that are computed from a data set and a dictionary: system and figure → ours, and its noise."""
