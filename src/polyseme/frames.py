"""Tables of other libraries as rows, and rows as data frames.

Tables are recognised by their methods, so that none of these libraries is imported: pandas and polars frames, Arrow
tables, Hugging Face ``datasets``, lists of dictionaries, and dictionaries of columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from polyseme.errors import InputError, MissingExtra, quote_value

if TYPE_CHECKING:
    import pandas as pd

TableRow = dict[str, Any]

_READERS: Mapping[str, Callable[[Any], Iterable[Mapping[str, Any]]]] = {
    "to_dicts": lambda table: table.to_dicts(),  # polars
    "to_pylist": lambda table: table.to_pylist(),  # pyarrow
    "itertuples": lambda table: _name_index(table).to_dict("records"),  # pandas
    "column_names": iter,  # Hugging Face datasets: an iterable of dictionaries
    "__arrow_c_stream__": lambda table: _read_arrow(table),
}
"""The method by which a table is recognised → how its rows are read; the first that fits counts."""


def is_table(value: object) -> bool:
    """Whether a value is a table: a frame, an Arrow table, a data set of rows, or a list of dictionaries.

    >>> is_table([{"usage": "u1", "sense": "a"}]), is_table({"u1": {"a": 1}}), is_table("file.csv")
    (True, False, False)
    """
    if isinstance(value, str | bytes | Mapping):
        return False
    if isinstance(value, Sequence):
        return bool(value) and all(isinstance(row, Mapping) for row in value)
    return any(hasattr(value, method) for method in _READERS)


def read_rows(table: Any) -> list[TableRow]:
    """Return the rows of a table by column; missing cells are left out.

    >>> read_rows([{"usage": "u1", "weight": float("nan")}])
    [{'usage': 'u1'}]
    """
    method = next((name for name in _READERS if hasattr(table, name)), "")
    rows = _READERS[method](table) if method else table
    return [{str(name): cell for name, cell in row.items() if not _is_missing(cell)} for row in rows]


def require_columns(rows: Sequence[TableRow], required: Iterable[str], table: str) -> None:
    """Check that some row of a table has each of these columns.

    Raises:
        InputError: A column is missing; the message names the columns that there are.
    """
    columns = dict.fromkeys(name for row in rows for name in row)
    if missing := [name for name in required if name not in columns]:
        names = ", ".join(map(quote_value, list(columns)[:40])) or "none"
        problem = f"a table of {table} needs the columns {', '.join(required)}"
        raise InputError(f"{problem}; {', '.join(map(repr, missing))} is missing, and it has {names}")


def build_frame(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Build a data frame of columns.

    Raises:
        MissingExtra: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtra("frames", "pandas") from None
    return pd.DataFrame(columns)


def _name_index(frame: Any) -> Any:
    """Make columns of the named parts of a pandas index."""
    return frame.reset_index() if any(name is not None for name in frame.index.names) else frame


def _read_arrow(table: Any) -> list[TableRow]:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("arrow", "pyarrow") from None
    rows: list[TableRow] = pa.table(table).to_pylist()
    return rows


def _is_missing(cell: object) -> bool:
    """Whether a cell is ``None``, NaN, or the missing value of pandas."""
    is_nan = isinstance(cell, float) and math.isnan(cell)
    return cell is None or is_nan or type(cell).__name__ in ("NAType", "NaTType")
