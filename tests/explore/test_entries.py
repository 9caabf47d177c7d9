from __future__ import annotations

from pathlib import Path

import pytest

from explored import MODEL
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.explore import entries
from polyseme.explore.explorer import Explorer
from polyseme.explore.models import in_full, specified

NAMING = "AIKU(lm='ngrams')"


def test_what_is_kept_is_read_again_as_it_was(explorer: Explorer) -> None:
    portrait = explorer.portrait("bank", MODEL)
    again = entries.read(explorer.place("bank", MODEL))
    assert again is not None
    assert again.usages == portrait.usages
    assert [dict(usage.meta) for usage in again.usages] == [dict(usage.meta) for usage in portrait.usages]
    assert (again.labelling, again.senses, again.model) == (portrait.labelling, portrait.senses, portrait.model)
    assert ("bank", repr(specified(MODEL))) in list(entries.known(explorer.folder))


def test_a_damaged_entry_is_as_good_as_none(explorer: Explorer, tmp_path: Path) -> None:
    explorer.portrait("bank", MODEL)
    text = (explorer.place("bank", MODEL) / entries.PORTRAIT).read_text()
    for damaged in ("", text[: len(text) // 2], "[]", "{}", text.replace('"lemma"', '"lemon"')):
        (tmp_path / entries.PORTRAIT).write_text(damaged)
        assert entries.read(tmp_path) is None


def test_an_entry_is_of_one_index_model_and_word(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {
        entries.place_of(tmp_path, *each)
        for each in (("A()", "x", 9), ("B()", "x", 9), ("A()", "y", 9), ("A()", "x", 8))
    }
    assert len(places) == 4
    monkeypatch.setattr(entries, "version", lambda _: "0")
    assert entries.place_of(tmp_path, "A()", "x", 9) not in places
    other = Index(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    assert other.digest != index.digest


@pytest.mark.parametrize("damage", ["", "[]"])
def test_what_cannot_be_read_is_replaced(explorer: Explorer, tmp_path: Path, damage: str) -> None:
    portrait = explorer.portrait("bank", MODEL)
    place = tmp_path / "0123"
    (place / entries.MODEL).mkdir(parents=True)
    (place / entries.MODEL / "old").write_text("")
    if damage:
        (place / entries.PORTRAIT).write_text(damage)
    entries.write(place, portrait, explorer.model("bank", MODEL))
    found = entries.read(place)
    assert found is not None
    assert found.usages == portrait.usages
    assert not (place / entries.MODEL / "old").exists()
    assert entries.read_model(place).inventory.keys() == {"bank"}


def test_folders_that_parts_name_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name / "ngrams").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        found.append(in_full(NAMING))
    assert found[0] != found[1]
    assert str(tmp_path / "one" / "ngrams") in found[0]
    monkeypatch.chdir(tmp_path)
    assert in_full(NAMING) == repr(specified(NAMING))


def test_a_cache_that_cannot_be_written_is_an_error_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="POLYSEME_HOME"):
        entries.check_folder(tmp_path / "file" / "cache")
