"""The context that a page displays: the sentence of a usage, sentences on either side, and more on demand."""

from __future__ import annotations

from polyseme.corpus.tokenisation import find_sentences
from polyseme.studio.study.pages import Passage
from polyseme.studio.study.sources import SentenceContext
from polyseme.usage import Usage

NO_CONTEXT = SentenceContext()
EXTRA_SENTENCES = 5
"""Sentences on either side that pages display on demand, in addition to those that are always visible."""


def build_passage(usage: Usage, context: int, neighbours: SentenceContext = NO_CONTEXT) -> Passage:
    """Cut the passage that a page displays out of a usage and its neighbouring sentences.

    Args:
        usage: The usage; its text may have several sentences.
        context: How many sentences to display on either side.
        neighbours: The sentences before and after the text of the usage.

    >>> usage = Usage("u", "win.v", "We played. We won. They lost. It rained.", 14, 17)
    >>> passage = build_passage(usage, context=0)
    >>> passage.text, passage.target, passage.before, passage.after
    ('We won.', 'won', 'We played.', 'They lost. It rained.')
    """
    spans = [(words[0][0], words[-1][1]) for words in find_sentences(usage.text)] or [(0, len(usage.text))]
    sentence = max((number for number, (start, _) in enumerate(spans) if start <= usage.start), default=0)
    first, last = max(0, sentence - context), min(len(spans), sentence + context + 1)
    before = [*neighbours.before, *(usage.text[start:end] for start, end in spans[:first])]
    after = [*(usage.text[start:end] for start, end in spans[last:]), *neighbours.after]
    split_before = len(before) - min(len(before), context - (sentence - first))
    split_after = context - (last - 1 - sentence)
    start, end = spans[first][0], max(spans[last - 1][1], usage.end)
    left = " ".join([*before[split_before:], ""])
    text = " ".join([left + usage.text[start:end], *after[:split_after]])
    shift = len(left) - start
    extra_context = before[:split_before][-EXTRA_SENTENCES:], after[split_after:][:EXTRA_SENTENCES]
    return Passage(usage.id, text, usage.start + shift, usage.end + shift, *map(" ".join, extra_context))
