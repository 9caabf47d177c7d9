"""Krippendorff's α."""

import itertools
import math
import time
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from agreement.tables import PUBLISHED, judged, random_table
from polyseme import load
from polyseme.agreement.alpha import METRICS, alphas_without_annotators, compute_alphas, count_coincidences
from polyseme.agreement.bootstrap import Bootstrap
from polyseme.agreement.judgements import collect_judgements
from polyseme.errors import InputError
from polyseme.rating import Rating, Ratings
from polyseme.wordnet import WordNet

SEEDS = range(3)


def theirs(table: np.ndarray[tuple[int, int], np.dtype[np.float64]], metric: str) -> float:
    return float(krippendorff.alpha(table.T, level_of_measurement=metric))  # type: ignore[arg-type]


def test_the_published_example() -> None:
    alphas = {name: round(figure.value, 3) for name, figure in compute_alphas(judged(PUBLISHED)).items()}
    assert alphas == {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}


@pytest.mark.parametrize("levels", [2, 5, 12, 13, 200])
@pytest.mark.parametrize("seed", SEEDS)
def test_as_the_package_says(seed: int, levels: int) -> None:
    table = random_table(seed, levels)
    alphas = compute_alphas(judged(table))
    for metric, figure in alphas.items():
        assert figure.value == pytest.approx(theirs(table, metric), abs=1e-12)


@pytest.mark.parametrize("levels", [2, 5, 13, 200])
@pytest.mark.parametrize("seed", SEEDS)
def test_without_each_is_as_if_they_had_not_been_there(seed: int, levels: int) -> None:
    table = random_table(seed, levels)
    judgements = judged(table)
    for metric, values in alphas_without_annotators(judgements).items():
        for name, value in zip(judgements.annotators, values.tolist(), strict=True):
            rest = np.delete(table, int(name[1:]), axis=1)
            assert value == pytest.approx(theirs(rest, metric), abs=1e-12)


def test_every_judgement_of_a_compared_item_counts_once() -> None:
    table = random_table(0)
    alphas = count_coincidences(judged(table))
    compared = (~np.isnan(table)).sum(axis=1) > 1
    values, counts = np.unique(table[compared][~np.isnan(table[compared])], return_counts=True)
    np.testing.assert_allclose(alphas.margins(alphas.total)[0], counts)
    assert alphas.levels.tolist() == values.tolist()


def test_ratings_of_wssim(wordnet_30: WordNet, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    alphas = collect_judgements(load("semeval-2013-task-13-trial").ratings.complete(wordnet_30))
    ours = compute_alphas(alphas)
    assert {metric: figure.value for metric, figure in ours.items()} == pytest.approx(
        {metric: theirs(alphas.matrix(), metric) for metric in METRICS}, abs=1e-12
    )
    assert ours["ordinal"].value == pytest.approx(0.4145, abs=5e-4)


# -- what is undefined ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table, reason",
    [
        ([[1], [2]], "no item was judged by two annotators"),
        ([[1, math.nan], [math.nan, 2]], "no item was judged by two annotators"),
        ([[3, 3], [3, 3]], "all judgements of items with two or more are the same, so that α is 0/0"),
        ([[3, 3], [3, 3], [5, math.nan]], "all judgements of items with two or more are the same, so that α is 0/0"),
    ],
)
def test_undefined_values_say_why(table: list[list[float]], reason: str) -> None:
    for figure in compute_alphas(judged(table), bootstrap=Bootstrap(10)).values():
        assert math.isnan(figure.value)
        assert math.isnan(figure.low)
        assert figure.reason == reason


def test_nothing() -> None:
    assert {figure.reason for figure in compute_alphas(collect_judgements(Ratings([]))).values()} == {
        "no item was judged by two annotators"
    }
    assert all(not len(values) for values in alphas_without_annotators(collect_judgements(Ratings([]))).values())


def test_one_item_and_two_who_differ() -> None:
    """One pair, which differs as much as chance: α = 1 − 1 = 0."""
    alphas = compute_alphas(judged([[1, 5]]), bootstrap=Bootstrap(10))
    assert {figure.value for figure in alphas.values()} == {0}
    assert {figure.reason for figure in alphas.values()} == {"too few usages for an interval"}


def test_a_ratio_scale_has_nothing_below_zero() -> None:
    alphas = compute_alphas(judged([[-1, 2], [2, 2]]))
    assert alphas["ratio"].reason == "a ratio scale starts at 0, and there is a value of -1"
    assert alphas["interval"].defined
    assert compute_alphas(judged([[0, 0], [2, 3]]))["ratio"].defined


def test_without_the_only_other_one() -> None:
    assert np.isnan(alphas_without_annotators(judged([[1, 2], [2, 2]]))["ordinal"]).all()


def test_a_constant_annotator_is_no_error() -> None:
    """A value that everyone gives but one: agreement is that of chance."""
    assert compute_alphas(judged([[3, 3], [3, 5], [3, 3]]))["nominal"].value == pytest.approx(0)


# -- intervals -----------------------------------------------------------------------------------------------------


def test_intervals_are_those_of_resampled_usages() -> None:
    """The same as α of tables whose usages were drawn again, one by one."""
    table, senses = random_table(1, items=60), 4
    alphas = compute_alphas(judged(table, senses), bootstrap=Bootstrap(400, seed=5))
    rng = np.random.default_rng(0)
    again = [
        theirs(
            np.concatenate([table[senses * usage : senses * (usage + 1)] for usage in rng.integers(0, 15, 15)]),
            "ordinal",
        )
        for _ in range(400)
    ]
    low, high = np.quantile(again, [0.025, 0.975])
    assert alphas["ordinal"].low == pytest.approx(low, abs=0.03)
    assert alphas["ordinal"].high == pytest.approx(high, abs=0.03)


def test_seeds_and_confidence() -> None:
    judgements = judged(random_table(2))
    assert compute_alphas(judgements, bootstrap=Bootstrap(50, 1)) == compute_alphas(
        judgements, bootstrap=Bootstrap(50, 1)
    )
    assert compute_alphas(judgements, bootstrap=Bootstrap(50, 1)) != compute_alphas(
        judgements, bootstrap=Bootstrap(50, 2)
    )
    wide, narrow = (compute_alphas(judgements, bootstrap=Bootstrap(500, 1, sure))["interval"] for sure in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
    with pytest.raises(InputError, match="confidence is 1; it must lie between 0 and 1"):
        compute_alphas(judgements, bootstrap=Bootstrap(10, 0, 1.0))
    with pytest.raises(InputError, match="resamples is -1"):
        compute_alphas(judgements, bootstrap=Bootstrap(-1))


def dependent(rng: np.random.Generator, usages: int, senses: int = 4, people: int = 3) -> list[list[float]]:
    """Ratings of usages some of which are hard for everybody, so that their senses depend on one another."""
    noise = rng.choice([0.3, 1.5], (usages, 1, 1))
    truth = rng.normal(size=(usages, senses, 1))
    values = np.clip(np.round(3 + 1.2 * (truth + noise * rng.normal(size=(usages, senses, people)))), 1, 5)
    return values.reshape(-1, people).tolist()


def test_intervals_cover_the_true_value_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    true = compute_alphas(judged(dependent(rng, 4_000), 4))["ordinal"].value
    alphas = [compute_alphas(judged(dependent(rng, 40), 4), bootstrap=Bootstrap(200))["ordinal"] for _ in range(150)]
    covered = np.mean([each.low <= true <= each.high for each in alphas])
    assert 0.88 <= covered <= 0.99


def pairs_of_usages(rng: np.random.Generator, usages: int, lemmas: int, people: int = 3) -> Ratings:
    """Usim of all pairs of a lemma's usages, which lie somewhere in a plane."""
    rows = []
    for lemma in range(lemmas):
        places = rng.normal(size=(usages, 2))
        for one, other in itertools.combinations(range(usages), 2):
            near = 5 - 1.3 * np.linalg.norm(places[one] - places[other])
            values = np.clip(np.round(near + rng.normal(size=people)), 1, 5)
            rows += [
                Rating(f"p{who}", "Usim", f"l{lemma}.n", str(one), str(other), float(value))
                for who, value in enumerate(values)
            ]
    return Ratings(rows)


def test_intervals_of_pairs_are_not_too_narrow() -> None:
    rng = np.random.default_rng(0)
    true = compute_alphas(collect_judgements(pairs_of_usages(rng, 10, 200)))["ordinal"].value
    alphas = [
        compute_alphas(collect_judgements(pairs_of_usages(rng, 10, 6)), bootstrap=Bootstrap(200))["ordinal"]
        for _ in range(80)
    ]
    assert np.mean([each.low <= true <= each.high for each in alphas]) >= 0.92


def test_time_is_linear_in_ratings() -> None:
    """Eight times the ratings in far less than sixty-four times the time; ``bench/agreement.py`` measures it."""
    taken = []
    for items in (2_000, 16_000):
        judgements = judged(np.random.default_rng(0).integers(1, 6, (items, 3)).astype(float))
        start = time.process_time()
        compute_alphas(judgements)
        taken.append(time.process_time() - start)
    assert taken[1] < 30 * max(taken[0], 0.002)
