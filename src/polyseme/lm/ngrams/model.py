r"""An n-gram model with modified Kneser–Ney smoothing, as a trie in flat arrays.

A *node* is an n-gram. Nodes are numbered by length and then by their words. So words are the first nodes, and the
continuations of a node are consecutive. The model is stored in backoff form,

.. math::

    p(w|h) = \begin{cases} p(hw) & \text{if } hw \text{ is a node} \\ \gamma(h)\, p(w|h') & \text{else} \end{cases}

as in ARPA files: :math:`\log_{10} p` of each node, and :math:`\log_{10} \gamma` of those that can be histories. If an
n-gram is a node, all n-grams in it are nodes, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats
from polyseme.corpus.index import Index
from polyseme.errors import InputError, count_noun
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.ngrams import storage
from polyseme.lm.ngrams.counting import NGramLevel, count_ngrams
from polyseme.lm.ngrams.numbered_text import END, SPECIAL_WORDS, START, UNKNOWN, NumberedText
from polyseme.lm.ngrams.smoothing import SmoothedLevel, smooth_levels

if TYPE_CHECKING:
    from polyseme.lm.ngrams.gap_lists import GapLists

NGRAM_FORMAT = 1
"""The version of the files of a model; it changes with them."""

LOG_ZERO = -99.0
"""The logarithm that stands for a probability of 0 in ARPA files."""

Nodes = NDArray[np.int64]
ShowTraining = Callable[[str], object]


class NGramTrie(NamedTuple):
    """The nodes of a model.

    Args:
        word: The last word of each node.
        logp: The log probability of each node.
        backoff: The log backoff of each node; the longest n-grams have none.
        child: The continuations of node ``n`` are the nodes from ``child[n]`` to ``child[n + 1]``, in the order of
            their words.
        suffix: The node without its first word.
    """

    word: NDArray[np.int32]
    logp: NDArray[np.float32]
    backoff: NDArray[np.float32]
    child: NDArray[np.int32]
    suffix: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class NGrams:
    """An n-gram model; :meth:`train` makes one, :meth:`load` reads one.

    Args:
        words: The vocabulary; the number of a word is also its node.
        ends: The number of the first node that is longer than 1, 2, … words.
        trie: The nodes.
        facts: How the model was trained.

    >>> model = NGrams.train([["the", "bank", "lends"], ["the", "bank", "pays"]], order=3)
    >>> model
    <NGrams of order 3: 4 words, 6 nodes of 2, 5 of 3>
    >>> sentences = [["the", "bank", "lends"]]
    >>> (10 ** model.log_probabilities(sentences)).round(3).tolist(), round(model.perplexity(sentences), 2)
    ([0.156], 1.59)
    """

    words: tuple[str, ...]
    ends: tuple[int, ...]
    trie: NGramTrie
    facts: dict[str, Any]

    @classmethod
    def train(
        cls,
        source: Index | Iterable[Sequence[str]] | NumberedText,
        *,
        order: int = 4,
        minimum: int = 1,
        prune: bool = False,
        language: str = "en",
        show: ShowTraining = lambda _: None,
    ) -> NGrams:
        """Train a model of lower-cased words.

        Args:
            source: An index, or sentences as sequences of words.
            order: The number of words of the longest n-grams.
            minimum: Rarer words are ``<unk>``.
            prune: Whether n-grams of three words or more that occur once are left out. The model is then several times
                smaller, and a little worse.
            language: The language of the tokeniser that found the words.
            show: Receives a message for each step.

        Raises:
            InputError: The order is not allowed, or there are no words.
        """
        if not 2 <= order <= 9:
            raise InputError(f"an n-gram model of order {order}; allowed are 2 to 9")
        show("Reading")
        text = NumberedText.from_source(source).keep_frequent(minimum)
        if not (text.tokens > END).any():
            raise InputError(f"there are no words that occur {count_noun(max(minimum, 1), 'time')} or more to train on")
        levels: list[NGramLevel] = []
        for level in count_ngrams(text, order):
            levels.append(level)
            show(f"Counting n-grams of {count_noun(len(levels) + 1, 'word')}")
        show("Smoothing")
        sentences = int((text.tokens == START).sum())
        facts: dict[str, Any] = {"tokens": len(text.tokens) - 2 * sentences, "sentences": sentences}
        facts |= {"order": order, "minimum": minimum, "prune": prune, "language": language}
        return _build_model(text.words, levels, smooth_levels(levels, prune=prune), facts)

    @property
    def order(self) -> int:
        """The number of words of the longest n-grams."""
        return len(self.ends)

    @property
    def language(self) -> str:
        """The language of the tokeniser that found the words."""
        return str(self.facts.get("language", "en"))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def gaps(self) -> GapLists:
        """The lists for a search of the best words in a gap."""
        from polyseme.lm.ngrams.gap_lists import build_gap_lists

        return build_gap_lists(self)

    def __repr__(self) -> str:
        sizes = np.diff(self.ends).tolist()
        longer = ", ".join(f"{size:,} {'nodes ' * (n == 2)}of {n}" for n, size in enumerate(sizes, start=2))
        return f"<NGrams of order {self.order}: {count_noun(self.ends[0] - len(SPECIAL_WORDS), 'word')}, {longer}>"

    def number(self, word: str) -> int:
        """Return the number of a word in lower or upper case; that of ``<unk>`` if it is unknown."""
        return self.numbers.get(word.lower(), UNKNOWN)

    def find_children(self, nodes: NDArray[Any], words: NDArray[Any]) -> Nodes:
        """Find the node of each history followed by each word; −1 if there is none, and after −1."""
        is_history = (nodes >= 0) & (nodes < len(self.trie.backoff))
        histories = np.where(is_history, nodes, 0)
        low = np.where(is_history, self.trie.child[histories], 0).astype(np.int64)
        last = high = np.where(is_history, self.trie.child[histories + 1], 0).astype(np.int64)
        while (is_open := low < high).any():
            middle = (low + high) // 2
            is_less = is_open & (self.trie.word[np.where(is_open, middle, 0)] < words)
            low, high = np.where(is_less, middle + 1, low), np.where(is_open & ~is_less, middle, high)
        inside = low < last
        return np.where(inside & (self.trie.word[np.where(inside, low, 0)] == words), low, -1)

    def back_off(self, scores: Floats, histories: NDArray[Any], nodes: NDArray[Any]) -> Floats:
        """Return the log probabilities of nodes; without a node, that of the shorter n-gram plus the backoff."""
        backoff = np.where(histories >= 0, self.trie.backoff[np.maximum(histories, 0)], 0)
        return np.where(nodes >= 0, self.trie.logp[np.maximum(nodes, 0)], scores + backoff)

    def log_probabilities(self, sentences: Iterable[Sequence[str]]) -> Floats:
        """Compute the log (to base 10) of the probability of each sentence and its end."""
        text = NumberedText.from_source(sentences).renumber(self.words)
        starts = np.flatnonzero(text.tokens == START)
        return np.add.reduceat(self._score_tokens(text), starts) if len(starts) else np.empty(0)

    def _score_tokens(self, text: NumberedText) -> Floats:
        """Compute the log probability of each word after those before it; the beginning of a sentence is certain."""
        tokens = text.tokens.astype(np.int64)
        scores: Floats = self.trie.logp[tokens].astype(np.float64)
        nodes: NDArray[Any] = tokens
        for _ in range(1, self.order):
            histories = np.concatenate([[-1], nodes[:-1]])
            nodes = self.find_children(histories, tokens)
            scores = self.back_off(scores, histories, nodes)
        return np.where(tokens == START, 0.0, scores)

    def perplexity(self, sentences: Iterable[Sequence[str]] | NumberedText) -> float:
        """Compute 10 to the mean of −log probability of words and ends of sentences; unknown words are ``<unk>``."""
        text = NumberedText.from_source(sentences).renumber(self.words)
        count = int((text.tokens != START).sum())
        if not count:
            raise InputError("the perplexity of no sentences; give one or more")
        return float(10 ** (-self._score_tokens(text).sum() / count))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder, with the lists for the search of substitutes."""
        manifest = {"layout": NGRAM_FORMAT, "ends": self.ends, "facts": self.facts, "words": self.words}
        storage.save(folder, manifest, {**self.trie._asdict(), **self.gaps._asdict()})

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> NGrams:
        """Read a model that :meth:`save` wrote; it is mapped into memory, and gives the same answers.

        Raises:
            InputError: The folder is not an n-gram model, or it is damaged.
        """
        from polyseme.lm.ngrams.gap_lists import GapLists

        manifest, arrays = storage.load(folder, NGRAM_FORMAT)
        try:
            trie = NGramTrie(**{name: arrays[name] for name in NGramTrie._fields})
            model = cls(tuple(manifest["words"]), tuple(manifest["ends"]), trie, dict(manifest["facts"]))
            model.__dict__["gaps"] = GapLists(**{name: arrays[name] for name in GapLists._fields})
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"this n-gram model is damaged ({error}); train it again", path=folder) from None
        return model


def load_ngrams(folder: str) -> NGrams:
    """Load the model of a folder. It is read again only if the folder changes."""
    return _load_ngrams(folder, last_modified(folder))


@lru_cache(maxsize=2)
def _load_ngrams(folder: str, _: int) -> NGrams:
    return NGrams.load(folder)


def _build_model(
    words: tuple[str, ...], levels: list[NGramLevel], smoothed: list[SmoothedLevel], facts: dict[str, Any]
) -> NGrams:
    """Build the trie of the n-grams that stay."""
    sizes = [int(level.stays.sum()) for level in smoothed]
    ends = np.cumsum(sizes).tolist()
    child = [np.array([ends[0]], np.int64)]
    suffix = [np.full(sizes[0], -1)]
    for number in range(1, len(levels)):
        start = ends[number - 2] if number > 1 else 0
        numbers = np.cumsum(smoothed[number - 1].stays) - 1
        level, stays = levels[number], smoothed[number].stays
        children = np.bincount(numbers[level.parent[stays]], minlength=sizes[number - 1])
        child.append(ends[number - 1] + np.cumsum(children))
        suffix.append(start + numbers[level.suffix[stays]])
    trie = NGramTrie(
        np.concatenate([level.word[after.stays] for level, after in zip(levels, smoothed, strict=True)]),
        np.concatenate([_log10(level.probability[level.stays]) for level in smoothed]),
        np.concatenate([_log10(level.backoff[level.stays]) for level in smoothed[:-1]]),
        np.concatenate(child).astype(np.int32),
        np.concatenate(suffix).astype(np.int32),
    )
    for array in trie:
        array.flags.writeable = False
    discounts = [[round(discount, 4) for discount in level.discounts] for level in smoothed]
    return NGrams(words, tuple(ends), trie, {**facts, "discounts": discounts})


def _log10(probability: Floats) -> NDArray[np.float32]:
    """Compute the logarithm to base 10; it is never positive, despite rounding."""
    with np.errstate(divide="ignore"):
        return np.clip(np.log10(probability), LOG_ZERO, 0).astype(np.float32)
