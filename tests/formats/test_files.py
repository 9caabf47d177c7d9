"""Opening what users have, and writing so that nothing is lost half-way."""

import bz2
import errno
import gzip
import lzma
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats.answer_key import read_key
from polyseme.formats.compression import COMPRESSIONS
from polyseme.formats.files import (
    Blob,
    decode_utf8,
    format_suffix,
    read_blocks,
    read_bytes,
    read_head,
    read_lines,
    read_text,
    write_bytes,
    write_text,
)
from polyseme.formats.output_checks import check_output_file, check_output_folder
from strategies import attempt

TEXT = "naïve usage\n" * 50
DATA = TEXT.encode()
compressions = pytest.mark.parametrize("suffix", COMPRESSIONS)
DENIED = PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def hidden(folder: Path) -> list[str]:
    """What was left behind in a folder."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


# -- compression ---------------------------------------------------------------------------------------------------


@compressions
def test_written_values_are_read_back_unchanged(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"text.txt{suffix}"
    write_text(path, TEXT)
    assert path.stat().st_size < len(DATA)
    assert read_text(path) == TEXT
    assert read_bytes(path) == DATA


@compressions
def test_content_counts_not_the_name(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "packed.txt").write_bytes(COMPRESSIONS[suffix].compress(DATA))
    (tmp_path / f"plain{suffix}").write_bytes(DATA)
    assert read_bytes(tmp_path / "packed.txt") == read_bytes(tmp_path / f"plain{suffix}") == DATA


@compressions
def test_the_same_bytes_every_time(suffix: str, tmp_path: Path) -> None:
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix}"
    write_bytes(one, DATA)
    write_bytes(other, DATA)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("suffix, compress", [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_other_programs_agree(suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(compress(DATA))
    assert read_bytes(path) == DATA
    write_bytes(path, DATA)
    opened = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}[suffix](path.read_bytes())
    assert opened == DATA


@compressions
def test_several_streams_are_read_whole(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "several"
    compress = COMPRESSIONS[suffix].compress
    path.write_bytes(compress(b"one\n") + compress(b"") + compress(b"two\n"))
    assert read_bytes(path) == b"one\ntwo\n"


@compressions
def test_nothing_can_be_compressed(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"nothing{suffix}"
    write_bytes(path, b"")
    assert read_bytes(path) == b""


@compressions
def test_a_file_cut_anywhere_is_an_error(suffix: str, tmp_path: Path) -> None:
    whole = COMPRESSIONS[suffix].compress(os.urandom(300))
    path = tmp_path / f"cut.key{suffix}"
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(InputError) as caught:
            read_key(path)
        if end > 10 or end == 0:  # else too short to show what kind of data it is
            assert str(caught.value).startswith(f"{path}: the {suffix[1:]} data is damaged or cut short")


@compressions
@pytest.mark.parametrize("rest", [b"garbage", b"\n", b"\x1f\x8b", b"\0\0x"])
def test_garbage_after_the_data(suffix: str, rest: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(COMPRESSIONS[suffix].compress(DATA) + rest)
    with pytest.raises(InputError, match="damaged or cut short"):
        read_bytes(path)


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_zero_bytes_after_the_data_are_padding(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(COMPRESSIONS[suffix].compress(DATA) + bytes(512))
    assert read_bytes(path) == DATA


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])  # zstandard as pyarrow writes it has no checksum
@given(data=st.data())
def test_a_changed_byte_is_seen(suffix: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    whole = bytearray(COMPRESSIONS[suffix].compress(DATA))
    place = data.draw(st.integers(10, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.getbasetemp() / "changed"
    path.write_bytes(whole)
    outcome = attempt(lambda: read_bytes(path))
    assert "damaged or cut short" in str(outcome) if isinstance(outcome, InputError) else outcome == DATA


def test_a_word_that_begins_like_bzip2_is_a_word(tmp_path: Path) -> None:
    path = tmp_path / "names.key"
    path.write_bytes(b"BZhang.n BZhang.n.1 a/1\n")
    assert read_bytes(path) == b"BZhang.n BZhang.n.1 a/1\n"


# -- reading -------------------------------------------------------------------------------------------------------


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nobody\.key: there is no such file. Check its name"):
        read_bytes(tmp_path / "nobody.key")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder; name a file in it"):
        read_bytes(tmp_path)
    with pytest.raises(InputError, match="this is a folder; name a file in it"):
        write_bytes(tmp_path, b"")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_names_that_cannot_be_written_are_errors(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(tmp_path / name)
    with pytest.raises(InputError, match="cannot be written"):
        write_bytes(tmp_path / name, b"")


def refuse(*_: object, **__: object) -> None:
    """What the system answers those who are not root; tests may be run by root, whom nothing is refused."""
    raise DENIED


def test_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"x")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_bytes(path)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_decode(text: str) -> None:
    assert decode_utf8(b"\xef\xbb\xbf" + text.encode(), "x") == text
    assert decode_utf8(text.removeprefix("\ufeff").encode(), "x") == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    "data, message",
    [
        ("ab\ncaf\xe9\n".encode("latin-1"), r"^x:2: byte 0xe9 in column 4 is not UTF-8; save the file as UTF-8$"),
        ("ab".encode("utf-16"), r"^x: this is UTF-16 text; save the file as UTF-8$"),
        ("ab\ncd".encode("utf-16-le"), r"^x:1: a zero byte: this is not a text file in UTF-8; save it as UTF-8"),
        (b"ab\nc\0d", r"^x:2: a zero byte"),
        (b"\xed\xa0\x80", r"^x:1: byte 0xed in column 1 is not UTF-8"),  # half a surrogate pair
    ],
)
def test_text_that_is_not_utf8_is_an_error(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decode_utf8(data, "x")


# -- writing -------------------------------------------------------------------------------------------------------


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        write_bytes(tmp_path / "nowhere" / "x.key", b"x")
    assert list(tmp_path.iterdir()) == []


def test_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_bytes(tmp_path / "x.key", b"x")
    assert not list(tmp_path.iterdir())


def test_file_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.key"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_failure_leaves_the_old_file(
    step: str, failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.key"
    path.write_bytes(b"old")

    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises((InputError, KeyboardInterrupt)) as caught:
        write_bytes(path, b"new")
    monkeypatch.undo()
    if isinstance(failure, OSError):
        assert str(caught.value) == f"{path}: cannot be written: No space left on device; name another place"
    assert path.read_bytes() == b"old"
    assert hidden(tmp_path) == []


def test_success_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "x.key"
    write_bytes(path, b"old")
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_of_a_replaced_file_stay(tmp_path: Path) -> None:
    path, usual = tmp_path / "x.key", tmp_path / "usual"
    write_bytes(path, b"old")
    usual.touch()
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o640)
    write_bytes(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_link_is_followed(tmp_path: Path) -> None:
    path, link = tmp_path / "x.key", tmp_path / "link.key"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_device_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_bytes(pipe, b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_text_that_is_not_unicode(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be written: the text holds '\\ud800', which is not a character"):
        write_text(tmp_path / "x.txt", "a\ud800b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name, suffix",
    [
        ("a.key", ".key"),
        ("a.key.gz", ".key"),
        ("a.b.JSONL.XZ", ".jsonl"),
        ("a.gz", ""),
        ("a", ""),
        (".key", ""),
        ("v1.2/a", ""),
        ("a.2013", ".2013"),
    ],
)
def test_the_suffix_of_a_compression_is_ignored(name: str, suffix: str) -> None:
    assert format_suffix(name) == suffix
    assert format_suffix(Path(name)) == suffix


# -- streams -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", *COMPRESSIONS])
def test_lines_of_a_large_file_one_block_after_the_other(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"lines.txt{suffix}"
    expected = [f"{number} é{'x' * (number % 90)}" for number in range(20_000)]
    write_text(path, "\r\n".join(expected))
    assert list(read_lines(path)) == list(enumerate(expected, start=1))
    assert b"".join(read_blocks(path)) == read_bytes(path)
    assert read_head(path, 10) == read_bytes(path)[:10]


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"", []),
        (b"\n", [(1, "")]),
        (b"a", [(1, "a")]),
        (b"a\n\nb\n", [(1, "a"), (2, ""), (3, "b")]),
        (b"\xef\xbb\xbfa\nb", [(1, "a"), (2, "b")]),
        ("a\u2028b\x85c\x0cd\n".encode(), [(1, "a\u2028b\x85c\x0cd")]),
    ],
)
def test_lines_are_numbered_without_their_ends(data: bytes, expected: list[tuple[int, str]]) -> None:
    assert list(read_lines(Blob("in.txt", data))) == expected


def test_a_line_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(b"good\n" * 200_000 + b"caf\xe9\n")
    stream = read_lines(path)
    assert next(stream) == (1, "good")
    with pytest.raises(InputError, match=r"lines.txt:200001: byte 0xe9 in column 4 is not UTF-8"):
        list(stream)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_stream_that_is_cut_short(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data{suffix}"
    path.write_bytes(COMPRESSIONS[suffix].compress(os.urandom(1_000_000))[:-5])
    with pytest.raises(InputError, match="damaged or cut short"):
        list(read_blocks(path))


def test_outputs_are_checked_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"text")
    check_output_file(tmp_path / "a.txt")
    check_output_file(tmp_path / "new.txt")
    check_output_folder(tmp_path)
    check_output_folder(tmp_path / "new" / "folder")
    check_output_file(os.devnull)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    for check, name, problem in (
        (check_output_file, "", "this is a folder; name a file in it"),
        (check_output_file, "new/b.txt", "create it first"),
        (check_output_file, "a\0b", "cannot be written"),
        (check_output_folder, "a.txt", "this is a file; name a new folder"),
        (check_output_folder, "a.txt/b", "a.txt is a file, and no folder can be in it"),
        (check_output_folder, "x" * 5000, "cannot be written"),
    ):
        with pytest.raises(InputError, match=problem):
            check(tmp_path / name)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_a_folder_in_which_nothing_can_be_written() -> None:
    for check in (check_output_file, check_output_folder):
        with pytest.raises(InputError, match="x: cannot be written: "):
            check("/proc/x")
