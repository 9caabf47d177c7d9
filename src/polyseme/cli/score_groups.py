"""``--by``: results of groups of lemmas or usages."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from polyseme.errors import InputError, InputWarning, quote_value

if TYPE_CHECKING:
    from polyseme.labelling import Labelling
    from polyseme.tasks.result import TaskResult


class ScoreGroups(NamedTuple):
    """Named groups of lemmas, or of usages."""

    units: Mapping[str, Collection[str]]
    of_lemmas: bool

    def of(self, result: TaskResult) -> dict[str, TaskResult]:
        """The result of each group."""
        return result.by_lemmas(self.units) if self.of_lemmas else result.by_usages(self.units)


def read_score_groups(gold: Labelling, by: list[str]) -> list[ScoreGroups]:
    """The groups that the values of ``--by`` name: by lemma, by part of speech, or in a file."""
    found = [GROUPERS[each](gold) if each in GROUPERS else _read_group_file(gold, each) for each in by]
    names = {"all"}  # the row of all usages
    for each, groups in zip(by, found, strict=True):
        if twice := names & groups.units.keys():
            raise InputError(f"a group called {quote_value(min(twice))} is there already; rename this one", path=each)
        names |= groups.units.keys()
    return found


def _group_by_lemma(gold: Labelling) -> ScoreGroups:
    return ScoreGroups({lemma: [lemma] for lemma in gold.lemmas}, of_lemmas=True)


def _group_by_pos(gold: Labelling) -> ScoreGroups:
    groups: dict[str, list[str]] = {}
    for lemma in gold.lemmas:
        _, dot, pos = lemma.rpartition(".")
        if not dot:
            raise InputError(f"--by pos: the lemma {quote_value(lemma)} names no part of speech; one reads: lemma.pos")
        groups.setdefault(pos, []).append(lemma)
    return ScoreGroups(groups, of_lemmas=True)


GROUPERS = {"lemma": _group_by_lemma, "pos": _group_by_pos}
"""What ``--by`` knows without a file."""


def _read_group_file(gold: Labelling, path: str) -> ScoreGroups:
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
            f"{quote_value(min(lemmas))} is a lemma and {quote_value(min(usages))} a usage; use one kind in a file",
            path=path,
        )
    _check_groups(groups, lemmas | usages, path)
    return ScoreGroups(groups, of_lemmas=bool(lemmas))


def _check_groups(groups: Mapping[str, Collection[str]], known: Collection[str], path: str) -> None:
    for name, units in groups.items():
        if not any(unit in known for unit in units):
            raise InputError(f"the group {quote_value(name)} has no lemma and no usage of the gold key", path=path)
    unknown = sum(unit not in known for units in groups.values() for unit in units)
    if unknown:
        what = "unit is" if unknown == 1 else "units are"
        warnings.warn(f"{path}: {unknown} {what} not in the gold key", InputWarning, stacklevel=3)
