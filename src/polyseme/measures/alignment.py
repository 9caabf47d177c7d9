"""Gold and system in one table of (usage, sense, gold weight, system weight)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from polyseme._labelling_table import UNKNOWN_LEMMA
from polyseme.arrays import Bools, Floats, Ints, count_at, run_starts, sum_at
from polyseme.errors import InputError, InputWarning, quote_value
from polyseme.labelling import Labelling
from polyseme.scores import Scores


def shared_columns(gold: Labelling, system: Labelling) -> tuple[tuple[tuple[str, str], ...], Ints]:
    """Return all (lemma, sense) columns, gold's first, and the positions of the system's columns among them."""
    numbers = {column: number for number, column in enumerate(gold.columns)}
    positions = [numbers.setdefault(column, len(numbers)) for column in system.columns]
    return tuple(numbers), np.array(positions, np.intp)


def sense_order(names: Iterable[str]) -> Ints:
    """Return the rank of each name in the order of the original (Java) scorers: by UTF-16 code unit.

    >>> sense_order(["b", "a", "c"]).tolist()
    [1, 0, 2]
    """
    keys = [name.encode("utf-16-be", "surrogatepass") for name in names]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ranks = np.empty(len(keys), np.intp)
    ranks[order] = np.arange(len(keys))
    return ranks


def check_and_order(gold: Labelling, system: Labelling) -> tuple[Labelling, Labelling]:
    """Check two labellings and return them heaviest sense first, so that sums are the same to the last digit.

    Raises:
        polyseme.errors.InputError: If the two share no usage, or disagree on a lemma.

    Warns:
        polyseme.errors.InputWarning: If the system labels usages outside the gold key.
    """
    gold = adopt_lemmas(gold, system)
    if not (common := common_usages(gold, system, "the system's key")):
        example = f"; gold has e.g. {quote_value(gold.usages[0])}" if len(gold) else "; the gold key is empty"
        system_example = (
            f", the system {quote_value(system.usages[0])}" if len(system) else ", and the system labels nothing"
        )
        raise InputError(
            f"gold and system have no usage in common{example}{system_example}; name keys of the same data"
        )
    outside = len(system) - len(common)
    if outside:
        subject = "usage of the system is" if outside == 1 else "usages of the system are"
        warnings.warn(f"{outside} {subject} not in the gold key", InputWarning, stacklevel=3)
    return gold.heaviest_first(), system.heaviest_first()


def warn_of_unlabelled_lemmas(gold: Labelling, system: Labelling) -> None:
    """Warn if the system labels no usage of some lemmas, as if it was made for the others only."""
    gold = adopt_lemmas(gold, system)
    lemmas = set(gold.usage_lemmas)
    missing = lemmas - {gold.lemma(usage) for usage in system.usages if usage in gold}
    if missing and len(missing) < len(lemmas):
        warnings.warn(
            f"the system labels no usage of {len(missing)} of the {len(lemmas)} lemmas in the gold key, "
            "which lowers its figures; to score some lemmas only, restrict the gold key to them",
            InputWarning,
            stacklevel=3,
        )


def common_usages(gold: Labelling, other: Labelling, name: str) -> list[str]:
    """Return the usages that both labellings have.

    Args:
        gold: The gold labelling.
        other: Another labelling.
        name: What messages call the other labelling.

    Raises:
        polyseme.errors.InputError: If a usage has different lemmas.
    """
    common = [usage for usage in other.usages if usage in gold]
    for usage in common:
        if gold.lemma(usage) != other.lemma(usage):
            raise InputError(
                f"usage {quote_value(usage)} belongs to {quote_value(gold.lemma(usage))} in the gold key"
                f" and to {quote_value(other.lemma(usage))} in {name}; a usage has one lemma"
            )
    return common


def adopt_lemmas(labelling: Labelling, reference: object) -> Labelling:
    """Return a labelling in which usages whose ids name no lemma have those of a reference, if that is a labelling.

    >>> answers = Labelling.from_dict({"u1": {"a": 1}}, lemma=UNKNOWN_LEMMA)
    >>> adopt_lemmas(answers, Labelling.from_dict({"u1": {"b": 1}}, lemma="bank.n")).lemmas
    ('bank.n',)
    """
    if UNKNOWN_LEMMA not in labelling.lemmas or not isinstance(reference, Labelling):
        return labelling
    lemmas = {usage: reference.lemma(usage) for usage in labelling if usage in reference}
    rows = (
        (lemmas.get(usage, lemma) if lemma == UNKNOWN_LEMMA else lemma, usage, senses)
        for lemma, usage, senses in labelling.rows()
    )
    return Labelling(rows, ordered=labelling.ordered)


@dataclass(frozen=True)
class Alignment:
    """For each gold usage the union of its gold and system senses, entry by entry, sorted by usage.

    Args:
        usage: The row of the usage of each entry.
        rank: The rank of the sense's name in the order of the original scorers, which breaks ties their way.
        gold: The gold weight of each entry; 0 if gold does not list the sense.
        system: The system's weight of each entry.
        in_gold: Whether gold lists the sense.
        in_system: Whether the system lists the sense.
        starts: The first entry of each usage.
        sizes: The number of entries of each usage.
        answered: Whether the system labels the usage.
        usages: The identifiers of the usages.
        lemmas: Their lemmas.
    """

    usage: Ints
    rank: Ints
    gold: Floats
    system: Floats
    in_gold: Bools
    in_system: Bools
    starts: Ints
    sizes: Ints
    answered: Bools
    usages: tuple[str, ...]
    lemmas: tuple[str, ...]

    @classmethod
    def from_labellings(cls, gold: Labelling, system: Labelling) -> Alignment:
        """Align two labellings; the system's usages outside gold are ignored."""
        columns, system_columns = shared_columns(gold, system)
        rows = gold.row_numbers(system.usages)
        system_rows = rows[system.entry_rows]
        inside = system_rows >= 0
        width = len(columns)
        gold_keys = gold.entry_rows * width + gold.indices
        system_keys = system_rows[inside] * width + system_columns[system.indices[inside]]
        keys, entries = np.unique(np.concatenate([gold_keys, system_keys]), return_inverse=True)
        in_gold, in_system = np.zeros(len(keys), np.bool_), np.zeros(len(keys), np.bool_)
        gold_weights, system_weights = np.zeros(len(keys)), np.zeros(len(keys))
        at_gold, at_system = entries[: len(gold_keys)], entries[len(gold_keys) :]
        in_gold[at_gold], in_system[at_system] = True, True
        gold_weights[at_gold], system_weights[at_system] = gold.weights, system.weights[inside]
        usage = keys // max(width, 1)
        sizes = count_at(usage, len(gold))
        answered = np.zeros(len(gold), np.bool_)
        answered[rows[rows >= 0]] = True
        ranks = sense_order(sense for _, sense in columns)
        return cls(
            usage.astype(np.intp),
            ranks[keys % max(width, 1)],
            gold_weights,
            system_weights,
            in_gold,
            in_system,
            run_starts(sizes),
            sizes,
            answered,
            gold.usages,
            gold.usage_lemmas,
        )

    def per_usage(self, values: Floats | Bools) -> Floats:
        """Sum values of entries over each usage."""
        return sum_at(self.usage, values, len(self.sizes))

    def scores(self, measure: object, values: Floats) -> Scores:
        """Return a value for each gold usage as scores; a usage that the system leaves unlabelled has none."""
        self.check(measure, values)
        return Scores.from_units(repr(measure), self.usages, self.lemmas, np.where(self.answered, values, np.nan))

    def check(self, measure: object, values: Floats) -> None:
        """Check that no value is infinite or NaN because weights are too large."""
        overflows = np.flatnonzero(self.answered & ~np.isfinite(values))
        if len(overflows):
            raise InputError(
                f"usage {quote_value(self.usages[overflows[0]])}: its weights are too large for {measure!r}"
            )

    def positions(self, order: Ints) -> Ints:
        """Return the position (from 0) of each entry within its usage, for an order of all entries."""
        positions = np.empty(len(order), np.intp)
        positions[order] = np.arange(len(order)) - np.repeat(self.starts, self.sizes)
        return positions
