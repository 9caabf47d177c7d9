"""Names that may occur once in a file."""

from __future__ import annotations

from polyseme.errors import InputError, quote_value


class UniqueNames:
    """The names of one kind in a file so far, with their lines; a second occurrence is an error.

    Args:
        kind: The noun for messages, such as ``usage``.
        path: The file.

    >>> usages = UniqueNames("usage", "in.xml")
    >>> usages.add("win.v.1", 3)
    >>> usages.add("win.v.1", 7)
    Traceback (most recent call last):
        ...
    polyseme.errors.InputError: in.xml:7: usage 'win.v.1' is given in line 3 already; give each usage once
    """

    def __init__(self, kind: str, path: object) -> None:
        self.kind = kind
        self.path = path
        self.lines: dict[str, int] = {}

    def add(self, name: str, line: int) -> None:
        """Add a name, which must be new and not empty."""
        if not name:
            raise InputError(f"a {self.kind} has no name", path=self.path, line=line)
        if name in self.lines:
            problem = f"{self.kind} {quote_value(name)} is given in line {self.lines[name]} already"
            raise InputError(f"{problem}; give each {self.kind} once", path=self.path, line=line)
        self.lines[name] = line
