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
"""Signs as the model knows them."""


@dataclass(frozen=True)
class English:
    """English text with lemmas and tags from HanTa (Wartena 2019).

    Tags are those of the British National Corpus, C5; lemmas are in small letters.

    >>> English()
    English()
    """

    kind: ClassVar[str] = "analyser"
    libraries: ClassVar[tuple[str, ...]] = ("HanTa",)

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """The sentences of a document, each with the place where it starts."""
        return number_sentences(self.rows(text), name)

    def rows(self, text: str) -> Iterator[SentenceColumns]:
        """The same as columns."""
        tag = load_tagger().tag
        for spans in find_sentences(text, "en"):
            start = spans[0][0]
            forms = [text[at:to] for at, to in spans]
            said = tag([_normalise_form(form) for form in forms])
            starts, ends = [at - start for at, _ in spans], [to - start for _, to in spans]
            lemmas, tags = [lemma for lemma, _ in said], [label for _, label in said]
            parts = [pos_from_c5_tag(label) if _is_word(form) else "" for form, label in zip(forms, tags, strict=True)]
            yield SentenceColumns(start, text[start : spans[-1][1]], forms, starts, ends, lemmas, parts, tags)


def _normalise_form(form: str) -> str:
    """A form as the model has it."""
    return form if form.isascii() and form[0] not in "`'" else SIGNS.get(form) or straighten_apostrophes(form)


def _is_word(form: str) -> bool:
    """Whether there is a letter or a digit in it; the model takes signs that it does not know for nouns."""
    return form.isalpha() or any(map(str.isalnum, form))
