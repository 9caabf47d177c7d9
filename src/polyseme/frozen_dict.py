"""A dictionary that does not change, and that can be copied and pickled."""

from __future__ import annotations

from typing import Any, NoReturn


class FrozenDict(dict[str, Any]):
    """A dictionary that does not change.

    It is a ``dict``, so that ``json``, ``pandas`` and ``dataclasses.asdict`` take it. Unlike ``MappingProxyType``, it
    can be pickled and copied deeply.

    >>> meta = FrozenDict({"year": 1999})
    >>> meta["year"]
    1999
    >>> meta["year"] = 2000
    Traceback (most recent call last):
    TypeError: this dictionary cannot be changed; make another with dict(…)
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dictionary cannot be changed; make another with dict(…)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenDict:
        from copy import deepcopy

        return FrozenDict(deepcopy(dict(self), memo))
