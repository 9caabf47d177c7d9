"""Weights as ratings."""

import json
from pathlib import Path

import numpy as np
import pytest

from polyseme import load
from polyseme.disambiguation.calibration import (
    Calibration,
    calibrate,
    calibration_between,
    calibration_points,
    linear_calibration,
    open_calibration,
)
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.parts import parts_by_name
from polyseme.rating import DUREL, UNDECIDED, Rating, Ratings
from polyseme.wordnet import WordNet

LABELLING = Labelling.from_dict({"u": {"a": 0.6, "b": 0.3}, "v": {"b": 2.0, "c": 1.0, "a": 0.0}}, lemma="x.n")


def ratings(*rows: tuple[str, str, str, float]) -> Ratings:
    return Ratings(Rating(who, "WSsim", "x.n", usage, sense, value) for who, usage, sense, value in rows)


RATED = ratings(
    ("ann", "u", "a", 5),
    ("bob", "u", "a", 4),
    ("ann", "u", "b", 2),
    ("bob", "u", "b", UNDECIDED),
    ("ann", "v", "b", 4),
    ("ann", "v", "c", 3),
    ("ann", "v", "a", 1),
    ("bob", "v", "d", 2),
    ("ann", "v", "e", UNDECIDED),
    ("ann", "w", "a", 5),
)


def test_linear_on_the_share_of_the_greatest() -> None:
    assert linear_calibration()(LABELLING)["u"] == {"a": 5.0, "b": 3.0}
    assert linear_calibration()(LABELLING)["v"] == {"b": 5.0, "c": 3.0, "a": 1.0}
    assert linear_calibration(DUREL)(LABELLING)["u"] == {"a": 4.0, "b": 2.5}
    doubled = LABELLING.with_weights(2 * LABELLING.weights)
    assert linear_calibration()(doubled) == linear_calibration()(LABELLING)


def test_what_was_rated() -> None:
    """Means of those who could decide; a sense that the labelling does not list has no share; w is not labelled."""
    points = calibration_points(RATED, LABELLING)
    assert points.lemmas == ("x.n",) * 6
    assert points.shares.tolist() == [1.0, 0.5, 1.0, 0.5, 0.0, 0.0]
    assert points.ratings.tolist() == [4.5, 2.0, 4.0, 3.0, 1.0, 2.0]


def test_a_calibration_is_learnt_from_ratings() -> None:
    """Means where shares are the same."""
    curve = calibrate(RATED, LABELLING, model="Planted()")
    assert curve.rating(np.array([0, 0.5, 1])).tolist() == [1.5, 2.5, 4.25]
    assert curve.rating(np.array([0.75])).tolist() == [pytest.approx(3.375)]
    assert (curve.lowest, curve.highest, curve.model) == (1.0, 5.0, "Planted()")
    assert curve(LABELLING)["u"] == {"a": 4.25, "b": 2.5}


def test_the_curve_never_falls() -> None:
    rows = [("ann", f"u{number}", "b", float(value)) for number, value in enumerate([1, 4, 2, 2, 5])]
    weights = {f"u{number}": {"a": 4.0, "b": float(number)} for number in range(5)}
    curve = calibrate(ratings(*rows), Labelling.from_dict(weights, lemma="x.n"))
    assert curve.rating(np.arange(5) / 4) == pytest.approx([1, 8 / 3, 8 / 3, 8 / 3, 5])


def test_a_saved_calibration_is_the_same(tmp_path: Path) -> None:
    curve = calibrate(RATED, LABELLING, model="Planted()")
    curve.save(tmp_path / "scale.json")
    assert Calibration.load(tmp_path / "scale.json") == open_calibration(str(tmp_path / "scale.json")) == curve
    assert json.loads((tmp_path / "scale.json").read_text())["ratings"][0] == 1.5


@pytest.mark.parametrize("text", ["", "{}", "[]", "1", '{"shares": [0], "ratings": [1, 2]}', '{"shares": 3}', "x"])
def test_files_that_are_no_calibration(tmp_path: Path, text: str) -> None:
    (tmp_path / "scale.json").write_text(text)
    with pytest.raises(
        InputError, match=r"scale\.json: this is not a calibration; write one with polyseme\.disambiguation\.calibrate"
    ):
        Calibration.load(tmp_path / "scale.json")


def test_scales_by_name() -> None:
    assert open_calibration("1-5") == open_calibration(" 1–5 ") == linear_calibration() == calibration_between(1, 5)
    assert open_calibration("0-1")(LABELLING)["u"] == {"a": 1.0, "b": 0.5}
    with pytest.raises(InputError, match="a scale starts below its end, and 5-1 does not"):
        open_calibration("5-1")
    with pytest.raises(
        InputError, match=r"the scale 'no\.json' is neither two numbers, such as 1-5, nor the file of a"
    ):
        open_calibration("no.json")


@pytest.mark.parametrize("points", [((), ()), ((0.0,), (1.0, 2.0)), ((1.0, 0.0), (1.0, 2.0)), ((0.0, 1.0), (2.0, 1.0))])
def test_points_that_are_no_curve(points: tuple[tuple[float, ...], tuple[float, ...]]) -> None:
    with pytest.raises(InputError, match="calibration"):
        Calibration(*points)
    with pytest.raises(InputError, match="finite"):
        Calibration((0.0,), (float("nan"),))
    with pytest.raises(InputError, match="a scale starts below its end, and 3-3 does not"):
        Calibration((0.0,), (3.0,), 3.0, 3.0)


def test_usages_that_nobody_rated() -> None:
    with pytest.raises(InputError, match="none of the rated usages is labelled"):
        calibrate(ratings(("ann", "other", "a", 1)), LABELLING)
    assert len(linear_calibration()(Labelling())) == 0


@pytest.mark.parametrize("model", ["SemCorRanked", "PPR"])
def test_what_is_learnt_is_nearer_to_people_than_proportion(
    data: Path, wordnet_30: WordNet, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """Mean absolute error on the trial data of Task 13, each lemma by what was learnt from the others."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    trial = load("semeval-2013-task-13-trial")
    every = trial.ratings.complete(wordnet_30)
    labelled = DictionaryModel(parts_by_name()[model](), Sources(wordnet_30)).label(trial.usages)
    points = calibration_points(every, labelled)
    assert len(points.ratings) == 2400
    lemmas, learnt = np.array(points.lemmas), np.zeros(len(points.lemmas))
    for lemma in every.lemmas:
        curve = calibrate(Ratings(row for row in every if row.lemma != lemma), labelled)
        learnt[lemmas == lemma] = curve.rating(points.shares[lemmas == lemma])
    errors = [np.abs(each - points.ratings).mean() for each in (learnt, linear_calibration().rating(points.shares))]
    assert errors[0] < errors[1]
    assert errors[0] < 1.1
