"""Sizes of data as the papers count them, on invented data."""

from math import isnan

import pytest

from polyseme.labelling import Labelling
from polyseme.rating import Rating, Ratings
from polyseme.tasks import data_sizes
from polyseme.tasks.published import DataFigures
from polyseme.usage import Usage

GOLD = Labelling(
    [
        ("bank.n", "bank.n.1", {"money": 1.0}),
        ("bank.n", "bank.n.2", {"money": 1.0, "river": 0.5}),
        ("bank.n", "bank.n.3", {"money": 1.0, "river": 0.5, "row": 0.5}),
        ("sweep.v", "sweep.v.1", {"clean": 1.0}),
    ]
)


def test_lemmas_and_senses_by_part_of_speech() -> None:
    assert (data_sizes.count_lemmas(GOLD)) == {
        ("all", "lemmas"): 2,
        ("nouns", "lemmas"): 1,
        ("verbs", "lemmas"): 1,
    }
    figures = data_sizes.count_senses_by_part_of_speech(GOLD)
    assert [figures[name, "usages"] for name in ("all", "nouns", "verbs")] == [4, 3, 1]
    assert [figures[name, "senses of a lemma"] for name in ("all", "nouns", "verbs")] == [2, 3, 1]


def test_tokens_are_what_spaces_separate() -> None:
    usages = [Usage(usage, GOLD.lemma(usage), "by the bank, then", 7, 11) for usage in GOLD]
    figures = data_sizes.count_text(usages, {"all": GOLD, "spoken": GOLD.restrict(["bank.n.2"])})
    assert (figures["all", "usages"], figures["all", "tokens"], figures["all", "senses of a usage"]) == (4, 16, 1.75)
    assert (figures["spoken", "tokens"], figures["spoken", "senses of a usage"]) == (4, 2)


def test_usages_with_several_senses() -> None:
    figures = data_sizes.count_usages_with_several_senses(GOLD, GOLD.restrict(["bank.n.1", "bank.n.2"]))
    assert figures["test data", "usages with two senses"] == 1
    assert figures["test data", "usages with three senses, share"] == pytest.approx(0.25)
    assert figures["test data", "spoken usages of a lemma, fewest"] == 0
    assert data_sizes.count_usages(GOLD)["test data", "usages of a lemma, fewest"] == 1


def test_lemmas_of_different_sizes_have_no_common_size() -> None:
    def trial(*usages: str) -> DataFigures:
        ratings = [Rating(person, "WSsim", usage[:3], usage, "s", 1.0) for usage in usages for person in "AB"]
        return dict(data_sizes.count_trial_data(Ratings(ratings)))

    assert trial("x.n.1", "y.n.1")["trial data", "usages of each lemma"] == 1
    assert trial("x.n.1")["trial data", "annotators"] == 2
    different = trial("x.n.1", "x.n.2", "y.n.1")["trial data", "usages of each lemma"]
    assert isinstance(different, float)
    assert isnan(different)
