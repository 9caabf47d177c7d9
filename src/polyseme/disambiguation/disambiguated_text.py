"""Words with their senses, weighed: what the one call gives, for people to read and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from polyseme.corpus.documents import Document
from polyseme.disambiguation.calibration import Calibration, open_calibration
from polyseme.disambiguation.model import DictionaryModel, Disambiguator
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.text_bars import DEFAULT_WIDTH, render_text
from polyseme.disambiguation.text_usages import find_text_usages, no_usages_error, wordnet_name
from polyseme.errors import InputError, quote_value
from polyseme.labelling import Labelling
from polyseme.parts import build, parts_by_name
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet

DICTIONARY_KINDS = ("disambiguator", "baseline")
"""The kinds of parts that label usages with senses of a dictionary."""


class WeightedSense(NamedTuple):
    """A sense of a word in a text, and how strongly the word has it."""

    id: str
    weight: float
    gloss: str


@dataclass(frozen=True)
class DisambiguatedWord:
    """A word of a text with its senses, the strongest first; ``start`` and ``end`` are its place in the whole text."""

    usage: Usage
    start: int
    end: int
    senses: tuple[WeightedSense, ...]

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
class DisambiguatedText:
    """The words of a text that the dictionary has, with their senses, and those that it has not got.

    Weights lie between ``lowest`` and ``highest``. Printed, it is one line a sense, with a bar for its weight.
    """

    words: tuple[DisambiguatedWord, ...]
    unknown: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 1.0

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[DisambiguatedWord]:
        return iter(self.words)

    def __getitem__(self, number: int) -> DisambiguatedWord:
        return self.words[number]

    def __str__(self) -> str:
        return self.shown()

    def shown(self, width: int = DEFAULT_WIDTH, top: int | None = None) -> str:
        """For people, no wider than ``width``; of each word the ``top`` strongest senses, or the first few."""
        return render_text([(each.usage, each.senses) for each in self.words], self.lowest, self.highest, width, top)

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
) -> DisambiguatedText:
    """The senses of every word of a text that WordNet has, or of ``target`` alone, with weights.

    The model is a disambiguator or a baseline, or the specification of one; ``sources`` name a version of WordNet, are
    one, or what :class:`~polyseme.disambiguation.model.DictionaryModel` takes. Senses below ``keep`` of the strongest are
    left out. Weights sum to 1, or are ratings on a ``scale``: ``"1-5"``, a calibration, or the file of one.

    The same for a corpus: ``DictionaryModel(build("PPR")).label(usages)``.
    """
    given = sources if isinstance(sources, Sources) else _open_sources(sources)
    part = build_disambiguator(model) if isinstance(model, str) else model
    curve = open_calibration(scale) if isinstance(scale, str) else scale
    if not text.strip():
        raise InputError("the text is empty; give a sentence, such as 'He sat on the bank of the river.'")
    read = find_text_usages([Document("", text)], given, target=target)
    if not read.usages:
        raise no_usages_error(read, target, given)
    names = {usage.id for usage in read.usages}
    labelled = DictionaryModel(part, given, keep).label(read.every, only=names, read=read.read)
    return describe_usages(
        read.usages, labelled, given.wordnet, curve, read.unknown, strict=requires_dictionary_senses(part)
    )


@lru_cache(maxsize=2)
def _open_sources(version: str | WordNet) -> Sources:
    """WordNet with what models have made of it, so that the next call need not make it again."""
    return Sources(version)


def build_disambiguator(specification: str) -> Any:
    """The disambiguator, or the baseline, that a specification names.

    >>> build_disambiguator("SemCorRanked")
    SemCorRanked()
    """
    part = build(specification)
    if part.kind not in DICTIONARY_KINDS:
        allowed = ", ".join(name for name, known in parts_by_name().items() if known.kind in DICTIONARY_KINDS)
        raise InputError(
            f"{quote_value(specification)} does not label usages with a dictionary's senses; these do: {allowed}"
        )
    return part


def describe_usages(
    usages: Iterable[Usage],
    labelling: Labelling,
    wordnet: WordNet,
    scale: Calibration | None = None,
    unknown: Iterable[str] = (),
    *,
    strict: bool = True,
) -> DisambiguatedText:
    """Usages with the senses that a labelling gives them, on a scale if one is given; some may have none.

    It is an error if one is no sense of the dictionary; if not ``strict``, such a one has no gloss.
    """
    curved = scale(labelling) if scale else labelling
    ends = (scale.lowest, scale.highest) if scale else (0.0, 1.0)
    return DisambiguatedText(
        tuple(_describe_usage(usage, curved, wordnet, strict) for usage in usages), tuple(unknown), *ends
    )


def requires_dictionary_senses(part: Disambiguator) -> bool:
    """Whether a model's senses must be the dictionary's: a baseline's may be clusters, a graph has nodes of its own."""
    return part.kind == "baseline"


def _describe_usage(usage: Usage, labelling: Labelling, wordnet: WordNet, strict: bool) -> DisambiguatedWord:
    weights = sorted(labelling.get(usage.id, {}).items(), key=lambda pair: -pair[1])
    offset = usage.meta.get("offset", 0)
    before = offset if isinstance(offset, int) else 0
    weighed = tuple(WeightedSense(key, weight, _read_gloss(key, wordnet, strict)) for key, weight in weights)
    return DisambiguatedWord(usage, before + usage.start, before + usage.end, weighed)


def _read_gloss(key: str, wordnet: WordNet, strict: bool) -> str:
    try:
        return wordnet.by_key(key).gloss
    except KeyError:
        if not strict:
            return ""
        raise InputError(f"the model gives {quote_value(key)}, which is no sense of {wordnet_name(wordnet)}") from None
