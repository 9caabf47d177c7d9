r"""An n-gram model with modified Kneser–Ney smoothing, as a trie in flat arrays.

A *node* is an n-gram. Nodes are numbered by length and then by their words, so that words are the first nodes and the
continuations of a node stand one after the other. The model is stored in backoff form,

.. math::

    p(w|h) = \begin{cases} p(hw) & \text{if } hw \text{ is a node} \\ \gamma(h)\, p(w|h') & \text{else} \end{cases}

which is that of ARPA files: :math:`\log_{10} p` of each node, and :math:`\log_{10} \gamma` of those that can be
histories. If an n-gram is a node, so is all that it contains.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.corpus.index import Index
from polyseme.errors import InputError, count_noun
from polyseme.lm.ngrams import storage
from polyseme.lm.ngrams.counting import NGramLevel, count_ngrams
from polyseme.lm.ngrams.numbered_text import END, SPECIAL_WORDS, START, UNKNOWN, NumberedText
from polyseme.lm.ngrams.smoothing import SmoothedLevel, smooth_levels

if TYPE_CHECKING:
    from polyseme.lm.ngrams.gap_lists import GapLists

NGRAM_FORMAT = 1
"""Changed whenever the files of a model are."""

LOG_ZERO = -99.0
"""The logarithm that stands for a probability of 0 in ARPA files."""

Floats = NDArray[np.float64]
Nodes = NDArray[np.int64]
ShowTraining = Callable[[str], object]


class NGramTrie(NamedTuple):
    """The nodes of a model: last word, log probability and, but for the longest n-grams, log backoff.

    The continuations of node ``n`` are the nodes from ``child[n]`` to ``child[n + 1]``, in the order of their words;
    ``suffix[n]`` is the node without its first word.
    """

    word: NDArray[np.int32]
    logp: NDArray[np.float32]
    backoff: NDArray[np.float32]
    child: NDArray[np.int32]
    suffix: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class NGrams:
    """An n-gram model; :meth:`train` makes one, :meth:`load` reads one.

    >>> model = NGrams.train([["the", "bank", "lends"], ["the", "bank", "pays"]], order=3)
    >>> model
    <NGrams of order 3: 4 words, 6 nodes of 2, 5 of 3>
    >>> round(10 ** model.logprob(["the", "bank", "lends"]), 3), round(model.perplexity([["the", "bank", "lends"]]), 2)
    (0.156, 1.59)
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
        show: ShowTraining | None = None,
    ) -> NGrams:
        """A model of the lower-cased words of an index, or of sequences of words, of which each is a sentence.

        Words that occur less than ``minimum`` times are ``<unk>``. With ``prune``, n-grams of three words or more that
        occur once are left out, which makes the model several times as small, and a little worse. ``language`` says how
        the text was cut into words; ``show`` is told what is being done.
        """
        if not 2 <= order <= 9:
            raise InputError(f"an n-gram model of order {order}; allowed are 2 to 9")
        say = show or (lambda _: None)
        say("Reading")
        text = NumberedText.of(source).frequent(minimum)
        if not (text.tokens > END).any():
            raise InputError(f"there are no words that occur {count_noun(max(minimum, 1), 'time')} or more to train on")
        counted_levels = []
        for level in count_ngrams(text, order):
            counted_levels.append(level)
            say(f"Counting n-grams of {count_noun(len(counted_levels) + 1, 'word')}")
        say("Smoothing")
        sentences = int((text.tokens == START).sum())
        facts: dict[str, Any] = {"tokens": len(text.tokens) - 2 * sentences, "sentences": sentences}
        facts |= {"order": order, "minimum": minimum, "prune": prune, "language": language}
        return _build_model(text.words, counted_levels, smooth_levels(counted_levels, prune=prune), facts)

    @property
    def order(self) -> int:
        """How many words the longest n-grams have."""
        return len(self.ends)

    @property
    def language(self) -> str:
        """How text is cut into words."""
        return str(self.facts.get("language", "en"))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word, which is also its node."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def gaps(self) -> GapLists:
        """What a search for the best words in a gap needs; worked out when it is first asked for, if not loaded."""
        from polyseme.lm.ngrams.gap_lists import GapLists

        return GapLists.of(self)

    def __repr__(self) -> str:
        sizes = np.diff(self.ends).tolist()
        longer = ", ".join(f"{size:,} {'nodes ' * (n == 2)}of {n}" for n, size in enumerate(sizes, start=2))
        return f"<NGrams of order {self.order}: {count_noun(self.ends[0] - len(SPECIAL_WORDS), 'word')}, {longer}>"

    # -- asking ----------------------------------------------------------------------------------------------------

    def number(self, word: str) -> int:
        """The number of a word, in whatever letters; that of ``<unk>`` if it is not known."""
        return self.numbers.get(word.lower(), UNKNOWN)

    def after(self, nodes: NDArray[Any], words: NDArray[Any]) -> Nodes:
        """The node of each history followed by each word, −1 where there is none; −1 has no continuations."""
        known = (nodes >= 0) & (nodes < len(self.trie.backoff))
        low = np.where(known, self.trie.child[np.where(known, nodes, 0)], 0).astype(np.int64)
        high = np.where(known, self.trie.child[np.where(known, nodes, 0) + 1], 0).astype(np.int64)
        last = high
        while (open_ := low < high).any():
            middle = (low + high) // 2
            less = open_ & (self.trie.word[np.where(open_, middle, 0)] < words)
            low, high = np.where(less, middle + 1, low), np.where(open_ & ~less, middle, high)
        found = low < last
        return np.where(found & (self.trie.word[np.where(found, low, 0)] == words), low, -1)

    def node(self, words: Sequence[int]) -> int:
        """The node of an n-gram, given by its words' numbers; −1 if there is none."""
        node = np.array(words[:1], np.int64)
        for word in words[1:]:
            node = self.after(node, np.array([word]))
        return int(node[0])

    def log_probabilities(self, sentences: Iterable[Sequence[str]]) -> Floats:
        """The log (to base 10) of the probability of each sentence, its end included."""
        text = NumberedText.of(sentences).numbered(self.words)
        each = self.token_log_probabilities(text)
        starts = np.flatnonzero(text.tokens == START)
        return np.add.reduceat(each, starts) if len(starts) else np.empty(0)

    def logprob(self, sentence: Sequence[str]) -> float:
        """The same of one sentence."""
        return float(self.log_probabilities([sentence])[0])

    def token_log_probabilities(self, text: NumberedText) -> Floats:
        """The log probability of each word of a text with the model's numbers after those before it in its sentence.

        What begins a sentence is certain, and has 0.
        """
        tokens = text.tokens.astype(np.int64)
        found: Floats = self.trie.logp[tokens].astype(np.float64)
        here: NDArray[Any] = tokens
        for _ in range(1, self.order):
            before = np.concatenate([[-1], here[:-1]])
            here = self.after(before, tokens)
            backed = found + np.where(before >= 0, self.trie.backoff[np.maximum(before, 0)], 0)
            found = np.where(here >= 0, self.trie.logp[np.maximum(here, 0)], backed)
        return np.where(tokens == START, 0.0, found)

    def perplexity(self, sentences: Iterable[Sequence[str]] | NumberedText) -> float:
        """10 to the mean of −log probability of words and ends of sentences; unknown words count as ``<unk>``."""
        text = NumberedText.of(sentences).numbered(self.words)
        predicted = int((text.tokens != START).sum())
        if not predicted:
            raise InputError("the perplexity of no sentences is asked for; give one or more")
        return float(10 ** (-self.token_log_probabilities(text).sum() / predicted))

    # -- keeping ---------------------------------------------------------------------------------------------------

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder, with what a search for substitutes needs."""
        manifest = {"layout": NGRAM_FORMAT, "ends": self.ends, "facts": self.facts, "words": self.words}
        storage.save(folder, manifest, {**self.trie._asdict(), **self.gaps._asdict()})

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> NGrams:
        """Read a model that :meth:`save` wrote; it is mapped into memory, and gives the same answers."""
        from polyseme.lm.ngrams.gap_lists import GapLists

        manifest, arrays = storage.load(folder, NGRAM_FORMAT)
        try:
            trie = NGramTrie(**{name: arrays[name] for name in NGramTrie._fields})
            gaps = GapLists(**{name: arrays[name] for name in GapLists._fields})
            words, ends, facts = tuple(manifest["words"]), tuple(manifest["ends"]), dict(manifest["facts"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"this n-gram model is damaged ({error}); train it again", path=folder) from None
        model = cls(words, ends, trie, facts)
        model.__dict__["gaps"] = gaps
        return model

    def write_arpa(self, path: str | os.PathLike[str]) -> None:
        """Write the model as an ARPA file, which other toolkits read."""
        from polyseme.lm.ngrams.arpa import write_arpa

        write_arpa(self, path)


def _build_model(
    words: tuple[str, ...], counts: list[NGramLevel], found: list[SmoothedLevel], facts: dict[str, Any]
) -> NGrams:
    """The trie of what is kept of each level."""
    sizes = [int(each.kept.sum()) for each in found]
    ends = np.cumsum(sizes).tolist()
    child = [np.array([ends[0]], np.int64)]
    suffix = [np.full(sizes[0], -1)]
    for number in range(1, len(counts)):
        start = ends[number - 2] if number > 1 else 0
        new = np.cumsum(found[number - 1].kept) - 1
        level, kept = counts[number], found[number].kept
        child.append(ends[number - 1] + np.cumsum(np.bincount(new[level.parent[kept]], minlength=sizes[number - 1])))
        suffix.append(start + new[level.suffix[kept]])
    trie = NGramTrie(
        np.concatenate([level.word[each.kept] for level, each in zip(counts, found, strict=True)]),
        np.concatenate([_log10(each.probability[each.kept]) for each in found]),
        np.concatenate([_log10(each.backoff[each.kept]) for each in found[:-1]]),
        np.concatenate(child).astype(np.int32),
        np.concatenate(suffix).astype(np.int32),
    )
    for array in trie:
        array.flags.writeable = False
    discounts = [[round(discount, 4) for discount in each.discounts] for each in found]
    return NGrams(words, tuple(ends), trie, {**facts, "discounts": discounts})


def _log10(probability: Floats) -> NDArray[np.float32]:
    """The logarithm to base 10; nothing is more than certain, whatever rounding says."""
    with np.errstate(divide="ignore"):
        return np.clip(np.log10(probability), LOG_ZERO, 0).astype(np.float32)
