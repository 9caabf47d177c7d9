"""An index of an invented word."""

from pathlib import Path

import pytest

from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from word_profiles import changing_profile


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting another process takes longer than the tests."""
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)


@pytest.fixture
def bank_index(tmp_path: Path) -> Index:
    """Sixty usages of *bank*, first a shore and later money."""
    return build_index(changing_profile().usages, tmp_path / "my.index", Simple(lemmatise=False), processes=1)
