"""The words of WordNet's glosses, tagged with senses: edges from a synset to the synsets that its gloss speaks of.

Nobody's tags are used. A word of a gloss is any of the entries that it can be a form of, whatever their part of speech;
which sense it has is told by how often each is tagged, and by a walk from the synset on WordNet's relations.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from polyseme.arrays import Floats, Ints, count_at, expand_runs, run_starts
from polyseme.errors import InputError
from polyseme.formats.files import write_bytes
from polyseme.formats.semcor import SenseTaggedUsage
from polyseme.graphs.pagerank import RandomWalk, pagerank
from polyseme.graphs.transition_graph import TransitionGraph, relation_edges
from polyseme.home import user_cache_folder
from polyseme.wordnet.exceptions import read_exception_lists
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.locations import repair_advice
from polyseme.wordnet.morphy import look_up_lemmas
from polyseme.wordnet.synset import split_gloss

if TYPE_CHECKING:
    import scipy.sparse as sp

GlossTagging = Literal["walked", "first", "spread"]

CACHE_VERSION = 1
"""Changed whenever the tagging is, so that what another version of polyseme has kept is not read."""

MINIMUM_RANK = 1e-5
"""Ranks below it are taken for this: a word that is nowhere near the synset has its most frequent sense."""

MINIMUM_SHARE = 0.02
"""A sense that is rarer gets no edge where a word has several."""

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
"""Words that say nothing of what a gloss is about, some of which WordNet has as something else: *a* as a letter."""

_ARTICLES = "a an the this that these those its his her their your some any each every no"
ARTICLES = frozenset(_ARTICLES.split())
"""After these words no verb follows."""

_VERBS = "is are was were be been being has have had having do does did done doing"
VERB_FORMS = frozenset(_VERBS.split())
"""Forms that are of a verb and of nothing else, though *has* could be the plural of *ha*."""

WORD_PATTERN = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")


class GlossWord(NamedTuple):
    """A word of a text: the entries that it may be a form of, and its place."""

    entries: tuple[str, ...]
    start: int
    end: int


class GlossReader:
    """What finds entries in text without an analyser, as fast as a hundred thousand glosses want it."""

    def __init__(self, wordnet: WordNet) -> None:
        with repair_advice(wordnet.folder, wordnet.version):
            self._exceptions = read_exception_lists(wordnet.folder)
        self._entries = frozenset(wordnet)
        self._known: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _longest(self) -> dict[tuple[str, str], int]:
        """The first two words of entries that have several, with how many the longest has."""
        found: dict[tuple[str, str], int] = {}
        for entry in self._entries:
            first, *others = entry[:-2].split("_")
            if others:
                found[first, others[0]] = max(found.get((first, others[0]), 0), len(others) + 1)
        return found

    def words(self, text: str) -> Iterator[GlossWord]:
        """The words of a text that WordNet has, the longest first."""
        spans = [match.span() for match in WORD_PATTERN.finditer(text)]
        forms = [text[start:end].lower() for start, end in spans]
        at = 0
        while at < len(forms):
            size, entries = self._compound(forms, at)
            entries = entries or self._in_place(forms, at)
            if entries:
                yield GlossWord(entries, spans[at][0], spans[at + size - 1][1])
            at += size

    def _compound(self, forms: list[str], at: int) -> tuple[int, tuple[str, ...]]:
        """How many words from a place on are one entry, the last of them in any form, and which; 1 and nothing."""
        if at + 1 == len(forms):
            return 1, ()
        first = forms[at]
        most = max(self._longest.get((first, second), 0) for second in self._lemmas(forms[at + 1]))
        for size in range(min(most, len(forms) - at), 1, -1):
            start = "_".join(forms[at : at + size - 1])
            for last in self._lemmas(forms[at + size - 1]):
                named = [f"{start}_{last}.{part}" for part in "nvar"]
                if found := tuple(filter(self._entries.__contains__, named)):
                    return size, found
        return 1, ()

    def _in_place(self, forms: list[str], at: int) -> tuple[str, ...]:
        """The entries of a word, but for verbs where none can stand."""
        entries = self.entries(forms[at])
        if at == 0 or forms[at - 1] not in ARTICLES:
            return entries
        return tuple(entry for entry in entries if not entry.endswith(".v")) or entries

    def _lemmas(self, form: str) -> dict[str, None]:
        """A form as it is, and as its lemmas."""
        return dict.fromkeys([form, *(entry[:-2] for entry in self.entries(form))])

    def entries(self, form: str) -> tuple[str, ...]:
        """The entries that a form in small letters can be of; none for a function word."""
        if form not in self._known:
            parts = "" if form in FUNCTION_WORDS else "v" if form in VERB_FORMS else "nvar"
            self._known[form] = tuple(f"{lemma}.{part}" for part in parts for lemma in self._of_part(form, part))
        return self._known[form]

    def _of_part(self, form: str, part: str) -> tuple[str, ...]:
        return look_up_lemmas(form, part, self._exceptions[part], lambda lemma: f"{lemma}.{part}" in self._entries)


class GlossWords(NamedTuple):
    """The words of all glosses: the synset of each, and the number of its candidates.

    Candidates ``i`` are the synsets ``nodes[starts[i] : starts[i + 1]]``, the share of each being (count + 1) / Σ.
    """

    synsets: Ints
    candidates: Ints
    starts: Ints
    nodes: Ints
    shares: Floats


def collect_gloss_words(wordnet: WordNet) -> GlossWords:
    """The words of definitions and examples; a word counts once in a gloss."""
    reader = GlossReader(wordnet)

    def words() -> Iterator[tuple[int, tuple[str, ...]]]:
        for synset, gloss in enumerate(wordnet.columns.gloss):
            definition, examples = split_gloss(gloss)
            read = (word.entries for text in (definition, *examples) for word in reader.words(text))
            yield from ((synset, entries) for entries in dict.fromkeys(read))

    return _pack_gloss_words(wordnet, words())


def _pack_gloss_words(wordnet: WordNet, words: Iterable[tuple[int, tuple[str, ...]]]) -> GlossWords:
    """Synsets and the entries of words as arrays."""
    numbers: dict[tuple[str, ...], int] = {}
    pairs = [(synset, numbers.setdefault(entries, len(numbers))) for synset, entries in words]
    synsets, candidates = np.array(pairs, np.intp).reshape(-1, 2).T
    each = [candidate_synsets(wordnet, entries) for entries in numbers]
    starts = np.cumsum([0, *(len(nodes) for nodes, _ in each)])
    nodes, shares = (np.concatenate([np.zeros(0), *(part[place] for part in each)]) for place in (0, 1))
    return GlossWords(synsets, candidates, starts, nodes.astype(np.intp), shares)


def candidate_synsets(wordnet: WordNet, entries: tuple[str, ...]) -> tuple[Ints, Floats]:
    """The synsets that a form of these entries can mean, the most frequent first, with their shares."""
    columns = wordnet.columns
    rows = np.concatenate([wordnet.sense_rows(entry) for entry in entries])
    counts = columns.sense_count[rows].astype(float) + 1
    order = np.argsort(-counts, kind="stable")
    return columns.sense_synset[rows[order]].astype(np.intp), counts[order] / counts.sum()


class GlossEdges(NamedTuple):
    """From the synset of each gloss to those of the senses of its words, with weights."""

    sources: Ints
    targets: Ints
    weights: Floats


def build_gloss_edges(wordnet: WordNet, how: GlossTagging) -> GlossEdges:
    """The edges of all glosses; they are kept in the user's cache, because it takes some time to make them.

    - ``first``: a word has its most frequent sense.
    - ``spread``: it has all its senses, weighted by their shares, (count + 1) / Σ (count + 1).
    - ``walked``: it has the sense of the greatest share · rank, where the rank is that of a walk from the synset of the
      gloss on WordNet's relations.
    """
    path = _cache_path(wordnet, how)
    found = _read_cache(path)
    if found is None:
        found = tag_glosses(wordnet, collect_gloss_words(wordnet), how)
        _write_cache(path, found)
    return found


def tag_glosses(wordnet: WordNet, words: GlossWords, how: GlossTagging) -> GlossEdges:
    """The senses of words of glosses, told in one of the ways of :func:`gloss_edges`."""
    sizes = np.diff(words.starts)[words.candidates]
    at = expand_runs(words.starts[words.candidates], sizes)
    sources, targets, shares = np.repeat(words.synsets, sizes), words.nodes[at], words.shares[at]
    if how == "spread":
        kept = shares >= MINIMUM_SHARE
        return GlossEdges(sources[kept], targets[kept], shares[kept])
    score = np.log(shares)
    if how == "walked":
        score += np.log(np.maximum(_relation_ranks(wordnet, sources, targets), MINIMUM_RANK))
    best = _first_maxima(score, sizes)
    return GlossEdges(sources[best], targets[best], np.ones(len(best)))


def _relation_ranks(wordnet: WordNet, sources: Ints, targets: Ints) -> Floats:
    """The PageRank of each target for its source, on WordNet's relations.

    A walk from each of a hundred thousand synsets would take minutes. So the first two steps are those from the synset,
    and what follows is as if it had started anywhere in the same lexicographer's file (noun.animal, verb.motion, …):
    (1 − c)·(c·M + c²·M²)·e + c³·p, where p is the PageRank for the file.
    """
    graph, damping = TransitionGraph(relation_edges(wordnet)), RandomWalk().damping
    once = damping * graph.moves
    near = (1 - damping) * (once + once @ once).tocsr()
    files, file = np.unique(wordnet.columns.synset_file, return_inverse=True)
    anywhere = pagerank(graph, _group_columns(file.ravel(), len(files)))
    found: Any = np.asarray(near[targets, sources]).ravel() + damping**3 * anywhere[targets, file.ravel()[sources]]
    return np.asarray(found, float)


def _group_columns(group: Ints, count: int) -> sp.csc_array[Any]:
    """A column for each group, in which its members have equal parts."""
    import scipy.sparse as sp

    share = (1 / count_at(group, count))[group].astype(np.float32)
    return sp.csc_array((share, (np.arange(len(group)), group)), shape=(len(group), count))


def _first_maxima(score: Floats, sizes: Ints) -> Ints:
    """The place of the first greatest score in each of several runs.

    >>> _first_maxima(np.array([1.0, 3.0, 3.0, 2.0]), np.array([3, 1])).tolist()
    [1, 3]
    """
    starts = run_starts(sizes)
    greatest = np.flatnonzero(score == np.repeat(np.maximum.reduceat(score, starts), sizes)) if len(starts) else starts
    run = np.repeat(np.arange(len(sizes)), sizes)[greatest]
    return greatest[np.unique(run, return_index=True)[1]]


# -- how good it is ------------------------------------------------------------------------------------------------


class TaggingQuality(NamedTuple):
    """How many words have senses by hand, how many of them are found, and how many are tagged with one of these."""

    words: int
    found: int
    right: int

    @property
    def accuracy(self) -> float:
        """The share of found words that are tagged right."""
        return self.right / max(self.found, 1)


def tagging_quality(wordnet: WordNet, tagged_by_hand: Iterable[SenseTaggedUsage], how: GlossTagging) -> TaggingQuality:
    """What this tagging makes of text that is tagged by hand, by the sense keys of this WordNet.

    A gloss has a synset, which a walk starts from; here it is that of the nearest other tagged word of the sentence.
    """
    reader, columns = GlossReader(wordnet), wordnet.columns
    words, gold, count = [], [], 0
    for text, group in groupby(tagged_by_hand, key=lambda each: each[0].text):
        read = {(word.start, word.end): word.entries for word in reader.words(text)}
        each = [(usage, [columns.sense_synset.item(wordnet.sense_row(key)) for key in keys]) for usage, keys in group]
        count += len(each)
        for number, (usage, synsets) in enumerate(each):
            if (entries := read.get((usage.start, usage.end))) and len(each) > 1:
                words.append((each[number - 1 if number else 1][1][0], entries))
                gold.append(synsets)
    found = tag_glosses(wordnet, _pack_gloss_words(wordnet, words), how).targets.tolist()
    return TaggingQuality(count, len(gold), sum(synset in synsets for synset, synsets in zip(found, gold, strict=True)))


# -- what is kept --------------------------------------------------------------------------------------------------


def _cache_path(wordnet: WordNet, how: GlossTagging) -> Path:
    """The file of the edges of a WordNet with this very content."""
    columns = wordnet.columns
    senses = (columns.lemma.data, columns.by_lemma, columns.sense_synset, columns.sense_count)
    relations = (columns.pointer_source, columns.pointer_target, columns.pointer_relation)
    content = hashlib.blake2b(f"{CACHE_VERSION} {how}".encode(), digest_size=8)
    for each in (columns.gloss.data, *senses, *relations):
        content.update(np.ascontiguousarray(each).data)
    return user_cache_folder() / "wordnet" / f"glosses-{how}-{content.hexdigest()}.npz"


def _read_cache(path: Path) -> GlossEdges | None:
    """Edges that were kept; ``None`` if there are none, or they are damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
            sources, targets, weights = kept["sources"], kept["targets"], kept["weights"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    each = weights.astype(float) if len(weights) else np.ones(len(sources))
    return GlossEdges(sources.astype(np.intp), targets.astype(np.intp), each)


def _write_cache(path: Path, edges: GlossEdges) -> None:
    """Keep edges, whole or not at all; where that is not possible, they are made again the next time."""
    weights = edges.weights if (edges.weights != 1).any() else edges.weights[:0]
    made = io.BytesIO()
    np.savez(
        made,
        sources=edges.sources.astype(np.int32),
        targets=edges.targets.astype(np.int32),
        weights=weights.astype(np.float32),
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, made.getvalue())
    except (OSError, InputError):
        return
