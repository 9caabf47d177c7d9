"""Scores of several systems as one table."""

import math

import pytest

from polyseme.baselines import CLUSTER_BASELINES
from polyseme.labelling import Labelling
from polyseme.reports.reproduction_tables import reproduction_records, reproduction_table, verdict
from polyseme.reports.score_tables import comparison_table, group_table, score_table
from polyseme.tasks.comparison import Comparison
from polyseme.tasks.published import ReproducedFigure
from polyseme.tasks.semeval_2010 import SemEval2010
from polyseme.tasks.semeval_2013 import SemEval2013

TASK = SemEval2013()
GOLD = Labelling.hard([f"x.{number}" for number in range(12)], list("aabbccaabbcc"), lemma="x")


def test_systems_and_baselines_stand_side_by_side() -> None:
    systems = {"gold.key": TASK.score(GOLD, GOLD).figures()}
    table = score_table(TASK, systems, TASK.score_baselines(GOLD))
    assert table.columns == ("System", *(column.heading for column in TASK.columns))
    assert [row[0] for row in table.rows] == ["gold.key", *TASK.score_baselines(GOLD)]
    assert table.rules == (1,)
    figures = dict(zip(table.columns, table.rows[0], strict=True))
    assert figures["AVG"] == pytest.approx(
        (systems["gold.key"]["fuzzy_nmi"] * systems["gold.key"]["fuzzy_bcubed.f1"]) ** 0.5
    )
    assert figures["#Cl"] == 1.0


def test_random_baselines_are_means_of_their_runs() -> None:
    name, runs = list(CLUSTER_BASELINES.items())[-1]
    mean = TASK.score_baselines(GOLD)[name]["fuzzy_bcubed.f1"]
    scores = [TASK.score(GOLD, run(GOLD)).figures()["fuzzy_bcubed.f1"] for run in runs]
    assert len(set(scores)) > 1
    assert mean == pytest.approx(sum(scores) / 5)


def test_empty_columns_are_left_out() -> None:
    table = score_table(SemEval2010(), {"a.key": {"v_measure": 0.5, "clusters": 3.0}}, {})
    assert table.columns == ("System", "V", "#Cl")
    assert table.rules == ()
    groups = group_table(
        SemEval2010(), {"a.key": {"x": {"v_measure": 0.5}, "y": {"clusters": 2.0}}}, {"one": {"clusters": 1.0}}
    )
    assert groups.columns == ("System", "Group", "V", "#Cl")
    assert groups.rows == (("a.key", "x", 0.5, None), ("a.key", "y", None, 2.0), ("one", "all", None, 1.0))
    assert groups.rules == (2,)


@pytest.mark.parametrize("p, stars", [(0.2, ""), (0.05, ""), (0.049, "*"), (0.009, "**"), (0.0001, "***")])
def test_significance_is_marked(p: float, stars: str) -> None:
    row = Comparison("jaccard.f1", 0.1, (0.0, 0.2), 0.3, (0.2, 0.4), 0.2, (0.1, 0.3), p)
    table = comparison_table("a.key", "b.key", [row], 0.9)
    assert table.title == "b.key (B) against a.key (A)"
    cells = dict(zip(table.columns, table.rows[0], strict=True))
    assert cells["Mark"] == stars
    assert (cells["A low"], cells["A"], cells["A high"]) == (0.0, 0.1, 0.2)
    assert (cells["B−A low"], cells["B−A"], cells["B−A high"]) == (0.1, 0.2, 0.3)
    assert "90%" in table.notes[0]


def test_figures_have_verdicts() -> None:
    cells = [
        ReproducedFigure("senseval", "§3", "A", "score", "2/3", 2 / 3),
        ReproducedFigure("senseval", "§3", "A", "score", "0.5", 0.7),
        ReproducedFigure("semeval-2010", "worked example", "Table 3", "sense", "G3", "G1"),
    ]
    assert [verdict(cell) for cell in cells] == ["same", "DIFFERS", "DIFFERS"]
    assert [row["difference"] for row in reproduction_records(cells)] == pytest.approx(
        [0.0, 0.2, math.nan], nan_ok=True
    )
    table = reproduction_table("senseval", cells)
    assert table.notes == ("3 figures: 1 same, 0 known, 2 DIFFERS",)
    assert table.rows[0][4:] == ("0.6666666667", "+0.0e+00", "same")
