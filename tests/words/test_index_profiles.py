"""Word profiles from an index."""

from pathlib import Path

import pytest

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError
from polyseme.parts import build
from polyseme.words.index_profiles import profile_in_index, sample_passages
from polyseme.words.profile import profile_usages
from word_profiles import PIPELINE, changing_profile

FEATURES = "Squares(delta=0.1, sigma=0.0, minimum=0)"


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Sixty usages of *bank*, half of them shores."""
    return build_index(changing_profile().usages, tmp_path / "my.index", as_analyser("english"), processes=1)


@pytest.mark.parametrize("spec", [PIPELINE, FEATURES])
def test_the_profile_has_the_labels_of_the_model(index: Index, spec: str) -> None:
    model = build(spec).fit(index, ["bank.n"], processes=1)
    profile = profile_in_index(index, model, "bank.n")
    assert len(profile.usages) == 60
    assert {usage.lemma for usage in profile.usages} == {"bank.n"}
    assert profile.usages[0].meta["date"] == "1800-05-01"
    again = profile_usages(model, "bank.n", profile.usages)
    assert [sense.id for sense in profile.senses] == [sense.id for sense in again.senses]
    assert profile.weights == pytest.approx(again.weights)
    assert profile.model == repr(build(spec))


def test_planted_senses_are_separated(index: Index) -> None:
    profile = profile_in_index(index, build(PIPELINE).fit(index, ["bank.n"], processes=1), "bank.n")
    sides = {("river" in usage.text, int(main)) for usage, main in zip(profile.usages, profile.main, strict=True)}
    assert len(sides) == 2


@pytest.mark.parametrize("spec", [PIPELINE, FEATURES])
def test_a_sample_depends_on_the_seed(index: Index, spec: str) -> None:
    model = build(spec).fit(index, ["bank.n"], processes=1)
    profile = profile_in_index(index, model, "bank.n", limit=10)
    assert len(profile.usages) == 10
    assert [item.id for item in profile.usages] != [
        item.id for item in profile_in_index(index, model, "bank.n", limit=10, seed=1).usages
    ]


def test_sampled_passages_are_those_of_the_profile(index: Index) -> None:
    model = build(PIPELINE).fit(index, ["bank.n"], processes=1)
    assert (
        sample_passages(index, "bank.n", limit=10).usages == profile_in_index(index, model, "bank.n", limit=10).usages
    )


def test_usages_have_the_requested_lemma_in_an_index_without_parts_of_speech(tmp_path: Path) -> None:
    simple = build_index(changing_profile().usages, tmp_path / "simple.index", as_analyser("Simple('en')"), processes=1)
    usages = sample_passages(simple, "bank.n", limit=10).usages
    assert {(usage.lemma, usage.pos) for usage in usages} == {("bank.n", "n")}
    assert len(usages) == 10
    with pytest.raises(InputError, match=r"there are no usages of 'tree\.n': it does not occur in the corpus"):
        sample_passages(simple, "tree.n")


def test_a_missing_lemma_is_an_error(index: Index) -> None:
    model = build(PIPELINE).fit(index, ["bank.n"], processes=1)
    with pytest.raises(InputError, match="the model has no senses of 'tree'; it has bank"):
        profile_in_index(index, model, "tree")
