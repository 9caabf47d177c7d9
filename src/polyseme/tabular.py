"""Values that can be written as a table and read back from one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from polyseme.errors import InputError, quote_value
from polyseme.frames import TableRow, build_frame, is_table, read_rows

if TYPE_CHECKING:
    import pandas as pd


def frame_of_records(records: Iterable[TableRow], columns: Sequence[str]) -> pd.DataFrame:
    """Build a data frame of pandas from rows; a row may lack columns."""
    rows = list(records)
    return build_frame({name: [row.get(name) for row in rows] for name in columns})


class Tabular:
    """A value that can be written as a table and read back from one.

    A subclass has ``record_columns``, and the methods ``to_records`` and ``from_records``.
    """

    __slots__ = ()

    record_columns: ClassVar[tuple[str, ...]]

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rows of the table, as dictionaries."""
        raise NotImplementedError

    @classmethod
    def from_records(cls, rows: Sequence[TableRow]) -> Self:
        """Build the value from the rows of a table."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return the value as a data frame of pandas, one row for each of :meth:`to_records`."""
        return frame_of_records(self.to_records(), self.record_columns)

    @classmethod
    def from_frame(cls, frame: object) -> Self:
        """Build the value from a data frame, or another table, as :meth:`to_frame` writes it.

        Args:
            frame: A data frame of pandas or polars, a table of pyarrow, a data set of Hugging Face, or a list of
                dictionaries.
        """
        if not is_table(frame):
            raise InputError(f"{quote_value(frame)} is not a table; give a data frame, or a list of dictionaries")
        return cls.from_records(read_rows(frame))
