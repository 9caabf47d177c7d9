"""The default analyser: English words with lemma and part of speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from polyseme.corpus.tagger import part_of_c5, tagger
from polyseme.corpus.tokens import sentences, straight
from polyseme.sentence import Sentence, Token

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

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """The sentences of a document, each with the place where it starts."""
        tag = tagger().tag
        prefix = f"{name}." if name else ""
        for number, spans in enumerate(sentences(text, "en"), start=1):
            start, end = spans[0][0], spans[-1][1]
            forms = [text[at:to] for at, to in spans]
            said = tag([_known(form) for form in forms])
            tokens = [
                Token(form, at - start, to - start, lemma, part_of_c5(label) if _is_word(form) else "", label)
                for form, (at, to), (lemma, label) in zip(forms, spans, said, strict=True)
            ]
            yield start, Sentence(f"{prefix}{number}", text[start:end], tuple(tokens))


def _known(form: str) -> str:
    """A form as the model has it."""
    return form if form.isascii() and form[0] not in "`'" else SIGNS.get(form) or straight(form)


def _is_word(form: str) -> bool:
    """Whether there is a letter or a digit in it; the model takes signs that it does not know for nouns."""
    return form.isalpha() or any(map(str.isalnum, form))
