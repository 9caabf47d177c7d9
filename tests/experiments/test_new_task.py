"""A new task is one module: every command asks it, and nothing else changes."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import polyseme.tasks
from cli.conftest import Run
from experiments.banks import MODEL, plan
from experiments.runs import run_banks
from polyseme.experiments.analysis import AnalysisOptions, analyse_run
from polyseme.experiments.records import read_record, write_record
from polyseme.experiments.rescoring import rescore_run
from polyseme.labelling import Labelling
from polyseme.reports.experiment_tables import experiment_table
from polyseme.reports.results_page import results_report
from polyseme.reports.score_tables import score_table
from polyseme.tasks import get_task, tasks_by_name
from polyseme.tasks.comparison import compare_results
from polyseme.tasks.reproduction import list_reproducible_tasks, reproduce
from polyseme.tasks.task import LabellingTask, Load

MODULE = '''
"""Purity: the share of usages whose cluster has their sense as its most frequent one."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from polyseme.baselines import CLUSTER_BASELINES
from polyseme.labelling import Labelling
from polyseme.scores import Scores
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.published import ReproducedFigure
from polyseme.tasks.result import TaskResult
from polyseme.tasks.task import BaselineGroup, LabelKind, LabellingTask


@dataclass(frozen=True)
class Purity(LabellingTask):
    """The purity of clusters, usage by usage."""

    name: ClassVar[str] = "purity"
    labels: ClassVar[tuple[LabelKind, ...]] = ("induced",)
    columns: ClassVar[tuple[ScoreColumn, ...]] = (ScoreColumn("Purity F1", "purity.f1"),)
    headline: ClassVar[str] = "purity.f1"

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score the heaviest senses."""
        senses = {usage: next(iter(labels)) for usage, labels in gold.top().items()}
        clusters = {usage: (gold.lemma(usage), next(iter(system[usage]))) for usage in gold if usage in system}
        counts = {}
        for usage, cluster in clusters.items():
            counts.setdefault(cluster, Counter())[senses[usage]] += 1
        best = {cluster: counter.most_common(1)[0][0] for cluster, counter in counts.items()}
        values = [
            float(best[clusters[usage]] == senses[usage]) if usage in clusters else float("nan") for usage in gold
        ]
        return TaskResult({"purity": Scores.from_units("purity", gold.usages, gold.usage_lemmas, values)})

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return trivial clusterings."""
        return [(CLUSTER_BASELINES, self)]

    def compute_worked_examples(self) -> Iterator[ReproducedFigure]:
        """Yield one figure."""
        gold = Labelling.hard(["u1", "u2"], ["a", "b"], lemma="x")
        yield ReproducedFigure("purity", "§1", "gold", "purity", "1.0", self.score(gold, gold).figures()["purity.f1"])
'''

GOLD = Labelling((f"{word}.n", f"{word}.n.{n}", {"ab"[n % 2]: 1.0}) for word in ("x", "y", "z") for n in range(8))


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The module of the task, in the package of tasks as far as Python knows."""
    folder = tmp_path / "more_tasks"
    folder.mkdir()
    (folder / "purity.py").write_text(MODULE)
    monkeypatch.setattr(polyseme.tasks, "__path__", [*polyseme.tasks.__path__, str(folder)])
    yield
    sys.modules.pop("polyseme.tasks.purity", None)


def make_task() -> LabellingTask:
    task = get_task("purity")()
    assert isinstance(task, LabellingTask)
    return task


def test_systems_are_scored_beside_the_baselines_of_the_task() -> None:
    task = make_task()
    assert "purity" in tasks_by_name()
    figures = task.score(GOLD, GOLD).figures()
    table = score_table(task, {"gold": figures}, task.score_baselines(GOLD))
    assert table.columns == ("System", "Purity F1")
    assert [row[0] for row in table.rows][:2] == ["gold", "one cluster"]
    assert [row[1] for row in table.rows][:2] == [1.0, 0.5]


def test_systems_are_compared() -> None:
    task = make_task()
    one_cluster = Labelling((lemma, usage, {"c": 1.0}) for lemma, usage, _ in GOLD.rows())
    comparisons = compare_results(task.score(GOLD, one_cluster), task.score(GOLD, GOLD), samples=100)
    assert {row.figure: row.difference for row in comparisons}["purity.f1"] == 0.5


def test_published_figures_are_computed_again() -> None:
    assert "purity" in list_reproducible_tasks()
    (figure,) = reproduce(make_task(), lambda name: pytest.fail(name))
    assert figure.agrees


def test_plans_run_it_and_pages_report_it(results: Path, loading: Load) -> None:
    run = run_banks(results, loading, task='"purity"', measures='["purity.f1"]')
    assert [row.name for row in run.rows][:2] == [MODEL, "one cluster"]
    table = experiment_table(run.plan.title, run.plan.protocol, run.rows)
    assert table.columns[:2] == ("System", "Purity F1")
    write_record(run, results, "plan")
    rescored = rescore_run(read_record(results / "experiments" / "plan.json"), loading)
    findings = analyse_run(rescored, AnalysisOptions(samples=100))
    assert (findings.measure.figure, findings.best) == ("purity.f1", MODEL)
    assert "Purity F1" in results_report(findings).page("polyseme report")


@pytest.mark.usefixtures("results")
def test_the_command_line_knows_it(cli: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.key").write_text("x.n u1 a\nx.n u2 b\ny.n u3 a\n")
    scored = cli("score", "purity", "gold.key", "--gold", "gold.key", "--json")
    assert json.loads(scored.out)["purity"]["f1"] == 1.0, scored.err
    (tmp_path / "banks.toml").write_text(plan(task='"purity"'))
    ran = cli("run", "banks.toml", "-o", "results", "--data", folder)
    assert "Purity F1" in ran.out, ran.err
    page = cli("report", "results", "banks.toml", "-o", "page.html", "--data", folder)
    assert page.code == 0, page.err
    compared = cli("compare", "gold.key", "gold.key", "--gold", "gold.key", "--task", "purity", "--json")
    assert json.loads(compared.out)["purity.f1"]["difference"] == 0.0, compared.err
    reproduced = cli("reproduce", "purity", "--json")
    assert [row["verdict"] for row in json.loads(reproduced.out)] == ["same"], reproduced.err
