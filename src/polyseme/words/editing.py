"""A portrait with other names of its senses, or with several of them as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from polyseme.errors import InputError, quote_value
from polyseme.inventory import Inventory, Sense
from polyseme.words.profile import WordProfile, make_profile

FEATURES = 30
"""So many words tell a sense that was made of several."""


def rename_senses(portrait: WordProfile, names: Mapping[str, str]) -> WordProfile:
    """The portrait with senses called otherwise: ``{"bank.n.s1": "money"}``."""
    _check(portrait, names)
    called = [names.get(sense.id, sense.id).strip() for sense in portrait.senses]
    for name in called:
        if not name:
            raise InputError("the name of a sense is empty; give it one, or leave it as it is")
        if called.count(name) > 1:
            raise InputError(f"two senses would be called {quote_value(name)}; to make them one, merge them")
    new = dict(zip((sense.id for sense in portrait.senses), called, strict=True))
    senses = [replace(sense, id=new[sense.id]) for sense in portrait.senses]
    return replace(portrait, senses=tuple(senses), labelling=portrait.labelling.renamed(new))


def merge_senses(portrait: WordProfile, into: Mapping[str, str]) -> WordProfile:
    """The portrait with senses that are part of others: ``{"bank.n.s3": "bank.n.s1"}``; their weights are added."""
    _check(portrait, into)
    _check(portrait, into.values())
    target = {sense.id: _merge_target(sense.id, into) for sense in portrait.senses}
    groups: dict[str, list[Sense]] = {}
    for sense in portrait.senses:
        groups.setdefault(target[sense.id], []).append(sense)
    labelling = portrait.labelling.renamed(target, merge=float.__add__)
    senses = [_merge_parts(name, parts) for name, parts in groups.items()]
    return make_profile(portrait.lemma, portrait.usages, labelling, senses, portrait.model)


def profile_inventory(portrait: WordProfile) -> Inventory:
    """The senses as an inventory, with the shares that they have in the portrait."""
    shares = portrait.shares.tolist()
    return Inventory(replace(sense, frequency=share) for sense, share in zip(portrait.senses, shares, strict=True))


def _check(portrait: WordProfile, names: Iterable[str]) -> None:
    for name in names:
        portrait.number(name)  # an error if there is none


def _merge_target(sense: str, into: Mapping[str, str]) -> str:
    """The sense that one ends in, which may itself be merged; an error if that goes round."""
    seen = [sense]
    while seen[-1] in into and into[seen[-1]] != seen[-1]:
        seen.append(into[seen[-1]])
        if seen.count(seen[-1]) > 1:
            raise InputError(f"senses cannot be merged in a circle: {' → '.join(seen)}")
    return seen[-1]


def _merge_parts(name: str, parts: list[Sense]) -> Sense:
    """One sense of several: their words with the weights added, the strongest first, and their examples by turns."""
    if len(parts) == 1:
        return parts[0]
    words: dict[str, float] = {}
    for part in parts:
        for word, weight in part.features:
            words[word] = words.get(word, 0.0) + weight
    features = sorted(words.items(), key=lambda pair: -pair[1])[:FEATURES]
    most = max(len(part.usages) for part in parts)
    usages = [part.usages[at] for at in range(most) for part in parts if at < len(part.usages)]
    own = next(part for part in parts if part.id == name)
    share = sum(part.frequency for part in parts)
    return replace(own, frequency=share, features=tuple(features), usages=tuple(usages))
