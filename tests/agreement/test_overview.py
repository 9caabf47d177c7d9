"""How people agree, in one call."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from agreement.tables import random_table, ratings
from polyseme import load
from polyseme.agreement.alpha import compute_alphas
from polyseme.agreement.chosen_sets import CREDIT_BY_TASK
from polyseme.agreement.correlation import correlate_annotators, correlate_with_others
from polyseme.agreement.judgements import collect_judgements
from polyseme.agreement.overview import BREAKDOWNS, FIGURE_DESCRIPTIONS, TaskAgreement, measure_agreement
from polyseme.errors import InputError
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.reports.agreement_tables import FIGURE_NAMES, agreement_tables


def rounds() -> Ratings:
    """Two rounds and two groups of two, two lemmas; some cannot decide, some items are repeated or changed."""
    rng = np.random.default_rng(0)
    rows = []
    for number in range(40):
        lemma = ("win.v", "bar.n")[number % 2]
        truth = rng.integers(1, 6)
        for who, group in (("ann", "first"), ("bob", "first"), ("cat", "last"), ("dan", "last")):
            value = float(np.clip(truth + rng.integers(-1, 2), 1, 5))
            rows.append(
                Rating(who, "WSsim", lemma, f"u{number}", "s", value, round=str(1 + number % 4 // 2), group=group)
            )
    rows[5] = rows[5]._replace(value=UNDECIDED)
    rows.append(rows[0]._replace(value=rows[0].value, role="repeat"))
    rows.append(rows[4]._replace(value=1.0))
    return Ratings(rows)


def measure_one_task(judgements: Ratings, **options: object) -> TaskAgreement:
    (agreement,) = measure_agreement(judgements, **options).values()  # type: ignore[arg-type]
    return agreement


def test_the_whole_is_made_of_its_parts() -> None:
    judgements = collect_judgements(rounds())
    agreement = measure_one_task(rounds(), resamples=20)
    assert agreement.whole.figures["rho"] == correlate_annotators(judgements).mean
    assert agreement.whole.figures["alpha.ordinal"].value == compute_alphas(judgements)["ordinal"].value
    assert {annotator.annotator: annotator.others for annotator in agreement.annotators} == correlate_with_others(
        judgements
    )
    assert agreement.whole.counts[:4] == (159, 40, 40, 4)
    assert agreement.whole.counts[4:8] == (6, 1, 1, 1)
    for annotator in agreement.annotators:
        others = Ratings(row for row in rounds() if row.annotator != annotator.annotator)
        rest = measure_one_task(others, resamples=0, by=())
        for name, (value, change) in annotator.without.items():
            assert value == pytest.approx(rest.whole.figures[name].value)
            assert change == pytest.approx(value - agreement.whole.figures[name].value)


@pytest.mark.parametrize("by", BREAKDOWNS)
def test_a_part_is_as_if_there_were_nothing_else(by: str) -> None:
    agreement = measure_one_task(rounds(), by=(by,), resamples=20)
    assert list(agreement.parts) == [by]
    assert len(agreement.parts[by]) == 2
    for name, part in agreement.parts[by].items():
        alone = measure_one_task(Ratings(row for row in rounds() if BREAKDOWNS[by](row) == name), by=(), resamples=20)
        assert part.counts == alone.whole.counts
        assert part.figures == alone.whole.figures


def test_within_a_group_only_its_annotators_are_compared() -> None:
    agreement = measure_one_task(rounds(), by=("group",), resamples=0)
    assert {name: (part.counts.annotators, part.counts.pairs) for name, part in agreement.parts["group"].items()} == {
        "first": (2, 1),
        "last": (2, 1),
    }


def test_what_has_but_one_value_is_no_part() -> None:
    assert list(measure_one_task(ratings(random_table(0)), resamples=0).parts) == []


def test_tasks_are_apart() -> None:
    rows = [
        *rounds(),
        *(Rating(who, "WSbest", "win.v", f"u{n}", "ab"[n % 2], 1.0) for n in range(4) for who in ("ann", "bob")),
    ]
    agreement = measure_agreement(Ratings(rows), resamples=20)
    assert list(agreement) == ["WSsim", "WSbest"]
    chosen = agreement["WSbest"]
    assert list(chosen.whole.figures) == [
        "agreement",
        "agreement.pairs",
        "agreement.single",
        "alpha.masi",
        "alpha.nominal",
    ]
    assert {figure.value for figure in chosen.whole.figures.values()} == {1.0}
    assert [annotator.others for annotator in chosen.annotators] == [None, None]
    assert agreement["WSsim"].whole == measure_one_task(rounds(), resamples=20).whole


def test_every_figure_is_explained_and_has_a_heading() -> None:
    assert FIGURE_DESCRIPTIONS.keys() == FIGURE_NAMES.keys()
    figures = [
        measure_one_task(rounds(), resamples=0),
        measure_one_task(Ratings(row._replace(task="SYNbest") for row in rounds()), resamples=0),
    ]
    assert {name for annotator in figures for name in annotator.whole.figures} <= FIGURE_DESCRIPTIONS.keys()
    assert set(CREDIT_BY_TASK) == {"WSbest", "SYNbest"}


def test_what_it_cannot_be_broken_down_by() -> None:
    with pytest.raises(InputError, match="cannot be broken down by 'colour'; allowed are lemma, pos, round, group"):
        measure_agreement(rounds(), by=("colour",))


# -- little to compare ---------------------------------------------------------------------------------------------

SMALL = {
    "one item": [[1.0, 2.0]],
    "one annotator": [[1.0], [2.0]],
    "always the same": [[3.0, 3.0], [3.0, 3.0]],
    "no overlap": [[1.0, math.nan], [math.nan, 2.0]],
}


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest"])
@pytest.mark.parametrize("name", SMALL)
def test_little_to_compare_is_explained(name: str, task: str) -> None:
    agreement = measure_one_task(ratings(SMALL[name], task=task), resamples=20)
    for figure in agreement.whole.figures.values():
        assert figure.defined or figure.reason
    for pair in agreement.pairs:
        assert not math.isnan(pair.value) or pair.reason
    tables = agreement_tables(agreement)
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    json.dumps(agreement.summary())


def test_nothing() -> None:
    assert measure_agreement(Ratings([])) == {}


def test_all_undecided() -> None:
    agreement = measure_one_task(Ratings(Rating(who, "Usim", "a.n", "1", "2", UNDECIDED) for who in ("ann", "bob")))
    assert (agreement.whole.counts.judgements, agreement.whole.counts.undecided) == (0, 2)
    assert agreement.whole.figures["alpha.ordinal"].reason == "no item was judged by two annotators"


@pytest.mark.parametrize("task", ["WSsim", "WSbest"])
def test_parts_without_ordinary_judgements_are_omitted(task: str) -> None:
    """Control pages of a study belong to no round."""
    rows = [Rating(who, task, "a.n", f"u{n}", "s", 1, round="1") for who in ("ann", "bob") for n in range(3)]
    controls = [row._replace(usage="control", round="", role="control") for row in rows[::3]]
    agreement = measure_one_task(Ratings([*rows, *controls]), resamples=0)
    assert agreement.parts == {}
    assert agreement.whole.counts.repeats == 2


# -- real ratings --------------------------------------------------------------------------------------------------


def test_word_usage_graphs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten annotators, few pairs in common, some undecided."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    judgements = load("word-usage-graphs").ratings
    agreement = measure_one_task(judgements, resamples=50)
    assert agreement.whole.counts.undecided == judgements.undecided
    assert set(agreement.parts) == {"lemma", "round"}
    assert agreement.whole.counts.pairs < len(agreement.pairs)
    assert all(pair.reason for pair in agreement.pairs if math.isnan(pair.value) or math.isnan(pair.p))
    alpha = agreement.whole.figures["alpha.ordinal"]
    assert 0 < alpha.low < alpha.value < alpha.high < 1
