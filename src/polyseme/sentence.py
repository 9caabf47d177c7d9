"""A sentence: words in order, with what an analysis says of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from polyseme.usage import Usage

POS_BY_UNIVERSAL_TAG = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}
"""The open classes of Universal Dependencies."""

POS_BY_TAG_PREFIX = {"NN": "n", "NP": "n", "VB": "v", "VV": "v", "VH": "v", "VD": "v", "JJ": "a", "RB": "r", "RR": "r"}
"""How the tags of the open classes begin in the Penn, TreeTagger and CLAWS sets."""


def part_of_speech(tag: str) -> str:
    """A tag of the usual sets (Universal Dependencies, Penn, TreeTagger, CLAWS) as n, v, a, r, or nothing.

    >>> [part_of_speech(tag) for tag in ("NOUN", "VBD", "VVZ", "JJR", "rr", "IN")]
    ['n', 'v', 'v', 'a', 'r', '']
    """
    return POS_BY_UNIVERSAL_TAG.get(tag) or POS_BY_TAG_PREFIX.get(tag[:2].upper(), "")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a sentence, ``sentence.text[start:end]``.

    ``pos`` is n, v, a, r or nothing; ``tag`` the part of speech as the source has it. ``head`` is the number of the
    word that this one depends on, counted from 1, with 0 for the root and ``None`` where nobody says. ``senses`` are
    those that the source gives. ``features`` holds whatever else a source says, under its own names.
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
    """Words with their text; ``meta`` holds what is known of it as a whole (document, paragraph, date).

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
        object.__setattr__(self, "meta", MappingProxyType(dict(self.meta)))

    def __reduce__(self) -> tuple[type[Sentence], tuple[object, ...]]:
        return Sentence, (self.id, self.text, self.tokens, dict(self.meta))

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
        """Words with a space between each two."""
        forms = list(words)
        lemmas = [""] * len(forms) if lemmas is None else list(lemmas)
        parts = [""] * len(forms) if pos is None else list(pos)
        tokens, at = [], 0
        for form, lemma, part in zip(forms, lemmas, parts, strict=True):
            tokens.append(Token(form, at, at + len(form), lemma, part))
            at += len(form) + 1
        return cls(id, " ".join(forms), tuple(tokens), meta or {})

    def usages(self, lemmas: Iterable[str] | None = None) -> Iterator[Usage]:
        """The words that have a lemma and a part of speech as usages of ``lemma.pos``: of all lemmas, or of these.

        The n-th word's usage is called after the sentence, ``id.n``.
        """
        wanted = None if lemmas is None else set(lemmas)
        for number, token in enumerate(self.tokens, start=1):
            lemma = f"{token.lemma}.{token.pos}"
            if token.lemma and token.pos and (wanted is None or lemma in wanted):
                yield Usage(f"{self.id}.{number}", lemma, self.text, token.start, token.end, token.pos, self.meta)
