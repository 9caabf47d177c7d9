"""Tables of columns of integers and texts, as the parts of an index have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from polyseme.frames import build_frame

if TYPE_CHECKING:
    import pandas as pd

    from polyseme.arrays import Bools


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of integers.

    Args:
        values: The integers; 0 where a cell is empty.
        missing: Which cells are empty; ``None`` if there is a value in each.
    """

    values: NDArray[Any]
    missing: Bools | None = None

    @classmethod
    def from_list(cls, cells: Sequence[int | None], kind: type[np.signedinteger[Any]] = np.int32) -> NumberColumn:
        """Build a column of integers and ``None``.

        >>> NumberColumn.from_list([3, None]).to_pylist()
        [3, None]
        """
        if None not in cells:
            return cls(np.array(cells, kind))
        missing = np.array([cell is None for cell in cells], np.bool_)
        return cls(np.array([cell or 0 for cell in cells], kind), missing)

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, row: int) -> int | None: ...
    @overload
    def __getitem__(self, row: NDArray[Any]) -> NumberColumn: ...
    def __getitem__(self, row: int | NDArray[Any]) -> int | NumberColumn | None:
        if isinstance(row, np.ndarray):
            return NumberColumn(self.values[row], None if self.missing is None else self.missing[row])
        return None if self.missing is not None and self.missing[row] else int(self.values[row])

    @property
    def null_count(self) -> int:
        """The number of empty cells."""
        return 0 if self.missing is None else int(self.missing.sum())

    def to_numpy(self) -> NDArray[Any]:
        """The integers, 0 for empty cells."""
        return self.values

    def to_pylist(self) -> list[int | None]:
        """The integers, ``None`` for empty cells."""
        values: list[int | None] = self.values.tolist()
        for row in np.flatnonzero(self.missing).tolist() if self.missing is not None else ():
            values[row] = None
        return values

    @classmethod
    def concatenate(cls, columns: Sequence[NumberColumn]) -> NumberColumn:
        """Put columns one below the other."""
        values = np.concatenate([column.values for column in columns])
        if all(column.missing is None for column in columns):
            return cls(values)
        masks = [np.zeros(len(one), np.bool_) if one.missing is None else one.missing for one in columns]
        return cls(values, np.concatenate(masks))


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column of texts, each stored once or a few times.

    Args:
        entries: The texts.
        codes: The number of the text in each row, -1 for an empty cell.
    """

    entries: Sequence[str]
    codes: NDArray[Any]

    @classmethod
    def from_list(cls, cells: Iterable[str | None]) -> TextColumn:
        """Build a column of texts and ``None``.

        >>> column = TextColumn.from_list(["a", "b", None, "a"])
        >>> column.entries, column.to_pylist()
        (['a', 'b'], ['a', 'b', None, 'a'])
        """
        numbers: dict[str, int] = {}
        codes = [-1 if cell is None else numbers.setdefault(cell, len(numbers)) for cell in cells]
        return cls(list(numbers), np.array(codes, np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, row: int) -> str | None: ...
    @overload
    def __getitem__(self, row: NDArray[Any]) -> TextColumn: ...
    def __getitem__(self, row: int | NDArray[Any]) -> str | TextColumn | None:
        if isinstance(row, np.ndarray):
            return TextColumn(self.entries, self.codes[row])
        return None if self.codes[row] < 0 else self.entries[int(self.codes[row])]

    @property
    def missing(self) -> Bools | None:
        """Which cells are empty; ``None`` if there is a text in each."""
        mask = self.codes < 0
        return mask if mask.any() else None

    def to_pylist(self) -> list[str | None]:
        """The texts, ``None`` for empty cells."""
        if len(self.entries) > 2 * len(self.codes):
            return [self[row] for row in range(len(self))]
        texts: list[str | None] = [*self.entries, None]
        return [texts[code] for code in self.codes.tolist()]

    @classmethod
    def concatenate(cls, columns: Sequence[TextColumn]) -> TextColumn:
        """Put columns one below the other; equal texts become one."""
        numbers: dict[str, int] = {}
        codes = []
        for column in columns:
            own = [numbers.setdefault(entry, len(numbers)) for entry in column.entries]
            codes.append(np.array([*own, -1], np.int32)[column.codes])
        return cls(list(numbers), np.concatenate(codes))


Column = NumberColumn | TextColumn


@dataclass(frozen=True, eq=False)
class ColumnTable:
    """Columns of the same length, by name.

    >>> table = ColumnTable({"word": NumberColumn(np.array([7, 8])), "form": TextColumn.from_list(["a", "b"])})
    >>> table.to_pylist()
    [{'word': 7, 'form': 'a'}, {'word': 8, 'form': 'b'}]
    """

    columns: Mapping[str, Column]

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values()), ()))

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def numbers(self, name: str) -> NDArray[Any]:
        """The integers of a column, 0 for empty cells."""
        column = self.columns[name]
        return column.values if isinstance(column, NumberColumn) else column.codes

    def texts(self, name: str) -> TextColumn:
        """A column of texts."""
        column = self.columns[name]
        return column if isinstance(column, TextColumn) else TextColumn.from_list(map(str, column.to_pylist()))

    def column(self, name: str) -> Any:
        """A column, with ``to_pylist`` and, if it holds integers, ``to_numpy``."""
        return self.columns[name]

    def take(self, rows: NDArray[Any]) -> ColumnTable:
        """The table of some of the rows."""
        return ColumnTable({name: column[rows] for name, column in self.columns.items()})

    def replace(self, **columns: Column) -> ColumnTable:
        """The table with other columns, or with more."""
        return ColumnTable({**self.columns, **columns})

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows, as dictionaries."""
        rows = zip(*(column.to_pylist() for column in self.columns.values()), strict=True)
        return [dict(zip(self.columns, row, strict=True)) for row in rows]

    def to_frame(self) -> pd.DataFrame:
        """The table as a data frame of pandas."""
        return build_frame({name: column.to_pylist() for name, column in self.columns.items()})

    @classmethod
    def concatenate(cls, tables: Sequence[ColumnTable]) -> ColumnTable:
        """Put tables with the same columns one below the other."""
        return cls({name: concatenate_columns([table.columns[name] for table in tables]) for name in tables[0].columns})


def concatenate_columns(columns: Sequence[Column]) -> Column:
    """Put columns of one kind one below the other."""
    numbers = [column for column in columns if isinstance(column, NumberColumn)]
    if numbers:
        return NumberColumn.concatenate(numbers)
    return TextColumn.concatenate([column for column in columns if isinstance(column, TextColumn)])
