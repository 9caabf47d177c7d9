"""Concordance lines: usages one below the other, aligned on their targets."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from polyseme.errors import count_noun
from polyseme.tabular import frame_of_records
from polyseme.usage import Usage

if TYPE_CHECKING:
    import pandas as pd

PIPE_WIDTH = 120
"""The width of lines that are not printed on a terminal."""
PRINTED_LINES = 20
"""The number of lines that are printed."""


@dataclass(frozen=True, repr=False)
class Concordance(Sequence[Usage]):
    """The usages of a word; printed, a line each, aligned on the target.

    Args:
        usages: The usages.

    >>> usages = [Usage("a.1", "bank.n", "We sat on the bank.", 14, 18), Usage("a.2", "bank.n", "Banks fail.", 0, 5)]
    >>> concordance = Concordance(usages)
    >>> concordance
    <Concordance of bank.n: 2 usages>
    >>> for line in concordance.lines(width=50):
    ...     print(line)
       We sat on the  bank  .               a.1
                      Banks  fail.          a.2
    """

    usages: tuple[Usage, ...]

    def __init__(self, usages: Iterable[Usage] = ()) -> None:
        object.__setattr__(self, "usages", tuple(usages))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas of the usages, in the order of their first usages."""
        return tuple(dict.fromkeys(usage.lemma for usage in self.usages))

    def lines(self, width: int | None = None) -> Iterator[str]:
        """Iterate over the lines, one a usage.

        Args:
            width: The width of lines. Default: that of the terminal.
        """
        with_meta = any(usage.meta.keys() - {"document"} for usage in self.usages)
        characters = line_width() if width is None else width
        return (format_concordance_line(usage, characters, with_meta=with_meta) for usage in self.usages)

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame of pandas: for each usage its id, lemma, context, target and metadata."""
        fields = ("id", "lemma", "left", "target", "right")
        rows = [{**usage.meta, **{name: getattr(usage, name) for name in fields}} for usage in self.usages]
        return frame_of_records(rows, list(dict.fromkeys([*fields, *(name for row in rows for name in row)])))

    def __len__(self) -> int:
        return len(self.usages)

    @overload
    def __getitem__(self, number: int) -> Usage: ...

    @overload
    def __getitem__(self, number: slice) -> Concordance: ...

    def __getitem__(self, number: int | slice) -> Usage | Concordance:
        return Concordance(self.usages[number]) if isinstance(number, slice) else self.usages[number]

    def __repr__(self) -> str:
        lemmas = ", ".join(self.lemmas[:5]) + (", …" if len(self.lemmas) > 5 else "")
        return f"<Concordance{f' of {lemmas}' if lemmas else ''}: {count_noun(len(self), 'usage')}>"

    def _repr_html_(self) -> str:
        from polyseme.display.texts import render_concordance

        return render_concordance(self)

    def __str__(self) -> str:
        rest = len(self) - PRINTED_LINES
        return "\n".join([*self[:PRINTED_LINES].lines(), *([f"… and {rest:,} more"] if rest > 0 else [])])


def line_width() -> int:
    """Return the width of the terminal, or :data:`PIPE_WIDTH` in a pipe."""
    return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if sys.stdout.isatty() else PIPE_WIDTH


def format_concordance_line(usage: Usage, width: int, *, with_meta: bool = False) -> str:
    """Format a usage as a line: targets are aligned, contexts are cut to the width, and the id follows.

    Args:
        usage: The usage.
        width: The width of the line.
        with_meta: Whether the metadata of the usage follow its id.

    >>> usage = Usage("a.1.5", "bank.n", "We sat on the bank and ate.", 14, 18, meta={"date": 1861, "document": "a"})
    >>> format_concordance_line(usage, 60)
    '     We sat on the  bank  and ate.            a.1.5'
    >>> format_concordance_line(usage, 60, with_meta=True)
    'e sat on the  bank  and ate.      a.1.5  date=1861'
    """
    room = width // 5
    name = usage.id if len(usage.id) <= room else f"…{usage.id[1 - room :]}"
    if with_meta:
        room *= 2
        name = f"{name}  {_format_meta(usage)}".rstrip()
        name = name if len(name) <= room else f"{name[: room - 1]}…"
    side = max((width - room - 12) // 2, 10)
    left = " ".join(usage.left.split())[-side:]
    right = f"{usage.target}  {' '.join(usage.right.split())}"[: side + 8]
    return f"{left:>{side}}  {right:<{side + 8}}  {name}"


def _format_meta(usage: Usage) -> str:
    """Format the metadata of a usage, without those that its id or the command has."""
    meta = {name: " ".join(str(value).split()) for name, value in usage.meta.items() if name != "document"}
    if "relatives" in meta:
        meta = {"relatives": meta["relatives"]} | {name: meta[name] for name in meta if name != "sense"}
    return " ".join(f"{name}={value}" for name, value in meta.items() if value)
