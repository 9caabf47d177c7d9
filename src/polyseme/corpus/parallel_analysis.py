"""The analysis of many documents by several processes, in order, with the result of one process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.vocabulary import token_word
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage
from polyseme.workers import available_processors, parallel_map

PlacedSentence = tuple[int, Sentence]
"""A sentence with its offset in the document."""

NamedText = tuple[str, str]
"""A name and a text."""

TextWords = list[tuple[int, int, str]]
"""The words of a text: where each starts and ends, and its name in a vocabulary."""

Result = TypeVar("Result")
DocumentFunction = Callable[[str, Iterator[PlacedSentence]], Result]
"""A function of the name of a document and its sentences."""

CHUNK_CHARACTERS = 200_000
"""Short documents are sent to a worker together up to this number of characters."""

SERIAL_LIMIT = 200
"""Up to this number of texts, it does not pay to start processes."""


def analyse_documents(
    analyser: Analyser, documents: Iterable[NamedText], *, processes: int | None = None
) -> Iterator[tuple[str, list[PlacedSentence]]]:
    """Yield the name and the sentences of each document, with their offsets, in the order of the documents.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> documents = [("a", "One. Two."), ("b", "Three.")]
    >>> for name, sentences in analyse_documents(Simple(lemmatise=False), documents, processes=1):
    ...     print(name, [(start, sentence.id, sentence.text) for start, sentence in sentences])
    a [(0, 'a.1', 'One.'), (5, 'a.2', 'Two.')]
    b [(0, 'b.1', 'Three.')]
    """
    count = available_processors() if processes is None else processes
    if count == 1:
        return map_documents(_list_sentences, analyser, documents, processes=1)
    return map(_from_plain_values, map_documents(_to_plain_values, analyser, documents, processes=count))


def map_documents(
    function: DocumentFunction[Result],
    analyser: Analyser,
    documents: Iterable[NamedText],
    *,
    processes: int | None = None,
) -> Iterator[Result]:
    """Apply a function to each analysed document, in the process that analyses it.

    Args:
        function: The function; a large result is cheaper to send if it consists of plain values.
        analyser: Analyses the texts.
        documents: The names and texts. They are read only as they are needed.
        processes: How many processes work; by default as many as there are processors. With 1, this process works.

    Returns:
        The results, in the order of the documents.
    """
    return share_documents(partial(_apply, function, analyser), analyser, documents, processes)


def share_documents(
    work: Callable[[NamedText], Result], analyser: Analyser, documents: Iterable[NamedText], processes: int | None
) -> Iterator[Result]:
    """Apply work of any kind with an analyser to documents, shared by processes."""
    return parallel_map(
        work, documents, processes=processes, size=_count_characters, chunk=CHUNK_CHARACTERS, name=repr(analyser)
    )


def analyse_usages(usages: Sequence[Usage], analyser: Analyser, processes: int | None = None) -> Iterator[TextWords]:
    """Yield the words of the text of each usage; several processes work if there are many usages."""
    if processes is None and len(usages) <= SERIAL_LIMIT:
        processes = 1
    texts = ((usage.id, usage.text) for usage in usages)
    return map_documents(list_text_words, analyser, texts, processes=processes)


def _apply(function: DocumentFunction[Result], analyser: Analyser, document: NamedText) -> Result:
    """Analyse a document, and apply a function to it, in a worker."""
    name, text = document
    return function(name, analyser.analyse(text, name))


def _count_characters(document: NamedText) -> float:
    return len(document[1])


def list_text_words(_: str, sentences: Iterator[PlacedSentence]) -> TextWords:
    """List the words of an analysed text."""
    return [
        (start + token.start, start + token.end, token_word(token))
        for start, sentence in sentences
        for token in sentence.tokens
    ]


def _list_sentences(name: str, sentences: Iterator[PlacedSentence]) -> tuple[str, list[PlacedSentence]]:
    return name, list(sentences)


# -- sentences as plain values, which are faster to send -----------------------------------------------------------


def _to_plain_values(name: str, sentences: Iterator[PlacedSentence]) -> tuple[str, list[Any]]:
    return name, [
        (start, sentence.id, sentence.text, [_token_fields(token) for token in sentence.tokens], dict(sentence.meta))
        for start, sentence in sentences
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
