"""``polyseme data``."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme.datasets.index import read_index


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    folder = tmp_path / "fetched"
    folder.mkdir()
    (folder / "usim_en.txt").write_text("")
    return folder


def test_list(cli: Run, home: Path, words: Path) -> None:
    assert cli("data", "install", "usim", "--from", words).code == 0
    listed = json.loads(cli("data", "list", "--json").out)
    assert listed.keys() == read_index().keys()
    assert listed["usim"]["path"] == str(home / "data" / "usim")
    assert listed["lexsub"]["path"] is None
    assert {"title", "licence", "citation", "address", "contents"} <= listed["usim"].keys()
    table = cli("data", "list").out
    assert all(name in table for name in read_index())
    assert cli("data", "list", "--format", "csv").out.startswith("Name,Installed,Contents,Title")


def test_install_and_path(cli: Run, home: Path, words: Path) -> None:
    place = str(home / "data" / "usim")
    assert cli("data", "install", "usim", "--from", words).out.strip() == place
    assert cli("data", "install", "usim").out.strip() == place
    assert cli("data", "path", "usim").out.strip() == place
    assert json.loads(cli("data", "path", "usim", "--json").out) == {"name": "usim", "path": place}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "arguments, message",
    [
        (("install", "lexsub"), "--from FOLDER-OR-ARCHIVE"),
        (("install", "usim", "--from", "nowhere"), "nowhere: there is no such file or folder"),
        (("path", "lexsub"), "Fetch it from http"),
        (("path", "lexsup"), "did you mean lexsub?"),
        (("path", "semcor-3.0"), "Type: polyseme data install semcor-3.0"),
    ],
)
def test_what_cannot_be_had(cli: Run, arguments: tuple[str, ...], message: str) -> None:
    ran = cli("data", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert not ran.out
