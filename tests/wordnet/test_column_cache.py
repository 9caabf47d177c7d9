"""The cache: used when it is right, never in the way."""

import os
from pathlib import Path

import numpy as np
import pytest

from polyseme import wordnet
from polyseme.errors import InputError
from polyseme.packed_strings import PackedStrings
from polyseme.wordnet import column_cache
from polyseme.wordnet.columns import WordNetColumns
from wordnet.tiny import files


def same(one: WordNetColumns, other: WordNetColumns) -> bool:
    here, others = one.arrays(), other.arrays()
    return here.keys() == others.keys() and all(np.array_equal(here[name], others[name]) for name in here)


def refuse(_folder: Path) -> WordNetColumns:
    raise AssertionError("the files are read although there is a cache")


def test_second_loading_is_from_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = wordnet.load(None, folder)
    monkeypatch.setattr("polyseme.wordnet.database.read_database", refuse)
    second = wordnet.load(None, folder)
    assert same(first.columns, second.columns)
    assert second["lamp.n"] == first["lamp.n"]


def test_changed_files_are_read_again(folder: Path) -> None:
    wordnet.load(None, folder)
    (folder / "data.noun").write_text(files()["data.noun"].replace("a bird", "a fowl"))
    os.utime(folder / "data.noun", ns=(1, 1))
    assert wordnet.load(None, folder)["goose.n"][0].gloss == "a fowl that honks"
    assert len(list(column_cache.cache_path(folder).parent.iterdir())) == 1


@pytest.mark.parametrize("damage", ["empty", "a few bytes", "cut", "noise", "longer", "one byte", "another layout"])
def test_damaged_cache(folder: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = wordnet.load(None, folder)
    path = column_cache.cache_path(folder)
    data = path.read_bytes()
    at = data.index(b"whatever there is")
    damaged = {
        "empty": b"",
        "a few bytes": data[:7],
        "cut": data[: len(data) // 2],
        "noise": os.urandom(1000),
        "longer": data + b"more",
        "one byte": data[:at] + b"W" + data[at + 1 :],
        "another layout": data,
    }
    path.write_bytes(damaged[damage])
    if damage == "another layout":
        monkeypatch.setattr(column_cache, "LAYOUT_VERSION", column_cache.LAYOUT_VERSION + 1)
    assert wordnet.load(None, folder)["thing.n"] == before["thing.n"]
    monkeypatch.setattr("polyseme.wordnet.database.read_database", refuse)
    assert wordnet.load(None, folder)["thing.n"] == before["thing.n"]


def test_any_byte_of_the_cache_may_be_damaged(folder: Path) -> None:
    path, stamped = column_cache.cache_path(folder), column_cache.file_stamp([folder / name for name in files()])
    column_cache.write(path, stamped, wordnet.load(None, folder).columns)
    data = path.read_bytes()
    assert column_cache.read(path, stamped) is not None
    for place in range(0, len(data), 7):
        path.unlink()  # another file: the old one is mapped into memory
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        assert column_cache.read(path, stamped) is None, place


def test_cache_that_cannot_be_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "a file"))
    assert wordnet.load(None, folder)["thing.n"]


def test_broken_files_are_not_cached(folder: Path) -> None:
    (folder / "index.sense").write_text("nonsense\n")
    for _ in range(2):
        with pytest.raises(InputError, match=r"index\.sense:1"):
            wordnet.load(None, folder)


def test_packed_strings_behave_like_a_list() -> None:
    strings = PackedStrings.from_strings(["", "a", "zz", "é"])
    assert list(strings) == strings[:] == ["", "a", "zz", "é"]
    assert [strings.find(string) for string in strings] == [0, 1, 2, 3]
    assert strings.find("b") == -1
    with pytest.raises(IndexError):
        strings[4]
    with pytest.raises(IndexError):
        strings[-5]
