"""The words of WordNet's glosses, tagged with senses: edges from a synset to the synsets in its gloss.

No manual tags are used. A word of a gloss is any of the entries that it can be a form of, of any part of speech. Its
sense is chosen by the frequencies of senses, and by a walk from the synset on WordNet's relations.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, expand_runs, run_starts
from polyseme.disambiguation.relation_edges import build_relation_edges
from polyseme.formats.checkpoint import load_or_compute
from polyseme.formats.files import write_bytes
from polyseme.formats.semcor import SenseTaggedUsage
from polyseme.graphs.pagerank import RandomWalk, pagerank
from polyseme.graphs.transition_graph import TransitionGraph
from polyseme.home import user_cache_folder
from polyseme.induction.storage import pack_arrays, unpack_arrays
from polyseme.lemma import POS_LETTERS, strip_pos
from polyseme.wordnet.exceptions import read_exception_lists
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.locations import repair_advice
from polyseme.wordnet.morphy import look_up_lemmas
from polyseme.wordnet.synset import split_gloss

if TYPE_CHECKING:
    import scipy.sparse as sp

GlossTagging = Literal["walked", "first", "spread"]

CACHE_VERSION = 1
"""Changes with the tagging, so that the cache of another version of polyseme is not read."""

MINIMUM_RANK = 1e-5
"""Lower ranks are raised to it: a word that is far from the synset has its most frequent sense."""

MINIMUM_SHARE = 0.02
"""Rarer senses get no edge if a word has several."""

_FUNCTION_WORDS = """
a about above across after against all along although am among an and another any anybody anyone anything around as at
because before behind below beneath beside besides between beyond both but by can cannot could despite down during e.g
each either else etc every everybody everyone everything except few for from he her hers herself him himself his how i
i.e if in inside into it its itself less lest like many may me might mine more most much must my myself near neither
no nobody none nor nothing of off on once one's oneself onto or other others ought our ours ourselves out outside over
own per several shall she should since so some somebody someone something such than that the their theirs them
themselves then there these they this those though through throughout till to too toward towards under underneath
unless unlike until up upon us versus via we what whatever when whenever where whereas wherever whether which
whichever while who whoever whom whose why will with within without would yet you your yours yourself yourselves
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that say nothing about a gloss; WordNet has some of them as something else, such as *a* as a letter."""

_ARTICLES = "a an the this that these those its his her their your some any each every no"
ARTICLES = frozenset(_ARTICLES.split())
"""Words that no verb follows."""

_VERBS = "is are was were be been being has have had having do does did done doing"
VERB_FORMS = frozenset(_VERBS.split())
"""Forms of verbs only, though *has* could be the plural of *ha*."""

WORD_PATTERN = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")


class GlossWord(NamedTuple):
    """A word of a text.

    Args:
        entries: The entries that it may be a form of.
        start: Where it starts.
        end: Where it ends.
    """

    entries: tuple[str, ...]
    start: int
    end: int


class GlossReader:
    """Finds entries in text without an analyser, fast enough for a hundred thousand glosses.

    Args:
        wordnet: The dictionary.
    """

    def __init__(self, wordnet: WordNet) -> None:
        with repair_advice(wordnet.folder, wordnet.version):
            self._exceptions = read_exception_lists(wordnet.folder)
        self._entries = frozenset(wordnet)
        self._entries_by_form: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _longest(self) -> dict[tuple[str, str], int]:
        """The first two words of entries of several words, with the length of the longest."""
        longest: dict[tuple[str, str], int] = {}
        for entry in self._entries:
            first, *others = strip_pos(entry).split("_")
            if others:
                longest[first, others[0]] = max(longest.get((first, others[0]), 0), len(others) + 1)
        return longest

    def words(self, text: str) -> Iterator[GlossWord]:
        """Yield the words of a text that WordNet has, the longest entries first."""
        spans = [match.span() for match in WORD_PATTERN.finditer(text)]
        forms = [text[start:end].lower() for start, end in spans]
        position = 0
        while position < len(forms):
            size, entries = self._compound(forms, position)
            entries = entries or self._entries_in_context(forms, position)
            if entries:
                yield GlossWord(entries, spans[position][0], spans[position + size - 1][1])
            position += size

    def _compound(self, forms: list[str], start: int) -> tuple[int, tuple[str, ...]]:
        """Return how many words form an entry, the last of them in any form, and the entries; else 1 and nothing."""
        if start + 1 == len(forms):
            return 1, ()
        longest = max(self._longest.get((forms[start], second), 0) for second in self._lemmas(forms[start + 1]))
        for size in range(min(longest, len(forms) - start), 1, -1):
            words = "_".join(forms[start : start + size - 1])
            for last in self._lemmas(forms[start + size - 1]):
                candidates = [f"{words}_{last}.{pos}" for pos in POS_LETTERS]
                if entries := tuple(filter(self._entries.__contains__, candidates)):
                    return size, entries
        return 1, ()

    def _entries_in_context(self, forms: list[str], position: int) -> tuple[str, ...]:
        """Return the entries of a word, without verbs after an article."""
        entries = self.entries(forms[position])
        if position == 0 or forms[position - 1] not in ARTICLES:
            return entries
        return tuple(entry for entry in entries if not entry.endswith(".v")) or entries

    def _lemmas(self, form: str) -> dict[str, None]:
        """Return a form and its lemmas."""
        return dict.fromkeys([form, *map(strip_pos, self.entries(form))])

    def entries(self, form: str) -> tuple[str, ...]:
        """Return the entries of a lower-case form; none for a function word."""
        if form not in self._entries_by_form:
            parts = () if form in FUNCTION_WORDS else ("v",) if form in VERB_FORMS else POS_LETTERS
            entries = (f"{lemma}.{pos}" for pos in parts for lemma in self._look_up(form, pos))
            self._entries_by_form[form] = tuple(entries)
        return self._entries_by_form[form]

    def _look_up(self, form: str, pos: str) -> tuple[str, ...]:
        return look_up_lemmas(form, pos, self._exceptions[pos], lambda lemma: f"{lemma}.{pos}" in self._entries)


class GlossWords(NamedTuple):
    """The words of all glosses.

    Candidates ``i`` are the synsets ``nodes[starts[i] : starts[i + 1]]``.

    Args:
        synsets: The synset of each word's gloss.
        candidates: The number of each word's candidates.
        starts: Where the candidates start.
        nodes: The synsets of candidates.
        shares: The share of each candidate, (count + 1) / Σ.
    """

    synsets: Ints
    candidates: Ints
    starts: Ints
    nodes: Ints
    shares: Floats


def collect_gloss_words(wordnet: WordNet) -> GlossWords:
    """Collect the words of definitions and examples; a word counts once in a gloss."""
    reader = GlossReader(wordnet)

    def words() -> Iterator[tuple[int, tuple[str, ...]]]:
        for synset, gloss in enumerate(wordnet.columns.gloss):
            definition, examples = split_gloss(gloss)
            read = (word.entries for text in (definition, *examples) for word in reader.words(text))
            yield from ((synset, entries) for entries in dict.fromkeys(read))

    return _pack_gloss_words(wordnet, words())


def _pack_gloss_words(wordnet: WordNet, words: Iterable[tuple[int, tuple[str, ...]]]) -> GlossWords:
    """Pack synsets and the entries of words into arrays."""
    numbers: dict[tuple[str, ...], int] = {}
    pairs = [(synset, numbers.setdefault(entries, len(numbers))) for synset, entries in words]
    synsets, candidates = np.array(pairs, np.intp).reshape(-1, 2).T
    parts = [candidate_synsets(wordnet, entries) for entries in numbers]
    starts = np.cumsum([0, *(len(nodes) for nodes, _ in parts)])
    nodes, shares = (np.concatenate([np.zeros(0), *(part[n] for part in parts)]) for n in (0, 1))
    return GlossWords(synsets, candidates, starts, nodes.astype(np.intp), shares)


def candidate_synsets(wordnet: WordNet, entries: tuple[str, ...]) -> tuple[Ints, Floats]:
    """Return the synsets that a form of these entries can mean, the most frequent first, with their shares."""
    columns = wordnet.columns
    rows = np.concatenate([wordnet.sense_rows(entry) for entry in entries])
    counts = columns.sense_count[rows].astype(float) + 1
    order = np.argsort(-counts, kind="stable")
    return columns.sense_synset[rows[order]].astype(np.intp), counts[order] / counts.sum()


class GlossEdges(NamedTuple):
    """Edges from the synset of each gloss to the senses of its words.

    Args:
        sources: The synsets of glosses.
        targets: The synsets of senses.
        weights: The weights of edges.
    """

    sources: Ints
    targets: Ints
    weights: Floats


def build_gloss_edges(wordnet: WordNet, tagging: GlossTagging) -> GlossEdges:
    """Build the edges of all glosses; they are cached, because they take some time.

    Args:
        wordnet: The dictionary.
        tagging: Which senses a word has. ``first``: its most frequent one. ``spread``: all of them, weighted by their
            shares, (count + 1) / Σ (count + 1). ``walked``: the one with the greatest share · rank. The rank is that of
            a walk from the synset of the gloss on WordNet's relations.
    """
    return load_or_compute(
        _cache_path(wordnet, tagging),
        _read_cache,
        lambda: tag_glosses(wordnet, collect_gloss_words(wordnet), tagging),
        _write_cache,
    )


def tag_glosses(wordnet: WordNet, words: GlossWords, tagging: GlossTagging) -> GlossEdges:
    """Choose the senses of the words of glosses, as :func:`build_gloss_edges` describes."""
    sizes = np.diff(words.starts)[words.candidates]
    positions = expand_runs(words.starts[words.candidates], sizes)
    sources, targets, shares = np.repeat(words.synsets, sizes), words.nodes[positions], words.shares[positions]
    if tagging == "spread":
        frequent = shares >= MINIMUM_SHARE
        return GlossEdges(sources[frequent], targets[frequent], shares[frequent])
    score = np.log(shares)
    if tagging == "walked":
        score += np.log(np.maximum(_relation_ranks(wordnet, sources, targets), MINIMUM_RANK))
    best = _first_maxima(score, sizes)
    return GlossEdges(sources[best], targets[best], np.ones(len(best)))


def _relation_ranks(wordnet: WordNet, sources: Ints, targets: Ints) -> Floats:
    """Return the PageRank of each target for its source, on WordNet's relations.

    A walk from each of a hundred thousand synsets would take minutes. So only the first two steps start from the
    synset. The rest of the walk starts anywhere in the same lexicographer's file (noun.animal, verb.motion, …):
    (1 − c)·(c·M + c²·M²)·e + c³·p, where p is the PageRank for the file.
    """
    graph, damping = TransitionGraph(build_relation_edges(wordnet)), RandomWalk().damping
    step = damping * graph.transitions
    first_steps = (1 - damping) * (step + step @ step).tocsr()
    files, inverse = np.unique(wordnet.columns.synset_file, return_inverse=True)
    file = inverse.ravel()
    by_file = pagerank(graph, _group_columns(file, len(files)))
    ranks: Any = np.asarray(first_steps[targets, sources]).ravel() + damping**3 * by_file[targets, file[sources]]
    return np.asarray(ranks, float)


def _group_columns(group: Ints, count: int) -> sp.csc_array[Any]:
    """Build a column for each group, in which its members have equal parts."""
    import scipy.sparse as sp

    share = (1 / count_at(group, count))[group].astype(np.float32)
    return sp.csc_array((share, (np.arange(len(group)), group)), shape=(len(group), count))


def _first_maxima(score: Floats, sizes: Ints) -> Ints:
    """Return the position of the first greatest score in each of several runs.

    >>> _first_maxima(np.array([1.0, 3.0, 3.0, 2.0]), np.array([3, 1])).tolist()
    [1, 3]
    """
    starts = run_starts(sizes)
    greatest = np.flatnonzero(score == np.repeat(np.maximum.reduceat(score, starts), sizes)) if len(starts) else starts
    run = np.repeat(np.arange(len(sizes)), sizes)[greatest]
    return greatest[np.unique(run, return_index=True)[1]]


# -- quality -------------------------------------------------------------------------------------------------------


class TaggingQuality(NamedTuple):
    """How well the tagging agrees with manual tags.

    Args:
        words: The number of words with manual tags.
        matched: How many of them the reader finds.
        right: How many of these are tagged with a manual sense.
    """

    words: int
    matched: int
    right: int

    @property
    def accuracy(self) -> float:
        """The share of matched words that are tagged right."""
        return self.right / max(self.matched, 1)


def tagging_quality(
    wordnet: WordNet, tagged_by_hand: Iterable[SenseTaggedUsage], tagging: GlossTagging
) -> TaggingQuality:
    """Compare the tagging with text that is tagged by hand, by the sense keys of this WordNet.

    A walk starts from the synset of a gloss; here, from the synset of the nearest other tagged word of the sentence.
    """
    reader, columns = GlossReader(wordnet), wordnet.columns
    words, gold, count = [], [], 0
    for text, group in groupby(tagged_by_hand, key=lambda row: row[0].text):
        read = {(word.start, word.end): word.entries for word in reader.words(text)}
        rows = [(usage, [columns.sense_synset.item(wordnet.sense_row(key)) for key in keys]) for usage, keys in group]
        count += len(rows)
        for number, (usage, synsets) in enumerate(rows):
            if (entries := read.get((usage.start, usage.end))) and len(rows) > 1:
                words.append((rows[number - 1 if number else 1][1][0], entries))
                gold.append(synsets)
    targets = tag_glosses(wordnet, _pack_gloss_words(wordnet, words), tagging).targets.tolist()
    right = sum(synset in synsets for synset, synsets in zip(targets, gold, strict=True))
    return TaggingQuality(count, len(gold), right)


# -- cache ---------------------------------------------------------------------------------------------------------


def _cache_path(wordnet: WordNet, tagging: GlossTagging) -> Path:
    """Return the file of the edges of a WordNet with exactly this content."""
    columns = wordnet.columns
    senses = (columns.lemma.data, columns.by_lemma, columns.sense_synset, columns.sense_count)
    relations = (columns.pointer_source, columns.pointer_target, columns.pointer_relation)
    content = hashlib.blake2b(f"{CACHE_VERSION} {tagging}".encode(), digest_size=8)
    for column in (columns.gloss.data, *senses, *relations):
        content.update(np.ascontiguousarray(column).data)
    return user_cache_folder() / "wordnet" / f"glosses-{tagging}-{content.hexdigest()}.npz"


def _read_cache(path: Path) -> GlossEdges:
    arrays = unpack_arrays(path.read_bytes())
    weights = arrays["weights"].astype(float) if len(arrays["weights"]) else np.ones(len(arrays["sources"]))
    return GlossEdges(arrays["sources"].astype(np.intp), arrays["targets"].astype(np.intp), weights)


def _write_cache(path: Path, edges: GlossEdges) -> None:
    weights = edges.weights if (edges.weights != 1).any() else edges.weights[:0]
    arrays = {"sources": edges.sources.astype(np.int32), "targets": edges.targets.astype(np.int32)}
    write_bytes(path, pack_arrays({**arrays, "weights": weights.astype(np.float32)}))
