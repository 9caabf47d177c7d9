"""Computing published tables again from the published answer keys."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, Protocol

from polyseme.errors import InputError, InputWarning
from polyseme.formats.answer_key import load_key, read_key
from polyseme.formats.splits import MappingSplit
from polyseme.gold import Gold
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.tasks import data_sizes, jurgens_2012, protocols
from polyseme.tasks.published import MISSING, ReproducedFigure
from polyseme.tasks.worked_examples import EXAMPLES, compute_worked_examples
from polyseme.usage import Usage


class PrintedFigure(NamedTuple):
    """A figure of a published table, and from which keys it can be computed.

    ``key`` may be a pattern, as ``random*.key``: ours is then the mean over all keys that match. In a row without a key
    ``setting`` names the data that are missing, unless senses are induced for it.
    """

    source: str
    system: str
    gold: str
    key: str
    setting: str
    figure: str
    value: str


def read_printed_figures(task: str) -> list[PrintedFigure]:
    """The shipped figures of a task: the paper's tables, and what its scorer prints."""
    text = files("polyseme.tasks").joinpath("figures", f"{task}.tsv").read_text(encoding="utf-8")
    _, *lines = text.splitlines()
    return [PrintedFigure(*line.split("\t")) for line in lines]


class PublishedData(Protocol):
    """What is needed of a data set."""

    @property
    def place(self) -> Path:
        """Where it lies."""
        ...

    @property
    def usages(self) -> tuple[Usage, ...]:
        """Its usages."""
        ...

    @property
    def gold(self) -> Labelling:
        """Its gold key."""
        ...

    @property
    def golds(self) -> Mapping[str, Labelling]:
        """All gold keys, those of parts of the data too, by name."""
        ...

    @property
    def ratings(self) -> Ratings:
        """The judgements of its annotators."""
        ...

    @property
    def splits(self) -> dict[str, list[MappingSplit]]:
        """The official splits."""
        ...

    @property
    def inventory(self) -> Inventory:
        """The senses."""
        ...


Load = Callable[[str], PublishedData]
"""Gives a data set by its name, as :func:`polyseme.load` does."""


def is_from_table(source: str, table: str | None) -> bool:
    """Whether a figure's source is what was asked for: everything, ``3`` for Table 3, or its whole name.

    >>> is_from_table("Table 3", "3"), is_from_table("Figure 1", "Figure 1"), is_from_table("Figure 1", "1")
    (True, True, False)
    """
    return table is None or source in (table, f"Table {table}")


def count_reproduced(task: str, table: str | None = None) -> int:
    """How many figures :func:`reproduce` computes."""
    return sum(is_from_table(source, table) for source in _sources_of(task))


def _sources_of(task: str) -> list[str]:
    """Where each figure of a task is printed."""
    examples = [cell.source for cell in compute_worked_examples(task)] if task in EXAMPLES else []
    return [*examples, *(printed.source for printed in [*_of_keys(task), *_of_studies(task)])]


def reproduce(task: str, load: Load, table: str | None = None) -> Iterator[ReproducedFigure]:
    """Every published figure of a task beside ours, or those of one table.

    Those for which senses must be induced are left out: :mod:`polyseme.experiments.jurgens_2012` computes them.
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


def _examples(task: str, table: str | None) -> Iterator[ReproducedFigure]:
    if task in EXAMPLES:
        yield from (cell for cell in compute_worked_examples(task) if is_from_table(cell.source, table))


def _studied(task: str, load: Load, table: str | None) -> Iterator[ReproducedFigure]:
    """Figures of a study that are computed from a data set and a dictionary, not from keys."""
    printed = [each for each in _of_studies(task) if is_from_table(each.source, table)]
    for source in dict.fromkeys(each.source for each in printed):
        ours = STUDIES[task][source](load)
        for each in printed:
            if each.source == source:
                value, noise = ours[each.system, each.figure]
                yield ReproducedFigure(task, source, each.system, each.figure, each.value, value, noise)


def _of_studies(task: str) -> list[PrintedFigure]:
    studies = STUDIES.get(task, {})
    return [each for each in read_printed_figures(task) if each.source in studies] if studies else []


def _of_keys(task: str) -> list[PrintedFigure]:
    studies = STUDIES.get(task, {})
    return [each for each in read_printed_figures(task) if each.source not in studies] if task in DATA_SETS else []


def find_missing_data(task: str, printed: PrintedFigure) -> str:
    """The data that a figure needs and that are not here; empty if it can be computed.

    >>> figures = read_printed_figures("semeval-2010")
    >>> {find_missing_data("semeval-2010", printed) for printed in figures if printed.system == "UoY"}
    {'the answer key of UoY, which is not in the data set'}
    """
    return "" if printed.key or printed.source in INDUCED.get(task, ()) else printed.setting


Figures = Mapping[str, float]
Score = Callable[[PublishedData, PrintedFigure], Figures]


def _from_keys(task: str, load: Load, table: str | None) -> Iterator[ReproducedFigure]:
    figures = [printed for printed in _of_keys(task) if is_from_table(printed.source, table)]
    ours: dict[tuple[str, str, str], Figures] = {}
    for printed in figures:
        name = (task, printed.source, printed.system, printed.figure, printed.value)
        if missing := find_missing_data(task, printed):
            yield ReproducedFigure(*name, MISSING, elsewhere=f"needs {missing}")
            continue
        run = (printed.gold, printed.key, printed.setting)
        if run not in ours:
            ours[run] = _mean_figures(task, load, printed)
        yield ReproducedFigure(*name, ours[run][printed.figure])


def _mean_figures(task: str, load: Load, printed: PrintedFigure) -> Figures:
    """The figures of a key, or their means over all keys that the row's pattern matches."""
    name, score = DATA_SETS[task]
    data = load(name)
    keys = [str(path.relative_to(data.place)) for path in sorted(data.place.glob(printed.key))]
    if not keys:
        raise InputError(f"{name} has no key {printed.key}", path=data.place)
    with warnings.catch_warnings():
        # The published keys have usages outside gold, repeated and empty lines: known, and not the point here.
        warnings.simplefilter("ignore", InputWarning)
        runs = [score(data, printed._replace(key=key)) for key in keys]
    return {figure: fmean(run[figure] for run in runs) for figure in runs[0]}


def _semeval_2013(data: PublishedData, printed: PrintedFigure) -> Figures:
    key = load_key(data.place / printed.key, "semeval-2013")
    return protocols.semeval_2013(
        read_key(data.place / printed.gold, "semeval-2013"),
        key.labelling,
        mapping=printed.setting != "by-name",
        single_sense=printed.setting == "mapped-single",
        unlabelled=key.unlabelled,
    ).figures()


MOST_FREQUENT = "evaluation/sup_eval/baselines/mfs_all.key"


def _semeval_2010(data: PublishedData, printed: PrintedFigure) -> Figures:
    """All figures of a key; those of nouns and of verbs; against MFS, how far recall is from that baseline's."""
    splits = data.splits if printed.setting != "unsupervised" else None
    gold, system = read_key(data.place / printed.gold), read_key(data.place / printed.key)
    result = protocols.semeval_2010(gold, system, splits=splits, more=not splits)
    groups = result.by_lemmas(data_sizes.lemmas_by_part_of_speech(gold.lemmas))
    figures = result.figures()
    for name, group in groups.items():
        figures |= {f"{figure}, {name}": value for figure, value in group.figures().items()}
    if printed.setting == "against MFS":
        baseline = protocols.semeval_2010(gold, read_key(data.place / MOST_FREQUENT), splits=splits).figures()
        figures |= {f"{figure}, less MFS": figures[figure] - value for figure, value in baseline.items()}
    return figures


DATA_SETS: dict[str, tuple[str, Score]] = {
    "semeval-2013": ("semeval-2013-task-13", _semeval_2013),
    "semeval-2010": ("semeval-2010-task-14", _semeval_2010),
}
"""The tasks whose figures are computed from a data set: its name, and how a key of it is scored."""

Study = Callable[[Load], jurgens_2012.Figures]


def _trial(study: Callable[[Labelling, Inventory], jurgens_2012.Figures]) -> Study:
    """On the gold standard of Jurgens 2012, from the ratings, and the dictionary's senses."""

    def on_the_trial_data(load: Load) -> jurgens_2012.Figures:
        data = load("semeval-2013-task-13-trial")
        return study(Gold("mean", "sum")(data.ratings), data.inventory)

    return on_the_trial_data


def _task_13(study: Callable[[PublishedData], jurgens_2012.Figures]) -> Study:
    return lambda load: study(load("semeval-2013-task-13"))


def _task_14(study: Callable[[Labelling], jurgens_2012.Figures]) -> Study:
    return lambda load: study(load("semeval-2010-task-14").gold)


def _trial_size(load: Load) -> jurgens_2012.Figures:
    return data_sizes.trial_counts(load("semeval-2013-task-13-trial").ratings)


def _test_and_trial(load: Load) -> jurgens_2012.Figures:
    return data_sizes.usage_counts(load("semeval-2013-task-13").gold) | _trial_size(load)


STUDIES: dict[str, dict[str, Study]] = {
    "semeval-2013": {
        "§1": _task_13(lambda data: data_sizes.lemma_counts(data.gold)),
        "§2.1": _test_and_trial,
        "Table 2": _task_13(lambda data: data_sizes.text_sizes(data.usages, {"all": data.gold})),
        "Table 2, sums": _task_13(
            lambda data: data_sizes.text_sizes(data.usages, {name: data.golds[name] for name in ("spoken", "written")})
        ),
        "README": _task_13(lambda data: data_sizes.several_senses_counts(data.gold, data.golds["spoken"])),
    },
    "semeval-2010": {
        "§1": _task_14(data_sizes.lemma_counts),
        "Table 1": _task_14(data_sizes.senses_by_part_of_speech),
    },
    "jurgens-2012": {
        "Table 1": _trial(jurgens_2012.senses_per_usage),
        "§2.2": _trial(jurgens_2012.tied_usages),
        "§5.1": _trial_size,
        "Table 3": _trial(jurgens_2012.compute_baseline_figures),
    },
}
"""The tables that are computed from a data set and a dictionary: system and figure → ours, and its noise."""
