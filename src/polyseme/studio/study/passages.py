"""How much of the text around a usage is shown: its sentence, some on either side, and more on demand."""

from __future__ import annotations

from polyseme.corpus.tokenisation import find_sentences
from polyseme.studio.study.pages import Passage
from polyseme.studio.study.sources import SentenceContext
from polyseme.usage import Usage

NO_CONTEXT = SentenceContext()
EXTRA_SENTENCES = 5
"""Sentences on either side that are shown on demand, besides those that are always shown."""


def build_passage(usage: Usage, context: int, around: SentenceContext = NO_CONTEXT) -> Passage:
    """A usage with so many sentences on either side, and more on demand.

    >>> usage = Usage("u", "win.v", "We played. We won. They lost. It rained.", 14, 17)
    >>> shown = build_passage(usage, context=0)
    >>> shown.text, shown.target, shown.before, shown.after
    ('We won.', 'won', 'We played.', 'They lost. It rained.')
    """
    own = _sentence_spans(usage.text)
    at = max((number for number, (start, _) in enumerate(own) if start <= usage.start), default=0)
    first, last = max(0, at - context), min(len(own), at + context + 1)
    start, end = own[first][0], max(own[last - 1][1], usage.end)
    before = [*around.before, *(usage.text[one:other] for one, other in own[:first])]
    after = [*(usage.text[one:other] for one, other in own[last:]), *around.after]
    shown_before, before = _split_nearest(before, context - (at - first), last=True)
    shown_after, after = _split_nearest(after, context - (last - 1 - at), last=False)
    left = " ".join([*shown_before, ""])
    text = " ".join([left + usage.text[start:end], *shown_after])
    moved = len(left) - start
    wider = " ".join(before[-EXTRA_SENTENCES:]), " ".join(after[:EXTRA_SENTENCES])
    return Passage(usage.id, text, usage.start + moved, usage.end + moved, *wider)


def _split_nearest(texts: list[str], count: int, *, last: bool) -> tuple[list[str], list[str]]:
    """So many of the sentences nearest to the usage, and the others."""
    if count <= 0:
        return [], texts
    return (texts[-count:], texts[:-count]) if last else (texts[:count], texts[count:])


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end; a text without words is one."""
    return [(words[0][0], words[-1][1]) for words in find_sentences(text)] or [(0, len(text))]
