"""Many documents analysed by several processes, in order, with the answer that one process gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from polyseme import workers
from polyseme.corpus.analysers import Analyser
from polyseme.sentence import Sentence, Token
from polyseme.workers import available

Placed = tuple[int, Sentence]
Document = tuple[str, str]
"""A name and a text."""

Result = TypeVar("Result")
Then = Callable[[str, Iterator[Placed]], Result]
"""What is made of a document: from its name and its sentences, with their places."""

CHARACTERS = 200_000
"""So much text, if documents are short, is given to a worker at once."""


def analysed(
    analyser: Analyser, documents: Iterable[Document], *, processes: int | None = None
) -> Iterator[tuple[str, list[Placed]]]:
    """The documents' names and sentences, with their places, in the order of the documents.

    >>> from polyseme.corpus.simple import Simple
    >>> for name, sentences in analysed(Simple(lemmatise=False), [("a", "One. Two."), ("b", "Three.")], processes=1):
    ...     print(name, [(start, sentence.id, sentence.text) for start, sentence in sentences])
    a [(0, 'a.1', 'One.'), (5, 'a.2', 'Two.')]
    b [(0, 'b.1', 'Three.')]
    """
    count = available() if processes is None else processes
    if count == 1:
        return mapped(_listed, analyser, documents, processes=1)
    return map(_unpacked, mapped(_packed, analyser, documents, processes=count))


def mapped(
    then: Then[Result], analyser: Analyser, documents: Iterable[Document], *, processes: int | None = None
) -> Iterator[Result]:
    """What ``then`` makes of each analysed document, in order; it is called where the analysis is made.

    ``processes`` are as many as the machine has for us, unless said; with 1, all is done here. Documents are read as
    they are needed. A larger answer is cheaper to send if it is made of plain values.
    """
    return shared(_Analysis(then, analyser), analyser, documents, processes)


def shared(
    work: Callable[[Document], Result], analyser: Analyser, documents: Iterable[Document], processes: int | None
) -> Iterator[Result]:
    """What work of any kind with an analyser makes of documents, shared by processes."""
    return workers.mapped(
        work, documents, processes=processes, size=_characters, chunk=CHARACTERS, called=repr(analyser)
    )


@dataclass(frozen=True)
class _Analysis(Generic[Result]):
    """What is done with a document."""

    then: Then[Result]
    analyser: Analyser

    def __call__(self, document: Document) -> Result:
        name, text = document
        return self.then(name, self.analyser.analyse(text, name))


def _characters(document: Document) -> float:
    """How much work a document is."""
    return len(document[1])


# -- sentences as plain values, which are faster to send -----------------------------------------------------------


def _listed(name: str, sentences: Iterator[Placed]) -> tuple[str, list[Placed]]:
    return name, list(sentences)


def _packed(name: str, sentences: Iterator[Placed]) -> tuple[str, list[Any]]:
    return name, [
        (start, given.id, given.text, [_fields(token) for token in given.tokens], dict(given.meta))
        for start, given in sentences
    ]


def _fields(token: Token) -> tuple[Any, ...]:
    plain = (token.form, token.start, token.end, token.lemma, token.pos, token.tag, token.head, token.relation)
    return (*plain, token.senses, dict(token.features)) if token.senses or token.features else plain


def _unpacked(document: tuple[str, list[Any]]) -> tuple[str, list[Placed]]:
    name, sentences = document
    return name, [
        (start, Sentence(id, text, tuple([Token(*fields) for fields in tokens]), meta))
        for start, id, text, tokens, meta in sentences
    ]
