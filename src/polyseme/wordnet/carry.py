"""Carrying sense keys from one version of WordNet to another, and saying what cannot be carried."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.wordnet.lexicon import WordNet

CLOSE = 0.4
"""The similarity above which the closest sense is taken to be the same one.

Tried on the 870 senses of words with several senses whose key is in both 3.0 and 3.1 but whose definition was
rewritten: looked up by similarity instead of by key, with this and the next figure 754 are found again and 9 are taken
for another sense; at 0.3 it is 780 and 11, at 0.5 718 and 7.
"""
APART = 0.1
"""How much more similar the closest sense must be than the next one."""
DOUBTFUL = 0.2
"""The similarity below which two senses with the same key may not be the same sense."""

_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    {"a", "an", "the", "of", "or", "and", "in", "to", "for", "by", "with", "that", "is", "as", "on", "at", "from", "be"}
    | {"not", "it", "its", "which", "used", "having"}
)


class Move(NamedTuple):
    """A key that has another name in the target: ``how`` is ``definition`` (the same one) or ``closest``."""

    key: str
    how: str
    similarity: float


class Doubt(NamedTuple):
    """A key that is in both versions with definitions that have little in common."""

    key: str
    source: str
    target: str
    similarity: float


class Relabelled(NamedTuple):
    """A labelling with the keys of another version, and what was lost on the way."""

    labelling: Labelling
    moved: dict[str, str]
    """The keys that got another name."""
    lost: dict[str, int]
    """Each sense that could not be carried, and how many usages listed it."""
    unlabelled: tuple[str, ...]
    """The usages that had no other sense, and so are not in the labelling any more."""


@dataclass(frozen=True, slots=True)
class Carried:
    """How the sense keys of one version correspond to those of another; made by :func:`carry`."""

    same: frozenset[str] = field(repr=False)
    """The keys that both versions have."""
    moved: Mapping[str, Move] = field(repr=False)
    """The keys that have another name in the target."""
    lost: tuple[str, ...] = field(repr=False)
    """The keys that are not carried over, sorted."""
    new: tuple[str, ...] = field(repr=False)
    """The keys of the target that none is carried to, sorted."""
    doubtful: tuple[Doubt, ...] = field(repr=False)
    """Of the keys that both versions have, those whose definition has changed much, the least similar first."""

    def key(self, key: str) -> str | None:
        """The key in the target, ``None`` if it is not carried over."""
        if key in self.same:
            return key
        move = self.moved.get(key)
        return move.key if move else None

    def labelling(self, labelling: Labelling, *, merge: Callable[[float, float], float] = max) -> Relabelled:
        """A labelling with the target's keys; senses that are not carried over are left out and listed.

        ``merge`` joins the weights where two senses of a usage become one.
        """
        keys = {sense: self.key(sense) for _, sense in labelling.columns}
        lost = {sense for sense, key in keys.items() if key is None}
        counts = Counter(sense for senses in labelling.values() for sense in senses if sense in lost)
        kept = Labelling(
            (lemma, usage, {sense: weight for sense, weight in senses.items() if sense not in lost})
            for lemma, usage, senses in labelling.rows()
        )
        moved = {sense: key for sense, key in keys.items() if key is not None and key != sense}
        unlabelled = tuple(usage for usage in labelling.usages if usage not in kept)
        return Relabelled(kept.renamed(moved, merge=merge), moved, dict(counts), unlabelled)


def carry(source: WordNet, target: WordNet) -> Carried:
    """Find for each sense key of one version the key of the same sense in another.

    It is the same key if the target has it; else that of the only sense of the same lemma and part of speech with the
    same definition; else that of the sense of the lemma whose definition and synonyms are clearly the closest
    (:data:`CLOSE`, :data:`APART`). What is left is lost.
    """
    there = frozenset(target.sense_keys)
    here = frozenset(source.sense_keys)
    moved: dict[str, Move] = {}
    for key in sorted(here - there):
        sense = source.by_key(key)
        move = _move(sense, target.get(sense.lemma, ()))
        if move is not None:
            moved[key] = move
    reached = {move.key for move in moved.values()}
    return Carried(
        same=here & there,
        moved=moved,
        lost=tuple(sorted(here - there - moved.keys())),
        new=tuple(sorted(there - here - reached)),
        doubtful=tuple(_doubts(source, target, here & there)),
    )


def _move(sense: Sense, others: tuple[Sense, ...]) -> Move | None:
    equal = [other for other in others if other.gloss == sense.gloss]
    if len(equal) == 1:
        return Move(equal[0].id, "definition", 1.0)
    ranked = sorted(((similarity(sense, other), other.id) for other in others), reverse=True)
    first, second = [*ranked, (0.0, ""), (0.0, "")][:2]
    if first[0] >= CLOSE and first[0] - second[0] >= APART:
        return Move(first[1], "closest", first[0])
    return None


def similarity(one: Sense, other: Sense) -> float:
    """Dice's coefficient of the words of the definitions and the synonyms, without the commonest words.

    >>> similarity(Sense("1", "x.n", "a small boat", ("dinghy",)), Sense("2", "x.n", "a light boat", ("dinghy",)))
    0.666...
    """
    here, there = _features(one), _features(other)
    return 2 * len(here & there) / (len(here) + len(there)) if here or there else 1.0


def _features(sense: Sense) -> set[str]:
    return {*_WORD.findall(sense.gloss.lower()), *(word.lower() for word in sense.synonyms)} - _COMMON


def _doubts(source: WordNet, target: WordNet, keys: frozenset[str]) -> list[Doubt]:
    """Of keys in both versions, those whose definitions have little in common."""
    before, after = _glosses(source), _glosses(target)
    found = []
    for key in keys:
        if before[key] != after[key]:
            one, other = source.by_key(key), target.by_key(key)
            near = similarity(one, other)
            if near < DOUBTFUL and one.gloss != other.gloss:
                found.append(Doubt(key, one.gloss, other.gloss, near))
    return sorted(found, key=lambda doubt: (doubt.similarity, doubt.key))


def _glosses(wordnet: WordNet) -> dict[str, str]:
    glosses = list(wordnet.columns.gloss)
    synsets = wordnet.columns.sense_synset.tolist()
    return {key: glosses[synset] for key, synset in zip(wordnet.sense_keys, synsets, strict=True)}
