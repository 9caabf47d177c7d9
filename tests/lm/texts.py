"""Artificial texts that are distributed like real ones, and models of them."""

from functools import cache

import numpy as np

from polyseme.lm.ngrams.fastsubs import Gap
from polyseme.lm.ngrams.model import NGrams


@cache
def sentences(count: int = 2000, words: int = 300, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """Draw sentences: word frequencies follow Zipf's law, and a word depends on the one before."""
    rng = np.random.default_rng(seed)
    common = 1 / np.arange(1, words + 1)
    common /= common.sum()
    likes = [rng.choice(words, 8, p=common) for _ in range(words)]
    drawn: list[tuple[str, ...]] = []
    for _ in range(count):
        sentence = [int(rng.choice(words, p=common))]
        while rng.random() < 0.9:
            free = rng.random() < 0.4
            sentence.append(int(rng.choice(words, p=common) if free else rng.choice(likes[sentence[-1]])))
        drawn.append(tuple(f"w{word}" for word in sentence))
    return tuple(drawn)


@cache
def train_model(order: int = 4, minimum: int = 1, prune: bool = False) -> NGrams:
    return NGrams.train(sentences(), order=order, minimum=minimum, prune=prune)


def make_gaps(count: int, seed: int = 0) -> list[Gap]:
    """Draw gaps in known and new sentences, with unknown words, also at the ends."""
    rng = np.random.default_rng(seed)
    texts = [*sentences(), *sentences(500, 320, seed=1)]
    gaps = []
    for _ in range(count):
        sentence = texts[rng.integers(len(texts))]
        position = int(rng.integers(len(sentence)))
        gaps.append(Gap(sentence[:position], sentence[position + 1 :]))
    return gaps
