"""Made-up texts with the habits of real ones, and models of them."""

from functools import cache

import numpy as np

from polyseme.lm.ngrams.fastsubs import Gap
from polyseme.lm.ngrams.model import NGrams


@cache
def sentences(count: int = 2000, words: int = 300, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """Sentences in which frequent words are very frequent, and what follows depends on what stands before."""
    rng = np.random.default_rng(seed)
    common = 1 / np.arange(1, words + 1)
    common /= common.sum()
    likes = [rng.choice(words, 8, p=common) for _ in range(words)]
    made = []
    for _ in range(count):
        sentence = [int(rng.choice(words, p=common))]
        while rng.random() < 0.9:
            free = rng.random() < 0.4
            sentence.append(int(rng.choice(words, p=common) if free else rng.choice(likes[sentence[-1]])))
        made.append(tuple(f"w{word}" for word in sentence))
    return tuple(made)


@cache
def model(order: int = 4, minimum: int = 1, prune: bool = False) -> NGrams:
    return NGrams.train(sentences(), order=order, minimum=minimum, prune=prune)


def gaps(count: int, seed: int = 0) -> list[Gap]:
    """Gaps in sentences, some of them new, with words at times that are not known, and at the ends too."""
    rng = np.random.default_rng(seed)
    every = [*sentences(), *sentences(500, 320, seed=1)]
    found = []
    for _ in range(count):
        sentence = every[rng.integers(len(every))]
        place = int(rng.integers(len(sentence)))
        found.append(Gap(sentence[:place], sentence[place + 1 :]))
    return found
