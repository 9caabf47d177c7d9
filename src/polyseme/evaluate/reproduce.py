"""Computing published tables again from the published answer keys."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from polyseme.errors import InputError, InputWarning
from polyseme.evaluate import tasks
from polyseme.evaluate.published import Cell
from polyseme.evaluate.result import TaskResult
from polyseme.evaluate.worked import EXAMPLES, worked_examples
from polyseme.formats.answer_key import load_key, read_key
from polyseme.formats.splits import read_splits


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


def cell_count(task: str) -> int:
    """How many figures :func:`reproduce` computes."""
    return (len(worked_examples(task)) if task in EXAMPLES else 0) + (
        len(printed_figures(task)) if task in DATA_SETS else 0
    )


def reproduce(task: str, data: Path | None) -> Iterator[Cell]:
    """Every published figure of a task beside ours; ``data`` is the folder of data sets."""
    if task in EXAMPLES:
        yield from worked_examples(task)
    if task not in DATA_SETS:
        return
    name, score = DATA_SETS[task]
    if data is None or not Path(data, name).is_dir():
        raise InputError(
            f"the data set {name!r} is not there; set the environment variable POLYSEME_DATA"
            " to the folder that holds it, or name that folder",
            path=data,
        )
    yield from _from_keys(task, Path(data, name), score)


Score = Callable[[Path, Printed], TaskResult]


def _from_keys(task: str, folder: Path, score: Score) -> Iterator[Cell]:
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for printed in printed_figures(task):
        run = (printed.gold, printed.key, printed.setting)
        if run not in found:
            with warnings.catch_warnings():
                # The published keys have usages outside gold, repeated and empty lines: known, and not the point here.
                warnings.simplefilter("ignore", InputWarning)
                found[run] = score(folder, printed).figures()
        yield Cell(task, printed.source, printed.system, printed.figure, printed.value, found[run][printed.figure])


def _semeval_2013(folder: Path, printed: Printed) -> TaskResult:
    key = load_key(folder / printed.key, "semeval-2013")
    return tasks.semeval_2013(
        read_key(folder / printed.gold, "semeval-2013"),
        key.labelling,
        mapping=printed.setting != "by-name",
        single_sense=printed.setting == "mapped-single",
        unlabelled=key.unlabelled,
    )


def _semeval_2010(folder: Path, printed: Printed) -> TaskResult:
    splits = read_splits(folder / "evaluation" / "sup_eval") if printed.setting == "supervised" else None
    return tasks.semeval_2010(read_key(folder / printed.gold), read_key(folder / printed.key), splits=splits)


DATA_SETS: dict[str, tuple[str, Score]] = {
    "semeval-2013": ("semeval-2013-task-13", _semeval_2013),
    "semeval-2010": ("semeval-2010-task-14", _semeval_2010),
}
"""The tasks whose figures are computed from a data set: its name, and how a key of it is scored."""
