"""Words with their senses, weighed: what the one call gives, for people to read and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from polyseme.corpus.documents import Document
from polyseme.disambiguate.bars import WIDTH, bars
from polyseme.disambiguate.calibration import Calibration, calibration
from polyseme.disambiguate.model import DictionaryModel, Disambiguator
from polyseme.disambiguate.sources import Sources
from polyseme.disambiguate.texts import called, nothing, usages_in
from polyseme.errors import InputError, shown
from polyseme.labelling import Labelling
from polyseme.parts import build, found
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet

KINDS = ("disambiguator", "baseline")
"""The kinds of parts that label usages with senses of a dictionary."""


class WeighedSense(NamedTuple):
    """A sense of a word in a text, and how strongly the word has it."""

    id: str
    weight: float
    gloss: str


@dataclass(frozen=True)
class SensedWord:
    """A word of a text with its senses, the strongest first; ``start`` and ``end`` are its place in the whole text."""

    usage: Usage
    start: int
    end: int
    senses: tuple[WeighedSense, ...]

    @property
    def form(self) -> str:
        """The word as it stands in the text."""
        return self.usage.target

    @property
    def lemma(self) -> str:
        """The entry of the dictionary, ``bank.n``."""
        return self.usage.lemma

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        document = self.usage.meta.get("document", "")
        where = {"document": document} if document else {}
        place = {"usage": self.usage.id, **where, "start": self.start, "end": self.end}
        return {**place, "form": self.form, "lemma": self.lemma, "senses": [each._asdict() for each in self.senses]}


@dataclass(frozen=True)
class SensedText:
    """The words of a text that the dictionary has, with their senses, and those that it has not got.

    Weights lie between ``lowest`` and ``highest``. Printed, it is one line a sense, with a bar for its weight.
    """

    words: tuple[SensedWord, ...]
    unknown: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 1.0

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[SensedWord]:
        return iter(self.words)

    def __getitem__(self, number: int) -> SensedWord:
        return self.words[number]

    def __str__(self) -> str:
        return self.shown()

    def shown(self, width: int = WIDTH, top: int | None = None) -> str:
        """For people, no wider than ``width``; of each word the ``top`` strongest senses, or the first few."""
        return bars([(each.usage, each.senses) for each in self.words], self.lowest, self.highest, width, top)

    def plain(self) -> list[dict[str, Any]]:
        """As JSON has it: the words in order."""
        return [each.plain() for each in self.words]


def disambiguate(
    text: str,
    model: str | Disambiguator = "PPR",
    *,
    target: str = "",
    sources: str | WordNet | Sources = "3.1",
    keep: float = 0.0,
    scale: str | Calibration | None = None,
) -> SensedText:
    """The senses of every word of a text that WordNet has, or of ``target`` alone, with weights.

    The model is a disambiguator or a baseline, or the specification of one; ``sources`` name a version of WordNet, are
    one, or what :class:`~polyseme.disambiguate.model.DictionaryModel` takes. Senses below ``keep`` of the strongest are
    left out. Weights sum to 1, or are ratings on a ``scale``: ``"1-5"``, a calibration, or the file of one.

    The same for a corpus: ``DictionaryModel(build("PPR")).label(usages)``.
    """
    given = sources if isinstance(sources, Sources) else _remembered(sources)
    part = disambiguator(model) if isinstance(model, str) else model
    curve = calibration(scale) if isinstance(scale, str) else scale
    if not text.strip():
        raise InputError("the text is empty; give a sentence, such as 'He sat on the bank of the river.'")
    read = usages_in([Document("", text)], given, target=target)
    if not read.usages:
        raise nothing(read, target, given)
    names = {usage.id for usage in read.usages}
    labelled = DictionaryModel(part, given, keep).label(read.every, only=names, read=read.read)
    return sensed(read.usages, labelled, given.wordnet, curve, read.unknown, strict=is_strict(part))


@lru_cache(maxsize=2)
def _remembered(version: str | WordNet) -> Sources:
    """WordNet with what models have made of it, so that the next call need not make it again."""
    return Sources(version)


def disambiguator(specification: str) -> Any:
    """The disambiguator, or the baseline, that a specification names.

    >>> disambiguator("SemCorRanked")
    SemCorRanked()
    """
    part = build(specification)
    if part.kind not in KINDS:
        allowed = ", ".join(name for name, known in found().items() if known.kind in KINDS)
        raise InputError(
            f"{shown(specification)} does not label usages with a dictionary's senses; these do: {allowed}"
        )
    return part


def sensed(
    usages: Iterable[Usage],
    labelling: Labelling,
    wordnet: WordNet,
    scale: Calibration | None = None,
    unknown: Iterable[str] = (),
    *,
    strict: bool = True,
) -> SensedText:
    """Usages with the senses that a labelling gives them, on a scale if one is given; some may have none.

    It is an error if one is no sense of the dictionary; if not ``strict``, such a one has no gloss.
    """
    curved = scale(labelling) if scale else labelling
    ends = (scale.lowest, scale.highest) if scale else (0.0, 1.0)
    return SensedText(tuple(_sensed(usage, curved, wordnet, strict) for usage in usages), tuple(unknown), *ends)


def is_strict(part: Disambiguator) -> bool:
    """Whether a model's senses must be the dictionary's: a baseline's may be clusters, a graph has nodes of its own."""
    return part.kind == "baseline"


def _sensed(usage: Usage, labelling: Labelling, wordnet: WordNet, strict: bool) -> SensedWord:
    weights = sorted(labelling.get(usage.id, {}).items(), key=lambda pair: -pair[1])
    offset = usage.meta.get("offset", 0)
    before = offset if isinstance(offset, int) else 0
    weighed = tuple(WeighedSense(key, weight, _gloss(key, wordnet, strict)) for key, weight in weights)
    return SensedWord(usage, before + usage.start, before + usage.end, weighed)


def _gloss(key: str, wordnet: WordNet, strict: bool) -> str:
    try:
        return wordnet.by_key(key).gloss
    except KeyError:
        if not strict:
            return ""
        raise InputError(f"the model gives {shown(key)}, which is no sense of {called(wordnet)}") from None
