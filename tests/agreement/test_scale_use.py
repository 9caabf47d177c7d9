"""How people use a scale."""

import math
from pathlib import Path

import krippendorff
import numpy as np
import pytest

import polyseme
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.scale_use import (
    ValueDistribution,
    compute_item_ranges,
    compute_item_variances,
    count_several_senses,
    measure_item_spreads,
    measure_scale_use,
    measure_spread,
    rank_by_difficulty,
)
from polyseme.errors import InputError
from polyseme.rating import UNDECIDED, WSSIM, Rating, Ratings


def wssim(who: str, usage: str, sense: str, value: float, group: str = "", role: str = "") -> Rating:
    return Rating(who, "WSsim", f"{usage[0]}.n", usage, sense, value, group=group, role=role)


RATINGS = Ratings(
    [
        wssim("ann", "a1", "s", 5, "first"),
        wssim("ann", "a1", "t", 5, "first"),
        wssim("ann", "a2", "s", 1, "first"),
        wssim("ann", "a2", "t", UNDECIDED, "first"),
        wssim("bob", "a1", "s", 3, "later"),
        wssim("bob", "a1", "t", 5, "later"),
        wssim("bob", "a2", "s", 4, "later"),
        wssim("bob", "a2", "s", 1, "later"),
        wssim("bob", "a2", "s", 5, "later", role="repeat"),
    ]
)


def test_counts_of_all_annotators_and_groups() -> None:
    used = measure_scale_use(RATINGS, WSSIM)
    assert used.overall == ValueDistribution("all", (1, 2, 3, 4, 5), (2, 0, 1, 0, 3), undecided=1, annotators=2)
    assert [(each.name, each.counts, each.undecided) for each in used.annotators] == [
        ("ann", (1, 0, 0, 0, 2), 1),
        ("bob", (1, 0, 1, 0, 1), 0),
    ]
    assert [(each.name, each.counts, each.annotators) for each in used.groups] == [
        ("first", (1, 0, 0, 0, 2), 1),
        ("later", (1, 0, 1, 0, 1), 1),
    ]
    assert used.left_out == (1, 1, 1)
    assert used.overall.mean == pytest.approx(20 / 6)
    assert measure_scale_use(RATINGS).overall.values == (1, 3, 5)


def test_without_groups_there_are_none_and_mixed_ones_are_split() -> None:
    assert measure_scale_use(Ratings(row._replace(group="") for row in RATINGS)).groups == ()
    mixed = Ratings(row._replace(group="x") if row.target == "t" else row for row in RATINGS)
    assert [(each.name, each.counts) for each in measure_scale_use(mixed).groups] == [
        ("first", (1, 0, 1)),
        ("later", (1, 1, 0)),
        ("x", (0, 0, 2)),
    ]


def test_a_value_off_the_scale() -> None:
    with pytest.raises(InputError, match="the value 7 is not on the scale from 1 to 5"):
        measure_scale_use(Ratings([wssim("ann", "a1", "s", 7)]), WSSIM)


def test_nothing() -> None:
    used = measure_scale_use(Ratings([]), WSSIM)
    assert used.overall.counts == (0, 0, 0, 0, 0)
    assert math.isnan(used.overall.entropy)
    assert all(map(math.isnan, used.overall.shares))
    assert measure_spread(collect_judgements(Ratings([]))).reason == "no item was judged by two annotators"
    assert rank_by_difficulty(collect_judgements(Ratings([]))) == ()


@pytest.mark.parametrize("counts, entropy", [((4, 4, 4, 4), 2.0), ((8, 0, 0, 0), 0.0), ((4, 2, 1, 1), 1.75)])
def test_entropy(counts: tuple[int, ...], entropy: float) -> None:
    assert ValueDistribution("x", (1, 2, 3, 4), counts).entropy == pytest.approx(entropy)


def random_judgements(seed: int) -> Judgements:
    rng = np.random.default_rng(seed)
    rows = [
        wssim(f"p{person}", f"{'abc'[item % 3]}{item}", "s", int(np.clip(item % 5 + rng.integers(0, 3), 1, 5)))
        for item in range(60)
        for person in range(5)
        if rng.random() < 0.5
    ]
    return collect_judgements(Ratings(rows))


@pytest.mark.parametrize("seed", range(3))
def test_ranges_and_variances_are_numpys(seed: int) -> None:
    judgements = random_judgements(seed)
    for item, row in enumerate(judgements.matrix()):
        values = row[~np.isnan(row)]
        if len(values) < 2:
            assert math.isnan(compute_item_ranges(judgements)[item])
            assert math.isnan(compute_item_variances(judgements)[item])
        else:
            assert compute_item_ranges(judgements)[item] == np.ptp(values)
            assert compute_item_variances(judgements)[item] == pytest.approx(values.var(ddof=1))


@pytest.mark.parametrize("seed", range(3))
def test_alpha_is_krippendorffs(seed: int) -> None:
    judgements = random_judgements(seed)
    whole = measure_spread(judgements)
    assert whole.alpha == pytest.approx(krippendorff.alpha(judgements.matrix().T, level_of_measurement="interval"))
    assert sum(count for _, count in whole.ranges) == whole.items
    assert whole.items + whole.single == (judgements.judged > 0).sum()


def test_lemmas_by_difficulty() -> None:
    rows = [
        *(wssim(who, "a1", "s", value) for who, value in [("ann", 2), ("bob", 3)]),
        *(wssim(who, "b1", "s", value) for who, value in [("ann", 1), ("bob", 5)]),
        *(wssim(who, "b2", "s", value) for who, value in [("ann", 5), ("bob", 5)]),
        *(wssim(who, "c1", "s", value) for who, value in [("ann", 4), ("bob", 4)]),
        wssim("ann", "d1", "s", 4),
    ]
    judgements = collect_judgements(Ratings(rows))
    hard = rank_by_difficulty(judgements)
    assert [each.name for each in hard] == ["b.n", "a.n", "c.n", "d.n"]
    assert (hard[0].variance, hard[0].range, hard[0].ranges) == (4, 2, ((0.0, 1), (4.0, 1)))
    assert hard[0].error == pytest.approx(4)
    assert hard[2].reason == "all judgements of c.n are 4, so that there is nothing to agree on"
    assert hard[3].reason == "no item of d.n was judged by two annotators"
    assert (hard[3].single, hard[3].items) == (1, 0)
    assert measure_item_spreads(judgements)[1][1:] == (2, 3, 4, 8)


def test_several_senses_of_a_usage() -> None:
    judgements = collect_judgements(RATINGS)
    five, four, three = count_several_senses(judgements)
    assert (five.usages, five.by_someone, five.answers, five.by_each, five.by_mean) == (2, 1, 4, 1, 0)
    assert (four.by_someone, four.by_each, four.by_mean) == (1, 1, 1)
    assert (three.share, three.share_of_answers, three.share_by_mean) == (0.5, 0.5, 0.5)


def test_usages_of_different_lemmas_may_share_a_name() -> None:
    rows = [Rating("ann", "WSsim", lemma, "1", f"{lemma}.s", 5) for lemma in ("a.n", "b.n")]
    assert count_several_senses(collect_judgements(Ratings(rows)), [5])[0][1:] == (2, 0, 2, 0, 0)


def test_pairs_of_usages_have_no_senses() -> None:
    with pytest.raises(InputError, match="Usim compares usages"):
        count_several_senses(collect_judgements(Ratings([Rating("ann", "Usim", "a.n", "1", "2", 3)])))


@pytest.fixture
def _data_sets(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are, for ``polyseme.load``."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))


@pytest.mark.usefixtures("_data_sets")
def test_wssim_1() -> None:
    """The 400 usages of WSsim-1 that are public, as its files list them."""
    ratings = polyseme.load("semeval-2013-task-13-trial").ratings
    assert ratings is not None
    assert measure_scale_use(ratings, WSSIM).overall.counts == (1812, 773, 1012, 1043, 1327)
    judgements = collect_judgements(ratings)
    five, four, three = count_several_senses(judgements)
    assert (five.usages, five.by_someone, five.by_each, five.by_mean) == (400, 250, 333, 7)
    assert (four.by_someone, four.by_each, four.by_mean) == (367, 695, 109)
    assert (three.by_someone, three.by_each, three.by_mean) == (393, 949, 307)
    hard = rank_by_difficulty(judgements)
    assert [hard[0].name, hard[-1].name] == ["win.v", "important.a"]
    assert measure_spread(judgements).variance == pytest.approx(1.750, abs=0.001)


def test_reasons_do_not_speak_of_all_as_a_lemma() -> None:
    judgements = collect_judgements(Ratings([Rating("ann", "WSsim", "win.v", "u", "s", 3)]))
    assert measure_spread(judgements).reason == "no item was judged by two annotators"
    assert measure_spread(judgements, "win.v").reason == "no item of win.v was judged by two annotators"
