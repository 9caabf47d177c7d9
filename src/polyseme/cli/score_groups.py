"""``--by``: scores of groups of lemmas or usages."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from polyseme.errors import InputError, InputWarning, quote_value

if TYPE_CHECKING:
    from polyseme.labelling import Labelling
    from polyseme.tasks.result import TaskResult


class ScoreGroups(NamedTuple):
    """Groups of lemmas or of usages.

    Args:
        units: The lemmas or usages of each group.
        of_lemmas: Whether these are lemmas.
    """

    units: Mapping[str, Collection[str]]
    of_lemmas: bool

    def split(self, result: TaskResult) -> dict[str, TaskResult]:
        """Split a result by group."""
        return result.by_lemmas(self.units) if self.of_lemmas else result.by_usages(self.units)


def read_score_groups(gold: Labelling, by: list[str]) -> list[ScoreGroups]:
    """Return the groups of each value of ``--by``: lemmas, parts of speech, a file, or a labelling of a data set."""
    groups = [GROUPERS[name](gold) if name in GROUPERS else _read_group_file(gold, name) for name in by]
    names = {"all"}  # the row of all usages
    for option, group in zip(by, groups, strict=True):
        if duplicates := names & group.units.keys():
            problem = f"there is a group {quote_value(min(duplicates))} already"
            raise InputError(f"{problem}; rename this one", path=option)
        names |= group.units.keys()
    return groups


def _group_by_lemma(gold: Labelling) -> ScoreGroups:
    return ScoreGroups({lemma: [lemma] for lemma in gold.lemmas}, of_lemmas=True)


def _group_by_pos(gold: Labelling) -> ScoreGroups:
    groups: dict[str, list[str]] = {}
    for lemma in gold.lemmas:
        _, dot, pos = lemma.rpartition(".")
        if not dot:
            raise InputError(f"--by pos: the lemma {quote_value(lemma)} has no part of speech; write it as in bank.n")
        groups.setdefault(pos, []).append(lemma)
    return ScoreGroups(groups, of_lemmas=True)


GROUPERS = {"lemma": _group_by_lemma, "pos": _group_by_pos}
"""The values of ``--by`` that are no files."""


def _read_group_file(gold: Labelling, path: str) -> ScoreGroups:
    from polyseme.datasets.opening import find_named_labelling
    from polyseme.formats.groups import read_groups

    try:
        labelling = find_named_labelling(path)
        groups = read_groups(path) if labelling is None else {path.partition(":")[2]: list(labelling)}
    except InputError as error:
        raise InputError(f"{error} (--by takes {', '.join(GROUPERS)}, a file or DATASET:NAME)") from None
    units = {unit for members in groups.values() for unit in members}
    lemmas, usages = units & set(gold.lemmas), {unit for unit in units if unit in gold}
    if lemmas and usages:
        problem = f"{quote_value(min(lemmas))} is a lemma and {quote_value(min(usages))} a usage"
        raise InputError(f"{problem}; use one kind in a file", path=path)
    for name, members in groups.items():
        if not (lemmas | usages).intersection(members):
            raise InputError(
                f"the group {quote_value(name)} has no lemma and no usage of the gold key; use its names", path=path
            )
    unknown = sum(unit not in lemmas and unit not in usages for members in groups.values() for unit in members)
    if unknown:
        units_are = "unit is" if unknown == 1 else "units are"
        warnings.warn(f"{path}: {unknown} {units_are} not in the gold key", InputWarning, stacklevel=3)
    return ScoreGroups(groups, of_lemmas=bool(lemmas))
