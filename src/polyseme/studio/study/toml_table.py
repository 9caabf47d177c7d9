"""Reading a table of a TOML file key by key: each value is checked, and what nobody asked for is an error."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from polyseme.errors import InputError, quote_value


class TomlTable:
    """A table of a study file; every key that is read is remembered, so that :meth:`finish` finds the others."""

    def __init__(self, given: Mapping[str, Any], path: object, where: str = "") -> None:
        self._given = given
        self._path = path
        self._where = where
        self._known: dict[str, None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def problem(self, key: str, problem: str) -> InputError:
        """An error about the value of a key."""
        named = f"[{self._where}] {key}" if self._where else key
        return InputError(f"{named} is {quote_value(self._given.get(key))}; {problem}", path=self._path)

    def _get(self, key: str, default: Any) -> Any:
        self._known[key] = None
        return self._given.get(key, default)

    def text(self, key: str, default: str | None = None, allowed: Mapping[str, object] | tuple[str, ...] = ()) -> str:
        """Text, which must be there unless there is a default."""
        value = self._get(key, default)
        if value is None:
            named = f"[{self._where}] {key}" if self._where else key
            raise InputError(f'{named} must be given, as {key} = "…"', path=self._path)
        if not isinstance(value, str) or (not value and default is None):
            raise self.problem(key, "it must be text in quotes")
        if allowed and value not in allowed:
            raise self.problem(key, f"allowed are {', '.join(allowed)}{suggest_name(value, allowed)}")
        return value

    def whole(self, key: str, default: int, least: int = 0) -> int:
        """A whole number."""
        value = self._get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**31:
            raise self.problem(key, f"it must be a whole number, {least} or more")
        return value

    def number(self, key: str, default: float, most: float) -> float:
        """A number from 0 to some other."""
        value = self._get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
            raise self.problem(key, f"it must be a number from 0 to {most:g}")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Yes or no."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.problem(key, "it must be true or false")
        return value

    def texts(
        self, key: str, default: tuple[str, ...] = (), allowed: Mapping[str, object] | None = None
    ) -> tuple[str, ...]:
        """A list of different texts."""
        value = self._get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self.problem(key, 'it must be a list of texts, as ["a", "b"]')
        if len(set(value)) < len(value):
            raise self.problem(key, "nothing may be named twice")
        if wrong := [each for each in value if allowed is not None and each not in allowed]:
            known = f"allowed are {', '.join(allowed or ())}{suggest_name(wrong[0], allowed or ())}"
            raise self.problem(key, f"{quote_value(wrong[0])} is not known; {known}")
        return tuple(value)

    def table(self, key: str) -> TomlTable | None:
        """The table of this name, if it is there."""
        value = self._get(key, None)
        if value is None:
            return None
        where = f"{self._where}.{key}" if self._where else key
        if not isinstance(value, dict):
            raise self.problem(key, f"it must be a table: [{where}]")
        return TomlTable(value, self._path, where)

    def tables(self, key: str) -> list[TomlTable]:
        """The tables of this name, of which there may be several."""
        value = self._get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.problem(key, f"it must be one table or several, each after [[{key}]]")
        return [TomlTable(each, self._path, key) for each in value]

    def names(self) -> tuple[str, ...]:
        """All keys, where any is allowed."""
        self._known |= dict.fromkeys(self._given)
        return tuple(self._given)

    def raw(self, key: str, default: object = None) -> Any:
        """The value as it is; whoever asks checks it."""
        return self._get(key, default)

    def finish(self) -> None:
        """An error if there is a key that nobody asked for."""
        for key in self._given:
            if key not in self._known:
                place = (
                    f"[{self._where}] has the key {quote_value(key)}, which"
                    if self._where
                    else f"the key {quote_value(key)}"
                )
                allowed = f"allowed are {', '.join(self._known)}{suggest_name(key, self._known)}"
                raise InputError(f"{place} is not known; {allowed}", path=self._path)


def suggest_name(given: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """A near miss, as the end of a message.

    >>> suggest_name("WSim", ("WSsim", "Usim"))
    '. Did you mean WSsim?'
    """
    by_small = {name.lower(): name for name in known}
    near = get_close_matches(given.lower(), by_small, n=1, cutoff=0.6)
    return f". Did you mean {by_small[near[0]]}?" if near else ""
