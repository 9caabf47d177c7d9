"""A labelling as a table: one row for each sense of a usage."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from polyseme.errors import InputError, quote_value
from polyseme.frames import TableRow, require_columns
from polyseme.tabular import Tabular

if TYPE_CHECKING:
    from polyseme.labelling import Labelling

NUMBERED_USAGE = re.compile(r"(.+\.[a-z])\.[^.]+")
"""The id of a usage that begins with its lemma, as ``win.v.1``."""
UNKNOWN_LEMMA = "word"
"""The lemma of usages whose ids do not say it."""


def derive_lemma(usage: str) -> str:
    """Return the lemma that the id of a usage begins with; one for all usages where ids name none.

    >>> derive_lemma("win.v.1"), derive_lemma("u1")
    ('win.v', 'word')
    """
    match = NUMBERED_USAGE.fullmatch(usage)
    return match[1] if match else UNKNOWN_LEMMA


class LabellingTable(Tabular):
    """The conversions of a labelling to and from tables and dictionaries."""

    __slots__ = ()

    record_columns: ClassVar[tuple[str, ...]] = ("lemma", "usage", "sense", "weight")

    def rows(self) -> Iterator[tuple[str, str, dict[str, float]]]:
        """Yield (lemma, usage, {sense: weight}) of each usage."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from polyseme.display.labellings import render_labelling

        return render_labelling(cast("Labelling", self))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return usage → {sense: weight} as plain dictionaries."""
        return {usage: senses for _, usage, senses in self.rows()}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each sense of a usage: lemma, usage, sense, weight."""
        return [
            {"lemma": lemma, "usage": usage, "sense": sense, "weight": weight}
            for lemma, usage, senses in self.rows()
            for sense, weight in senses.items()
        ]

    @classmethod
    def from_records(cls, rows: Sequence[TableRow]) -> Self:
        """Build a labelling from rows with usage and sense, and with weight (else 1) and lemma, if they have them.

        Without a lemma, that of ``win.v.1`` is ``win.v``, and all usages whose ids name none share one.
        """
        require_columns(rows, ("usage", "sense"), "a labelling")
        lemmas: dict[str, str] = {}
        senses: dict[str, dict[str, float]] = {}
        for number, row in enumerate(rows, start=1):
            usage = str(row["usage"])
            lemmas.setdefault(usage, str(row.get("lemma") or derive_lemma(usage)))
            senses.setdefault(usage, {})[str(row["sense"])] = check_weight(row.get("weight", 1.0), f"row {number}")
        make: Any = cls
        labelling: Self = make((lemmas[usage], usage, weights) for usage, weights in senses.items())
        return labelling


def check_weight(weight: object, place: str) -> float:
    """Return a weight as a number.

    Raises:
        InputError: It is not a finite number of at least 0.
    """
    try:
        value = float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value < math.inf:
        raise InputError(f"{place}: weight {quote_value(weight)} is not a number of at least 0")
    return value


def rows_of_mapping(senses: Mapping[str, object]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield the rows of usage → {sense: weight}, of usage → sense, or of usage → senses."""
    for usage, value in senses.items():
        weights: Mapping[str, object]
        if isinstance(value, Mapping):
            weights = value
        elif isinstance(value, str):
            weights = {value: 1.0}
        elif isinstance(value, Sequence | set | frozenset):
            weights = dict.fromkeys(map(str, value), 1.0)
        else:
            raise InputError(f"usage {quote_value(usage)} has {quote_value(value)}; give its senses with their weights")
        checked = {str(name): check_weight(weight, f"usage {quote_value(usage)}") for name, weight in weights.items()}
        yield derive_lemma(usage), usage, checked
