"""Carrying sense keys from one version of WordNet to another, and saying what cannot be carried."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.wordnet.lexicon import WordNet

MIN_SIMILARITY = 0.4
"""The similarity above which the closest sense is taken to be the same one.

Tried on the 811 senses of words with several senses whose key is in both 3.0 and 3.1 but whose definition was
rewritten: looked up by similarity instead of by key, with this and the next figure 698 are found again and 9 are taken
for another sense; at 0.3 it is 722 and 11, at 0.5 668 and 7.
"""
MIN_MARGIN = 0.1
"""How much more similar the closest sense must be than the next one."""
DOUBTFUL_SIMILARITY = 0.2
"""The similarity below which two senses with the same key may not be the same sense."""

_WORD = re.compile(r"\w+")
_STOP_WORDS = frozenset(
    {"a", "an", "the", "of", "or", "and", "in", "to", "for", "by", "with", "that", "is", "as", "on", "at", "from", "be"}
    | {"not", "it", "its", "which", "used", "having"}
)


class KeyChange(NamedTuple):
    """A key that has another name in the target: ``how`` is ``definition`` (the same one) or ``closest``."""

    key: str
    how: str
    similarity: float


class DoubtfulKey(NamedTuple):
    """A key that is in both versions, maybe not with the same meaning: its definitions and how similar they are.

    ``closer`` is the key of another sense of the target that the old definition is clearly closer to (by
    :data:`APART`), ``None`` if there is none; then the two definitions have little in common (:data:`DOUBTFUL`).
    """

    key: str
    source: str
    target: str
    similarity: float
    closer: str | None


class MappedLabelling(NamedTuple):
    """A labelling with the keys of another version, and what was lost on the way."""

    labelling: Labelling
    moved: dict[str, str]
    """The keys that got another name."""
    lost: dict[str, int]
    """Each sense that could not be carried, and how many usages listed it."""
    unlabelled: tuple[str, ...]
    """The usages that had no other sense, and so are not in the labelling any more."""


@dataclass(frozen=True, slots=True)
class SenseKeyMapping:
    """How the sense keys of one version correspond to those of another; made by :func:`carry`."""

    same: frozenset[str] = field(repr=False)
    """The keys that both versions have."""
    moved: Mapping[str, KeyChange] = field(repr=False)
    """The keys that have another name in the target."""
    lost: tuple[str, ...] = field(repr=False)
    """The keys that are not carried over, sorted."""
    new: tuple[str, ...] = field(repr=False)
    """The keys of the target that none is carried to, sorted."""
    doubtful: tuple[DoubtfulKey, ...] = field(repr=False)
    """Of the keys that both versions have, those that may not have the same meaning, the least similar first."""

    def key(self, key: str) -> str | None:
        """The key in the target, ``None`` if it is not carried over."""
        if key in self.same:
            return key
        move = self.moved.get(key)
        return move.key if move else None

    def labelling(self, labelling: Labelling) -> MappedLabelling:
        """A labelling with the target's keys; senses that are not carried over are left out and listed."""
        keys = {sense: self.key(sense) for _, sense in labelling.columns}
        lost = {sense for sense, key in keys.items() if key is None}
        counts = Counter(sense for senses in labelling.values() for sense in senses if sense in lost)
        kept = Labelling(
            (lemma, usage, {sense: weight for sense, weight in senses.items() if sense not in lost})
            for lemma, usage, senses in labelling.rows()
        )
        moved = {sense: key for sense, key in keys.items() if key is not None and key != sense}
        unlabelled = tuple(usage for usage in labelling.usages if usage not in kept)
        return MappedLabelling(kept.renamed(moved), moved, dict(counts), unlabelled)


def map_sense_keys(source: WordNet, target: WordNet) -> SenseKeyMapping:
    """Find for each sense key of one version the key of the same sense in another.

    It is the same key if the target has it. Else the target's senses of the same lemma and part of speech are compared
    whose keys the source does not have: it is the only one with the same definition, or the one whose definition and
    synonyms are clearly the closest (:data:`CLOSE`, :data:`APART`). What is left is lost. No two keys are carried to
    one: where two would be, only one that is clearly closer is (by :data:`APART`), and the rest is lost.
    """
    there = frozenset(target.sense_keys)
    here = frozenset(source.sense_keys)
    moved = _keep_one_to_one(_find_changes(source, target, here, there))
    reached = {move.key for move in moved.values()}
    return SenseKeyMapping(
        same=here & there,
        moved=moved,
        lost=tuple(sorted(here - there - moved.keys())),
        new=tuple(sorted(there - here - reached)),
        doubtful=tuple(_find_doubtful_keys(source, target, here & there)),
    )


def _find_changes(
    source: WordNet, target: WordNet, here: frozenset[str], there: frozenset[str]
) -> dict[str, KeyChange]:
    found = {}
    for key in sorted(here - there):
        sense = source.by_key(key)
        move = _find_change(sense, [other for other in target.get(sense.lemma, ()) if other.id not in here])
        if move is not None:
            found[key] = move
    return found


def _find_change(sense: Sense, others: Sequence[Sense]) -> KeyChange | None:
    equal = [other for other in others if other.gloss == sense.gloss]
    if len(equal) == 1:
        return KeyChange(equal[0].id, "definition", 1.0)
    near, key = _clear_winner([(gloss_similarity(sense, other), other.id) for other in others])
    return KeyChange(key, "closest", near) if near >= MIN_SIMILARITY else None


def _keep_one_to_one(moves: Mapping[str, KeyChange]) -> dict[str, KeyChange]:
    """The moves without those to a key that another one leads to as well or better."""
    rivals: dict[str, list[tuple[float, str]]] = {}
    for key, move in moves.items():
        rivals.setdefault(move.key, []).append((move.similarity, key))
    return {key: move for key, move in moves.items() if _clear_winner(rivals[move.key])[1] == key}


def _clear_winner(ranked: Sequence[tuple[float, str]]) -> tuple[float, str]:
    """The most similar of several, if the next one is clearly less so; else nothing.

    >>> _clear_winner([(0.3, "a"), (0.9, "b")]), _clear_winner([(0.85, "a"), (0.9, "b")])
    ((0.9, 'b'), (0.0, ''))
    """
    first, second = [*sorted(ranked, reverse=True), (0.0, ""), (0.0, "")][:2]
    return first if first[0] - second[0] >= MIN_MARGIN else (0.0, "")


def gloss_similarity(one: Sense, other: Sense) -> float:
    """Dice's coefficient of the words of the definitions and the synonyms, without the commonest words.

    >>> gloss_similarity(Sense("1", "x.n", "a small boat", ("dinghy",)), Sense("2", "x.n", "a light boat", ("dinghy",)))
    0.666...
    """
    here, there = _gloss_words(one), _gloss_words(other)
    return 2 * len(here & there) / (len(here) + len(there)) if here or there else 1.0


def _gloss_words(sense: Sense) -> set[str]:
    return {*_WORD.findall(sense.gloss.lower()), *(word.lower() for word in sense.synonyms)} - _STOP_WORDS


def _find_doubtful_keys(source: WordNet, target: WordNet, keys: frozenset[str]) -> list[DoubtfulKey]:
    """Of keys in both versions, those that may not have the same meaning."""
    before, after = _glosses(source), _glosses(target)
    changed = (key for key in keys if before[key] != after[key])
    found = [doubt for key in changed if (doubt := _check_key(source.by_key(key), target))]
    return sorted(found, key=lambda doubt: (doubt.similarity, doubt.key))


def _check_key(sense: Sense, target: WordNet) -> DoubtfulKey | None:
    same = target.by_key(sense.id)
    if same.gloss == sense.gloss:
        return None
    near = gloss_similarity(sense, same)
    best, key = max((gloss_similarity(sense, other), other.id) for other in target[same.lemma])
    closer = key if best - near >= MIN_MARGIN else None
    return (
        DoubtfulKey(sense.id, sense.gloss, same.gloss, near, closer) if closer or near < DOUBTFUL_SIMILARITY else None
    )


def _glosses(wordnet: WordNet) -> dict[str, str]:
    glosses = list(wordnet.columns.gloss)
    synsets = wordnet.columns.sense_synset.tolist()
    return {key: glosses[synset] for key, synset in zip(wordnet.sense_keys, synsets, strict=True)}
