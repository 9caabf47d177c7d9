"""A sentence: words in order, with the analysis of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from polyseme.frozen_dict import FrozenDict
from polyseme.usage import Usage


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a sentence, ``sentence.text[start:end]``.

    Args:
        form: The word as written in the text.
        start: The offset of its first character.
        end: The offset after its last character.
        lemma: The lemma, without a part of speech.
        pos: The part of speech: n, v, a, r or nothing.
        tag: The part of speech as the source writes it.
        head: The number of the word that this one depends on, counted from 1. 0 is the root, ``None`` is unknown.
        relation: The dependency relation to the head.
        senses: The senses that the source gives.
        features: Everything else that the source says, under its own names.
    """

    form: str
    start: int
    end: int
    lemma: str = ""
    pos: str = ""
    tag: str = ""
    head: int | None = None
    relation: str = ""
    senses: tuple[str, ...] = ()
    features: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words with their text.

    Args:
        id: The name of the sentence.
        text: The text, in which the offsets of the tokens count.
        tokens: The words in order.
        meta: Properties of the sentence as a whole, such as its document, paragraph or date.

    >>> sentence = Sentence.from_words("s1", ["Banks", "lend", "money"], lemmas=["bank", "lend", "money"], pos="nvn")
    >>> sentence.text
    'Banks lend money'
    >>> [usage.id for usage in sentence.usages({"bank.n"})]
    ['s1.1']
    """

    id: str
    text: str
    tokens: tuple[Token, ...]
    meta: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, token in enumerate(self.tokens, start=1):
            if not 0 <= token.start <= token.end <= len(self.text):
                raise ValueError(f"sentence {self.id!r}: word {number} lies outside its text")
        object.__setattr__(self, "meta", FrozenDict(self.meta))

    @classmethod
    def from_words(
        cls,
        id: str,
        words: Iterable[str],
        *,
        lemmas: Iterable[str] | None = None,
        pos: Iterable[str] | None = None,
        meta: Mapping[str, str] | None = None,
    ) -> Sentence:
        """Join words with a space between each two."""
        forms = list(words)
        lemmas = [""] * len(forms) if lemmas is None else list(lemmas)
        parts_of_speech = [""] * len(forms) if pos is None else list(pos)
        tokens, start = [], 0
        for form, lemma, letter in zip(forms, lemmas, parts_of_speech, strict=True):
            tokens.append(Token(form, start, start + len(form), lemma, letter))
            start += len(form) + 1
        return cls(id, " ".join(forms), tuple(tokens), meta or {})

    def usages(self, lemmas: Iterable[str] | None = None) -> Iterator[Usage]:
        """Yield the words that have a lemma and a part of speech as usages of ``lemma.pos``.

        The usage of word ``n`` is called ``id.n`` after the sentence.

        Args:
            lemmas: The lemmas to yield; by default all.
        """
        selected = None if lemmas is None else set(lemmas)
        for number, token in enumerate(self.tokens, start=1):
            lemma = f"{token.lemma}.{token.pos}"
            if token.lemma and token.pos and (selected is None or lemma in selected):
                yield Usage(f"{self.id}.{number}", lemma, self.text, token.start, token.end, token.pos, self.meta)
