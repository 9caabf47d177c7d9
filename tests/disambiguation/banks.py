"""A dictionary with two kinds of banks, and usages that are tagged with them."""

from collections.abc import Sequence
from pathlib import Path

from polyseme import wordnet
from polyseme.corpus.english_analyser import English
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.sources import Sources
from polyseme.formats.semcor import SenseTaggedUsage
from polyseme.usage import Usage
from wordnet.tiny import Entry, files, write

MONEY, RIVER, ROW = "bank%1:14:00::", "bank%1:17:00::", "bank%1:18:00::"
"""The senses of *bank*: counted 5 times, 3 times and never."""

ENTRIES = [
    Entry("thing", "n", 3, [("thing", "thing%1:03:00::", 1, 9)], "whatever there is"),
    Entry("firm", "n", 14, [("lender", "lender%1:14:00::", 1, 2)], "who gives loans", [("@", "thing", "0000")]),
    Entry("slope", "n", 17, [("slope", "slope%1:17:00::", 1, 2)], "ground that falls", [("@", "thing", "0000")]),
    Entry(
        "bank",
        "n",
        14,
        [("bank", MONEY, 1, 5), ("moneybox", "moneybox%1:14:00::", 1, 0)],
        'a firm that keeps money; "the bank gives a loan"',
        [("@", "firm", "0000")],
    ),
    Entry(
        "bank-2",
        "n",
        17,
        [("bank", RIVER, 2, 3), ("riverside", "riverside%1:17:00::", 1, 0)],
        'ground beside a river, for a boat; "they fish from the bank"',
        [("@", "slope", "0000")],
    ),
    Entry("bank-3", "n", 14, [("bank", ROW, 3, 0)], "many switches in a row", [("@", "thing", "0000")]),
    *(
        Entry(word, "n", 3, [(word, f"{word}%1:03:00::", 1, 1)], gloss, [("@", "thing", "0000")])
        for word, gloss in {
            "loan": "money that a lender gives",
            "money": "what a lender lends",
            "river": "water that flows beside ground",
            "water": "what is in a river",
            "boat": "what goes on water",
            "switch": "what turns a lamp on",
            "goose": "a bird that honks",
        }.items()
    ),
]

TAGGED_TEXTS = {
    MONEY: ["money and a loan", "a loan", "the money of a lender", "a lender, and money", "loan upon loan"],
    RIVER: [
        "a river with water",
        "the boat on the river",
        "water and a boat",
        "a slope by the river",
        "a slope, a boat",
    ],
}
ADVERBS = ("now", "then", "there", "here", "still")


def banks(folder: Path, tagged: bool = True) -> Sources:
    """The dictionary, with tagged usages or without: *The bank there, a river with water.* and the like."""
    learnt = [example for key, texts in TAGGED_TEXTS.items() for example in _tagged(key, texts)] if tagged else []
    return Sources(wordnet.load(None, write(folder / "banks", files(ENTRIES))), analysed_by=English(), tagged=learnt)


def _tagged(key: str, texts: Sequence[str]) -> list[SenseTaggedUsage]:
    sentences = [f"The bank {adverb}, {words}." for words in texts for adverb in ADVERBS]
    return [(Usage(f"{key}.{number}", "bank.n", text, 4, 8), (key,)) for number, text in enumerate(sentences)]


def usage(text: str, target: str = "bank", lemma: str = "bank.n") -> Context:
    """A usage and the words around it, which are nouns."""
    start = max(text.find(target), 0)
    end = min(start + len(target), len(text))
    words = [word.strip(".,") for word in text.lower().split()]
    nouns = {entry.words[0][0] for entry in ENTRIES}
    around = tuple(f"{word}.n" for word in words if word in nouns and word != target)
    return Context(Usage(text, lemma, text, start, end), lemma, (*around, lemma), len(around))


def best(weights: SenseWeights) -> str:
    """The heaviest sense."""
    return max(weights, key=lambda key: weights[key])


def weigh_bank(weigh: SenseWeigher, text: str) -> SenseWeights:
    """The weights of *bank* in a text."""
    return weigh([usage(text)])[0]
