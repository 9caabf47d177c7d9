"""Usages of two words with invented gold substitutes, and an n-gram model that answers for them."""

from __future__ import annotations

from pathlib import Path

from polyseme.formats import write_usages
from polyseme.formats.lexsub import write_lexsub_gold
from polyseme.labelling import Labelling
from polyseme.lm.ngrams.model import NGrams
from polyseme.usage import Usage

TEXT = [
    "we sat on the shore of the river",
    "we sat on the shore of the river again",
    "we sat on the bank of the river",
    "we sat on the edge of the river",
    "the shops of the town lend money",
    "the banks of the town lend money",
    "the lender of the town lends money",
    "the shop of the town lends money",
    "the lenders of the town lend money",
    "the lenders of the town lend money again",
    "they raise the price of it",
    "they lift the price of it",
    "they raised the price again",
    "they lifted the price again",
]
USAGES = [
    Usage("bank.n.1", "bank.n", "We sat on the bank of the river.", 14, 18, "n"),
    Usage("bank.n.2", "bank.n", "The banks of the town lend money.", 4, 9, "n"),
    Usage("raise.v.3", "raise.v", "They raised the price again.", 5, 11, "v"),
]
GOLD = Labelling(
    [
        ("bank.n", "bank.n.1", {"shore": 3.0, "edge": 1.0, "river side": 1.0}),
        ("bank.n", "bank.n.2", {"lender": 2.0, "shop": 1.0}),
        ("raise.v", "raise.v.3", {"lift": 3.0, "increase": 2.0}),
    ]
)
MODEL = "NGramSubstitutes('ngrams', own=False, lemmas=True)"


def write(folder: Path) -> None:
    """The usages, the gold file and the model, as ``my.jsonl``, ``my.gold`` and ``ngrams``."""
    write_usages(USAGES, folder / "my.jsonl")
    write_lexsub_gold(GOLD, folder / "my.gold")
    NGrams.train(map(str.split, TEXT), order=3).save(folder / "ngrams")
