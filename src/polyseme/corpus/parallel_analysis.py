"""Many documents analysed by several processes, in order, with the answer that one process gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from polyseme import workers
from polyseme.corpus.analysers import Analyser
from polyseme.sentence import Sentence, Token
from polyseme.workers import available_processors

PlacedSentence = tuple[int, Sentence]
NamedText = tuple[str, str]
"""A name and a text."""

Result = TypeVar("Result")
DocumentFunction = Callable[[str, Iterator[PlacedSentence]], Result]
"""What is made of a document: from its name and its sentences, with their places."""

CHUNK_CHARACTERS = 200_000
"""So much text, if documents are short, is given to a worker at once."""


def analyse_documents(
    analyser: Analyser, documents: Iterable[NamedText], *, processes: int | None = None
) -> Iterator[tuple[str, list[PlacedSentence]]]:
    """The documents' names and sentences, with their places, in the order of the documents.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> for name, sentences in analyse_documents(Simple(lemmatise=False), [("a", "One. Two."), ("b", "Three.")], processes=1):
    ...     print(name, [(start, sentence.id, sentence.text) for start, sentence in sentences])
    a [(0, 'a.1', 'One.'), (5, 'a.2', 'Two.')]
    b [(0, 'b.1', 'Three.')]
    """
    count = available_processors() if processes is None else processes
    if count == 1:
        return map_documents(_list_sentences, analyser, documents, processes=1)
    return map(_from_plain_values, map_documents(_to_plain_values, analyser, documents, processes=count))


def map_documents(
    then: DocumentFunction[Result], analyser: Analyser, documents: Iterable[NamedText], *, processes: int | None = None
) -> Iterator[Result]:
    """What ``then`` makes of each analysed document, in order; it is called where the analysis is made.

    ``processes`` are as many as the machine has for us, unless said; with 1, all is done here. Documents are read as
    they are needed. A larger answer is cheaper to send if it is made of plain values.
    """
    return share_documents(_Analysis(then, analyser), analyser, documents, processes)


def share_documents(
    work: Callable[[NamedText], Result], analyser: Analyser, documents: Iterable[NamedText], processes: int | None
) -> Iterator[Result]:
    """What work of any kind with an analyser makes of documents, shared by processes."""
    return workers.parallel_map(
        work, documents, processes=processes, size=_characters, chunk=CHUNK_CHARACTERS, name=repr(analyser)
    )


@dataclass(frozen=True)
class _Analysis(Generic[Result]):
    """What is done with a document."""

    then: DocumentFunction[Result]
    analyser: Analyser

    def __call__(self, document: NamedText) -> Result:
        name, text = document
        return self.then(name, self.analyser.analyse(text, name))


def _characters(document: NamedText) -> float:
    """How much work a document is."""
    return len(document[1])


# -- sentences as plain values, which are faster to send -----------------------------------------------------------


def _list_sentences(name: str, sentences: Iterator[PlacedSentence]) -> tuple[str, list[PlacedSentence]]:
    return name, list(sentences)


def _to_plain_values(name: str, sentences: Iterator[PlacedSentence]) -> tuple[str, list[Any]]:
    return name, [
        (start, given.id, given.text, [_token_fields(token) for token in given.tokens], dict(given.meta))
        for start, given in sentences
    ]


def _token_fields(token: Token) -> tuple[Any, ...]:
    plain = (token.form, token.start, token.end, token.lemma, token.pos, token.tag, token.head, token.relation)
    return (*plain, token.senses, dict(token.features)) if token.senses or token.features else plain


def _from_plain_values(document: tuple[str, list[Any]]) -> tuple[str, list[PlacedSentence]]:
    name, sentences = document
    return name, [
        (start, Sentence(id, text, tuple([Token(*fields) for fields in tokens]), meta))
        for start, id, text, tokens, meta in sentences
    ]
