"""Annotators who may have been careless: those who are, in simulated studies, and those who are not."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import polyseme
from polyseme.agreement.careless_responding import (
    CarelessnessLimits,
    CarelessnessReport,
    CheckFinding,
    check_responses,
    medians_of_others,
)
from polyseme.agreement.response_checks import RESPONSE_CHECKS
from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.rating import DUREL, UNDECIDED, WSSIM, Item, Rating, Ratings, Scale

# -- studies with annotators whose care is known ---------------------------------------------------------------------

LEMMAS, USAGES, REPEATS, CONTROLS = 6, 9, 15, 8

Answers = Callable[[np.random.Generator, Floats], Floats]
"""From the true similarities of items, in the order shown, the values given."""


def on_scale(values: Floats) -> Floats:
    return np.clip(np.rint(values), 1, 5)


def honest(rng: np.random.Generator, true: Floats) -> Floats:
    """The truth, a leaning of one's own, and some noise."""
    return on_scale(true + rng.normal(0, 0.4) + rng.normal(0, 0.7, len(true)))


def at_random(rng: np.random.Generator, true: Floats) -> Floats:
    return rng.integers(1, 6, len(true)).astype(float)


def always_alike(rng: np.random.Generator, true: Floats) -> Floats:
    """3, but for one item in twenty."""
    return np.where(rng.random(len(true)) < 0.95, 3.0, at_random(rng, true))


def gives_up(rng: np.random.Generator, true: Floats) -> Floats:
    """Honest for two thirds, and then always the same."""
    return np.where(np.arange(len(true)) < 2 * len(true) // 3, honest(rng, true), rng.integers(1, 6))


KINDS: Mapping[str, Answers] = {
    "honest": honest,
    "random": at_random,
    "hasty": at_random,
    "alike": always_alike,
    "gives up": gives_up,
}


def study(kinds: list[str], seed: int) -> tuple[Ratings, dict[Item, float]]:
    """Ratings by annotators of these kinds, named ``kind 0``, and what is expected of the control items."""
    rng = np.random.default_rng(seed)
    pairs, true = usages(rng)
    first = rng.permutation(len(pairs))
    repeated = rng.choice(len(pairs), REPEATS, replace=False)
    expected = {Item("Usim", "control", f"{n}", f"{n}'"): float(rng.choice([1, 5])) for n in range(CONTROLS)}
    rows: list[Rating] = []
    for place, kind in enumerate(kinds):
        order = np.concatenate([first, repeated])
        similarity = np.concatenate([true[order], list(expected.values())])
        # Whoever is honest has one leaning for all, so that answers to repeats are drawn with the rest.
        values = KINDS[kind](rng, similarity)
        hurry = 0.15 if kind == "hasty" else 1.0
        times = rng.lognormal(np.log(5000 * hurry) + rng.normal(0, 0.35), 0.6, len(values)).astype(int)
        items: list[Item] = [*(pairs[number] for number in order), *expected]
        roles = [""] * len(pairs) + ["repeat"] * REPEATS + ["control"] * CONTROLS
        rows += [
            Rating(f"{kind} {place}", *item, value, role=role, order=order, milliseconds=int(time))
            for order, (item, value, role, time) in enumerate(zip(items, values.tolist(), roles, times, strict=True))
        ]
    return Ratings(rows), expected


def usages(rng: np.random.Generator) -> tuple[list[Item], Floats]:
    """Usages lie in a plane around the senses of their lemma; the closer they are, the more similar."""
    pairs, similarities = [], []
    for lemma in range(LEMMAS):
        centres = rng.normal(0, 2, (3, 2))
        points = centres[rng.integers(0, 3, USAGES)] + rng.normal(0, 0.3, (USAGES, 2))
        for one, two in combinations(range(USAGES), 2):
            pairs.append(Item("Usim", f"l{lemma}", f"u{one}", f"u{two}"))
            similarities.append(5 - 4 * min(1.0, float(np.linalg.norm(points[one] - points[two])) / 4))
    return pairs, np.array(similarities)


# -- false alarms and hits -------------------------------------------------------------------------------------------

STUDIES = 24
FOUND_BY = {
    "random": {"triangles", "agreement with others"},
    "hasty": {"speed", "triangles", "agreement with others"},
    "alike": {"few values", "control items", "agreement with others"},
    "gives up": {"runs of one value"},
}


@pytest.fixture(scope="module")
def flagged() -> tuple[Counter[str], Counter[str], Counter[tuple[str, str]]]:
    """Of studies with six honest annotators and one who is not: how many there are of a kind, and how many flagged."""
    present, caught, checks = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for seed in range(STUDIES):
        kinds = ["honest"] * 6 + [list(FOUND_BY)[seed % 4]]
        ratings, expected = study(kinds, seed)
        flags = check_responses(ratings, expected=expected).flags
        for place, kind in enumerate(kinds):
            mine = {flag.check for flag in flags if flag.annotator == f"{kind} {place}"}
            present[kind] += 1
            caught[kind] += bool(mine)
            checks.update((kind, check) for check in mine)
    return present, caught, checks


def test_who_is_careless_is_flagged(
    flagged: tuple[Counter[str], Counter[str], Counter[tuple[str, str]]],
) -> None:
    present, caught, checks = flagged
    for kind, expected in FOUND_BY.items():
        assert caught[kind] == present[kind] == STUDIES // 4
        for check in expected:
            assert checks[kind, check] == present[kind], (kind, check)


def test_who_is_honest_is_rarely_flagged(
    flagged: tuple[Counter[str], Counter[str], Counter[tuple[str, str]]],
) -> None:
    present, caught, _ = flagged
    assert present["honest"] == 6 * STUDIES
    assert caught["honest"] <= 0.02 * present["honest"]


# -- each check, by hand ---------------------------------------------------------------------------------------------


def wssim(who: str, values: list[float], role: str = "", order: bool = True, time: int | None = None) -> list[Rating]:
    return [
        Rating(who, "WSsim", "a.n", f"u{n}", "s", value, role=role, order=n if order else None, milliseconds=time)
        for n, value in enumerate(values)
    ]


def finding(report: CarelessnessReport, check: str, annotator: str) -> CheckFinding:
    (one,) = [each for each in report.findings if (each.check, each.annotator) == (check, annotator)]
    return one


VARIED = [1.0, 2, 3, 4, 5] * 8


def test_a_run_is_found_where_it_is() -> None:
    rows = wssim("ann", [*VARIED[:20], *[4.0] * 15, *VARIED[35:]]) + wssim("bob", VARIED) + wssim("cat", VARIED)
    mixed = Ratings([rows[place] for place in np.random.default_rng(0).permutation(len(rows))])
    one = finding(check_responses(mixed), "runs of one value", "ann")
    assert (one.flagged, one.figure, one.usual) == (True, 15, 1)
    assert [each.item.usage for each in one.evidence] == ["u20", "u21", "u22", "u23", "u24"]
    assert [(each.value, each.against) for each in one.evidence] == [(4, value) for value in VARIED[20:25]]
    assert "gave 4 to 15 items in a row" in one.sentence
    assert not finding(check_responses(mixed), "runs of one value", "bob").flagged


def test_a_run_that_others_have_too_is_none() -> None:
    values = [*VARIED[:20], *[4.0] * 15, *VARIED[35:]]
    rows = [row for who in ("ann", "bob", "cat") for row in wssim(who, values)]
    assert not check_responses(Ratings(rows)).flags


def test_who_uses_one_value_a_lot_has_long_runs() -> None:
    rng = np.random.default_rng(1)
    true = rng.choice([1.0, 5.0], 300, p=[0.8, 0.2])
    rows = [
        row for who in ("ann", "bob", "cat") for row in wssim(who, np.where(rng.random(300) < 0.1, 3.0, true).tolist())
    ]
    report = check_responses(Ratings(rows))
    assert finding(report, "runs of one value", "ann").figure >= 10
    assert not report.flags


def test_runs_need_an_order() -> None:
    report = check_responses(Ratings(wssim("ann", VARIED, order=False) + wssim("bob", VARIED, order=False)))
    assert dict(report.not_checked)["runs of one value"].startswith("neither the positions nor the times")
    half = check_responses(Ratings(wssim("ann", VARIED) + wssim("bob", VARIED, order=False)))
    unknown = finding(half, "runs of one value", "bob")
    assert math.isnan(unknown.figure)
    assert unknown.reason == "the order in which the items were shown is not recorded"


def test_times_stand_in_for_places() -> None:
    rows = [*VARIED[:20], *[4.0] * 15, *VARIED[35:]]
    timed = [
        row._replace(order=None, time=f"2024-01-01T{n // 60:02}:{n % 60:02}:00")
        for n, row in enumerate(wssim("ann", rows))
    ]
    report = check_responses(Ratings([*reversed(timed), *wssim("bob", VARIED), *wssim("cat", VARIED)]))
    assert finding(report, "runs of one value", "ann").flagged


def test_undecided_answers_end_a_run() -> None:
    values = [*VARIED[:20], *[4.0] * 7, UNDECIDED, *[4.0] * 7, *VARIED[35:]]
    report = check_responses(Ratings(wssim("ann", values) + wssim("bob", VARIED)))
    assert finding(report, "runs of one value", "ann").figure == 7


def test_speed() -> None:
    rows = wssim("ann", VARIED, time=1000) + wssim("bob", VARIED, time=4000) + wssim("cat", VARIED, time=6000)
    report = check_responses(Ratings(rows))
    one = finding(report, "speed", "ann")
    assert (one.flagged, one.figure, one.usual) == (True, 1000, 5000)
    assert one.sentence == (
        "ann took 1.0 s for an item (median), where the others take 5.0 s; 0 of 40 answers came in less than 0.5 s."
    )
    assert not finding(report, "speed", "bob").flagged
    assert not finding(check_responses(Ratings(rows), limits=CarelessnessLimits(speed=0.1)), "speed", "ann").flagged


def test_answers_that_nobody_can_have_read() -> None:
    slow = wssim("ann", VARIED, time=5000)
    quick = [row._replace(milliseconds=100) if n % 4 == 0 else row for n, row in enumerate(slow)]
    one = finding(check_responses(Ratings(quick)), "speed", "ann")
    assert one.flagged
    assert math.isnan(one.usual)
    assert one.evidence[0].words == "gave 1 after 100 ms"


def test_control_items() -> None:
    controls = wssim("ann", [5.0, 5, 5, 5, 5, UNDECIDED], "control") + wssim("bob", [1.0, 2, 1, 5, 1, 1], "control")
    main = [row._replace(usage=f"x{row.usage}") for who in ("ann", "bob") for row in wssim(who, VARIED)]
    ratings = Ratings(main + controls)
    expected = {Item("WSsim", "a.n", f"u{n}", "s"): 1.0 for n in range(6)}
    report = check_responses(ratings, expected=expected)
    ann, bob = (finding(report, "control items", who) for who in ("ann", "bob"))
    assert (ann.flagged, ann.figure, ann.usual) == (True, 0, 5 / 6)
    assert ann.evidence[0].words == "gave 5, where 1 was expected"
    assert (bob.flagged, bob.figure, bob.usual) == (False, 5 / 6, 0)
    as_ratings = Ratings(Rating("gold", *item, value) for item, value in expected.items())
    assert check_responses(ratings, expected=as_ratings).findings == report.findings
    assert dict(check_responses(ratings).not_checked)["control items"].startswith("the expected answers")


def test_repeats() -> None:
    rng = np.random.default_rng(0)
    rows = wssim("ann", VARIED) + wssim("ann", VARIED[:10], "repeat")
    rows += wssim("bob", VARIED) + wssim("bob", [6 - value for value in VARIED[:10]], "repeat")
    rows += wssim("cat", VARIED) + wssim("cat", VARIED[:3], "repeat")
    report = check_responses(Ratings([rows[place] for place in rng.permutation(len(rows))]))
    ann, bob, cat = (finding(report, "repeats", who) for who in ("ann", "bob", "cat"))
    assert (ann.flagged, ann.figure) == (False, 0)
    assert bob.flagged
    assert bob.figure == pytest.approx(2.4)
    assert "the same answer to 20% of 10 repeats" in bob.sentence
    assert "that of two random answers 1.60" in bob.sentence
    assert bob.evidence[0].words in {
        "gave 1, where 5 was the first answer",
        "gave 5, where 1 was the first answer",
    }
    assert cat.reason == "judged only 3 items a second time"


def usim(who: str, rating: Callable[[int, int], float], usages: int = 8) -> list[Rating]:
    return [
        Rating(who, "Usim", "a.n", f"u{one}", f"u{two}", rating(one, two))
        for one, two in combinations(range(usages), 2)
    ]


def test_triangles_are_shown_side_by_side() -> None:
    def by_sense(one: int, two: int) -> float:
        return 5.0 if one % 2 == two % 2 else 1.0

    def impossible(one: int, two: int) -> float:
        """Close to the next, far from the one after."""
        return 5.0 if two - one == 1 else 1.0

    report = check_responses(Ratings(usim("ann", by_sense) + usim("bob", by_sense) + usim("cat", impossible)))
    ann, cat = (finding(report, "triangles", who) for who in ("ann", "cat"))
    assert (ann.flagged, ann.figure) == (False, 0)
    # 6 of the 56 triples are three in a row.
    assert cat.figure == pytest.approx(6 / 56)
    assert (cat.flagged, cat.usual) == (cat.figure > 0.6 * 3 * (7 / 28) ** 2 * (21 / 28), 0)
    loose = check_responses(
        Ratings(usim("ann", by_sense) + usim("cat", impossible)), limits=CarelessnessLimits(triangles=0.1)
    )
    sides = finding(loose, "triangles", "cat").evidence
    assert [(each.item.usage, each.item.target, each.value) for each in sides[:3]] == [
        ("u0", "u1", 5),
        ("u1", "u2", 5),
        ("u0", "u2", 1),
    ]


def test_who_disagrees_with_all_is_flagged_and_two_are_not() -> None:
    turned = [6 - value for value in VARIED]
    rows = wssim("ann", VARIED) + wssim("bob", VARIED) + wssim("dan", VARIED) + wssim("cat", turned)
    report = check_responses(Ratings(rows))
    assert [flag.annotator for flag in report.flags] == ["cat"]
    assert report.flags[0].figure == pytest.approx(-1)
    assert {(each.value, each.against) for each in report.flags[0].evidence} == {(1, 5), (5, 1)}
    assert not check_responses(Ratings(wssim("ann", VARIED) + wssim("cat", turned))).flags


def test_one_value_throughout() -> None:
    report = check_responses(Ratings(wssim("ann", [3.0] * 40) + wssim("bob", VARIED) + wssim("cat", VARIED)))
    assert {flag.check for flag in report.flags if flag.annotator == "ann"} == {"few values"}
    assert finding(report, "few values", "ann").figure == 0
    assert "the same value for all 40 items" in finding(report, "agreement with others", "ann").reason


def test_nothing_and_nobody_to_compare_with() -> None:
    assert not check_responses(Ratings([])).findings
    alone = check_responses(Ratings(wssim("ann", VARIED)))
    assert not alone.flags
    assert dict(alone.not_checked)["agreement with others"] == "there is only one annotator"
    apart = [row._replace(usage=f"x{row.usage}") for row in wssim("bob", VARIED)]
    report = check_responses(Ratings(wssim("ann", VARIED) + apart))
    assert finding(report, "few values", "ann").reason == "no other annotator judged the same items"
    assert math.isnan(finding(report, "agreement with others", "bob").figure)


def test_whoever_has_most_flags_comes_first() -> None:
    ratings, expected = study(["honest", "honest", "honest", "alike", "hasty"], 3)
    flags = check_responses(ratings, expected=expected).flags
    counts = Counter(flag.annotator for flag in flags)
    assert [name for name, _ in counts.most_common()] == list(dict.fromkeys(flag.annotator for flag in flags))


def test_the_direction_of_a_pair_does_not_matter() -> None:
    ratings, expected = study(["honest", "honest", "random"], 5)
    rng = np.random.default_rng(0)
    turned = Ratings(row._replace(usage=row.target, target=row.usage) if rng.random() < 0.5 else row for row in ratings)
    assert check_responses(turned, expected=expected).findings == check_responses(ratings, expected=expected).findings


def test_several_tasks() -> None:
    with pytest.raises(InputError, match="several tasks"):
        check_responses(Ratings(wssim("ann", VARIED) + usim("ann", lambda *_: 3.0)))


def test_every_check_says_what_it_finds() -> None:
    for check in RESPONSE_CHECKS:
        assert check.__doc__
    assert medians_of_others([math.nan, 3.0]) == [3.0, pytest.approx(math.nan, nan_ok=True)]


@pytest.fixture
def _data_sets(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are, for ``polyseme.load``."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))


@pytest.mark.usefixtures("_data_sets")
@pytest.mark.parametrize("name, scale", [("semeval-2013-task-13-trial", WSSIM), ("word-usage-graphs", DUREL)])
def test_annotators_of_published_data_are_not_flagged(name: str, scale: Scale) -> None:
    ratings = polyseme.load(name).ratings
    assert ratings is not None
    report = check_responses(ratings, scale)
    assert len({each.annotator for each in report.findings}) == len(ratings.annotators)
    assert not report.flags
