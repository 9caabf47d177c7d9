"""Graphs of senses: WordNet's relations and glosses, or any graph in the format of UKB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.gloss_edges import build_gloss_edges
from polyseme.disambiguation.model import SenseWeights
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, quote_value
from polyseme.formats.ukb import ConceptWeights, UkbRelation, read_ukb_dictionary, read_ukb_relations
from polyseme.graphs.transition_graph import TransitionGraph, directed_edges, relation_edges, undirected_edges
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.wordnet.lexicon import WordNet


class EntrySenses(NamedTuple):
    """The senses of an entry: what they are called, their nodes, and how often each is met."""

    keys: tuple[str, ...]
    nodes: Ints
    counts: Floats

    def shares(self, smoothing: float) -> Floats:
        """The share of each: (count + smoothing) / Σ (count + smoothing).

        >>> EntrySenses(("a", "b"), np.array([3, 5]), np.array([2.0, 0.0])).shares(1).tolist()
        [0.75, 0.25]
        """
        smoothed = self.counts + smoothing
        return smoothed / smoothed.sum() if smoothed.any() else np.full(len(smoothed), 1 / max(len(smoothed), 1))


class SenseNetwork(Protocol):
    """A graph, and a dictionary that tells which of its nodes are senses of which word."""

    @property
    def graph(self) -> TransitionGraph:
        """What is walked on."""
        ...

    def senses(self, entry: str) -> EntrySenses:
        """The senses of an entry, ``bank.n``; none, if it has no node."""
        ...

    def node(self, key: str) -> int:
        """The node of a sense; ``KeyError`` if it has none."""
        ...


def check_walk_options(part: Any, **ranges: tuple[float, float]) -> None:
    """An error if an option of a part that walks on a graph is not allowed; ``ranges`` are those of its own options."""
    check_options(part)
    if not hasattr(part.graph, "ready") or getattr(part.graph, "kind", "graph") != "graph":
        name = type(part).__name__
        raise InputError(
            f"{name}: graph is {quote_value(part.graph)}; it must be a graph, as WordNetGraph() or UKBGraph('file')"
        )
    check_ranges(part, **dict.fromkeys(("smoothing", "strength", "prior", "tolerance"), (0, inf)))
    check_ranges(part, damping=(0, 1), iterations=(1, inf), **ranges)


@dataclass(frozen=True, eq=False)
class NetworkWeigher:
    """What weighs the senses of the targets of contexts: score ** ``strength`` · share ** ``prior``.

    ``score`` gives scores for the senses of each of several contexts; about a word of one sense it is not asked. Where
    no score is above 0, shares decide.
    """

    network: SenseNetwork
    score: Callable[[Sequence[Context], Sequence[EntrySenses]], Sequence[Floats]]
    strength: float
    prior: float
    smoothing: float

    def __call__(self, contexts: Sequence[Context]) -> Sequence[SenseWeights]:
        """The weights of the target's senses in each context."""
        senses = {lemma: self.network.senses(lemma) for lemma in dict.fromkeys(each.lemma for each in contexts)}
        asked = [each for each in contexts if len(senses[each.lemma].keys) > 1]
        found = iter(self.score(asked, [senses[each.lemma] for each in asked]) if asked else ())
        return [
            self._weights(each, next(found)) if len(each.keys) > 1 else dict.fromkeys(each.keys, 1.0)
            for each in (senses[context.lemma] for context in contexts)
        ]

    def _weights(self, senses: EntrySenses, scores: Floats) -> SenseWeights:
        greatest = scores.max()
        said = scores / greatest if greatest > 0 else np.ones(len(scores))
        weights = said**self.strength * senses.shares(self.smoothing) ** self.prior
        return dict(zip(senses.keys, weights.tolist(), strict=True))


# -- WordNet -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WordNetGraph:
    """WordNet's synsets, joined by its relations and by its glosses. (Agirre & Soroa 2009)

    Relations lead both ways and weigh 1, unless ``weights`` gives another weight, ``{"antonym": 0, "hypernym": 2}``; it
    holds for the relation that leads back, too. A synset is joined, with ``gloss_weight``, to the senses of the words
    of its gloss. Which those are is told by our own tagging (:func:`~polyseme.disambiguation.gloss_edges.build_gloss_edges`):
    ``"first"`` takes the most frequent, ``"walked"`` that of the greatest share · PageRank from the synset, and
    ``"spread"`` all of them by their shares; ``"none"`` leaves glosses out.
    """

    kind: ClassVar[str] = "graph"
    glosses: Literal["walked", "first", "spread", "none"] = "walked"
    gloss_weight: float = 0.1
    weights: Any = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", _relation_weight_pairs(self.weights))
        check_options(self)
        check_ranges(self, gloss_weight=(0, inf))

    def ready(self, sources: Sources) -> SenseNetwork:
        """The graph over the synsets of these sources' WordNet."""
        name = f"network {self!r}"
        if name not in sources.made:
            sources.made[name] = SynsetNetwork(sources.wordnet, self._graph(sources.wordnet))
        found: SenseNetwork = sources.made[name]
        return found

    def _graph(self, wordnet: WordNet) -> TransitionGraph:
        edges = relation_edges(wordnet, dict(self.weights))
        if self.glosses == "none":
            return TransitionGraph(edges)
        found = build_gloss_edges(wordnet, self.glosses)
        return TransitionGraph(
            (edges + self.gloss_weight * undirected_edges(len(wordnet.columns.gloss), *found)).tocsr()
        )


def _relation_weight_pairs(given: Any) -> tuple[tuple[str, float], ...]:
    """Weights of relations as pairs, which never change."""
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    try:
        found = tuple(sorted((name, weight) for name, weight in pairs))
    except (TypeError, ValueError):
        found = (("", ""),)
    if not all(isinstance(name, str) and isinstance(weight, Real) for name, weight in found):
        raise InputError(f"the weights of relations are {quote_value(given)}; write {{'antonym': 0, 'hypernym': 2}}")
    return tuple((name, float(weight)) for name, weight in found)


@dataclass(frozen=True, eq=False)
class SynsetNetwork:
    """A graph whose nodes are the synsets of a WordNet, in its order."""

    wordnet: WordNet
    graph: TransitionGraph

    def senses(self, entry: str) -> EntrySenses:
        """The senses of an entry by sense key, with how often SemCor is tagged with them."""
        rows = self.wordnet.sense_rows(entry)
        columns = self.wordnet.columns
        keys = tuple(columns.key[row] for row in rows.tolist())
        return EntrySenses(keys, columns.sense_synset[rows].astype(np.intp), columns.sense_count[rows].astype(float))

    def node(self, key: str) -> int:
        """The synset of a sense key."""
        return int(self.wordnet.columns.sense_synset[self.wordnet.sense_row(key)])


# -- UKB -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UKBGraph:
    """A graph that you bring, in the text format of UKB. (Agirre & Soroa 2009)

    ``relations`` names its file, lines ``u:ID v:ID [d:1] [w:WEIGHT]``; ``dictionary`` the one that says which nodes are
    senses of a word, lines ``lemma ID:weight …``. Of ``bank.n`` those are meant that end with ``-n``, if they end so.
    Without a dictionary, nodes are WordNet's synsets, written ``09213565-n``, and counts are its own. A sense is
    called by its sense key, if its node is a synset of this WordNet; else as the node is.
    """

    kind: ClassVar[str] = "graph"
    relations: FolderName = ""
    dictionary: FolderName = ""

    def __post_init__(self) -> None:
        check_options(self)

    def ready(self, sources: Sources) -> SenseNetwork:
        """The graph, read once, and again if a file is changed."""
        if not self.relations:
            raise InputError("UKBGraph() has no file; write UKBGraph('relations.txt', dictionary='dictionary.txt')")
        files = [Path(file) for file in (self.relations, self.dictionary) if file]
        name = f"network {self!r} {[file.stat().st_mtime_ns for file in files if file.exists()]}"
        if name not in sources.made:
            sources.made[name] = self._read(sources.wordnet)
        found: SenseNetwork = sources.made[name]
        return found

    def _read(self, wordnet: WordNet) -> SenseNetwork:
        relations = list(read_ukb_relations(self.relations))
        if not relations:
            raise InputError("it has no relations; a line reads: u:ID v:ID", path=self.relations)
        names: dict[str, int] = {}
        for relation in relations:
            names.setdefault(relation.source, len(names))
            names.setdefault(relation.target, len(names))
        example = quote_value(next(iter(names)))
        if not self.dictionary and not any(_is_synset(name, wordnet) for name in names):
            problem = f"none of its {len(names):,} nodes, as {example}, is a synset of WordNet {wordnet.version}"
            raise InputError(f"{problem}; take the WordNet that it is of, or name a dictionary", path=self.relations)
        dictionary = read_ukb_dictionary(self.dictionary) if self.dictionary else None
        if dictionary is not None and not any(name in names for each in dictionary.values() for name in each):
            problem = f"no word has a concept that is a node of {self.relations}, as {example} is"
            raise InputError(f"{problem}; take the dictionary of this graph", path=self.dictionary)
        return NamedNodeNetwork(wordnet, names, dictionary, _build_graph(relations, names))


def _build_graph(relations: Sequence[UkbRelation], names: Mapping[str, int]) -> TransitionGraph:
    """The edges of relations, of several the heaviest: those of undirected ones lead both ways."""
    ends = np.array([(names[each.source], names[each.target]) for each in relations], np.intp).reshape(-1, 2)
    weights = np.array([each.weight for each in relations], float)
    directed = np.array([each.directed for each in relations], bool)
    sources, targets = ends.T
    edges = undirected_edges(len(names), sources[~directed], targets[~directed], weights[~directed])
    if not directed.any():
        return TransitionGraph(edges)
    there = directed_edges(len(names), sources[directed], targets[directed], weights[directed])
    return TransitionGraph(edges.maximum(there).tocsr(), undirected=False)


def _is_synset(name: str, wordnet: WordNet) -> bool:
    try:
        wordnet.synset(name)
    except KeyError:
        return False
    return True


@dataclass(frozen=True, eq=False)
class NamedNodeNetwork:
    """A graph whose nodes have names, and a dictionary of its own or WordNet's."""

    wordnet: WordNet
    names: Mapping[str, int]
    dictionary: Mapping[str, ConceptWeights] | None
    graph: TransitionGraph

    def senses(self, entry: str) -> EntrySenses:
        """The senses of an entry that have a node."""
        given = self._of_wordnet(entry) if self.dictionary is None else self._of_dictionary(self.dictionary, entry)
        found = [(key, self.names[name], count) for key, name, count in given if name in self.names]
        keys, nodes, counts = zip(*found, strict=True) if found else ((), (), ())
        return EntrySenses(tuple(keys), np.array(nodes, np.intp), np.array(counts, float))

    def node(self, key: str) -> int:
        """The node of a sense key, or the one of this name."""
        if key in self.names:
            return self.names[key]
        return self.names[self._name(self.wordnet.sense_row(key))]

    def _of_wordnet(self, entry: str) -> Iterator[tuple[str, str, float]]:
        columns = self.wordnet.columns
        for row in self.wordnet.sense_rows(entry).tolist():
            yield columns.key[row], self._name(row), float(columns.sense_count[row])

    def _name(self, sense: int) -> str:
        """The node of a sense: a satellite's may be written as that of an adjective."""
        name = self.wordnet.synset(self.wordnet.columns.sense_synset[sense]).id
        return name if name in self.names or not name.endswith("-s") else f"{name[:-1]}a"

    def _of_dictionary(self, dictionary: Mapping[str, ConceptWeights], entry: str) -> Iterator[tuple[str, str, float]]:
        word, _, part = entry.rpartition(".")
        for name, weight in dictionary.get(word, {}).items():
            of_part = name[-1].replace("s", "a") if name[-2:-1] == "-" else part
            if of_part == part:
                yield self._key(word, name), name, weight

    def _key(self, word: str, name: str) -> str:
        """The sense key of a word in a synset, or the name of the node, if it is none that has the word."""
        try:
            keys = self.wordnet.synset(name).keys
        except KeyError:
            return name
        return next((key for key in keys if key.partition("%")[0] == word), name)
