"""Portraits of words in an index."""

from pathlib import Path

import pytest

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError
from polyseme.parts import build
from polyseme.words.index_profiles import profile_in_index, sample_passages
from polyseme.words.profile import profile_usages
from word_profiles import planted

FEATURES = "Squares(delta=0.1, sigma=0.0, minimum=0)"
PIPELINE = "Pipeline(represent=Bag(minimum=2, weighting='tfidf', stop=0), number=2, sentences=1)"


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Sixty usages of *bank*, half of them of shores."""
    return build_index(planted().usages, tmp_path / "my.index", as_analyser("english"), processes=1)


@pytest.mark.parametrize("spec", [PIPELINE, FEATURES])
def test_as_a_model_says_of_the_usages_themselves(index: Index, spec: str) -> None:
    model = build(spec).fit(index, ["bank.n"], processes=1)
    found = profile_in_index(index, model, "bank.n")
    assert len(found.usages) == 60
    assert {usage.lemma for usage in found.usages} == {"bank.n"}
    assert found.usages[0].meta["date"] == "1800-05-01"
    again = profile_usages(model, "bank.n", found.usages)
    assert [sense.id for sense in found.senses] == [sense.id for sense in again.senses]
    assert found.weights == pytest.approx(again.weights)
    assert found.model == repr(build(spec))


def test_planted_senses_are_found(index: Index) -> None:
    found = profile_in_index(index, build(PIPELINE).fit(index, ["bank.n"], processes=1), "bank.n")
    sides = {("river" in usage.text, int(main)) for usage, main in zip(found.usages, found.main, strict=True)}
    assert len(sides) == 2


@pytest.mark.parametrize("spec", [PIPELINE, FEATURES])
def test_a_sample(index: Index, spec: str) -> None:
    model = build(spec).fit(index, ["bank.n"], processes=1)
    found = profile_in_index(index, model, "bank.n", most=10)
    assert len(found.usages) == 10
    assert [each.id for each in found.usages] != [
        each.id for each in profile_in_index(index, model, "bank.n", most=10, seed=1).usages
    ]


def test_the_usages_that_are_drawn_are_those_of_a_portrait(index: Index) -> None:
    model = build(PIPELINE).fit(index, ["bank.n"], processes=1)
    assert sample_passages(index, "bank.n", most=10).usages == profile_in_index(index, model, "bank.n", most=10).usages


def test_an_index_without_parts_of_speech(tmp_path: Path) -> None:
    simple = build_index(planted().usages, tmp_path / "simple.index", as_analyser("Simple('en')"), processes=1)
    found = sample_passages(simple, "bank.n", most=10).usages
    assert {(usage.lemma, usage.pos) for usage in found} == {("bank.n", "n")}
    assert len(found) == 10
    with pytest.raises(InputError, match=r"there are no usages of 'tree\.n': it does not occur in the corpus"):
        sample_passages(simple, "tree.n")


def test_words_that_are_not_there(index: Index) -> None:
    model = build(PIPELINE).fit(index, ["bank.n"], processes=1)
    with pytest.raises(InputError, match="the model has no senses of 'tree'; it has bank"):
        profile_in_index(index, model, "tree")
