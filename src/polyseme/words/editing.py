"""Edits of a word profile: other names for its senses, and several senses merged into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, zip_longest

from polyseme.errors import InputError, quote_value
from polyseme.inventory import Inventory, Sense
from polyseme.words.profile import WordProfile, make_profile

FEATURES = 30
"""The number of descriptive words of a merged sense."""


def rename_senses(profile: WordProfile, names: Mapping[str, str]) -> WordProfile:
    """Give senses other names: ``{"bank.n.s1": "money"}``.

    Raises:
        InputError: A sense does not exist, or a name is empty or taken.
    """
    _check_senses(profile, names)
    new_names = {sense.id: names.get(sense.id, sense.id).strip() for sense in profile.senses}
    for name, count in Counter(new_names.values()).items():
        if not name:
            raise InputError("the name of a sense is empty; give it a name, or leave the sense out")
        if count > 1:
            raise InputError(f"two senses would be called {quote_value(name)}; to make them one, merge them")
    senses = tuple(replace(sense, id=new_names[sense.id]) for sense in profile.senses)
    return replace(profile, senses=senses, labelling=profile.labelling.rename_senses(new_names))


def merge_senses(profile: WordProfile, into: Mapping[str, str]) -> WordProfile:
    """Merge senses into others, and add up their weights: ``{"bank.n.s3": "bank.n.s1"}``.

    Raises:
        InputError: A sense does not exist, or senses are merged in a circle.
    """
    _check_senses(profile, chain(into, into.values()))
    targets = {sense.id: _merge_target(sense.id, into) for sense in profile.senses}
    groups: dict[str, list[Sense]] = {}
    for sense in profile.senses:
        groups.setdefault(targets[sense.id], []).append(sense)
    labelling = profile.labelling.rename_senses(targets, merge=float.__add__)
    senses = [_merge_parts(target, parts) for target, parts in groups.items()]
    return make_profile(profile.lemma, profile.usages, labelling, senses, profile.model)


def profile_inventory(profile: WordProfile) -> Inventory:
    """The senses as an inventory, with their shares in the profile as frequencies."""
    shares = profile.shares.tolist()
    return Inventory(replace(sense, frequency=share) for sense, share in zip(profile.senses, shares, strict=True))


def _check_senses(profile: WordProfile, senses: Iterable[str]) -> None:
    for sense in senses:
        profile.number(sense)  # raises an error if the sense does not exist


def _merge_target(sense: str, into: Mapping[str, str]) -> str:
    """The sense that another is merged into in the end, as the target may be merged, too."""
    path = [sense]
    while path[-1] in into and into[path[-1]] != path[-1]:
        path.append(into[path[-1]])
        if path.count(path[-1]) > 1:
            raise InputError(f"senses cannot be merged in a circle: {' → '.join(path)}")
    return path[-1]


def _merge_parts(name: str, parts: list[Sense]) -> Sense:
    """One sense made of several: descriptive words with their weights added up, and examples in turn.

    No run of the model has this sense, so its recurrence is unknown.
    """
    if len(parts) == 1:
        return parts[0]
    words: dict[str, float] = {}
    for word, weight in chain.from_iterable(part.features for part in parts):
        words[word] = words.get(word, 0.0) + weight
    features = sorted(words.items(), key=lambda pair: -pair[1])[:FEATURES]
    turns = chain.from_iterable(zip_longest(*(part.usages for part in parts)))
    target = next(part for part in parts if part.id == name)
    share = sum(part.frequency for part in parts)
    usages = tuple(usage for usage in turns if usage is not None)
    return replace(target, frequency=share, features=tuple(features), usages=usages, recurrence=None)
