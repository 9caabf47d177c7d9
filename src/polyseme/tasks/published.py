"""Figures that papers and their scorers print, beside the figures that polyseme computes.

The printed figures are in ``polyseme/tasks/figures``: a table of figures for each task (``semeval-2013.tsv``), the
papers' worked examples, the known differences with their reasons, and how many figures each source prints.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

FIGURES_FOLDER = files("polyseme.tasks").joinpath("figures")

SCORER_TOLERANCE = {"v_measure": 0.001, "clusters": 0.005, "supervised.80_20": 1e-6, "supervised.60_40": 1e-6}
"""The tolerance for figures that a scorer prints with few digits; all others must agree to 1e-9."""

MISSING = "not here"
"""Stands for a computed figure if the data that the figure needs are missing."""

HOLDS, FAILS = "holds", "does not hold"


class NoisyFigure(NamedTuple):
    """The mean of a figure that depends on chance, and its standard deviation."""

    value: float
    noise: float


DataFigures = Mapping[tuple[str, str], float | str | NoisyFigure]
"""Computed figures by system and figure; a truth value is a statement that holds, or does not."""


class PrintedFigure(NamedTuple):
    """A figure of a published table, and the keys that it can be computed from.

    Args:
        source: The table or section that prints it; *scorer* for what the scorer of the task prints.
        system: The system that it is a figure of.
        gold: The gold key.
        key: The system's key. It may be a pattern, as ``random*.key``: computed is then the mean over all keys that
            match.
        setting: The options of the task; in a row without a key, the data that are missing.
        figure: The name of the figure.
        value: The figure as it is printed.
    """

    source: str
    system: str
    gold: str
    key: str
    setting: str
    figure: str
    value: str


class ReproducedFigure(NamedTuple):
    """One figure as it is printed and as polyseme computes it.

    Args:
        task: The name of the task.
        source: The table or section that prints it.
        system: The system that it is a figure of.
        figure: The name of the figure.
        printed: The figure as it is printed.
        computed: The figure that polyseme computes.
        noise: The standard deviation of a figure that depends on chance; ``computed`` is then a mean.
        other_data: The data that it is computed from, where they cannot be the same as those of the paper.
    """

    task: str
    source: str
    system: str
    figure: str
    printed: str
    computed: float | str
    noise: float = 0.0
    other_data: str = ""

    @property
    def difference(self) -> float:
        """Computed less printed; for words 0 if they agree, otherwise NaN."""
        if isinstance(self.computed, str):
            return 0.0 if self.computed == self.printed else float("nan")
        return self.computed - float(Fraction(self.printed))

    @property
    def agrees(self) -> bool:
        """Whether the two agree to the digits that are printed; with noise, within two standard deviations."""
        if isinstance(self.computed, str):
            return self.computed == self.printed
        if self.noise:
            return abs(self.difference) <= 2 * self.noise
        if self.source == "scorer":
            return abs(self.difference) <= SCORER_TOLERANCE.get(self.figure, 1e-9)
        if "/" in self.printed:
            return abs(self.difference) < 1e-9
        return round(self.computed, len(self.printed.partition(".")[2])) == float(self.printed)

    @property
    def known_difference(self) -> str:
        """Why the two differ: other data, or the reason in the list of known differences; empty if it is not known."""
        if self.other_data:
            return self.other_data
        entry = read_known_differences().get((self.task, self.source, self.system, self.figure))
        if entry is None or isinstance(self.computed, str) != isinstance(entry["ours"], str):
            return ""
        applies = (
            self.computed == entry["ours"]
            if isinstance(self.computed, str)
            else abs(self.computed - entry["ours"]) <= 0.00005 + 1e-9
        )
        return str(entry["reason"]) if applies else ""

    def to_record(self) -> dict[str, Any]:
        """Return the figure for programs, as ``polyseme reproduce --json`` prints it."""
        record = self._asdict()
        computed, noise, other_data = (record.pop(name) for name in ("computed", "noise", "other_data"))
        return record | {"ours": computed, "noise": noise, "elsewhere": other_data, "difference": self.difference}


def state_verdict(holds: bool) -> str:
    """Return the words for a statement that holds, or does not."""
    return HOLDS if holds else FAILS


def read_printed_figures(task: str) -> list[PrintedFigure]:
    """Read the printed figures of a task, if there are any: the tables of its paper and the output of its scorer."""
    table = FIGURES_FOLDER.joinpath(f"{task}.tsv")
    lines = table.read_text(encoding="utf-8").splitlines()[1:] if table.is_file() else []
    return [PrintedFigure(*line.split("\t")) for line in lines]


def read_worked_example(task: str) -> dict[str, Any]:
    """Read the worked example of a task's paper."""
    example: dict[str, Any] = _read_toml("worked_examples.toml")[task]
    return example


@cache
def read_known_differences() -> dict[tuple[str, str, str, str], dict[str, Any]]:
    """Read the figures that the published data do not give, each with its reason."""
    return {
        (entry["task"], entry["source"], entry["system"], entry["figure"]): entry
        for entry in _read_toml("known_differences.toml")["difference"]
    }


def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads(FIGURES_FOLDER.joinpath(name).read_text(encoding="utf-8"))
