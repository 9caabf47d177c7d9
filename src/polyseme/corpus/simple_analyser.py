"""The fast analyser for many languages: words and lemmas, no parts of speech."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from polyseme.corpus.analysers import SentenceColumns, number_sentences
from polyseme.corpus.tokenisation import find_sentences, straighten_apostrophes
from polyseme.errors import InputError
from polyseme.sentence import Sentence

Lemmatiser = Callable[[str], str]


@dataclass(frozen=True)
class Simple:
    """Words by patterns, lemmas by the lists and rules of simplemma (Barbaresi 2023); no parts of speech.

    Args:
        language: The code of the language, such as ``de``.
        lemmatise: Whether words have lemmas; otherwise the lemma is the form in lower case. This works for any language
            that writes spaces between words.

    >>> [(start, sentence.text) for start, sentence in Simple("de", lemmatise=False).analyse("Am 3. Mai. Ein Satz.")]
    [(0, 'Am 3. Mai.'), (11, 'Ein Satz.')]
    """

    kind: ClassVar[str] = "analyser"
    language: str = "en"
    lemmatise: bool = True

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries on which the result depends."""
        return ("simplemma",) if self.lemmatise else ()

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        """Yield the sentences of a document, each with its offset."""
        return number_sentences(self.rows(text), name)

    def rows(self, text: str) -> Iterator[SentenceColumns]:
        """Yield the sentences as columns."""
        lemmatise = _load_lemmatiser(self.language) if self.lemmatise else str.lower
        for spans in find_sentences(text, self.language):
            columns = SentenceColumns.from_spans(text, spans)
            yield columns._replace(lemmas=list(map(lemmatise, columns.forms)))


@lru_cache(maxsize=8)
def _load_lemmatiser(language: str) -> Lemmatiser:
    """The function that returns the lemma of a form; it has a cache."""
    import simplemma
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    if language not in SUPPORTED_LANGUAGES:
        allowed = ", ".join(sorted(SUPPORTED_LANGUAGES))
        raise InputError(
            f"simplemma has no lemmas for the language {language!r}; it has {allowed}."
            f" Without lemmas: Simple(language={language!r}, lemmatise=False)"
        )

    @lru_cache(maxsize=1_000_000)
    def lemmatise(form: str) -> str:
        return simplemma.lemmatize(straighten_apostrophes(form), lang=language) or form.lower()

    return lemmatise
