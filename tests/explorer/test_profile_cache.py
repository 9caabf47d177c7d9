from __future__ import annotations

from pathlib import Path

import pytest

from explorer_corpus import MODEL
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.explorer import profile_cache
from polyseme.explorer.explorer import Explorer
from polyseme.explorer.models import build_inducer, full_specification

NAMING = "AIKU(lm='ngrams')"


def test_what_is_kept_is_read_again_as_it_was(explorer: Explorer) -> None:
    portrait = explorer.portrait("bank", MODEL)
    again = profile_cache.read_profile(explorer.place("bank", MODEL))
    assert again is not None
    assert again.usages == portrait.usages
    assert [dict(usage.meta) for usage in again.usages] == [dict(usage.meta) for usage in portrait.usages]
    assert (again.labelling, again.senses, again.model) == (portrait.labelling, portrait.senses, portrait.model)
    assert ("bank", repr(build_inducer(MODEL))) in list(profile_cache.recent_profiles(explorer.folder))


def test_a_damaged_entry_is_as_good_as_none(explorer: Explorer, tmp_path: Path) -> None:
    explorer.portrait("bank", MODEL)
    text = (explorer.place("bank", MODEL) / profile_cache.PROFILE).read_text()
    for damaged in ("", text[: len(text) // 2], "[]", "{}", text.replace('"lemma"', '"lemon"')):
        (tmp_path / profile_cache.PROFILE).write_text(damaged)
        assert profile_cache.read_profile(tmp_path) is None


def test_an_entry_is_of_one_index_model_and_word(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {
        profile_cache.entry_path(tmp_path, *each)
        for each in (("A()", "x", 9), ("B()", "x", 9), ("A()", "y", 9), ("A()", "x", 8))
    }
    assert len(places) == 4
    monkeypatch.setattr(profile_cache, "version", lambda _: "0")
    assert profile_cache.entry_path(tmp_path, "A()", "x", 9) not in places
    other = Index(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    assert other.digest != index.digest


@pytest.mark.parametrize("damage", ["", "[]"])
def test_what_cannot_be_read_is_replaced(explorer: Explorer, tmp_path: Path, damage: str) -> None:
    portrait = explorer.portrait("bank", MODEL)
    place = tmp_path / "0123"
    (place / profile_cache.MODEL).mkdir(parents=True)
    (place / profile_cache.MODEL / "old").write_text("")
    if damage:
        (place / profile_cache.PROFILE).write_text(damage)
    profile_cache.write_profile(place, portrait, explorer.model("bank", MODEL))
    found = profile_cache.read_profile(place)
    assert found is not None
    assert found.usages == portrait.usages
    assert not (place / profile_cache.MODEL / "old").exists()
    assert profile_cache.read_model(place).inventory.keys() == {"bank"}


def test_folders_that_parts_name_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name / "ngrams").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        found.append(full_specification(NAMING))
    assert found[0] != found[1]
    assert str(tmp_path / "one" / "ngrams") in found[0]
    monkeypatch.chdir(tmp_path)
    assert full_specification(NAMING) == repr(build_inducer(NAMING))


def test_a_cache_that_cannot_be_written_is_an_error_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="POLYSEME_HOME"):
        profile_cache.check_folder(tmp_path / "file" / "cache")
