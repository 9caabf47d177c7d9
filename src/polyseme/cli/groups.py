"""``--by``: results of groups of lemmas or usages."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from polyseme.errors import InputError, InputWarning, shown

if TYPE_CHECKING:
    from polyseme.evaluate.result import TaskResult
    from polyseme.labelling import Labelling


class Groups(NamedTuple):
    """Named groups of lemmas, or of usages."""

    units: Mapping[str, Collection[str]]
    of_lemmas: bool

    def of(self, result: TaskResult) -> dict[str, TaskResult]:
        """The result of each group."""
        return result.by_lemmas(self.units) if self.of_lemmas else result.by_usages(self.units)


def named_groups(gold: Labelling, by: list[str]) -> list[Groups]:
    """The groups that the values of ``--by`` name: by lemma, by part of speech, or in a file."""
    found = [GROUPERS[each](gold) if each in GROUPERS else _from_file(gold, each) for each in by]
    names = {"all"}  # the row of all usages
    for each, groups in zip(by, found, strict=True):
        if twice := names & groups.units.keys():
            raise InputError(f"a group called {shown(min(twice))} is there already; rename this one", path=each)
        names |= groups.units.keys()
    return found


def _by_lemma(gold: Labelling) -> Groups:
    return Groups({lemma: [lemma] for lemma in gold.lemmas}, of_lemmas=True)


def _by_part_of_speech(gold: Labelling) -> Groups:
    groups: dict[str, list[str]] = {}
    for lemma in gold.lemmas:
        _, dot, pos = lemma.rpartition(".")
        if not dot:
            raise InputError(f"--by pos: the lemma {shown(lemma)} names no part of speech; one reads: lemma.pos")
        groups.setdefault(pos, []).append(lemma)
    return Groups(groups, of_lemmas=True)


GROUPERS = {"lemma": _by_lemma, "pos": _by_part_of_speech}
"""What ``--by`` knows without a file."""


def _from_file(gold: Labelling, path: str) -> Groups:
    from polyseme.formats.groups import read_groups

    try:
        groups = read_groups(path)
    except InputError as error:
        raise InputError(f"{error} (--by takes {', '.join(GROUPERS)} or a file)") from None
    known = frozenset(gold.lemmas)
    lemmas = {unit for units in groups.values() for unit in units if unit in known}
    usages = {unit for units in groups.values() for unit in units if unit in gold}
    if lemmas and usages:
        raise InputError(
            f"{shown(min(lemmas))} is a lemma and {shown(min(usages))} a usage; use one kind in a file", path=path
        )
    _check(groups, lemmas | usages, path)
    return Groups(groups, of_lemmas=bool(lemmas))


def _check(groups: Mapping[str, Collection[str]], known: Collection[str], path: str) -> None:
    for name, units in groups.items():
        if not any(unit in known for unit in units):
            raise InputError(f"the group {shown(name)} has no lemma and no usage of the gold key", path=path)
    unknown = sum(unit not in known for units in groups.values() for unit in units)
    if unknown:
        what = "unit is" if unknown == 1 else "units are"
        warnings.warn(f"{path}: {unknown} {what} not in the gold key", InputWarning, stacklevel=3)
