"""Runs with several seeds: means, and how far they are apart."""

from pathlib import Path
from statistics import fmean, stdev

import pytest

from experiments.banks import MODEL
from experiments.runs import LEARNT, ran
from polyseme.experiments.corpora import Load
from polyseme.reports.experiment_tables import experiment_table


def test_seeds(results: Path, loading: Load) -> None:
    """Of a model that draws lots, the mean, and below it the spread; others are run once."""
    names = [f"Duluth(variant='R-12', seed={seed})" for seed in range(3)]
    alone = [ran(results, loading, models=f'["{name}"]', lemmas=LEARNT).rows[0].figures for name in names]
    models = f'["Duluth(variant=\'R-12\')", "{MODEL}"]'
    found = ran(results, loading, models=models, lemmas=LEARNT, seeds="3")
    assert [row.kind for row in found.rows[:3]] == ["model", "spread", "model"]
    mean, spread = found.rows[:2]
    assert mean.name == spread.name == "Duluth(variant='R-12')"
    for figure in ("fuzzy_nmi", "jaccard.f1"):
        values = [each[figure] for each in alone]
        assert mean.figures[figure] == pytest.approx(fmean(values))
        assert spread.figures[figure] == pytest.approx(stdev(values))
    assert spread.figures["fuzzy_nmi"] > 0
    table = experiment_table("", "semeval-2013", found.rows)
    assert [row[0] for row in table.rows[:3]] == [mean.name, "±", MODEL]
    at = table.columns.index("AVG")
    assert table.rows[0][at] is not None
    assert table.rows[1][at] is None, "a geometric mean of spreads is none"
    assert table.rules == (3,)


def test_seeds_of_parts_inside(results: Path, loading: Load) -> None:
    models = '["Pipeline(HDP(Bag(minimum=2), iterations=2), cluster=None, number=None, grade=Proportions())"]'
    found = ran(results, loading, models=models, lemmas=LEARNT, seeds="2")
    assert [row.kind for row in found.rows[:2]] == ["model", "spread"]
