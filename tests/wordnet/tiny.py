"""A small WordNet of our own making, in the format of the database files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

NAMES = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}


@dataclass(frozen=True)
class Entry:
    """A synset: words with sense key, sense number and tag count; pointers with the name of another synset."""

    name: str
    kind: str
    file: int
    words: Sequence[tuple[str, str, int, int]]
    gloss: str
    pointers: Sequence[tuple[str, str, str]] = ()
    frames: str = ""


ENTRIES = [
    Entry("thing", "n", 3, [("thing", "thing%1:03:00::", 1, 9)], "whatever there is", [("~", "lamp", "0000")]),
    Entry(
        "lamp",
        "n",
        6,
        [("lamp", "lamp%1:06:00::", 1, 7), ("Oil_lamp", "oil_lamp%1:06:00::", 1, 0)],
        'a thing that gives light; "she lit the lamp"; "Lamp of my feet"- a psalm',
        [("@", "thing", "0000"), ("+", "shine", "0101"), ("%p", "wick", "0000")],
    ),
    Entry("wick", "n", 6, [("wick", "wick%1:06:00::", 1, 0)], "the cord in a lamp", [("#p", "lamp", "0000")]),
    Entry("lamp-2", "n", 10, [("lamp", "lamp%1:10:00::", 2, 7)], "(slang) a look", [("@", "thing", "0000")]),
    Entry("goose", "n", 5, [("goose", "goose%1:05:00::", 1, 2)], "a bird that honks"),
    Entry("a-letter", "n", 10, [("A", "a%1:10:00::", 1, 0), ("a", "", 0, 0)], "the first letter"),
    Entry(
        "shine",
        "v",
        43,
        [("shine", "shine%2:43:00::", 1, 4), ("glow", "glow%2:43:00::", 2, 1)],
        'give off light; "the lamp shines"',
        [("+", "lamp", "0101")],
        " 02 + 01 00 + 08 02",
    ),
    Entry("stop", "v", 42, [("stop", "stop%2:42:00::", 1, 3)], "go no further", [], " 01 + 02 00"),
    Entry("bright", "a", 0, [("bright", "bright%3:00:00::", 2, 1)], "full of light", [("!", "dim", "0101")]),
    Entry("dim", "a", 0, [("dim(a)", "dim%3:00:00::", 1, 2)], "with little light", [("!", "bright", "0101")]),
    Entry(
        "clever",
        "s",
        0,
        [("bright", "bright%5:00:00:smart:00", 1, 5), ("clever(p)", "clever%5:00:00:smart:00", 1, 0)],
        "quick of mind",
        [("&", "bright", "0000")],
    ),
    Entry("brightly", "r", 2, [("brightly", "brightly%4:02:00::", 1, 0)], "with light", [("\\", "bright", "0101")]),
]

LICENCE = "".join(f"  {number} a line of the licence, which readers pass over  \n" for number in range(1, 4))


def files(entries: Sequence[Entry] = ENTRIES) -> dict[str, str]:
    """The text of each database file."""
    offsets = {}
    texts = dict.fromkeys(NAMES.values(), LICENCE)
    for entry in entries:  # offsets have eight digits whatever they are, so lines can be measured before they are known
        offsets[entry.name] = len(texts[NAMES[entry.kind]].encode())
        texts[NAMES[entry.kind]] += line(entry, dict.fromkeys((e.name for e in entries), 0), entries)
    written = dict.fromkeys(NAMES.values(), LICENCE)
    for entry in entries:
        written[NAMES[entry.kind]] += line(entry, offsets, entries)
    keys = sorted(
        f"{key} {offsets[entry.name]:08} {number} {count}\n"
        for entry in entries
        for _, key, number, count in entry.words
        if key
    )
    return {**{f"data.{name}": text for name, text in written.items()}, "index.sense": "".join(keys)}


def line(entry: Entry, offsets: Mapping[str, int], entries: Sequence[Entry]) -> str:
    kinds = {other.name: other.kind.replace("s", "a") for other in entries}
    words = " ".join(f"{word} {place:x}" for place, (word, *_) in enumerate(entry.words))
    pointers = "".join(f" {sign} {offsets[to]:08} {kinds[to]} {pair}" for sign, to, pair in entry.pointers)
    head = f"{offsets[entry.name]:08} {entry.file:02} {entry.kind} {len(entry.words):02x} {words}"
    return f"{head} {len(entry.pointers):03}{pointers}{entry.frames} | {entry.gloss}  \n"


def write(folder: Path, changes: Mapping[str, str] | None = None) -> Path:
    """Write the files into a folder, some with another text."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**files(), **(changes or {})}.items():
        (folder / name).write_text(text, newline="")
    return folder
