"""Installing data sets: from folders, archives and addresses, whole or not at all."""

import tarfile
from pathlib import Path

import pytest

from polyseme.datasets import load
from polyseme.datasets.installation import install
from polyseme.errors import InputError

USAGES = "id,lemma,text,start,end\nwin.v.1,win.v,We won.,3,6\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, whose index knows one data set that may be downloaded and one that may not."""
    place = tmp_path / "home"
    (place / "data").mkdir(parents=True)
    archive = packed(tmp_path, folder(tmp_path / "words-2.1"))
    (place / "data" / "index.toml").write_text(
        f'[open]\ntitle = "Open"\nurl = "{archive.as_uri()}"\nfiles.usages = "usages/*.csv"\n'
        '[closed]\ntitle = "Closed"\nlicence = "ask"\naddress = "https://example.org"\nfiles.usages = "usages/*.csv"\n'
    )
    monkeypatch.setenv("POLYSEME_HOME", str(place))
    monkeypatch.delenv("POLYSEME_DATA", raising=False)
    return place


def folder(place: Path) -> Path:
    (place / "usages").mkdir(parents=True)
    (place / "usages" / "a.csv").write_text(USAGES)
    return place


def packed(place: Path, folder: Path) -> Path:
    archive = place / "words.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, folder.name)
    return archive


def test_from_where_the_index_says(home: Path) -> None:
    assert install("open") == home / "data" / "open"
    assert [usage.target for usage in load("open").usages] == ["won"]
    assert install("open") == home / "data" / "open"


@pytest.mark.parametrize("kind", ["folder", "archive", "address"])
def test_from_a_copy_at_whatever_depth(home: Path, tmp_path: Path, kind: str) -> None:
    outer = tmp_path / "fetched" / "deep"
    folder(outer / "words-2.1")
    sources = {
        "folder": str(outer.parent),
        "archive": str(tmp_path / "words.tar.gz"),
        "address": (tmp_path / "words.tar.gz").as_uri(),
    }
    install("closed", sources[kind])
    assert (home / "data" / "closed" / "usages" / "a.csv").read_text() == USAGES


def test_a_single_file(home: Path, tmp_path: Path) -> None:
    (home / "data" / "index.toml").write_text('[one]\ntitle = "One"\nfiles.usages = "*.csv"\n')
    (tmp_path / "u.csv").write_text(USAGES)
    install("one", str(tmp_path / "u.csv"))
    assert len(load("one").usages) == 1


def test_a_source_that_is_named_replaces_what_is_there(home: Path, tmp_path: Path) -> None:
    install("open")
    newer = folder(tmp_path / "newer")
    (newer / "usages" / "b.csv").write_text(USAGES.replace("win.v.1", "win.v.2"))
    install("open", str(newer))
    assert len(load("open").usages) == 2
    assert not list((home / "data").glob(".polyseme-*"))


def test_a_licence_that_forbids_it(home: Path) -> None:
    with pytest.raises(
        InputError, match=r"polyseme does not download it \(licence: ask\). Fetch it from https://example"
    ):
        install("closed")
    assert not (home / "data" / "closed").exists()


def test_something_else_leaves_what_is_there(home: Path, tmp_path: Path) -> None:
    install("open")
    (tmp_path / "other").mkdir()
    with pytest.raises(
        InputError, match=r"this is not the data set 'open': none of its files is there \(usages/\*.csv\)"
    ):
        install("open", str(tmp_path / "other"))
    assert len(load("open").usages) == 1
    assert sorted(path.name for path in (home / "data").iterdir()) == ["index.toml", "open"]


def test_less_than_is_there_does_not_replace_it(home: Path, tmp_path: Path) -> None:
    index = home / "data" / "index.toml"
    index.write_text(index.read_text() + '[both]\ntitle = "Both"\nfiles.usages = "u/*.csv"\nfiles.gold = "g.key"\n')
    whole = tmp_path / "whole"
    (whole / "u").mkdir(parents=True)
    (whole / "u" / "a.csv").write_text(USAGES)
    (whole / "g.key").write_text("win.v win.v.1 a\n")
    install("both", str(whole))
    (whole / "g.key").unlink()
    with pytest.raises(InputError, match="this holds less of the data set than what is installed already"):
        install("both", str(whole))
    assert len(load("both").gold) == 1


def test_a_damaged_archive_is_noticed_at_its_end(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.tar.gz"
    data = bytearray(path.read_bytes())
    data[-6] ^= 1  # in the checksum
    path.write_bytes(data)
    with pytest.raises(InputError, match="cannot be unpacked"):
        install("closed", str(path))
    assert not (home / "data" / "closed").exists()


@pytest.mark.usefixtures("home")
def test_only_the_data_set_is_copied(tmp_path: Path) -> None:
    downloads = tmp_path / "downloads"
    folder(downloads / "words")
    (downloads / "holiday.jpg").write_bytes(b"")
    (downloads / "words" / "dangling").symlink_to("nowhere")
    with pytest.raises(InputError, match="cannot be written"):
        install("closed", str(downloads))
    (downloads / "words" / "dangling").unlink()
    place = install("closed", str(downloads))
    assert not list(place.rglob("holiday.jpg"))


def test_what_is_installed_can_be_installed_again(home: Path) -> None:
    install("open")
    install("open", str(home / "data"))
    assert len(load("open").usages) == 1


def test_a_source_that_is_nowhere(home: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        install("open", str(tmp_path / "gone"))
    with pytest.raises(InputError, match="cannot be fetched"):
        install("open", "http://127.0.0.1:1/words.tar.gz")
    assert sorted(path.name for path in (home / "data").iterdir()) == ["index.toml"]


def test_a_checksum_that_is_wrong(home: Path) -> None:
    path = home / "data" / "index.toml"
    path.write_text(path.read_text().replace('title = "Open"', f'title = "Open"\nsha256 = "{"0" * 64}"'))
    with pytest.raises(InputError, match="its SHA-256 is"):
        install("open")


def test_a_copy_of_what_may_not_be_changed_can_be_replaced(home: Path, tmp_path: Path) -> None:
    locked = folder(tmp_path / "locked")
    for path in (locked / "usages", locked):
        path.chmod(0o555)
    install("open", str(locked))
    assert (home / "data" / "open").stat().st_mode & 0o200
    for path in (locked, locked / "usages"):
        path.chmod(0o755)
