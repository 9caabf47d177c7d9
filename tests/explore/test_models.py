"""What is offered, and what it looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from explore.conftest import Get
from polyseme.corpus.analysers import analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError
from polyseme.experiment import usual
from polyseme.explore import entries, induction
from polyseme.explore.explorer import Explorer
from polyseme.explore.models import OFFERED, QUICK, in_full, looked_at_by, offered_for, specified
from polyseme.usage import Usage
from portraits import planted


def test_our_language_model_comes_first_if_it_is_there(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usual, "NEEDED", ())
    assert offered_for(index) == OFFERED
    monkeypatch.setattr(usual, "NEEDED", ("polyseme_smaller",))
    assert offered_for(index)[0].words == "Groups of contexts"


def test_it_reads_english_only(tmp_path: Path) -> None:
    usages = [Usage("u", "bank", "Die Bank ist alt.", 4, 8)]
    german = build_index(usages, tmp_path / "german.index", analyser("Simple('de', lemmatise=False)"), processes=1)
    assert offered_for(german) == OFFERED[1:]


def test_a_stranger_can_ask_for_what_is_offered_here_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usual, "NEEDED", ())
    for language in ("de", "en"):
        usages = [Usage("u", "bank", "Die Bank ist alt.", 4, 8)]
        made = build_index(usages, tmp_path / language, analyser(f"Simple('{language}')"), processes=1)
        here = Explorer(made, tmp_path / f"{language}.cache", any_model=False)
        try:
            here.check(QUICK)
            if language == "en":
                here.check(usual.SUBSTITUTES)
                continue
            for text in (usual.SUBSTITUTES, repr(specified(usual.SUBSTITUTES))):
                with pytest.raises(InputError, match="only the models that are listed"):
                    here.check(text)
        finally:
            here.end()


def test_the_start_says_what_to_type(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usual, "NEEDED", ())
    assert "polyseme[small]" not in get("/").text
    monkeypatch.setattr(usual, "NEEDED", ("polyseme_smaller",))
    assert "polyseme[small]" in get("/").text


def test_a_language_model_reads_some_of_what_others_look_at(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    monkeypatch.setattr(induction, "MOST", 50)
    induction.Induce(in_full(QUICK), "bank", tmp_path / "quick", 50).done(index)
    induction.Induce(in_full(usual.SUBSTITUTES), "bank", tmp_path / "read", 20).done(index)
    quick, read = entries.read(tmp_path / "quick"), entries.read(tmp_path / "read")
    assert quick is not None
    assert read is not None
    assert len(quick.usages) == 50
    assert len(read.usages) == len(read.labelled) == 20
    assert {usage.id for usage in read.usages} < {usage.id for usage in quick.usages}


def test_a_language_model_finds_a_lemma_where_there_are_no_parts_of_speech(tmp_path: Path) -> None:
    pytest.importorskip("polyseme_small", reason="type: pip install ./models/small")
    made = build_index(planted().usages, tmp_path / "simple.index", analyser("Simple('en')"), processes=1)
    induction.Induce(in_full(usual.SUBSTITUTES), "bank.n", tmp_path / "kept", 20).done(made)
    found = entries.read(tmp_path / "kept")
    assert found is not None
    assert len(found.usages) == len(found.labelled) == 20
    assert {(usage.lemma, usage.pos) for usage in found.usages} == {("bank.n", "n")}


def test_how_many_usages_are_looked_at() -> None:
    assert (looked_at_by(usual.SUBSTITUTES), looked_at_by(QUICK)) == (200, 2000)


def test_what_nobody_names_is_the_first_that_is_offered(explorer: Explorer) -> None:
    assert explorer.named("") == explorer.offered[0].specification
    assert explorer.named("UoY()") == "UoY()"
