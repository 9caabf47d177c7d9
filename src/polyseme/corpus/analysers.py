"""Analysers turn text into sentences of words with lemma, part of speech and, some of them, head and relation.

An analyser is a part: :class:`~polyseme.corpus.english_analyser.English` (the default), :class:`~polyseme.corpus.simple_analyser.Simple`
and :class:`~polyseme.corpus.spacy_analyser.Spacy`, or any class with the method of :class:`Analyser`. One that also has a method
``rows(text)``, which gives sentences as columns (:class:`Rows`), is indexed sooner.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple, Protocol, cast

from polyseme.errors import InputError
from polyseme.parts import build, parts_by_name
from polyseme.sentence import Sentence, Token


class SentenceColumns(NamedTuple):
    """A sentence as columns: a value for each word, but for ``start``, its place in the document, and its text.

    The starts and ends of words are places in the sentence.
    """

    start: int
    text: str
    forms: list[str]
    starts: list[int]
    ends: list[int]
    lemmas: list[str]
    parts: list[str]
    tags: list[str]

    def sentence(self, id: str) -> Sentence:
        """The same as a sentence."""
        columns = (self.forms, self.starts, self.ends, self.lemmas, self.parts, self.tags)
        return Sentence(id, self.text, tuple(map(Token, *columns)))


def number_sentences(rows: Iterable[SentenceColumns], name: str) -> Iterator[tuple[int, Sentence]]:
    """Sentences with their places, and numbered as :class:`Analyser` wants it."""
    prefix = f"{name}." if name else ""
    for number, each in enumerate(rows, start=1):
        yield each.start, each.sentence(f"{prefix}{number}")


class Analyser(Protocol):
    """What turns a document's text into sentences."""

    kind: ClassVar[str]

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """The sentences of a document in order, each with the place where it starts.

        ``text[start + token.start : start + token.end]`` is the token's form. The n-th sentence's id is ``name.n``, or
        ``n`` without a name.
        """
        ...


def as_analyser(specification: str) -> Analyser:
    """The analyser of a short name, ``english``, ``simple:de``, ``spacy:MODEL``, or of a part's specification.

    A short name is that of the part in small letters; after the colon comes its first option.

    >>> as_analyser("english"), as_analyser("simple:de")
    (English(), Simple(language='de', lemmatise=True))
    >>> as_analyser("Simple(language='fr')"), as_analyser("spacy:de_core_news_sm")
    (Simple(language='fr', lemmatise=True), Spacy(model='de_core_news_sm'))
    """
    short = {name.lower(): part for name, part in parts_by_name().items() if part.kind == "analyser"}
    name, colon, argument = specification.strip().partition(":")
    if name not in short:
        return cast(Analyser, build(specification, kind="analyser"))
    options = dataclasses.fields(short[name])
    if colon and not (options and argument):
        said = f"{name}:{options[0].name.upper()} needs its {options[0].name}" if options else f"{name} has no options"
        raise InputError(f"{specification!r} is not an analyser: {said}")
    return cast(Analyser, short[name](*([argument] if colon else [])))
