"""Reading the database files, and what is said of broken ones."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from polyseme import home, wordnet
from polyseme.errors import InputError
from polyseme.wordnet import VERSIONS
from polyseme.wordnet.database import read_database
from wordnet.tiny import ENTRIES, files, write


def test_all_is_read(folder: Path) -> None:
    columns = read_database(folder)
    keys = sorted(key for entry in ENTRIES for _, key, _, _ in entry.words if key)
    assert [columns.key[row] for row in columns.by_key.tolist()] == keys
    assert len(columns.gloss) == len(ENTRIES)
    assert sorted(columns.gloss) == sorted(entry.gloss for entry in ENTRIES)
    assert len(columns.pointer_source) == sum(len(entry.pointers) for entry in ENTRIES)
    assert list(columns.lemma) == sorted(columns.lemma)
    assert np.array_equal(np.sort(columns.by_lemma), np.arange(len(keys)))


def test_line_ends_of_any_system_and_no_last_one(folder: Path) -> None:
    before = read_database(folder)
    for name, text in files().items():
        (folder / name).write_bytes(text.rstrip("\n").replace("\n", "\r\n").encode())
    after = read_database(folder)
    assert list(after.gloss) == list(before.gloss)
    assert list(after.key) == list(before.key)


def test_letters_beyond_ascii(tmp_path: Path) -> None:
    changed = {name: text.replace("a bird", "an oíseau") for name, text in files().items()}
    assert "an oíseau that honks" in list(read_database(write(tmp_path, changed)).gloss)


@pytest.mark.parametrize("name", ["data.noun", "index.sense"])
def test_a_missing_file_is_an_error(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"tiny: {name} missing; a folder of WordNet"):
        wordnet.load(None, folder)
    with pytest.raises(InputError, match=f"tiny: {name} missing"):
        read_database(folder)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        wordnet.load("3.1", tmp_path / "nowhere")


def cut(text: str, words: str) -> str:
    """The text up to and with some words, cut there."""
    return text[: text.index(words) + len(words)]


def swap(old: str, new: str) -> Callable[[str], str]:
    def swapped(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return swapped


BROKEN: dict[str, tuple[str, Callable[[str], str], int | None, str]] = {
    "cut in the words": ("data.noun", lambda text: cut(text, "wick 0"), 6, "no '|' with a gloss"),
    "too few words": ("data.noun", swap(" 06 n 01 wick 0 001", " 06 n"), 6, "a number of words"),
    "nothing": ("data.verb", swap(" 42 v 01 stop 0 000 01 + 02 00", ""), 5, "too few words"),
    "more words than said": ("data.noun", swap("n 02 lamp", "n 01 lamp"), 5, "not a number of pointers"),
    "fewer words than said": ("data.noun", swap("n 02 lamp", "n 22 lamp"), 5, "fewer words than it says"),
    "more pointers than said": ("data.noun", swap("Oil_lamp 1 003", "Oil_lamp 1 002"), 5, "more pointers than it says"),
    "fewer pointers than said": ("data.noun", swap("lamp 1 003", "lamp 1 009"), 5, "fewer pointers than it says"),
    "frames": ("data.verb", swap(" 02 + 01 00", " 03 + 01 00"), 4, "sentence frames than it says"),
    "kind": ("data.adv", swap(" 02 r 01", " 02 n 01"), 4, r"'n' is not a kind of synset of this file \(r\)"),
    "file": ("data.adv", swap(" 02 r 01", " xx r 01"), 4, "'xx' is not the number of a lexicographer's file"),
    "hexadecimal": ("data.adv", swap(" r 01 ", " r 0g "), 4, "'0g' is not a number of words"),
    "far too many": ("data.adv", swap("brightly 0 001", "brightly 0 99999999999"), 4, "is not a number of pointers"),
    "symbol": ("data.noun", swap(" @ ", " ? "), 5, r"'\?' is not a pointer's symbol"),
    "target": ("data.noun", swap("~ 00000", "~ 00009"), 4, r"leads to offset 00009\d*, where no synset starts"),
    "target's offset": ("data.noun", swap("~ 00000", "~ 0000x"), 4, "is not a synset's offset"),
    "word of a pointer": ("data.noun", swap(" v 0101", " v 0901"), 5, "is of a word that is not there"),
    "index: three words": ("index.sense", swap(" 1 0\n", " 1\n"), 1, "not four words. A line of index.sense reads"),
    "index: key": ("index.sense", swap("a%1:10:00::", "a%9:10:00::"), 1, "not a sense key"),
    "index: count": ("index.sense", swap("1 0\n", "1 x\n"), 1, "'x' is not a tag count"),
    "index: negative": ("index.sense", swap("1 0\n", "1 -3\n"), 1, "'-3' is not a tag count"),
    "index: offset": (
        "index.sense",
        lambda text: re.sub(r" \d{8} ", " 00000001 ", text, count=1),
        1,
        "no synset starts at this offset",
    ),
    "index: word": ("index.sense", swap("wick%", "wack%"), None, "the word 'wick' of a synset is in no line here"),
    "index: twice": ("index.sense", lambda text: text + text.splitlines()[-1], 16, "or it has stood here before"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_files_are_errors(tmp_path: Path, broken: str) -> None:
    name, change, line, problem = BROKEN[broken]
    folder = write(tmp_path / "broken", {name: change(files()[name])})
    where = name if line is None else f"{name}:{line}"
    with pytest.raises(InputError, match=rf"{where}: .*{problem}"):
        read_database(folder)


def without_the_last(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-1])


@pytest.mark.parametrize("name", ["data.noun", "data.verb", "data.adj", "data.adv"])
@pytest.mark.parametrize("cut_short", [lambda _: "", without_the_last])
def test_a_file_that_was_cut_short_is_blamed(folder: Path, name: str, cut_short: Callable[[str], str]) -> None:
    (folder / name).write_text(cut_short(files()[name]))
    with pytest.raises(InputError, match=rf"{name}: there is no synset at offset \d+, .*index\.sense:.*is cut short"):
        read_database(folder)


def test_nothing_but_an_index(folder: Path) -> None:
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        (folder / name).write_text("")
    with pytest.raises(InputError, match=r"data\.noun: there is no synset at offset .*\(nor those of \d+ more lines\)"):
        read_database(folder)


def test_what_to_do_about_a_damaged_copy(tiny_31: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = home.user_data_folder() / "wordnet-3.1"
    shutil.copytree(tiny_31, mine)
    (mine / "data.noun").write_text("")
    with pytest.raises(InputError, match=r"is cut short\. Type: polyseme data install wordnet-3\.1$"):
        wordnet.load("3.1")
    (tiny_31 / "data.noun").write_text("")
    advice = r"sound copy there, or remove this one and type: polyseme data install wordnet-3\.1$"
    for version in ("3.1", None):
        with pytest.raises(InputError, match=advice):
            wordnet.load(version, tiny_31)
    monkeypatch.delitem(VERSIONS, "3.1")
    with pytest.raises(InputError, match=r"is cut short\. Copy the files again$"):
        wordnet.load(None, tiny_31)


def test_a_wrong_encoding_is_an_error(folder: Path) -> None:
    data = (folder / "data.noun").read_bytes()
    (folder / "data.noun").write_bytes(data.replace(b"a bird", b"a b\xefrd"))
    with pytest.raises(InputError, match=r"data\.noun:8: byte 0xef in column \d+ is not UTF-8"):
        read_database(folder)
    (folder / "data.noun").write_bytes(data.replace(b"a bird", b"a b\0rd"))
    with pytest.raises(InputError, match=r"data\.noun:8: a zero byte"):
        read_database(folder)


def test_a_part_of_speech_without_words(tmp_path: Path) -> None:
    verbs = [entry for entry in ENTRIES if entry.kind == "v" and not entry.pointers]
    columns = read_database(write(tmp_path / "few", files(verbs)))
    assert list(columns.lemma) == ["stop.v"]
    assert not len(columns.pointer_source)
    for name in ("data.noun", "data.adj", "data.adv"):
        (tmp_path / "few" / name).write_text("")
    assert list(read_database(tmp_path / "few").lemma) == ["stop.v"]
