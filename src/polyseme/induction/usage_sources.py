"""The usages of lemmas in a corpus, which is an index or a list of usages.

The usages of a list are its own targets, each with its whole text. Those of an index are the occurrences of a word,
each with its sentence and the sentences around it. Every usage gets the lemma that the caller names, with its part of
speech, even if the corpus has no parts of speech.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.passages import (
    Passages,
    analyse_passages,
    passages_without_words,
    read_passages,
    replace_lemma,
)
from polyseme.corpus.word_selection import suggest_words
from polyseme.errors import InputError, InputWarning
from polyseme.lemma import normalise_lemma, strip_pos
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.induction.fitting import FitTask
    from polyseme.induction.pipeline import Pipeline

Corpus = Index | Iterable[Usage]
"""What senses are induced from."""

FACTS = ("documents", "sentences", "tokens")
"""The sizes of an index that a model records."""


def list_lemmas(corpus: Index | Sequence[Usage], usages: Sequence[Usage]) -> list[str]:
    """List the lemmas of the usages to label; without any, those of a corpus of usages.

    Raises:
        InputError: The corpus is an index, whose lemmas are too many.
    """
    if usages:
        return sorted({usage.lemma for usage in usages})
    if isinstance(corpus, Index):
        raise InputError("name the lemmas, such as bank.n; an index has too many to induce senses of all")
    return list(dict.fromkeys(usage.lemma for usage in corpus))


def match_lemmas(index: Index, lemmas: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Match lemmas with the words of an index, which may have no parts of speech.

    Returns:
        The word of each lemma, and the reason why a lemma has none.
    """
    words: dict[str, str] = {}
    missed: dict[str, str] = {}
    for lemma in lemmas:
        word = normalise_lemma(lemma)
        match = next((name for name in (word, strip_pos(word)) if name in index.vocabulary), None)
        if match is None:
            others = _suggest(lemma, index.vocabulary, "does", "do")
            missed[lemma] = f"it does not occur in the corpus{others}{others and '; write lemmas as the corpus does'}"
        else:
            words[lemma] = match
    _warn_of_shared_words(words)
    return words, missed


def _suggest(lemma: str, vocabulary: Container[str], one: str, several: str) -> str:
    """Suggest, in brackets, words that a lemma could stand for."""
    names = suggest_words(normalise_lemma(lemma), vocabulary)
    return f" ({' and '.join(names)} {one if len(names) == 1 else several})" if names else ""


def _warn_of_shared_words(words: Mapping[str, str]) -> None:
    """Warn of lemmas that are one word in the corpus; two spellings of one lemma may be."""
    lemmas_by_word: dict[str, dict[str, str]] = {}
    for lemma, word in words.items():
        lemmas_by_word.setdefault(word, {})[normalise_lemma(lemma)] = lemma
    for word, lemmas in lemmas_by_word.items():
        if len(lemmas) > 1:
            problem = f"{' and '.join(lemmas.values())} are one word in this corpus, {word}, and have the same senses"
            warnings.warn(f"{problem}; with parts of speech they would be two", InputWarning, stacklevel=3)


@contextmanager
def open_as_index(corpus: Corpus, analyser: Analyser | None, lemmas: Container[str] = ()) -> Iterator[Index]:
    """Open a corpus as an index; usages are indexed in a temporary folder.

    Args:
        corpus: The corpus.
        analyser: The analyser of usages.
        lemmas: Lemmas as usages write them; the targets of these have them in the index, even without a part of speech.
    """
    if isinstance(corpus, Index):
        yield corpus
        return
    corpus = [replace(usage, pos="") if usage.lemma in lemmas else usage for usage in corpus]
    with tempfile.TemporaryDirectory() as folder:
        yield build_index(corpus, Path(folder, "index"), analyser or as_analyser("english"), keep_lemmas=True)


class UsageSource(NamedTuple):
    """The usages of lemmas in a corpus.

    Args:
        analyser: The specification of the analyser of the corpus, which also analyses the usages to label.
        facts: The size of the corpus.
        missed: The lemmas without usages, with the reason.
        read: Reads the usages of lemmas; a lemma without any is left out.
    """

    analyser: str
    facts: Mapping[str, int]
    missed: Mapping[str, str]
    read: Callable[[Sequence[str]], dict[str, Passages]]


def open_usage_source(task: FitTask, steps: Pipeline) -> UsageSource:
    """Open the usages of lemmas in a corpus.

    Args:
        task: The corpus, the lemmas, and the analyser of texts; English by default.
        steps: How many usages of a lemma are read, and how many sentences around each.
    """
    if isinstance(task.corpus, Index):
        return _read_from_index(task.corpus, task.lemmas, steps)
    return _read_from_usages(task.corpus, task, steps)


def needs_no_analysis(steps: Pipeline) -> bool:
    """Whether neither vectors nor descriptions use the words that an analyser finds."""
    return steps.represent.reads_text and steps.told == "substitutes"


def _read_from_index(index: Index, lemmas: Sequence[str], steps: Pipeline) -> UsageSource:
    words, missed = match_lemmas(index, lemmas)

    def read(names: Sequence[str]) -> dict[str, Passages]:
        word_by_lemma = {lemma: words[lemma] for lemma in names if lemma in words}
        if not word_by_lemma:  # reading all tokens for nothing takes long
            return {}
        distinct = dict.fromkeys(word_by_lemma.values())
        passages = read_passages(index, distinct, sentences=steps.sentences, most=steps.most, share=steps.share)
        return {lemma: passages[word].with_lemma(lemma) for lemma, word in word_by_lemma.items()}

    facts = {name: int(index.manifest[name]) for name in FACTS}
    return UsageSource(str(index.manifest["analyser"]), facts, missed, read)


def _read_from_usages(usages: Sequence[Usage], task: FitTask, steps: Pipeline) -> UsageSource:
    analyser = task.analyser or as_analyser("english")
    by_spelling: dict[str, list[Usage]] = {}
    by_word: dict[str, list[Usage]] = {}  # a word may be spelt in several ways
    for usage in usages:
        by_spelling.setdefault(usage.lemma, []).append(usage)
        by_word.setdefault(normalise_lemma(usage.lemma, usage.pos), []).append(usage)
    by_lemma, missed = dict[str, list[Usage]](), dict[str, str]()
    for lemma in task.lemmas:
        others = [replace_lemma(usage, lemma) for usage in by_word.get(normalise_lemma(lemma), ())]
        by_lemma[lemma] = by_spelling.get(lemma, others)
        if not by_lemma[lemma]:
            hint = _suggest(lemma, by_word, "has some", "have some")
            missed[lemma] = f"none of the usages is of this lemma{hint}"

    def read(names: Sequence[str]) -> dict[str, Passages]:
        texts = [usage for lemma in names for usage in by_lemma[lemma]]
        passages = passages_without_words(texts) if needs_no_analysis(steps) else analyse_passages(texts, analyser)
        return {lemma: every.sample(steps.most, share=steps.share) for lemma, every in passages.items()}

    return UsageSource(repr(analyser), {"usages": len(usages)}, missed, read)
