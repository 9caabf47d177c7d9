"""Windows: which words of a text co-occur.

A sliding window is a run of consecutive places inside a unit of text. With a window of ``span`` places

* two tokens co-occur if their places are less than ``span`` apart in the same unit;
* the *contexts* are all runs of ``span`` places of a unit, so one begins at each place but the last ``span − 1``; a
  unit that is shorter is one context.

Two tokens therefore co-occur if and only if they share a context. Places are those of the text: a word that is not
counted still takes one up.

==============================  ============  ==========  ==================
window                          unit          place       span
==============================  ============  ==========  ==================
``SentenceWindow(k)``           document      sentence    ``k``
``WordWindow(k)``               sentence      token       ``k + 1``
``WordWindow(k, across=True)``  document      token       ``k + 1``
==============================  ============  ==========  ==================

A ``DependencyWindow()`` does not slide: its contexts are the arcs from a head to a dependent.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from polyseme.parts import CheckedOptions, Ranges


@dataclass(frozen=True)
class SentenceWindow(CheckedOptions):
    """A sentence, or several consecutive ones inside a document.

    Jurgens (2012, §5.1) computes Dice within one sentence, and G² in three that slide through each article.

    Args:
        sentences: The number of sentences.

    >>> SentenceWindow(3).span
    3
    """

    sentences: int = 1
    kind: ClassVar[str] = "window"
    unit: ClassVar[str] = "document"
    place: ClassVar[str | None] = "sentence"
    ranges: ClassVar[Ranges] = {"sentences": (1, inf)}

    @property
    def span(self) -> int:
        """The number of places."""
        return self.sentences


@dataclass(frozen=True)
class WordWindow(CheckedOptions):
    """The words to the left and to the right, as in Lund & Burgess (1996) and most vector models since.

    All tokens count as words, punctuation too.

    Args:
        words: The greatest distance in words.
        across: Whether the window crosses the sentences of a document; otherwise it stays in one sentence.

    >>> WordWindow(2).span, WordWindow(2).unit, WordWindow(2, across=True).unit
    (3, 'sentence', 'document')
    """

    words: int = 5
    across: bool = False
    kind: ClassVar[str] = "window"
    ranges: ClassVar[Ranges] = {"words": (1, inf)}

    @property
    def span(self) -> int:
        """The number of places."""
        return self.words + 1

    @property
    def unit(self) -> str:
        """The column of the unit that the window slides through."""
        return "document" if self.across else "sentence"

    @property
    def place(self) -> str | None:
        """The column that numbers the places; none if tokens are numbered through the document."""
        return None if self.across else "position"


@dataclass(frozen=True)
class DependencyWindow:
    """A head and its dependent. (Lin 1998; Hope & Keller 2013)

    Rows are heads, columns are dependents.

    Args:
        relations: The relations, separated by spaces; by default all. They are compared as they are written: ``nsubj``
            is not ``nsubj:pass``.

    >>> DependencyWindow("nsubj obj").relation_names
    ('nsubj', 'obj')
    """

    relations: str = ""
    kind: ClassVar[str] = "window"

    @property
    def relation_names(self) -> tuple[str, ...]:
        """The relations; empty for all."""
        return tuple(self.relations.split())


SlidingWindow = SentenceWindow | WordWindow
Window = SentenceWindow | WordWindow | DependencyWindow
