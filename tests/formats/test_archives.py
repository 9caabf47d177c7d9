"""Folders and archives."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.formats.archives import files_in, unpack
from polyseme.formats.files import read_text

FILES = {"b/x.xml": "1", "a/y.xml": "2", "a/deep/z.xml": "3", "a/note.txt": "4"}


def folder(place: Path) -> Path:
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def tar(place: Path, mode: str = "w:gz") -> Path:
    path = place / "data.tar.gz"
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, text in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.mark.parametrize(
    "pattern, texts", [("*.xml", "321"), ("a/*.xml", "2"), ("**/z.xml", "3"), ("?/*.xml", "21"), ("nothing", "")]
)
def test_files_that_match(tmp_path: Path, pattern: str, texts: str) -> None:
    found = [read_text(path) for path in files_in(folder(tmp_path / "data"), pattern)]
    assert "".join(found) == texts
    packed = [read_text(blob) for blob in files_in(tar(tmp_path), pattern)]
    assert sorted(packed) == sorted(texts)


def test_a_file_is_itself(tmp_path: Path) -> None:
    assert list(files_in(tmp_path / "x.xml", "*.csv")) == [tmp_path / "x.xml"]


def test_a_member_is_named_in_messages(tmp_path: Path) -> None:
    assert sorted(str(blob) for blob in files_in(tar(tmp_path), "x.xml")) == [f"{tmp_path}/data.tar.gz/b/x.xml"]


def test_broken_archives(tmp_path: Path) -> None:
    path = tar(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="the archive cannot be read"):
        list(files_in(path))
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpack(path, tmp_path / "new")
    with pytest.raises(InputError, match="there is no such file"):
        list(files_in(tmp_path / "gone.tar"))


def test_unpacking(tmp_path: Path) -> None:
    zipped = tmp_path / "data.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    for number, path in enumerate((zipped, tar(tmp_path))):
        unpack(path, tmp_path / str(number))
        assert (tmp_path / str(number) / "a" / "deep" / "z.xml").read_text() == "3"


def test_nothing_is_unpacked_outside(tmp_path: Path) -> None:
    path = tmp_path / "evil.tar"
    with tarfile.open(path, "w") as archive:
        archive.addfile(tarfile.TarInfo("../evil"), io.BytesIO())
    with pytest.raises(InputError, match="would be written outside the folder"):
        unpack(path, tmp_path / "inside")
    assert not (tmp_path / "evil").exists()
