"""Analysers turn text into sentences of words with lemma, part of speech and, in some analysers, head and relation.

An analyser is a part: :class:`~polyseme.corpus.english_analyser.English` (the default),
:class:`~polyseme.corpus.simple_analyser.Simple` and :class:`~polyseme.corpus.spacy_analyser.Spacy`, or any class with
the method of :class:`Analyser`. An analyser that also has a method ``rows(text)``, which yields sentences as columns
(:class:`SentenceColumns`), is indexed faster.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple, Protocol, cast

from polyseme.errors import InputError
from polyseme.parts import build, parts_by_name
from polyseme.sentence import Sentence, Token


class SentenceColumns(NamedTuple):
    """A sentence as columns, with a value for each word.

    ``start`` is the offset of the sentence in the document; ``starts`` and ``ends`` are offsets in the sentence.
    """

    start: int
    text: str
    forms: list[str]
    starts: list[int]
    ends: list[int]
    lemmas: list[str]
    parts: list[str]
    tags: list[str]

    @classmethod
    def from_spans(cls, text: str, spans: list[tuple[int, int]]) -> SentenceColumns:
        """The forms of the words at these offsets of a document, without lemmas, parts of speech and tags."""
        start, empty = spans[0][0], [""] * len(spans)
        forms = [text[first:last] for first, last in spans]
        starts, ends = [first - start for first, _ in spans], [last - start for _, last in spans]
        return cls(start, text[start : spans[-1][1]], forms, starts, ends, empty, empty, empty)

    def sentence(self, id: str) -> Sentence:
        """The same as a sentence."""
        columns = (self.forms, self.starts, self.ends, self.lemmas, self.parts, self.tags)
        return Sentence(id, self.text, tuple(map(Token, *columns)))


def number_sentences(rows: Iterable[SentenceColumns], name: str) -> Iterator[tuple[int, Sentence]]:
    """Yield sentences with their offsets, numbered as :class:`Analyser` requires."""
    prefix = f"{name}." if name else ""
    for number, columns in enumerate(rows, start=1):
        yield columns.start, columns.sentence(f"{prefix}{number}")


class Analyser(Protocol):
    """Turns the text of a document into sentences."""

    kind: ClassVar[str]

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """Yield the sentences of a document in order, each with its offset.

        ``text[start + token.start : start + token.end]`` is the form of the token. The id of the n-th sentence is
        ``name.n``, or ``n`` without a name.
        """
        ...


def as_analyser(specification: str) -> Analyser:
    """Return the analyser of a short name, ``english``, ``simple:de``, ``spacy:MODEL``, or of a specification.

    A short name is that of the part in lower case; its first option follows the colon.

    Raises:
        InputError: There is no such analyser, or the option is missing.

    >>> as_analyser("english"), as_analyser("simple:de")
    (English(), Simple(language='de', lemmatise=True))
    >>> as_analyser("Simple(language='fr')"), as_analyser("spacy:de_core_news_sm")
    (Simple(language='fr', lemmatise=True), Spacy(model='de_core_news_sm'))
    """
    short_names = {name.lower(): part for name, part in parts_by_name().items() if part.kind == "analyser"}
    name, colon, argument = specification.strip().partition(":")
    if name not in short_names:
        return cast(Analyser, build(specification, kind="analyser"))
    options = dataclasses.fields(short_names[name])
    if colon and not (options and argument):
        problem = (
            f"{name}:{options[0].name.upper()} needs its {options[0].name}" if options else f"{name} has no options"
        )
        raise InputError(f"{specification!r} is not an analyser: {problem}")
    return cast(Analyser, short_names[name](*([argument] if colon else [])))
