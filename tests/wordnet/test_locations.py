"""Where WordNet is found, and what is said where it is not."""

import shutil
import zipfile
from pathlib import Path

import pytest

from polyseme import home, wordnet
from polyseme.errors import InputError

PLACES = {
    "POLYSEME_DATA": ("POLYSEME_DATA", "wordnet-3.1"),
    "POLYSEME_DATA, dict": ("POLYSEME_DATA", "wordnet-3.1/dict"),
    "POLYSEME_DATA, database": ("POLYSEME_DATA", "wordnet-3.1/database/3.1"),
    "WNSEARCHDIR": ("WNSEARCHDIR", "."),
    "WNHOME": ("WNHOME", "dict"),
    "NLTK_DATA": ("NLTK_DATA", "corpora/wordnet31"),
}


@pytest.mark.parametrize("place", PLACES)
def test_folders_that_variables_name(
    tiny_31: Path, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable, below = PLACES[place]
    assert wordnet.find_wordnet("3.1") is None
    shutil.copytree(tiny_31, tmp_path / "there" / below, dirs_exist_ok=True)
    monkeypatch.setenv(variable, str(tmp_path / "there"))
    assert wordnet.find_wordnet("3.1") == tmp_path / "there" / below
    assert wordnet.load("3.1").version == "3.1"


def test_installed_and_at_home(tiny_31: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_31, tmp_path / "user" / "nltk_data" / "corpora" / "wordnet31")
    assert wordnet.find_wordnet("3.1") == tmp_path / "user" / "nltk_data" / "corpora" / "wordnet31"
    shutil.copytree(tiny_31, home.user_data_folder() / "wordnet-3.1")
    assert wordnet.find_wordnet("3.1") == home.user_data_folder() / "wordnet-3.1"


def test_several_folders_are_looked_at(tiny_31: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(tiny_31, tmp_path / "b" / "wordnet-3.1")
    (tmp_path / "a" / "wordnet-3.1").mkdir(parents=True)  # empty, so passed over
    monkeypatch.setenv("POLYSEME_DATA", f"{tmp_path / 'a'}:{tmp_path / 'b'}")
    assert wordnet.find_wordnet("3.1") == tmp_path / "b" / "wordnet-3.1"


def test_the_version_is_that_of_the_content(tiny_31: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(tiny_31, tmp_path / "wordnet-3.0")
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    assert wordnet.find_wordnet("3.0") is None
    with pytest.raises(
        InputError, match=r"this is WordNet 3\.1, not 3\.0; ask for version '3.1', or name another folder"
    ):
        wordnet.load("3.0", tmp_path / "wordnet-3.0")
    assert wordnet.load(None, tmp_path / "wordnet-3.0").version == "3.1"


def test_unknown_version_in_a_folder(folder: Path) -> None:
    with pytest.raises(InputError, match=r"another version, not 3\.1; ask for version None to take it as it is"):
        wordnet.load("3.1", folder)


@pytest.mark.usefixtures("_elsewhere")
def test_not_found() -> None:
    with pytest.raises(InputError, match=r"WordNet 3\.0 was not found in .* Type: polyseme data install wordnet-3\.0$"):
        wordnet.load("3.0")


def test_what_was_seen_and_cannot_be_used(tiny_31: Path) -> None:
    mine = home.user_data_folder() / "wordnet-3.1"
    shutil.copytree(tiny_31, mine)
    (mine / "data.verb").unlink()
    with pytest.raises(InputError, match=r"wordnet-3\.1 lacks data\.verb\. Type: polyseme data install wordnet-3\.1$"):
        wordnet.load("3.1")
    shutil.copy(tiny_31 / "data.verb", mine)
    with (mine / "index.sense").open("a") as file:
        file.write("more\n")
    with pytest.raises(
        InputError, match=r"wordnet-3\.1 is of another version, or its index\.sense is damaged\. Type: "
    ):
        wordnet.load("3.1")


def test_debian_without_its_index(tiny_31: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_31, tmp_path / "debian")
    (tmp_path / "debian" / "index.sense").unlink()
    problem = (
        r"debian lacks index\.sense, which is in a package of its own: apt install wordnet-sense-index\."
        r" Type: polyseme data install wordnet-3\.0$"
    )
    with pytest.raises(InputError, match=problem):
        wordnet.load("3.0")
    with pytest.raises(InputError, match=r"NLTK's folders\. Type: polyseme data install wordnet-3\.1$"):
        wordnet.load("3.1")  # Debian's is 3.0


def test_zipped_as_nltk_has_it(tiny_31: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "nltk data" / "corpora"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "wordnet31.zip", "w") as archive:
        for path in tiny_31.iterdir():
            archive.write(path, f"wordnet31/{path.name}")
    monkeypatch.setenv("NLTK_DATA", str(folder.parent))
    with pytest.raises(InputError, match=r"Type: polyseme data install wordnet-3\.1 --from '.*/wordnet31\.zip'$"):
        wordnet.load("3.1")
    wordnet.install_wordnet("3.1", folder / "wordnet31.zip", exceptions=None)
    assert wordnet.load("3.1")["lamp.n"]


def test_an_unknown_version_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no version '3.2' of WordNet here, only 3.0, 3.1; did you mean '3.\d'"):
        wordnet.load("3.2")
    with pytest.raises(InputError, match=r"no version '3\.2'"):
        wordnet.find_wordnet("3.2")
    with pytest.raises(InputError, match=r"name a version \(3.0, 3.1\) or a folder"):
        wordnet.load(None)
