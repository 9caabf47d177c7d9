"""Where the usages of lemmas come from: an index, or a list of usages.

The usages of a list are its own targets, each with its whole text; those of an index are the occurrences of a word,
each with its sentence and the sentences around it. Either way a usage has the lemma that the caller asks for, with its
part of speech, even where the corpus has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.passages import Passages, analyse_passages, passages_without_words, read_passages, replace_lemma
from polyseme.corpus.word_selection import suggest_words
from polyseme.induction.fitting import Corpus, match_lemmas
from polyseme.induction.vector_model import InductionSteps
from polyseme.lemma import normalise_lemma
from polyseme.usage import Usage


class UsageSource(NamedTuple):
    """The usages of some lemmas in a corpus."""

    analyser: str
    """The specification of what analysed the corpus, and analyses usages that are labelled later."""
    facts: Mapping[str, int]
    """How large the corpus is."""
    missed: Mapping[str, str]
    """The lemmas without usages, and why."""
    passages: Callable[[Sequence[str]], dict[str, Passages]]
    """Gives the usages of lemmas; a lemma without any is left out."""


def open_usage_source(
    corpus: Corpus, lemmas: Sequence[str], steps: InductionSteps, analysed_by: Analyser | None
) -> UsageSource:
    """The usages of lemmas in a corpus, as many of each as the steps learn from.

    Args:
        corpus: An index, or usages.
        lemmas: Whose usages are wanted.
        steps: How many usages of a lemma are taken, and how far a passage goes.
        analysed_by: What analyses the texts of a list of usages; English by default.
    """
    if isinstance(corpus, Index):
        return _read_from_index(corpus, lemmas, steps)
    return _read_from_usages(list(corpus), lemmas, steps, analysed_by or as_analyser("english"))


def needs_no_analysis(steps: InductionSteps) -> bool:
    """Whether neither vectors nor descriptions are made of the words that an analyser finds."""
    return steps.represent.reads_text and steps.told == "substitutes"


def _read_from_index(index: Index, lemmas: Sequence[str], steps: InductionSteps) -> UsageSource:
    words, missed = match_lemmas(index, lemmas)
    options: dict[str, Any] = {"sentences": steps.sentences, "most": steps.most, "share": steps.share}

    def read(names: Sequence[str]) -> dict[str, Passages]:
        word_by_lemma = {lemma: words[lemma] for lemma in names if lemma in words}
        if not word_by_lemma:  # reading all tokens for nothing takes long
            return {}
        by_word = read_passages(index, dict.fromkeys(word_by_lemma.values()), **options)
        return {lemma: by_word[word].with_lemma(lemma) for lemma, word in word_by_lemma.items()}

    facts = {name: int(index.manifest[name]) for name in ("documents", "sentences", "tokens")}
    return UsageSource(str(index.manifest["analyser"]), facts, missed, read)


def _read_from_usages(
    usages: Sequence[Usage], lemmas: Sequence[str], steps: InductionSteps, analysed_by: Analyser
) -> UsageSource:
    by_name, by_word = _group_usages(usages)
    by_lemma = {
        lemma: by_name.get(lemma) or [replace_lemma(usage, lemma) for usage in by_word.get(normalise_lemma(lemma), ())]
        for lemma in lemmas
    }
    missed = {lemma: _explain_missing(lemma, by_word) for lemma in lemmas if not by_lemma[lemma]}

    def read(names: Sequence[str]) -> dict[str, Passages]:
        texts = [usage for lemma in names for usage in by_lemma[lemma]]
        whole = passages_without_words(texts) if needs_no_analysis(steps) else analyse_passages(texts, analysed_by)
        return {lemma: every.sample(steps.most, share=steps.share) for lemma, every in whole.items()}

    return UsageSource(repr(analysed_by), {"usages": len(usages)}, missed, read)


def _group_usages(usages: Sequence[Usage]) -> tuple[dict[str, list[Usage]], dict[str, list[Usage]]]:
    """The usages of each lemma as they name it, and of each word, which may be written in several ways."""
    by_name: dict[str, list[Usage]] = {}
    by_word: dict[str, list[Usage]] = {}
    for usage in usages:
        by_name.setdefault(usage.lemma, []).append(usage)
        by_word.setdefault(normalise_lemma(usage.lemma, usage.pos), []).append(usage)
    return by_name, by_word


def _explain_missing(lemma: str, words: Mapping[str, Sequence[Usage]]) -> str:
    near = suggest_words(normalise_lemma(lemma), words)
    others = f" ({' and '.join(near)} {'has' if len(near) == 1 else 'have'} some)" if near else ""
    return f"none of the usages is of this lemma{others}"
