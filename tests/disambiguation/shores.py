"""A small WordNet in which *bank* has two senses as a noun, and contexts in it."""

from collections.abc import Mapping
from pathlib import Path

from polyseme import wordnet
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.sources import Sources
from polyseme.usage import Usage
from wordnet.tiny import Entry, files

SHORE, FIRM, TILT = "bank%1:17:01::", "bank%1:14:00::", "bank%2:38:00::"

ENTRIES = [
    Entry("land", "n", 17, [("land", "land%1:17:00::", 1, 9)], "where there is no sea", [("~", "shore", "0000")]),
    Entry(
        "shore",
        "n",
        17,
        [("bank", SHORE, 1, 20), ("river_bank", "river_bank%1:17:00::", 1, 0)],
        'the land along a river; "on the bank"',
        [("@", "land", "0000"), ("%p", "mud", "0000")],
    ),
    Entry("mud", "n", 27, [("mud", "mud%1:27:00::", 1, 3)], "wet land", [("#p", "shore", "0000")]),
    Entry("river", "n", 17, [("river", "river%1:17:00::", 1, 8)], "water between two banks"),
    Entry("money", "n", 21, [("money", "money%1:21:00::", 1, 30)], "what there is in a bank", [("+", "pay", "0101")]),
    Entry(
        "firm",
        "n",
        14,
        [("bank", FIRM, 2, 5)],
        "an institution for money",
        [("@", "institution", "0000"), ("%m", "teller", "0000")],
    ),
    Entry(
        "institution",
        "n",
        14,
        [("institution", "institution%1:14:00::", 1, 7)],
        "what people found",
        [("~", "firm", "0000")],
    ),
    Entry("teller", "n", 18, [("teller", "teller%1:18:00::", 1, 1)], "works in a bank", [("#m", "firm", "0000")]),
    Entry("hermit", "n", 18, [("hermit", "hermit%1:18:00::", 1, 0)], "is alone"),
    Entry("pay", "v", 40, [("pay", "pay%2:40:00::", 1, 6)], "give money", [("+", "money", "0101")], " 01 + 02 00"),
    Entry("tilt", "v", 38, [("bank", TILT, 1, 2)], "to bank as a plane does", [], " 01 + 02 00"),
]


def shores(folder: Path) -> Sources:
    """That WordNet."""
    place = folder / "shores"
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files(ENTRIES).items():
        (place / name).write_text(text, newline="")
    return Sources(wordnet.load(None, place))


def context(*words: str, target: str = "bank.n", fixed: Mapping[str, object] | None = None) -> Context:
    """A usage of the target among other words."""
    usage = Usage("u", target, target, 0, len(target), meta={} if fixed is None else {"fixed": fixed})
    return Context(usage, target, (*words, target), len(words))
