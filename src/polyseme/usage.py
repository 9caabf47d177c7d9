"""A usage: one occurrence of a lemma in its context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from polyseme.frozen_dict import FrozenDict


@dataclass(frozen=True, slots=True)
class Usage:
    """One occurrence of a lemma in context; ``text[start:end]`` is the target.

    Args:
        id: The name of the usage, unique within its lemma.
        lemma: The lemma, usually with its part of speech: ``win.v``.
        text: The context.
        start: The offset of the first character of the target.
        end: The offset after its last character.
        pos: The part of speech.
        meta: Other properties, such as source, genre or date. Equality ignores them.

    >>> usage = Usage("win.v.1", "win.v", "The athlete won the gold medal.", 12, 15, pos="v")
    >>> usage.target
    'won'
    >>> usage.left, usage.right
    ('The athlete ', ' the gold medal.')
    """

    id: str
    lemma: str
    text: str
    start: int
    end: int
    pos: str = ""
    meta: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if not (hasattr(self.start, "__index__") and hasattr(self.end, "__index__") and isinstance(self.text, str)):
            values = f"{self.text!r:.80}, {self.start!r} and {self.end!r}"
            raise ValueError(f"usage {self.id!r}: text, start and end must be a text and whole numbers, not {values}")
        if not hasattr(self.lemma, "casefold"):
            raise ValueError(f"usage {self.id!r}: the lemma must be a text, such as 'win.v', not {self.lemma!r:.80}")
        if not 0 <= self.start <= self.end <= len(self.text):
            span = f"the target [{self.start}:{self.end}]"
            raise ValueError(f"usage {self.id!r}: {span} lies outside its text of {len(self.text)} characters")
        object.__setattr__(self, "meta", FrozenDict(self.meta))

    @property
    def target(self) -> str:
        """The word itself, as written in the text."""
        return self.text[self.start : self.end]

    @property
    def left(self) -> str:
        """The context before the target."""
        return self.text[: self.start]

    @property
    def right(self) -> str:
        """The context after the target."""
        return self.text[self.end :]


class UsagePair(NamedTuple):
    """Two usages of one lemma and their similarity, judged by people or by a model: the unit of Usim.

    >>> UsagePair("bright.a", "bright.a.1", "bright.a.2", 1.625).similarity
    1.625
    """

    lemma: str
    first: str
    second: str
    similarity: float
