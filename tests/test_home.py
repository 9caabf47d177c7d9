"""Where data is looked for."""

import os
from pathlib import Path

import pytest

from polyseme import home


def test_the_folders_named_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", os.pathsep.join(["one", "", "two"]))
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    assert home.data_folders() == (Path("one"), Path("two"), tmp_path / "data")
    assert home.user_cache_folder() == tmp_path / "cache"


def test_without_variables_the_platform_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYSEME_DATA", raising=False)
    monkeypatch.delenv("POLYSEME_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/there/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/there/cache")
    assert len(home.data_folders()) == 1
    assert home.data_folders()[0].name == "polyseme"
    assert home.user_data_folder() != home.user_cache_folder()
