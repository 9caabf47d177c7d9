"""The default analyser: English words with lemma and part of speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from polyseme.corpus.analysers import SentenceColumns, number_sentences
from polyseme.corpus.tagger import load_tagger
from polyseme.corpus.tokenisation import find_sentences, straighten_apostrophes
from polyseme.lemma import pos_from_c5_tag
from polyseme.sentence import Sentence

QUOTES = dict.fromkeys(("``", "''", *"“”„‟«»‹›"), '"')
SIGNS = {**QUOTES, "‘": "'", "–": "—", "…": "...", "‑": "-"}
"""Punctuation as the model writes it."""


@dataclass(frozen=True)
class English:
    """English text with lemmas and tags from HanTa (Wartena 2019).

    Tags are those of the British National Corpus, C5; lemmas are in lower case.

    >>> English()
    English()
    """

    kind: ClassVar[str] = "analyser"
    libraries: ClassVar[tuple[str, ...]] = ("HanTa",)

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """Yield the sentences of a document, each with its offset."""
        return number_sentences(self.rows(text), name)

    def rows(self, text: str) -> Iterator[SentenceColumns]:
        """Yield the sentences as columns."""
        tag = load_tagger().tag
        for spans in find_sentences(text, "en"):
            columns = SentenceColumns.from_spans(text, spans)
            tagged = tag([_normalise_form(form) for form in columns.forms])
            tags = [label for _, label in tagged]
            parts = [
                pos_from_c5_tag(label) if _is_word(form) else ""
                for form, label in zip(columns.forms, tags, strict=True)
            ]
            yield columns._replace(lemmas=[lemma for lemma, _ in tagged], parts=parts, tags=tags)


def _normalise_form(form: str) -> str:
    """A form as the model writes it."""
    return form if form.isascii() and form[0] not in "`'" else SIGNS.get(form) or straighten_apostrophes(form)


def _is_word(form: str) -> bool:
    """Whether a form has a letter or a digit; the model takes signs that it does not know for nouns."""
    return form.isalpha() or any(map(str.isalnum, form))
