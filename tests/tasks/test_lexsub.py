"""The protocol of SemEval-2007 Task 10."""

from pathlib import Path

import pytest

import polyseme
from polyseme.baselines import ASE, ASF, ASR
from polyseme.errors import InputError, InputWarning
from polyseme.labelling import Labelling
from polyseme.tasks.lexsub import LexSub, select_scored_usages
from polyseme.tasks.result import mean_figures

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


def test_figures_are_as_computed_by_hand() -> None:
    """GAP ranks time, hour and period, and day.n.5 has only an expression; the modes are those of day.n.1 and 5."""
    figures = LexSub().score(GOLD, SYSTEM).figures()
    expected = {
        "best.recall": (1 / 4 + 1 / 2 + 0) / 3,
        "best_mode.recall": 0.0,
        "oot.recall": (4 / 4 + 1 / 2 + 0) / 3,
        "oot_mode.recall": 1 / 2,
        "gap": ((1 + 4 / 2) / (3 + 4 / 2) + (1 / 2 + 1 / 3) / 2) / 2,
        "p_at_1": 2 / 3,
        "p_at_3": (2 / 3 + 1 / 3) / 3,
    }
    assert {name: figures[name] for name in expected} == pytest.approx(expected)
    assert list(LexSub().score(GOLD, SYSTEM).summary()) == [
        "best",
        "best_mode",
        "oot",
        "oot_mode",
        "gap",
        "p_at_1",
        "p_at_3",
    ]


def test_all_guesses_of_a_best_file_share_the_credit() -> None:
    """They weigh the same, and other measures rank them as they are listed."""
    rows = (
        (lemma, usage, dict.fromkeys(sorted(words, key=lambda word: -words[word]), 1.0))
        for lemma, usage, words in SYSTEM.rows()
    )
    figures = LexSub().score(GOLD, Labelling(rows, ordered=True)).figures()
    assert figures["best.recall"] == pytest.approx((4 / 4 / 3 + 1 / 2 / 2 + 0) / 3)
    others = {
        name: value for name, value in LexSub().score(GOLD, SYSTEM).figures().items() if not name.startswith("best.")
    }
    assert {name: figures[name] for name in others} == pytest.approx(others)


def test_a_group_of_usages_is_scored_apart() -> None:
    part = LexSub().score(GOLD, SYSTEM).by_usages({"first": ["day.n.1"]})["first"].figures()
    assert (part["best.recall"], part["p_at_1"], part["gap"]) == pytest.approx((0.25, 1.0, 0.6))


def test_gold_without_counts_is_refused() -> None:
    with pytest.raises(InputError, match="no usage of the gold key has 2 responses"):
        LexSub().score(GOLD.normalise("sum"), SYSTEM)


def test_usages_outside_gold_are_reported() -> None:
    with pytest.warns(InputWarning, match="1 usage of the system is not in the gold key"):
        LexSub().score(GOLD, SYSTEM | Labelling([("day.n", "day.n.9", {"time": 1.0})]))


def test_the_data_set_has_the_size_of_the_paper(data: Path) -> None:
    """1,696 usages and 1,230 modes in the paper; three more where answers that differ in a blank are one."""
    gold = polyseme.load("lexsub", data=data).golds["test"]
    result = LexSub().score(gold, gold)
    assert (len(result.scores["best"]), len(result.scores["best_mode"]), len(result.scores["gap"])) == (
        1696,
        1233,
        1681,
    )
    upper = LexSub().score(gold, select_scored_usages(gold)).figures()
    assert upper["best.recall"] == pytest.approx(0.45868, abs=1e-5)


def test_a_random_ranking_is_expected_to_score_as_shuffles_do_on_average(data: Path) -> None:
    gold = polyseme.load("lexsub", data=data).golds["trial"]
    equal, by_frequency = (LexSub().score(gold, baseline(gold)).figures() for baseline in (ASE(), ASF()))
    shuffled = mean_figures([LexSub().score(gold, ASR(seed)(gold)).figures() for seed in range(10)])
    assert equal["gap"] == pytest.approx(shuffled["gap"], abs=0.01)
    assert equal["p_at_1"] == pytest.approx(shuffled["p_at_1"], abs=0.02)
    assert by_frequency["gap"] > equal["gap"] + 0.2
