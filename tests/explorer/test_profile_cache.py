"""The cache of profiles."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from explorer_corpus import MODEL
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.explorer import profile_cache
from polyseme.explorer.explorer import Explorer
from polyseme.explorer.models import build_inducer, full_specification

NAMING = "AIKU(lm='ngrams')"


def test_a_profile_survives_a_round_trip(explorer: Explorer) -> None:
    profile = explorer.profile("bank", MODEL)
    reread = profile_cache.read_profile(explorer.induction_task("bank", MODEL).path)
    assert reread.usages == profile.usages
    assert [dict(usage.meta) for usage in reread.usages] == [dict(usage.meta) for usage in profile.usages]
    assert (reread.labelling, reread.senses, reread.model) == (profile.labelling, profile.senses, profile.model)
    assert ("bank", repr(build_inducer(MODEL))) in list(profile_cache.recent_profiles(explorer.folder))


def test_a_stored_profile_has_the_recurrence_of_its_senses(explorer: Explorer, tmp_path: Path) -> None:
    profile = explorer.profile("bank", MODEL)
    senses = tuple(replace(sense, recurrence=share) for sense, share in zip(profile.senses, (0.3, None), strict=True))
    profile_cache.write_profile(tmp_path / "0123", replace(profile, senses=senses), explorer.model("bank", MODEL))
    assert profile_cache.read_profile(tmp_path / "0123").senses == senses


def test_a_damaged_entry_is_ignored(explorer: Explorer, tmp_path: Path) -> None:
    explorer.profile("bank", MODEL)
    text = (explorer.induction_task("bank", MODEL).path / profile_cache.PROFILE).read_text()
    for content in ("", text[: len(text) // 2], "[]", "{}", text.replace('"lemma"', '"lemon"')):
        (tmp_path / profile_cache.PROFILE).write_text(content)
        assert not profile_cache.has_profile(tmp_path)


def test_entries_differ_by_version_model_word_and_limit(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = {
        profile_cache.entry_path(tmp_path, *facts)
        for facts in (("A()", "x", 9), ("B()", "x", 9), ("A()", "y", 9), ("A()", "x", 8))
    }
    assert len(paths) == 4
    monkeypatch.setattr("polyseme.formats.checkpoint.version", lambda _: "0")
    assert profile_cache.entry_path(tmp_path, "A()", "x", 9) not in paths
    other_index = Index(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    assert other_index.digest != index.digest


@pytest.mark.parametrize("damage", ["", "[]"])
def test_a_damaged_entry_is_replaced(explorer: Explorer, tmp_path: Path, damage: str) -> None:
    profile = explorer.profile("bank", MODEL)
    path = tmp_path / "0123"
    (path / profile_cache.MODEL).mkdir(parents=True)
    (path / profile_cache.MODEL / "old").write_text("")
    if damage:
        (path / profile_cache.PROFILE).write_text(damage)
    profile_cache.write_profile(path, profile, explorer.model("bank", MODEL))
    reread = profile_cache.read_profile(path)
    assert reread.usages == profile.usages
    assert not (path / profile_cache.MODEL / "old").exists()
    assert profile_cache.read_model(path).inventory.keys() == {"bank"}


def test_folders_with_equal_relative_paths_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for name in ("one", "two"):
        (tmp_path / name / "ngrams").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        results.append(full_specification(NAMING))
    assert results[0] != results[1]
    assert str(tmp_path / "one" / "ngrams") in results[0]
    monkeypatch.chdir(tmp_path)
    assert full_specification(NAMING) == repr(build_inducer(NAMING))


def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="POLYSEME_HOME"):
        profile_cache.check_cache(tmp_path / "file" / "cache")
