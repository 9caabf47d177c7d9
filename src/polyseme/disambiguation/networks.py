"""Graphs of senses: WordNet's relations and glosses, or any graph in the format of UKB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.gloss_edges import build_gloss_edges
from polyseme.disambiguation.model import Disambiguator, SenseWeights
from polyseme.disambiguation.relation_edges import build_relation_edges
from polyseme.disambiguation.sense_weights import EntrySenses, read_entry_senses
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, quote_value
from polyseme.formats.ukb import ConceptWeights, UkbRelation, read_ukb_dictionary, read_ukb_relations
from polyseme.graphs.pagerank import RandomWalk
from polyseme.graphs.transition_graph import TransitionGraph, directed_edges, undirected_edges
from polyseme.lemma import split_lemma
from polyseme.parts import CheckedOptions, FolderName, Ranges, check_ranges
from polyseme.wordnet.lexicon import WordNet


class SenseNetwork(Protocol):
    """A graph whose nodes are senses, with a dictionary that assigns them to words."""

    @property
    def graph(self) -> TransitionGraph:
        """The graph."""
        ...

    def senses(self, entry: str) -> EntrySenses:
        """Return the senses of an entry, ``bank.n``; none if it has no node."""
        ...

    def node(self, key: str) -> int:
        """Return the node of a sense; ``KeyError`` if it has none."""
        ...


class GraphDisambiguator(Disambiguator):
    """A disambiguator that walks on a graph of senses; its options include those of the walk."""

    graph: Any
    damping: float
    iterations: int
    tolerance: float

    def __post_init__(self) -> None:
        if not hasattr(self.graph, "build_network") or getattr(self.graph, "kind", "graph") != "graph":
            name = type(self).__name__
            problem = f"{name}: graph is {quote_value(self.graph)}; it must be a graph, such as WordNetGraph()"
            raise InputError(f"{problem} or UKBGraph('file')")
        super().__post_init__()
        check_ranges(self, **dict.fromkeys(("smoothing", "strength", "prior", "tolerance"), (0, inf)))
        check_ranges(self, damping=(0, 1), iterations=(1, inf))

    @property
    def walk(self) -> RandomWalk:
        """The options of the walk."""
        return RandomWalk(self.damping, self.iterations, self.tolerance)


@dataclass(frozen=True, eq=False)
class NetworkWeigher:
    """Weighs the senses of the targets of contexts: score ** ``strength`` · share ** ``prior``.

    If no score is above 0, only the shares count.

    Args:
        network: The graph of senses.
        score: Computes scores for the senses of each of several contexts; words with one sense are not scored.
        strength: The exponent of the scores.
        prior: The exponent of the shares.
        smoothing: What is added to the counts of senses.
    """

    network: SenseNetwork
    score: Callable[[Sequence[Context], Sequence[EntrySenses]], Sequence[Floats]]
    strength: float
    prior: float
    smoothing: float

    def __call__(self, contexts: Sequence[Context]) -> Sequence[SenseWeights]:
        """Return the weights of the target's senses in each context."""
        entries = {lemma: self.network.senses(lemma) for lemma in dict.fromkeys(c.lemma for c in contexts)}
        ambiguous = [context for context in contexts if len(entries[context.lemma].keys) > 1]
        scores = iter(self.score(ambiguous, [entries[c.lemma] for c in ambiguous]) if ambiguous else ())
        return [
            self._weights(senses, next(scores)) if len(senses.keys) > 1 else dict.fromkeys(senses.keys, 1.0)
            for senses in (entries[context.lemma] for context in contexts)
        ]

    def _weights(self, senses: EntrySenses, scores: Floats) -> SenseWeights:
        highest = scores.max()
        scaled = scores / highest if highest > 0 else np.ones(len(scores))
        weights = scaled**self.strength * senses.shares(self.smoothing) ** self.prior
        return dict(zip(senses.keys, weights.tolist(), strict=True))


# -- WordNet -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WordNetGraph(CheckedOptions):
    """WordNet's synsets, joined by its relations and by its glosses. (Agirre & Soroa 2009)

    A synset is joined to the senses of the words of its gloss, which our own tagging determines
    (:func:`~polyseme.disambiguation.gloss_edges.build_gloss_edges`).

    Args:
        glosses: How the words of glosses are tagged: ``"first"`` with the most frequent sense, ``"walked"`` with that
            of the greatest share · PageRank from the synset, ``"spread"`` with all senses by their shares;
            ``"none"`` uses no glosses.
        gloss_weight: The weight of these edges.
        weights: The weights of relations, ``{"antonym": 0, "hypernym": 2}``. Default: 1. A weight holds for the inverse
            relation too.
    """

    kind: ClassVar[str] = "graph"
    ranges: ClassVar[Ranges] = {"gloss_weight": (0, inf)}
    glosses: Literal["walked", "first", "spread", "none"] = "walked"
    gloss_weight: float = 0.1
    weights: Any = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", _relation_weight_pairs(self.weights))
        super().__post_init__()

    def build_network(self, sources: Sources) -> SenseNetwork:
        """Build the graph over the synsets of the sources' WordNet."""
        return sources.cached(f"network {self!r}", lambda: SynsetNetwork(sources.wordnet, self._build(sources.wordnet)))

    def _build(self, wordnet: WordNet) -> TransitionGraph:
        edges = build_relation_edges(wordnet, dict(self.weights))
        if self.glosses == "none":
            return TransitionGraph(edges)
        gloss_edges = undirected_edges(len(wordnet.columns.gloss), *build_gloss_edges(wordnet, self.glosses))
        return TransitionGraph((edges + self.gloss_weight * gloss_edges).tocsr())


def _relation_weight_pairs(weights: Any) -> tuple[tuple[str, float], ...]:
    """Return the weights of relations as pairs, which are immutable."""
    try:
        pairs = tuple(sorted((name, weight) for name, weight in dict(weights).items()))
    except (TypeError, ValueError):
        pairs = (("", ""),)
    if not all(isinstance(name, str) and isinstance(weight, Real) for name, weight in pairs):
        raise InputError(f"the weights of relations are {quote_value(weights)}; write {{'antonym': 0, 'hypernym': 2}}")
    return tuple((name, float(weight)) for name, weight in pairs)


@dataclass(frozen=True, eq=False)
class SynsetNetwork:
    """A graph whose nodes are the synsets of a WordNet, in its order.

    Args:
        wordnet: The dictionary.
        graph: The graph.
    """

    wordnet: WordNet
    graph: TransitionGraph

    def senses(self, entry: str) -> EntrySenses:
        """Return the senses of an entry by sense key, with their counts in SemCor."""
        return read_entry_senses(self.wordnet, entry)

    def node(self, key: str) -> int:
        """Return the synset of a sense key."""
        return int(self.wordnet.columns.sense_synset[self.wordnet.sense_row(key)])


# -- UKB -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UKBGraph(CheckedOptions):
    """A graph of your own, in the text format of UKB. (Agirre & Soroa 2009)

    A sense is named by its sense key if its node is a synset of this WordNet, and by its node otherwise.

    Args:
        relations: The file of the graph, with lines ``u:ID v:ID [d:1] [w:WEIGHT]``.
        dictionary: The file that assigns nodes to words, with lines ``lemma ID:weight …``. If nodes end with a
            part of speech, such as ``-n``, only those of the word's part of speech count. Default: nodes are WordNet's
            synsets, written ``09213565-n``, and counts are WordNet's.
    """

    kind: ClassVar[str] = "graph"
    relations: FolderName = ""
    dictionary: FolderName = ""

    def build_network(self, sources: Sources) -> SenseNetwork:
        """Read the graph once, and again if a file changes."""
        if not self.relations:
            raise InputError("UKBGraph() has no file; write UKBGraph('relations.txt', dictionary='dictionary.txt')")
        files = [Path(file) for file in (self.relations, self.dictionary) if file]
        times = [file.stat().st_mtime_ns for file in files if file.exists()]
        return sources.cached(f"network {self!r} {times}", lambda: self._read(sources.wordnet))

    def _read(self, wordnet: WordNet) -> SenseNetwork:
        relations = list(read_ukb_relations(self.relations))
        if not relations:
            raise InputError("this file has no relations; a line reads: u:ID v:ID", path=self.relations)
        names: dict[str, int] = {}
        for relation in relations:
            names.setdefault(relation.source, len(names))
            names.setdefault(relation.target, len(names))
        example = quote_value(next(iter(names)))
        if not self.dictionary and not any(_is_synset(name, wordnet) for name in names):
            problem = f"none of its {len(names):,} nodes, such as {example}, is a synset of WordNet {wordnet.version}"
            raise InputError(f"{problem}; use the WordNet of this graph, or name a dictionary", path=self.relations)
        dictionary = read_ukb_dictionary(self.dictionary) if self.dictionary else None
        if dictionary is not None and not any(name in names for words in dictionary.values() for name in words):
            problem = f"no word has a concept that is a node of {self.relations}, such as {example}"
            raise InputError(f"{problem}; use the dictionary of this graph", path=self.dictionary)
        return NamedNodeNetwork(wordnet, names, dictionary, _build_graph(relations, names))


def _build_graph(relations: Sequence[UkbRelation], names: Mapping[str, int]) -> TransitionGraph:
    """Build the graph of relations; of parallel edges the heaviest counts."""
    ends = np.array([(names[row.source], names[row.target]) for row in relations], np.intp).reshape(-1, 2)
    weights = np.array([row.weight for row in relations], float)
    directed = np.array([row.directed for row in relations], bool)
    sources, targets = ends.T
    both_ways = undirected_edges(len(names), sources[~directed], targets[~directed], weights[~directed])
    if not directed.any():
        return TransitionGraph(both_ways)
    one_way = directed_edges(len(names), sources[directed], targets[directed], weights[directed])
    return TransitionGraph(both_ways.maximum(one_way).tocsr(), undirected=False)


def _is_synset(name: str, wordnet: WordNet) -> bool:
    try:
        wordnet.synset(name)
    except KeyError:
        return False
    return True


@dataclass(frozen=True, eq=False)
class NamedNodeNetwork:
    """A graph whose nodes have names.

    Args:
        wordnet: The WordNet that names senses.
        names: The number of each node.
        dictionary: The nodes of each word, with weights. Default: WordNet's synsets.
        graph: The graph.
    """

    wordnet: WordNet
    names: Mapping[str, int]
    dictionary: Mapping[str, ConceptWeights] | None
    graph: TransitionGraph

    def senses(self, entry: str) -> EntrySenses:
        """Return the senses of an entry that have a node."""
        rows = self._read_wordnet(entry) if self.dictionary is None else self._read_dictionary(self.dictionary, entry)
        listed = [(key, self.names[name], count) for key, name, count in rows if name in self.names]
        keys, nodes, counts = zip(*listed, strict=True) if listed else ((), (), ())
        return EntrySenses(tuple(keys), np.array(nodes, np.intp), np.array(counts, float))

    def node(self, key: str) -> int:
        """Return the node of a sense key, or the node with this name."""
        if key in self.names:
            return self.names[key]
        return self.names[self._node_name(self.wordnet.sense_row(key))]

    def _read_wordnet(self, entry: str) -> Iterator[tuple[str, str, float]]:
        columns = self.wordnet.columns
        for row in self.wordnet.sense_rows(entry).tolist():
            yield columns.key[row], self._node_name(row), float(columns.sense_count[row])

    def _node_name(self, sense: int) -> str:
        """Return the node of a sense; that of a satellite may be written as that of an adjective."""
        name = self.wordnet.synset(self.wordnet.columns.sense_synset[sense]).id
        return name if name in self.names or not name.endswith("-s") else f"{name[:-1]}a"

    def _read_dictionary(
        self, dictionary: Mapping[str, ConceptWeights], entry: str
    ) -> Iterator[tuple[str, str, float]]:
        word, pos = split_lemma(entry)
        for name, weight in dictionary.get(word, {}).items():
            if name[-2:-1] != "-" or name[-1].replace("s", "a") == pos:
                yield self._sense_key(word, name), name, weight

    def _sense_key(self, word: str, name: str) -> str:
        """Return the sense key of a word in a synset, or the name of the node if there is none."""
        try:
            keys = self.wordnet.synset(name).keys
        except KeyError:
            return name
        return next((key for key in keys if key.partition("%")[0] == word), name)
