"""Agreement of those who choose."""

import itertools
import math

import numpy as np
import pytest

from polyseme.agreement.alpha import alphas_without_annotators, compute_alphas
from polyseme.agreement.bootstrap import Bootstrap
from polyseme.agreement.chosen_sets import (
    ChosenSets,
    Credit,
    collect_chosen_sets,
    compute_credits,
    compute_mean_credit,
    jaccard_overlap,
    masi_similarity,
    modal_senses,
    overlap_of_larger,
    set_metrics,
    set_similarity,
)
from polyseme.rating import UNDECIDED, Rating, Ratings

Chosen = dict[tuple[int, int], frozenset[tuple[str, int]]]
"""Usage and annotator → what was chosen."""
USAGES, PEOPLE, SENSES = 30, 5, 4


def rows_of(usage: str, who: str, chosen: str, senses: str = "abc", task: str = "WSbest") -> list[Rating]:
    return [Rating(who, task, "win.v", usage, sense, float(sense in chosen)) for sense in senses]


def study(*chosen: tuple[str, str, str]) -> ChosenSets:
    return collect_chosen_sets(Ratings([row for usage, who, chosen in chosen for row in rows_of(usage, who, chosen)]))


def random_study(seed: int) -> tuple[Ratings, Chosen]:
    """Two lemmas, sets of up to three senses, some empty, some answers missing."""
    rng = np.random.default_rng(seed)
    rows, chosen = [], {}
    for usage, who in itertools.product(range(USAGES), range(PEOPLE)):
        if rng.random() < 0.3:
            continue
        lemma = ("win.v", "bar.n")[usage % 2]
        targets = rng.choice(SENSES, rng.choice([0, 1, 1, 1, 2, 3]), replace=False).tolist()
        rows += [
            Rating(f"p{who}", "WSbest", lemma, str(usage), str(sense), float(sense in targets))
            for sense in range(SENSES)
        ]
        if targets:
            chosen[usage, who] = frozenset((lemma, sense) for sense in targets)
    return Ratings(rows), chosen


def plain(chosen: Chosen, credit: Credit, without: int = -1) -> tuple[float, float]:
    """The formula as it is written: means over usages, and over pairs."""
    of_usages, of_pairs = [], []
    for usage in range(USAGES):
        sets = [targets for (where, who), targets in chosen.items() if where == usage and who != without]
        credits = [set_similarity(one, other, credit) for one, other in itertools.combinations(sets, 2)]
        if credits:
            of_usages.append(np.mean(credits))
            of_pairs += credits
    return float(np.mean(of_usages)), float(np.mean(of_pairs))


def plain_alpha(chosen: Chosen, without: int = -1) -> float:
    usages = [
        [targets for (where, who), targets in chosen.items() if where == u and who != without] for u in range(USAGES)
    ]
    several = [sets for sets in usages if len(sets) > 1]
    every = list(itertools.chain.from_iterable(several))
    observed = sum(
        sum(1 - set_similarity(a, b) for a, b in itertools.permutations(sets, 2)) / (len(sets) - 1) for sets in several
    )
    expected = sum(1 - set_similarity(a, b) for a, b in itertools.permutations(every, 2)) / (len(every) - 1)
    return 1 - observed / expected


# -- two sets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first, second, of_larger, of_union, of_masi",
    [
        ("a", "a", 1, 1, 1),
        ("a", "b", 0, 0, 0),
        ("a", "ab", 1 / 2, 1 / 2, 1 / 2 * 2 / 3),
        ("ab", "bc", 1 / 2, 1 / 3, 1 / 3 * 1 / 3),
        ("ab", "abcd", 1 / 2, 1 / 2, 1 / 2 * 2 / 3),
        ("abcd", "cde", 1 / 2, 2 / 5, 2 / 5 * 1 / 3),
        ("", "", 1, 1, 1),
        ("", "a", 0, 0, 0),
    ],
)
def test_two_sets(first: str, second: str, of_larger: float, of_union: float, of_masi: float) -> None:
    """MASI: Jaccard's coefficient times 1 for the same sets, 2/3 for a subset, 1/3 for an overlap. (Passonneau 2006)"""
    for credit, value in ((overlap_of_larger, of_larger), (jaccard_overlap, of_union), (masi_similarity, of_masi)):
        assert set_similarity(first, second, credit) == pytest.approx(value)
        assert set_similarity(second, first, credit) == pytest.approx(value)


# -- studies -------------------------------------------------------------------------------------------------------


def test_by_hand() -> None:
    """Usage 1: 1, 1/2, 1/2; usage 2: 0 of one pair; usage 3 has one answer only."""
    chosen = study(("1", "ann", "a"), ("1", "bob", "a"), ("1", "cat", "ab"), ("2", "ann", "a"), ("2", "bob", "b"))
    result = compute_credits(chosen, overlap_of_larger)
    assert compute_mean_credit(result, Bootstrap(0)).value == pytest.approx((2 / 3 + 0) / 2)
    assert compute_mean_credit(result, Bootstrap(0), "pairs").value == pytest.approx(2 / 4)
    assert compute_mean_credit(
        compute_credits(chosen.single(), overlap_of_larger), Bootstrap(0)
    ).value == pytest.approx((1 + 0) / 2)
    assert result.pairs().pair("ann", "bob")[2:5:2] == (0.5, 2)
    assert result.means_without_annotators().tolist() == pytest.approx([1 / 2, 1 / 2, (1 + 0) / 2])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("credit", [overlap_of_larger, jaccard_overlap, masi_similarity])
def test_as_the_formula_says(seed: int, credit: Credit) -> None:
    ratings, chosen = random_study(seed)
    result = compute_credits(collect_chosen_sets(ratings), credit)
    people = result.chosen.judgements.annotators
    figure = compute_mean_credit(result, Bootstrap(200))
    pooled = compute_mean_credit(result, Bootstrap(200), "pairs")
    assert (figure.value, pooled.value) == pytest.approx(plain(chosen, credit))
    assert figure.low < figure.value < figure.high
    assert pooled.low < pooled.value < pooled.high
    for place, name in enumerate(people):
        without = result.means_without_annotators()[place], result.means_without_annotators("pairs")[place]
        assert without == pytest.approx(plain(chosen, credit, int(name[1:])))
    for pair in result.pairs():
        one, other = int(pair.first[1:]), int(pair.second[1:])
        both = [(chosen[u, one], chosen[u, other]) for u in range(USAGES) if {(u, one), (u, other)} <= chosen.keys()]
        assert pair.items == len(both)
        assert pair.value == pytest.approx(np.mean([set_similarity(*sets, credit) for sets in both]))


@pytest.mark.parametrize("seed", range(3))
def test_alpha_of_sets(seed: int) -> None:
    ratings, sets = random_study(seed)
    chosen = collect_chosen_sets(ratings)
    metrics = set_metrics(chosen)
    assert compute_alphas(chosen.judgements, metrics)["masi"].value == pytest.approx(plain_alpha(sets))
    for name, value in zip(
        chosen.judgements.annotators,
        alphas_without_annotators(chosen.judgements, metrics)["masi"].tolist(),
        strict=True,
    ):
        assert value == pytest.approx(plain_alpha(sets, int(name[1:])))


def test_single_choices_agree_as_nominal_values_do() -> None:
    chosen = study(*((str(u), who, "abc"[(u * n) % 3]) for u in range(9) for n, who in ((1, "ann"), (2, "bob"))))
    result = compute_alphas(chosen.judgements, set_metrics(chosen))
    assert result["masi"].value == pytest.approx(result["nominal"].value)


def test_who_chooses_nothing_has_not_answered() -> None:
    rows = [
        *rows_of("1", "ann", "a"),
        *rows_of("1", "bob", ""),
        Rating("cat", "WSbest", "win.v", "1", "a", UNDECIDED),
        Rating("ann", "WSbest", "win.v", "1", "a", 1, role="repeat"),
    ]
    chosen = collect_chosen_sets(Ratings(rows))
    assert (chosen.nothing, chosen.judgements.left_out.undecided, chosen.judgements.left_out.repeats) == (1, 1, 1)
    figure = compute_mean_credit(compute_credits(chosen, overlap_of_larger), Bootstrap(10))
    assert math.isnan(figure.value)
    assert figure.reason == "no usage was answered by two annotators"
    assert (
        compute_mean_credit(compute_credits(chosen, overlap_of_larger), Bootstrap(0), "pairs").reason == figure.reason
    )


def test_a_usage_on_which_two_senses_tie_has_no_mode() -> None:
    rows = [*rows_of("1", "ann", "ab"), *rows_of("1", "bob", "a"), *rows_of("2", "ann", "ab"), *rows_of("3", "ann", "")]
    rows += [row._replace(role="training") for row in rows_of("2", "bob", "a")]
    assert dict(modal_senses(Ratings(rows))) == {"1": {"a": 1.0}}


def test_no_usage_in_common() -> None:
    result = compute_credits(study(("1", "ann", "a"), ("2", "bob", "a")), overlap_of_larger)
    assert result.pairs().pair("ann", "bob").reason == "ann and bob answered no usage in common"
    assert np.isnan(result.means_without_annotators()).all()


def test_nothing() -> None:
    chosen = collect_chosen_sets(Ratings([]))
    assert (chosen.nothing, list(compute_credits(chosen, overlap_of_larger).pairs())) == (0, [])
    assert not compute_mean_credit(compute_credits(chosen, overlap_of_larger), Bootstrap(10)).defined
    assert not compute_alphas(chosen.judgements, set_metrics(chosen))["masi"].defined


def test_senses_belong_to_their_lemma() -> None:
    rows = [Rating(who, "WSbest", lemma, lemma, "1", 1) for who in ("ann", "bob") for lemma in ("win.v", "bar.n")]
    assert collect_chosen_sets(Ratings(rows)).sets.shape == (2, 2)


def test_who_could_not_decide_did_not_choose_nothing() -> None:
    rows = [("ann", "a", 1), ("bob", "a", 0), ("cat", "a", UNDECIDED), ("dan", "a", UNDECIDED), ("dan", "b", 0)]
    result = collect_chosen_sets(
        Ratings(Rating(who, "WSbest", "win.v", "u", sense, value) for who, sense, value in rows)
    )
    assert result.nothing == 2
    assert result.judgements.left_out.undecided == 2
