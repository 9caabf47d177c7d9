"""What a page tells of one word: its portrait with all that was worked out from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from polyseme.arrays import Floats, Ints
from polyseme.inventory import Sense
from polyseme.usage import Usage
from polyseme.words.certainty import Certainty
from polyseme.words.dictionary import DictionaryComparison
from polyseme.words.periods import Period, SenseChange, SensePeak
from polyseme.words.profile import WordProfile

UNINFORMATIVE_WORDS = frozenset(
    "be have do make get go say not other such same more most also so own great good new last large year now".split()  # noqa: SIM905
)
"""Words that are around any usage and name no sense."""

AUTHORS = ("president", "author", "speaker", "writer", "newspaper", "source")
"""Fields of the metadata that say whose words a usage is."""


@dataclass(frozen=True, eq=False)
class WordReport:
    """A portrait and what belongs to it.

    ``rows`` are the usages on the map and ``places`` where they lie; ``years`` the first and the last, if there are
    ``periods``, and ``field`` where they stand. ``changes`` are missing where they cannot be tested. ``certainty`` is
    missing where runs cannot be compared: ``runs`` says why, or else what there is to know of the runs. ``beside`` is
    missing where there is no dictionary: ``missing`` then says what to do. ``count`` is how many usages there are, if
    those of the portrait were drawn from more.
    """

    portrait: WordProfile
    rows: Ints
    places: Floats
    years: tuple[int, int] = (0, 0)
    periods: tuple[Period, ...] = ()
    changes: tuple[SenseChange, ...] | None = None
    peaks: tuple[SensePeak, ...] = ()
    certainty: Certainty | None = None
    beside: DictionaryComparison | None = None
    dictionary: str = "WordNet"
    missing: str = ""
    runs: str = ""
    field: str = ""
    count: int = 0

    @property
    def word(self) -> str:
        """The lemma without its part of speech."""
        return strip_pos(self.portrait.lemma)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the senses are called: the words that tell each of them best, and none of the others as well."""
        return name_senses(self.portrait.senses)


def strip_pos(word: str) -> str:
    """A word without its part of speech.

    >>> strip_pos("bank.n"), strip_pos("bank"), strip_pos("U.S.")
    ('bank', 'bank', 'U.S.')
    """
    stem, dot, letter = word.rpartition(".")
    return stem if dot and stem and letter in tuple("nvar") else word


def descriptive_words(sense: Sense, count: int = 12) -> list[str]:
    """The words that tell a sense, best first, without parts of speech and light words, each once."""
    words = (" + ".join(map(strip_pos, feature.split(" "))) for feature, _ in sense.features)
    return [word for word in dict.fromkeys(words) if word not in UNINFORMATIVE_WORDS][:count]


def name_senses(senses: Sequence[Sense], count: int = 3) -> tuple[str, ...]:
    """A name for each sense: its own if it has one that is not a number, else the first words that tell only it.

    >>> name_senses([Sense("bank.n.s1", "bank.n", features=(("money.n", 2), ("loan.n", 1)))])
    ('money, loan',)
    >>> name_senses([Sense("shore", "bank.n", features=(("river.n", 1),))])
    ('shore',)
    """
    every = [descriptive_words(sense, 6) for sense in senses]
    found = []
    for sense, words in zip(senses, every, strict=True):
        if not sense.id.startswith(f"{sense.lemma}."):
            found.append(sense.id)
            continue
        own = [word for word in words if sum(word in other for other in every) == 1]
        found.append(", ".join((own or words)[:count]) or sense.id)
    return tuple(found)


def cite_source(usage: Usage) -> str:
    """Whose words a usage is, and of when, as far as its metadata tells.

    >>> cite_source(Usage("u", "bank", "bank", 0, 4, meta={"president": "James K. Polk", "date": "1847-12-07"}))
    'James K. Polk, 1847'
    >>> cite_source(Usage("u", "bank", "bank", 0, 4, meta={"document": "texts/1847-Polk-1.txt"}))
    '1847-Polk-1'
    """
    who = next((str(usage.meta[name]) for name in AUTHORS if usage.meta.get(name)), "")
    when = next((str(usage.meta[name])[:4] for name in ("year", "date") if usage.meta.get(name)), "")
    if who or when:
        return ", ".join(part for part in (who, when) if part)
    document = str(usage.meta.get("document", ""))
    return document.rpartition("/")[2].rpartition("#")[2].removesuffix(".txt")
