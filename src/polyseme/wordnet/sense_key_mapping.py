"""Mapping the sense keys of one version of WordNet to those of another, with a list of those that are lost."""

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
"""The similarity above which the closest sense counts as the same one.

It was chosen on the 811 senses of polysemous words whose key is in both 3.0 and 3.1 but whose definition was rewritten.
Looked up by similarity instead of by key, with this figure and the next, 698 are found and 9 are mistaken for another
sense; at 0.3 these are 722 and 11, at 0.5 668 and 7.
"""
MIN_MARGIN = 0.1
"""The least difference in similarity between the closest sense and the next one."""
DOUBTFUL_SIMILARITY = 0.2
"""The similarity below which two senses with the same key may not be the same sense."""

_WORD = re.compile(r"\w+")
_STOP_WORDS = frozenset(
    {"a", "an", "the", "of", "or", "and", "in", "to", "for", "by", "with", "that", "is", "as", "on", "at", "from", "be"}
    | {"not", "it", "its", "which", "used", "having"}
)


class KeyChange(NamedTuple):
    """A key that has another name in the target; ``how`` is ``definition`` (the same one) or ``closest``."""

    key: str
    how: str
    similarity: float


class DoubtfulKey(NamedTuple):
    """A key in both versions whose meaning may differ: its definitions and their similarity.

    ``closer`` is the key of another sense of the target that is clearly closer to the old definition (by
    :data:`MIN_MARGIN`), or ``None``; then the two definitions have little in common (:data:`DOUBTFUL_SIMILARITY`).
    """

    key: str
    source: str
    target: str
    similarity: float
    closer: str | None


class MappedLabelling(NamedTuple):
    """A labelling with the keys of another version, and the senses that were lost.

    Args:
        moved: The keys that have another name.
        lost: Each sense that could not be mapped, and the number of usages that listed it.
        unlabelled: The usages that had no other sense, and so are not in the labelling.
    """

    labelling: Labelling
    moved: dict[str, str]
    lost: dict[str, int]
    unlabelled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SenseKeyMapping:
    """The sense keys of one version and those of another; see :func:`map_sense_keys`.

    Args:
        same: The keys that both versions have.
        moved: The keys that have another name in the target.
        lost: The keys that are not mapped, sorted.
        new: The keys of the target to which none is mapped, sorted.
        doubtful: The keys of both versions whose meaning may differ, the least similar first.
    """

    same: frozenset[str] = field(repr=False)
    moved: Mapping[str, KeyChange] = field(repr=False)
    lost: tuple[str, ...] = field(repr=False)
    new: tuple[str, ...] = field(repr=False)
    doubtful: tuple[DoubtfulKey, ...] = field(repr=False)

    def key(self, key: str) -> str | None:
        """Return the key in the target, ``None`` if it is not mapped."""
        if key in self.same:
            return key
        return self.moved[key].key if key in self.moved else None

    def labelling(self, labelling: Labelling) -> MappedLabelling:
        """Map the keys of a labelling; senses that are not mapped are left out and listed."""
        keys = {sense: self.key(sense) for _, sense in labelling.columns}
        lost = {sense for sense, key in keys.items() if key is None}
        counts = Counter(sense for senses in labelling.values() for sense in senses if sense in lost)
        mapped = Labelling(
            (lemma, usage, {sense: weight for sense, weight in senses.items() if sense not in lost})
            for lemma, usage, senses in labelling.rows()
        )
        moved = {sense: key for sense, key in keys.items() if key is not None and key != sense}
        unlabelled = tuple(usage for usage in labelling.usages if usage not in mapped)
        return MappedLabelling(mapped.rename_senses(moved), moved, dict(counts), unlabelled)


def map_sense_keys(source: WordNet, target: WordNet) -> SenseKeyMapping:
    """Find for each sense key of one version the key of the same sense in another.

    It is the same key if the target has it. Otherwise the senses of the target with the same lemma are compared whose
    keys the source does not have. The key is that of the only one with the same definition, or of the one whose
    definition and synonyms are clearly the closest (:data:`MIN_SIMILARITY`, :data:`MIN_MARGIN`). All other keys are
    lost. No two keys are mapped to one: only one that is clearly closer is (by :data:`MIN_MARGIN`).
    """
    old_keys, new_keys = frozenset(source.sense_keys), frozenset(target.sense_keys)
    changes = {}
    for key in sorted(old_keys - new_keys):
        sense = source.by_key(key)
        change = _find_change(sense, [other for other in target.get(sense.lemma, ()) if other.id not in old_keys])
        if change is not None:
            changes[key] = change
    moved = _keep_one_to_one(changes)
    reached = {change.key for change in moved.values()}
    return SenseKeyMapping(
        same=old_keys & new_keys,
        moved=moved,
        lost=tuple(sorted(old_keys - new_keys - moved.keys())),
        new=tuple(sorted(new_keys - old_keys - reached)),
        doubtful=tuple(_find_doubtful_keys(source, target, old_keys & new_keys)),
    )


def _find_change(sense: Sense, others: Sequence[Sense]) -> KeyChange | None:
    equal = [other for other in others if other.gloss == sense.gloss]
    if len(equal) == 1:
        return KeyChange(equal[0].id, "definition", 1.0)
    best, key = _clear_winner([(gloss_similarity(sense, other), other.id) for other in others])
    return KeyChange(key, "closest", best) if best >= MIN_SIMILARITY else None


def _keep_one_to_one(changes: Mapping[str, KeyChange]) -> dict[str, KeyChange]:
    """Drop the changes to a key to which another change leads as well or better."""
    rivals: dict[str, list[tuple[float, str]]] = {}
    for key, change in changes.items():
        rivals.setdefault(change.key, []).append((change.similarity, key))
    return {key: change for key, change in changes.items() if _clear_winner(rivals[change.key])[1] == key}


def _clear_winner(ranked: Sequence[tuple[float, str]]) -> tuple[float, str]:
    """Return the most similar of several if the next one is clearly less similar; otherwise nothing.

    >>> _clear_winner([(0.3, "a"), (0.9, "b")]), _clear_winner([(0.85, "a"), (0.9, "b")])
    ((0.9, 'b'), (0.0, ''))
    """
    first, second = [*sorted(ranked, reverse=True), (0.0, ""), (0.0, "")][:2]
    return first if first[0] - second[0] >= MIN_MARGIN else (0.0, "")


def gloss_similarity(one: Sense, other: Sense) -> float:
    """Return Dice's coefficient of the words of the definitions and the synonyms, without stop words.

    >>> gloss_similarity(Sense("1", "x.n", "a small boat", ("dinghy",)), Sense("2", "x.n", "a light boat", ("dinghy",)))
    0.666...
    """
    words, other_words = _gloss_words(one), _gloss_words(other)
    total = len(words) + len(other_words)
    return 2 * len(words & other_words) / total if total else 1.0


def _gloss_words(sense: Sense) -> set[str]:
    return {*_WORD.findall(sense.gloss.lower()), *(word.lower() for word in sense.synonyms)} - _STOP_WORDS


def _find_doubtful_keys(source: WordNet, target: WordNet, keys: frozenset[str]) -> list[DoubtfulKey]:
    """Find the keys of both versions whose meaning may differ."""
    before, after = _glosses_by_key(source), _glosses_by_key(target)
    changed = (key for key in keys if before[key] != after[key])
    doubtful = [doubt for key in changed if (doubt := _check_key(source.by_key(key), target))]
    return sorted(doubtful, key=lambda doubt: (doubt.similarity, doubt.key))


def _check_key(sense: Sense, target: WordNet) -> DoubtfulKey | None:
    counterpart = target.by_key(sense.id)
    if counterpart.gloss == sense.gloss:
        return None
    similarity = gloss_similarity(sense, counterpart)
    best, key = max((gloss_similarity(sense, other), other.id) for other in target[counterpart.lemma])
    closer = key if best - similarity >= MIN_MARGIN else None
    is_doubtful = closer or similarity < DOUBTFUL_SIMILARITY
    return DoubtfulKey(sense.id, sense.gloss, counterpart.gloss, similarity, closer) if is_doubtful else None


def _glosses_by_key(wordnet: WordNet) -> dict[str, str]:
    glosses = list(wordnet.columns.gloss)
    synsets = wordnet.columns.sense_synset.tolist()
    return {key: glosses[synset] for key, synset in zip(wordnet.sense_keys, synsets, strict=True)}
