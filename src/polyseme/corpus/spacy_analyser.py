"""Any spaCy pipeline as an analyser."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from polyseme.corpus.tokenisation import text_blocks
from polyseme.errors import InputError, MissingExtra
from polyseme.lemma import pos_from_tag
from polyseme.sentence import Sentence, Token

SENTENCE_COMPONENTS = ("parser", "senter", "sentencizer")
"""The components of spaCy that find the ends of sentences."""


@dataclass(frozen=True)
class Spacy:
    """The analysis of a spaCy pipeline. (Honnibal et al. 2020)

    Tokens have lemma, part of speech, tag, head and relation as far as the pipeline provides them. Sentences end where
    the pipeline ends them, or at full stops if it does not. Tokens of white space are left out.

    Args:
        model: The name or the folder of a model.

    >>> Spacy()
    Spacy(model='en_core_web_sm')
    """

    kind: ClassVar[str] = "analyser"
    libraries: ClassVar[tuple[str, ...]] = ("spacy",)
    model: str = "en_core_web_sm"

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """Yield the sentences of a document, each with its offset."""
        prefix, number = f"{name}." if name else "", 0
        for begin, document in self._documents(text):
            for start, sentence in convert_document(document):
                number += 1
                yield begin + start, replace(sentence, id=f"{prefix}{number}")

    def _documents(self, text: str) -> Iterator[tuple[int, Any]]:
        """Yield each block as the pipeline analyses it, with its offset."""
        pipeline = _load_pipeline(self.model)
        for start, end in text_blocks(text):
            pipeline.max_length = max(pipeline.max_length, end - start)
            yield start, pipeline(text[start:end])


def convert_document(document: Any) -> Iterator[tuple[int, Sentence]]:
    """Yield the sentences of a document of spaCy, each with its offset; without their ends, it is one sentence."""
    parsed, text = document.has_annotation("DEP"), document.text
    spans = document.sents if document.has_annotation("SENT_START") else [document[:]]
    rows = (words for span in spans if (words := [word for word in span if not word.is_space]))
    for number, words in enumerate(rows, start=1):
        start, end = words[0].idx, words[-1].idx + len(words[-1])
        yield start, Sentence(str(number), text[start:end], tuple(_convert_tokens(words, start, parsed)))


def _convert_tokens(words: list[Any], start: int, parsed: bool) -> Iterator[Token]:
    numbers = {word.i: number for number, word in enumerate(words, start=1)}
    for word in words:
        offset = word.idx - start
        head = None if not parsed else 0 if word.head.i == word.i else numbers.get(word.head.i)
        yield Token(
            word.text,
            offset,
            offset + len(word),
            word.lemma_,
            pos_from_tag(word.pos_ or word.tag_),
            word.tag_,
            head,
            word.dep_,
        )


@lru_cache(maxsize=2)
def _load_pipeline(model: str) -> Any:
    """Load a pipeline, without named entities, and with a component that ends sentences if it has none."""
    try:
        spacy: Any = importlib.import_module("spacy")
    except ImportError:
        raise MissingExtra("spacy", "spacy") from None
    try:
        pipeline = spacy.load(model, exclude=["ner"])
    except OSError:
        raise InputError(
            f"{model!r} is neither a spaCy model nor the folder of one. Type: python -m spacy download {model}"
        ) from None
    if not any(name in pipeline.pipe_names for name in SENTENCE_COMPONENTS):
        pipeline.add_pipe("sentencizer", first=True)
    return pipeline
