"""Folders and archives."""

import io
import pickle
import tarfile
import zipfile
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.formats.archives import iterate_files, unpack
from polyseme.formats.compression import COMPRESSIONS
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
    matching = [read_text(path) for path in iterate_files(folder(tmp_path / "data"), pattern)]
    assert "".join(matching) == texts
    packed = [read_text(blob) for blob in iterate_files(tar(tmp_path), pattern)]
    assert sorted(packed) == sorted(texts)


def test_a_file_is_itself(tmp_path: Path) -> None:
    assert list(iterate_files(tmp_path / "x.xml", "*.csv")) == [tmp_path / "x.xml"]


def test_a_member_is_named_in_messages(tmp_path: Path) -> None:
    assert sorted(str(blob) for blob in iterate_files(tar(tmp_path), "x.xml")) == [f"{tmp_path}/data.tar.gz/b/x.xml"]


def test_broken_archives(tmp_path: Path) -> None:
    path = tar(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="the gz data is damaged or cut short"):
        list(iterate_files(path))
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpack(path, tmp_path / "new")
    with pytest.raises(InputError, match="there is no such file"):
        list(iterate_files(tmp_path / "gone.tar"))


def test_archives_are_unpacked_into_a_folder(tmp_path: Path) -> None:
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


def packed() -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, text in FILES.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


@pytest.mark.parametrize(
    "name, compression",
    [("tar", ""), ("tgz", ".gz"), ("tbz2", ".bz2"), ("tbz", ".bz2"), ("txz", ".xz"), ("tzst", ".zst"), ("TAR", ".zst")]
    + [(f"tar{suffix}", suffix) for suffix in COMPRESSIONS],
)
def test_every_compression_alone_and_in_a_folder(tmp_path: Path, name: str, compression: str) -> None:
    data = COMPRESSIONS[compression].compress(packed()) if compression else packed()
    path = tmp_path / f"data.{name}"
    path.write_bytes(data)
    for place in (path, tmp_path):
        sources = list(iterate_files(place))
        assert [str(blob) for blob in sources] == [f"{path}/{name}" for name in FILES]
        assert [read_text(blob) for blob in sources] == list(FILES.values())


def test_what_is_called_after_an_archive_is_none(tmp_path: Path) -> None:
    (tmp_path / "data.tar.md5").write_text("0")
    assert list(iterate_files(tmp_path)) == [tmp_path / "data.tar.md5"]


def test_members_are_read_when_asked_for_in_any_order(tmp_path: Path) -> None:
    sources = list(iterate_files(tar(tmp_path)))
    texts = [read_text(blob) for blob in (*sources[::-1], sources[0], sources[0], sources[3])]
    assert texts == ["4", "3", "2", "1", "1", "1", "4"]
    streamed = [(read_text(blob), read_text(sources[0])) for blob in iterate_files(tar(tmp_path))]
    assert streamed == [(text, "1") for text in FILES.values()]
    again = pickle.loads(pickle.dumps(sources[1]))
    assert (str(again), again.data) == (str(sources[1]), b"2")


def test_an_archive_that_is_gone_or_changed_meanwhile(tmp_path: Path) -> None:
    sources = list(iterate_files(tar(tmp_path)))
    (tmp_path / "data.tar.gz").write_bytes(packed()[:1024])
    with pytest.raises(InputError, match=r"data\.tar\.gz: the archive was changed while it was read"):
        read_text(sources[2])
    (tmp_path / "data.tar.gz").unlink()
    with pytest.raises(InputError, match=r"data\.tar\.gz: there is no such file"):
        read_text(sources[0])


@pytest.mark.parametrize("data", [b"", b"no archive", packed()[:700], packed()[:514]])
def test_what_is_no_archive(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "data.tar").write_bytes(data)
    with pytest.raises(InputError, match=r"data\.tar: the archive cannot be read"):
        list(iterate_files(tmp_path / "data.tar"))


def test_a_member_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.formats.archives.MAX_FILE_BYTES", 0)
    (first, *_) = iterate_files(tar(tmp_path))
    with pytest.raises(InputError, match=r"data\.tar\.gz/b/x\.xml: this file is too large: 1 bytes"):
        read_text(first)
