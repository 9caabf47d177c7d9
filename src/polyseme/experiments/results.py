"""The results of a run: a row for each model, published system, annotator and baseline."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputWarning, count_noun
from polyseme.experiments.plan import Plan
from polyseme.induction.fitting import summarise_reasons
from polyseme.labelling import Labelling
from polyseme.reports.experiment_tables import SPREAD
from polyseme.tabular import frame_of_records
from polyseme.tasks.result import Figures, RunRow

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RunResults:
    """The rows of an experiment.

    Args:
        plan: The plan that was run.
        rows: The rows.
        missed: For each model, the lemmas without senses and the reason.
        empty: The models without any senses.
    """

    plan: Plan
    rows: tuple[RunRow, ...]
    missed: Mapping[str, Mapping[str, str]]
    empty: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<RunResults of {self.plan.title or self.plan.task}: {count_noun(len(self.rows), 'row')}>"

    def _repr_html_(self) -> str:
        from polyseme.display.scores import render_run

        return render_run(self.plan.title or self.plan.task, self.plan.protocol, self.rows, self.plan.measures)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each model, system and baseline, with the measures of the plan, if it names any."""
        measures = {part for name in self.plan.measures for part in name.split("*")}
        return [
            {
                "name": row.name,
                "kind": row.kind,
                **({"mapping": row.mapping} if row.mapping else {}),
                **{name: value for name, value in row.figures.items() if not measures or name in measures},
                "facts": dict(row.facts),
            }
            for row in self.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the title, the task, the rows, and the lemmas without senses, as `polyseme run --json` prints them."""
        missed = {model: dict(lemmas) for model, lemmas in self.missed.items() if lemmas}
        return {"title": self.plan.title, "task": self.plan.task, "rows": self.to_records(), "missed": missed}

    def to_frame(self) -> pd.DataFrame:
        """Return the rows of :meth:`to_records` as a data frame of pandas."""
        records = self.to_records()
        return frame_of_records(records, list(dict.fromkeys(name for record in records for name in record)))


def warn_of_missing_lemmas(results: RunResults) -> None:
    """Warn of lemmas without senses, and of models without any senses."""
    for model, missed in results.missed.items():
        if model in results.empty:
            warnings.warn(f"{model} finds no senses: {summarise_reasons(missed)}", InputWarning, stacklevel=2)
        elif missed:
            names = ", ".join(list(missed)[:5]) + (" …" if len(missed) > 5 else "")
            problem = f"{model} has no senses of {count_noun(len(missed), 'lemma')}: {names}"
            warnings.warn(problem, InputWarning, stacklevel=2)


def summarise_seeds(rows: Sequence[RunRow]) -> list[RunRow]:
    """Return the mean of the rows of one model with different seeds, and their standard deviations."""
    if len(rows) == 1:
        return list(rows)
    figures, facts = [row.figures for row in rows], [row.facts for row in rows]
    keys = tuple(key for row in rows for key in row.keys)
    mean = rows[0]._replace(figures=_summarise(fmean, figures), facts=_summarise(fmean, facts), keys=keys)
    return [mean, RunRow(mean.name, SPREAD, _summarise(stdev, figures), {}, mean.mapping)]


def _summarise(summary: Callable[[Sequence[float]], float], runs: Sequence[Figures]) -> dict[str, float]:
    """Summarise each figure that all runs have."""
    return {name: summary([run[name] for run in runs]) for name in runs[0] if all(name in run for run in runs)}


def count_labels(gold: Labelling, system: Labelling) -> dict[str, float]:
    """Count the share of labelled usages, their senses, and the senses of a lemma.

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"B": 1}}, lemma="x")
    >>> count_labels(gold, Labelling.from_dict({"u1": {"s": 1, "t": 2}}, lemma="x"))
    {'labelled': 0.5, 'senses per usage': 2.0, 'median': 2.0, 'several': 1.0, 'clusters': 2.0}
    """
    sizes = [len(senses) for usage, senses in system.items() if usage in gold]
    return {
        "labelled": len(sizes) / len(gold),
        "senses per usage": sum(sizes) / len(sizes) if sizes else 0.0,
        "median": float(median(sizes)) if sizes else 0.0,
        "several": float(sum(size > 1 for size in sizes)),
        "clusters": len(set(system.columns)) / max(len(system.lemmas), 1),
    }
