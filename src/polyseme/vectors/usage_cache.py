"""What a language model said of usages, kept for a while: it is asked to learn, to cluster and to grade."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from polyseme.usage import Usage

Answer = TypeVar("Answer")


class UsageCache(Generic[Answer]):
    """The last answers about usages, each under who was asked and the usage's lemma, text and target.

    >>> kept = UsageCache[int](most=2)
    >>> usages = [Usage("1", "bank.n", "bank", 0, 4), Usage("2", "bank.n", "the bank", 4, 8)]
    >>> kept("a model", usages, lambda some: [len(usage.text) for usage in some])
    [4, 8]
    >>> kept("a model", usages[::-1], lambda some: [0 for usage in some])
    [8, 4]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._said: OrderedDict[Hashable, Answer] = OrderedDict()

    def __call__(
        self, who: Hashable, usages: Sequence[Usage], ask: Callable[[Sequence[Usage]], Sequence[Answer]]
    ) -> list[Answer]:
        """What is said of each usage; only those are asked about of which nothing is known."""
        names = [(who, usage.lemma, usage.pos, usage.text, usage.start, usage.end) for usage in usages]
        known = {name: said for name in names if (said := self._said.get(name)) is not None}
        new = {name: usage for name, usage in zip(names, usages, strict=True) if name not in known}
        if new:
            known |= zip(new, ask(list(new.values())), strict=True)
        found = [known[name] for name in names]
        for name in new:
            self._said[name] = known[name]
        while len(self._said) > self._most:
            self._said.popitem(last=False)
        return found
