"""Broken keys: always a clear error or the documented tolerance, never a traceback, never a silently dropped line."""

import bz2
import gzip
import lzma
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from polyseme.errors import InputError, InputWarning
from polyseme.formats import read_labelling
from polyseme.formats.answer_key import LOADING_RULES, format_key, parse_key, read_key
from polyseme.labelling import Labelling
from strategies import ASCII_SPACE, attempt, finite, key_labellings

rules = st.sampled_from(list(LOADING_RULES))

GOOD = """\
win.v win.v.1 win%2:33:00::/0.6 win%2:33:01::/0.4
win.v win.v.2 win%2:33:00::
add.v add.v.1 a/1 b/0 !! a comment

add.v add.v.2 naïve/2 b/1
"""
WORDS = [
    "x",
    "y",
    "u1",
    "u2",
    "u3",
    "a/1",
    "b/0.5",
    "a",
    "a/0",
    "a/-1",
    "b/nan",
    "/1",
    "a/",
    "!!",
    "!",
    "a/1e999",
    "é/1",
]
GAPS = [" ", " ", "  ", "\t", "\n", "\n", "\r\n", "\r", "\n\n", "\ufeff", "\u00a0", "\v", "\0"]


def read(data: bytes, rule: str = "as-written") -> tuple[Labelling, int]:
    """A key, and how many of its lines were passed over according to the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        labelling = parse_key(data, rule, "out.key")
    return labelling, sum(lines_said(caught))


def lines_said(caught: list[warnings.WarningMessage]) -> Iterator[int]:
    for warning in caught:
        assert issubclass(warning.category, InputWarning)
        counted = re.match(r"out\.key: (\d+) lines? (names?|were|was) ", str(warning.message))
        assert counted is not None
        yield int(counted[1])


def data_lines(data: bytes) -> int:
    """How many lines of a key hold something, counted in the plainest way."""
    text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\n\ufeff", "\n")
    return sum(bool(line.partition("!!")[0].strip(ASCII_SPACE)) for line in text.split("\n"))


def check(data: bytes, rule: str = "as-written") -> None:
    """Read, and lose no line; or refuse with a short message that names the file."""
    outcome = attempt(lambda: read(data, rule))
    if isinstance(outcome, InputError):
        assert re.match(r"out\.key(:\d+)?: .", str(outcome))
        assert len(str(outcome)) < 500
    else:
        labelling, passed_over = outcome
        assert data_lines(data) == len(labelling) + passed_over


# -- made by hypothesis --------------------------------------------------------------------------------------------


@given(st.binary(max_size=200), rules)
@example(b"\xff\xfe", "as-written")
@example(b"a\rb", "as-written")
def test_random_bytes(data: bytes, rule: str) -> None:
    check(data, rule)


@given(st.text(max_size=200), rules)
def test_random_text(text: str, rule: str) -> None:
    check(text.encode(), rule)


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=40), rules)
@settings(max_examples=500)
def test_words_in_any_order(parts: list[tuple[str, str]], rule: str) -> None:
    check("".join(word + gap for word, gap in parts).encode(), rule)


line = st.builds(
    "{} {} {}".format,
    st.sampled_from("xy"),
    st.sampled_from(["u1", "u2", "u3", "u4"]),
    st.lists(st.builds("{}{}".format, st.sampled_from("abc"), st.just("") | finite.map("/{}".format))).map(" ".join),
)


@given(st.lists(line, max_size=12), st.sampled_from(["\n", "\r\n", "\r", "\n\n", " !! x\n"]), rules)
@settings(max_examples=300)
def test_lines_that_look_right(lines: list[str], end: str, rule: str) -> None:
    check("".join(each + end for each in lines).encode(), rule)


@given(key_labellings, st.data())
def test_a_good_key_with_one_byte_changed(labelling: Labelling, data: st.DataObject) -> None:
    key = bytearray(format_key(labelling).encode() or b"\n")
    key[data.draw(st.integers(0, len(key) - 1))] = data.draw(st.integers(0, 255))
    check(bytes(key))


@given(st.data(), rules)
def test_a_good_key_cut_short(data: st.DataObject, rule: str) -> None:
    key = GOOD.encode()
    check(key[: data.draw(st.integers(0, len(key)))], rule)


@given(st.lists(line, max_size=12), rules)
def test_line_ends_mean_the_same(lines: list[str], rule: str) -> None:
    def outcome(end: str) -> str:
        outcome = attempt(lambda: read("".join(each + end for each in lines).encode(), rule))
        return str(outcome) if isinstance(outcome, InputError) else repr((dict(outcome[0]), outcome[1]))

    assert outcome("\n") == outcome("\r\n") == outcome("\r")


# -- broken by hand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252"])
def test_encodings(encoding: str) -> None:
    data = GOOD.encode(encoding)
    if encoding == "utf-8-sig":
        assert read(data) == read(GOOD.encode())
    else:
        with pytest.raises(InputError, match="UTF-8"):
            parse_key(data)


def test_utf7_has_no_mark_and_reads_as_it_stands() -> None:
    assert list(read(GOOD.encode("utf-7").replace(b"+AO8-", b"i"))[0]) == ["win.v.1", "win.v.2", "add.v.1", "add.v.2"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\n\n\n"),
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: text.replace("\n", "  \n"),
        lambda text: text.rstrip(),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text + "!! the end",
    ],
)
def test_harmless_deviations_are_tolerated(change: Callable[[str], str]) -> None:
    expected, _ = read(GOOD.encode())
    labelling, passed_over = read(change(GOOD).encode())
    assert labelling == expected
    assert list(labelling) == list(expected)
    assert passed_over == 0


@pytest.mark.parametrize("weight", ["NaN", "nan", "1e999", "-1e999", "-1", "-0.001", "inf", "", "one", "1_0", "٣"])
@pytest.mark.parametrize("place", range(3))
def test_weights_that_are_none(weight: str, place: int) -> None:
    labels = ["a/1", "b/1", "c/1"]
    labels[place] = labels[place].replace("/1", f"/{weight}")
    with pytest.raises(InputError, match=rf"^out\.key:3: weight '{weight}' of sense '{'abc'[place]}' is "):
        parse_key(f"x u1 a/1\n\nx u2 {' '.join(labels)}\n".encode(), path="out.key")


@pytest.mark.parametrize(
    "data",
    [
        b"x u1 " + b"a/1 " * 2_500_000,
        b"x " * 5_000_000,
        b"x" * 10_000_000,
        b"x u1 a/" + b"1" * 10_000_000,
        b"x u1 a/0." + b"1" * 10_000_000,
        b"!!" * 5_000_000,
        b"x u1 a/1" + b" " * 10_000_000,
        b"\n" * 10_000_000,
        b"/" * 10_000_000 + b" u1 a",
        b"x u1 " + b"/" * 10_000_000,
    ],
    ids=lambda data: repr(data[:9]),
)
def test_10_megabytes(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_cut_compressed_keys(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    whole = compress(GOOD.encode() * 3)
    path = tmp_path / "out.key.gz"
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        for reader in (read_key, read_labelling):
            with pytest.raises(InputError, match=r"out\.key\.gz"):
                reader(path)


@given(
    content=st.binary(max_size=300),
    magic=st.sampled_from([b"\x1f\x8b", b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\0", b"(\xb5/\xfd", b"PAR1\0"]),
)
def test_what_only_looks_compressed(content: bytes, magic: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "looks-compressed.key"
    path.write_bytes(magic + content)
    outcome = attempt(lambda: read_labelling(path))
    assert isinstance(outcome, InputError)
    assert str(outcome).startswith(f"{path}:")


@given(content=st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_any_file_is_read_or_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any-file"
    path.write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        outcome = attempt(lambda: read_labelling(path))
    assert str(outcome).startswith(f"{path}:") if isinstance(outcome, InputError) else len(outcome) <= len(content)
