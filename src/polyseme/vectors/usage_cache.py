"""A cache of the answers of language models, which are needed again to learn, to cluster and to grade."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from polyseme.usage import Usage

Answer = TypeVar("Answer")


class UsageCache(Generic[Answer]):
    """The last answers about usages, by model and by the lemma, text and target of the usage.

    Args:
        size: The greatest number of answers.

    >>> cache = UsageCache[int](size=2)
    >>> usages = [Usage("1", "bank.n", "bank", 0, 4), Usage("2", "bank.n", "the bank", 4, 8)]
    >>> cache("a model", usages, lambda new: [len(usage.text) for usage in new])
    [4, 8]
    >>> cache("a model", usages[::-1], lambda new: [0 for usage in new])
    [8, 4]
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()

    def __call__(
        self, model: Hashable, usages: Sequence[Usage], compute: Callable[[Sequence[Usage]], Sequence[Answer]]
    ) -> list[Answer]:
        """The answer for each usage; ``compute`` is called for those that are not in the cache."""
        keys = [(model, usage.lemma, usage.pos, usage.text, usage.start, usage.end) for usage in usages]
        answers = {key: answer for key in keys if (answer := self._answers.get(key)) is not None}
        new = {key: usage for key, usage in zip(keys, usages, strict=True) if key not in answers}
        if new:
            answers |= zip(new, compute(list(new.values())), strict=True)
            self._answers.update((key, answers[key]) for key in new)
        while len(self._answers) > self._size:
            self._answers.popitem(last=False)
        return [answers[key] for key in keys]
