"""Runs with several seeds: means and standard deviations."""

from pathlib import Path
from statistics import fmean, stdev

import pytest

from experiments.banks import MODEL
from experiments.runs import LEARNT, run_banks
from polyseme.reports.experiment_tables import experiment_table
from polyseme.tasks.task import Load


def test_a_stochastic_model_has_a_mean_and_a_spread(results: Path, loading: Load) -> None:
    """A stochastic model has the mean, and below it the spread; others are run once."""
    names = [f"Duluth(variant='R-12', seed={seed})" for seed in range(3)]
    alone = [run_banks(results, loading, models=f'["{name}"]', lemmas=LEARNT).rows[0].figures for name in names]
    models = f'["Duluth(variant=\'R-12\')", "{MODEL}"]'
    run = run_banks(results, loading, models=models, lemmas=LEARNT, seeds="3")
    assert [row.kind for row in run.rows[:3]] == ["model", "spread", "model"]
    mean, spread = run.rows[:2]
    assert mean.name == spread.name == "Duluth(variant='R-12')"
    for figure in ("fuzzy_nmi", "jaccard.f1"):
        values = [figures[figure] for figures in alone]
        assert mean.figures[figure] == pytest.approx(fmean(values))
        assert spread.figures[figure] == pytest.approx(stdev(values))
    assert spread.figures["fuzzy_nmi"] > 0
    table = experiment_table("", run.plan.protocol, run.rows)
    assert [row[0] for row in table.rows[:3]] == [mean.name, "±", MODEL]
    column = table.columns.index("AVG")
    assert table.rows[0][column] is not None
    assert table.rows[1][column] is None, "a geometric mean of spreads is none"
    assert table.rules == (3,)


def test_parts_inside_a_model_get_the_seed_too(results: Path, loading: Load) -> None:
    models = '["Pipeline(HDP(Bag(minimum=2), iterations=2), cluster=None, number=None, grade=Proportions())"]'
    run = run_banks(results, loading, models=models, lemmas=LEARNT, seeds="2")
    assert [row.kind for row in run.rows[:2]] == ["model", "spread"]
