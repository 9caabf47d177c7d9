"""The words of a text with weighted senses, from one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from polyseme.disambiguation.calibration import Calibration
from polyseme.disambiguation.model import DICTIONARY_KINDS, DictionaryModel, Disambiguator
from polyseme.disambiguation.text_bars import DEFAULT_WIDTH, render_text
from polyseme.disambiguation.text_usages import TextUsages, wordnet_name
from polyseme.errors import InputError, count_noun, quote_value
from polyseme.labelling import Labelling
from polyseme.parts import build, parts_by_name
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet


class WeightedSense(NamedTuple):
    """A sense of a word in a text.

    Args:
        id: The sense key.
        weight: Its weight.
        gloss: Its definition.
    """

    id: str
    weight: float
    gloss: str


@dataclass(frozen=True)
class DisambiguatedWord:
    """A word of a text with its senses.

    Args:
        usage: The usage of the word.
        start: Where the word starts in the whole text.
        end: Where the word ends in the whole text.
        senses: Its senses, the strongest first.
    """

    usage: Usage
    start: int
    end: int
    senses: tuple[WeightedSense, ...]

    @property
    def form(self) -> str:
        """The word as it is in the text."""
        return self.usage.target

    @property
    def lemma(self) -> str:
        """The entry of the dictionary, ``bank.n``."""
        return self.usage.lemma

    def to_json(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        document = self.usage.meta.get("document", "")
        span = {"usage": self.usage.id, **({"document": document} if document else {})}
        span |= {"start": self.start, "end": self.end}
        return {**span, "form": self.form, "lemma": self.lemma, "senses": [sense._asdict() for sense in self.senses]}


@dataclass(frozen=True, repr=False)
class DisambiguatedText:
    """The words of a text with their senses; printed, it has a line for each sense, with a bar for its weight.

    Args:
        words: The words that the dictionary has.
        unknown: The words that the dictionary lacks.
        lowest: The lowest weight of the scale.
        highest: The highest weight of the scale.
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

    def __repr__(self) -> str:
        first = ", ".join(word.lemma for word in self.words[:5]) + (", …" if len(self) > 5 else "")
        return f"<DisambiguatedText of {count_noun(len(self), 'word')}: {first}>"

    def _repr_html_(self) -> str:
        from polyseme.display.texts import render_text_with_senses

        return render_text_with_senses(self)

    def __str__(self) -> str:
        return self.render()

    def render(self, width: int = DEFAULT_WIDTH, top: int | None = None) -> str:
        """Render the text for a terminal.

        Args:
            width: The width of lines.
            top: How many senses of a word are printed. Default: the first few.
        """
        return render_text([(word.usage, word.senses) for word in self.words], self.lowest, self.highest, width, top)

    def keep_top(self, count: int) -> DisambiguatedText:
        """Keep the strongest senses of each word, without changing their weights."""
        return replace(self, words=tuple(replace(word, senses=word.senses[:count]) for word in self.words))

    def to_labelling(self) -> Labelling:
        """Return the senses of the usages; a word without senses is left out."""
        return Labelling(
            (word.lemma, word.usage.id, {sense.id: sense.weight for sense in word.senses})
            for word in self.words
            if word.senses
        )

    def to_json(self) -> list[dict[str, Any]]:
        """Return the words in order, as plain values for JSON."""
        return [word.to_json() for word in self.words]


def build_disambiguator(specification: str) -> Any:
    """Build the disambiguator, or the baseline, of a specification.

    >>> build_disambiguator("SemCorRanked")
    SemCorRanked()
    """
    part = build(specification)
    if part.kind not in DICTIONARY_KINDS:
        allowed = ", ".join(name for name, other in parts_by_name().items() if other.kind in DICTIONARY_KINDS)
        problem = f"{quote_value(specification)} does not label usages with a dictionary's senses"
        raise InputError(f"{problem}; these do: {allowed}")
    return part


def label_text(model: DictionaryModel, text: TextUsages, processes: int | None = None) -> Labelling:
    """Label the usages of a text; all its words are contexts."""
    names = {usage.id for usage in text.usages}
    return model.label(text.every, only=names, read=text.read, processes=processes)


def describe_usages(
    usages: Iterable[Usage],
    labelling: Labelling,
    wordnet: WordNet,
    scale: Calibration | None = None,
    unknown: Iterable[str] = (),
    *,
    strict: bool = True,
) -> DisambiguatedText:
    """Describe usages by the senses of a labelling; some usages may have none.

    Args:
        usages: The usages.
        labelling: Their senses.
        wordnet: The dictionary.
        scale: The scale of the weights.
        unknown: The words that the dictionary lacks.
        strict: Whether a sense that the dictionary lacks is an error; otherwise it has no gloss.
    """

    def describe(usage: Usage) -> DisambiguatedWord:
        weights = sorted(labelling.get(usage.id, {}).items(), key=lambda pair: -pair[1])
        offset = usage.meta.get("offset", 0)
        start = offset if isinstance(offset, int) else 0
        senses = tuple(WeightedSense(key, weight, _read_gloss(key, wordnet, strict)) for key, weight in weights)
        return DisambiguatedWord(usage, start + usage.start, start + usage.end, senses)

    labelling = scale(labelling) if scale else labelling
    ends = (scale.lowest, scale.highest) if scale else (0.0, 1.0)
    return DisambiguatedText(tuple(map(describe, usages)), tuple(unknown), *ends)


def is_strict(part: Disambiguator) -> bool:
    """Whether the senses must be the dictionary's: those of a graph can be nodes of its own."""
    return part.kind == "baseline"


def _read_gloss(key: str, wordnet: WordNet, strict: bool) -> str:
    try:
        return wordnet.by_key(key).gloss
    except KeyError:
        if not strict:
            return ""
        problem = f"the model gives {quote_value(key)}, which is not a sense of {wordnet_name(wordnet)}"
        raise InputError(problem) from None
