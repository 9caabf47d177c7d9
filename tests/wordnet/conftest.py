"""WordNets for the tests: a small one of our own, and the real ones where they are installed."""

from pathlib import Path

import pytest

from polyseme import wordnet
from polyseme.wordnet import WordNet
from polyseme.wordnet.database import read_database
from polyseme.wordnet.versions import VERSIONS, Version, fingerprint
from wordnet.tiny import write


@pytest.fixture
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's is read or written."""
    for name in ("POLYSEME_DATA", "WNSEARCHDIR", "WNHOME", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "polyseme"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setattr("polyseme.wordnet.places._SYSTEM", ())
    monkeypatch.setattr("polyseme.wordnet.places._DEBIAN", tmp_path / "debian")


@pytest.fixture
def folder(tmp_path: Path, _elsewhere: None) -> Path:
    """A folder with the small WordNet."""
    return write(tmp_path / "tiny")


@pytest.fixture
def tiny(folder: Path) -> WordNet:
    """The small WordNet."""
    return wordnet.load(None, folder)


@pytest.fixture
def known(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small WordNet, which passes for version 3.1."""
    columns = read_database(folder)
    monkeypatch.setitem(VERSIONS, "3.1", Version(len(columns.key), (fingerprint(columns),)))
    return folder
