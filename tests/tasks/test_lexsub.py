"""The protocol of SemEval-2007 Task 10."""

from pathlib import Path

import pytest

import polyseme
from polyseme.baselines import ASR, score_baselines
from polyseme.errors import InputError, InputWarning
from polyseme.labelling import Labelling
from polyseme.tasks.lexsub import SUBSTITUTE_BASELINES, lexsub, select_scored_usages

GOLD = Labelling.from_dict(
    {
        "day.n.1": {"time": 3, "hour": 1},
        "day.n.2": {"period": 1, "point in time": 1},
        "day.n.3": {"time": 1},
        "day.n.4": {"pn": 3, "hour": 1},
        "day.n.5": {"time of year": 2},
    },
    lemma="day.n",
)
SYSTEM = Labelling.from_dict(
    {
        "day.n.1": {"hour": 0.5, "time": 0.3, "period": 0.2},
        "day.n.2": {"point in time": 0.6, "time": 0.4},
        "day.n.5": {"week": 1.0},
    },
    lemma="day.n",
)


def test_usages_with_one_response_and_proper_names_are_left_out() -> None:
    assert dict(select_scored_usages(GOLD)) == {usage: GOLD[usage] for usage in ("day.n.1", "day.n.2", "day.n.5")}


def test_figures_by_hand() -> None:
    """GAP ranks time, hour and period, and day.n.5 has only an expression; the modes are those of day.n.1 and 5."""
    found = lexsub(GOLD, SYSTEM).figures()
    expected = {
        "best.recall": (1 / 4 + 1 / 2 + 0) / 3,
        "best_mode.recall": 0.0,
        "oot.recall": (4 / 4 + 1 / 2 + 0) / 3,
        "oot_mode.recall": 1 / 2,
        "gap": ((1 + 4 / 2) / (3 + 4 / 2) + (1 / 2 + 1 / 3) / 2) / 2,
        "p_at_1": 2 / 3,
        "p_at_3": (2 / 3 + 1 / 3) / 3,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert list(lexsub(GOLD, SYSTEM).summary()) == ["best", "best_mode", "oot", "oot_mode", "gap", "p_at_1", "p_at_3"]


def test_all_guesses_of_a_best_file_share_the_credit() -> None:
    """They weigh the same, and other measures rank them as they are listed."""
    rows = (
        (lemma, usage, dict.fromkeys(sorted(words, key=lambda word: -words[word]), 1.0))
        for lemma, usage, words in SYSTEM.rows()
    )
    figures = lexsub(GOLD, Labelling(rows, ordered=True)).figures()
    assert figures["best.recall"] == pytest.approx((4 / 4 / 3 + 1 / 2 / 2 + 0) / 3)
    others = {name: value for name, value in lexsub(GOLD, SYSTEM).figures().items() if not name.startswith("best.")}
    assert {name: figures[name] for name in others} == pytest.approx(others)


def test_a_group_of_usages_is_scored_apart() -> None:
    part = lexsub(GOLD, SYSTEM).by_usages({"first": ["day.n.1"]})["first"].figures()
    assert (part["best.recall"], part["p_at_1"], part["gap"]) == pytest.approx((0.25, 1.0, 0.6))


def test_gold_without_counts_is_refused() -> None:
    with pytest.raises(InputError, match="no usage of the gold key has 2 responses"):
        lexsub(GOLD.normalise("sum"), SYSTEM)


def test_usages_outside_gold_are_reported() -> None:
    with pytest.warns(InputWarning, match="1 usage of the system is not in the gold key"):
        lexsub(GOLD, SYSTEM | Labelling([("day.n", "day.n.9", {"time": 1.0})]))


def test_the_data_set_has_the_size_of_the_paper(data: Path) -> None:
    """1,696 usages and 1,230 modes in the paper; three more where answers that differ in a blank are one."""
    gold = polyseme.load("lexsub", data=data).golds["test"]
    result = lexsub(gold, gold)
    assert (len(result.scores["best"]), len(result.scores["best_mode"]), len(result.scores["gap"])) == (
        1696,
        1233,
        1681,
    )
    upper = lexsub(gold, select_scored_usages(gold)).figures()
    assert upper["best.recall"] == pytest.approx(0.45868, abs=1e-5)


def test_a_random_ranking_is_expected_to_score_as_shuffles_do_on_average(data: Path) -> None:
    gold = polyseme.load("lexsub", data=data).golds["trial"]
    found = score_baselines(gold, {**SUBSTITUTE_BASELINES, "ASR": tuple(ASR(seed) for seed in range(10))}, lexsub)
    assert found["ASE"]["gap"] == pytest.approx(found["ASR"]["gap"], abs=0.01)
    assert found["ASE"]["p_at_1"] == pytest.approx(found["ASR"]["p_at_1"], abs=0.02)
    assert found["ASF"]["gap"] > found["ASE"]["gap"] + 0.2
