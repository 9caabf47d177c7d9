"""Text: concordance lines, the words of a text with their senses, and substitutes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from polyseme.display.rendering import (
    ROWS,
    TEXT_LENGTH,
    count_more,
    cut_text,
    render_block,
    render_value,
    shade,
    strip_brackets,
    take_first,
)
from polyseme.errors import count_noun
from polyseme.words.descriptions import cite_source

if TYPE_CHECKING:
    from polyseme.corpus.concordance_lines import Concordance
    from polyseme.disambiguation.disambiguated_text import DisambiguatedText, DisambiguatedWord, WeightedSense
    from polyseme.lm.substitutes import Substitutes

CONTEXT_WIDTH = 46
"""The number of characters on either side of the target of a concordance line."""
WORDS = 120
"""The number of words of a text that are shown with their senses."""
SENSES = 5
"""The number of senses of a word."""


def render_concordance(concordance: Concordance) -> str:
    """Render concordance lines.

    >>> from polyseme.corpus.concordance_lines import Concordance
    >>> from polyseme.usage import Usage
    >>> "<td>bank</td>" in render_concordance(Concordance([Usage("a.1", "bank.n", "the bank", 4, 8)]))
    True
    """
    lines = [
        (_cut_left(usage.left), cut_text(usage.target), _cut_right(usage.right), cite_source(usage) or usage.id)
        for usage in concordance[:ROWS]
    ]
    facts = strip_brackets(repr(concordance)).partition(" ")[2]
    block = render_block("concordance.html", lines=lines)
    return render_value("Concordance", block, facts=facts, notes=count_more(len(concordance)))


def _cut_left(text: str) -> str:
    line = " ".join(text[-4 * CONTEXT_WIDTH :].split())
    return line if len(line) <= CONTEXT_WIDTH else f"… {line[-CONTEXT_WIDTH:].partition(' ')[2]}"


def _cut_right(text: str) -> str:
    line = " ".join(text[: 4 * CONTEXT_WIDTH].split())
    return line if len(line) <= CONTEXT_WIDTH else f"{line[:CONTEXT_WIDTH].rpartition(' ')[0]} …"


# -- words with senses ---------------------------------------------------------------------------------------------


class TextWord(NamedTuple):
    """A word of a text, after the text before it.

    Args:
        before: The text since the last word.
        form: The word as it is in the text.
        lemma: Its lemma.
        senses: Its senses: the width of a bar in percent, the weight, the id and the gloss.
        shade: The opacity of its colour: the weight of its strongest sense.
    """

    before: str
    form: str
    lemma: str
    senses: Sequence[tuple[str, str, str, str]]
    shade: str


def render_text_with_senses(text: DisambiguatedText) -> str:
    """Render the words of a text, each with its weighted senses, which appear when it is pointed at or focused."""
    rows = take_first(text, WORDS)
    sentences = []
    for (_, sentence), group in groupby(rows, key=lambda word: (word.usage.meta.get("document"), word.usage.text)):
        words = list(_view_words(sentence, list(group), text))
        end = max((row.usage.end for row in rows if row.usage.text == sentence), default=0)
        sentences.append((words, cut_middle(sentence[end:], first=True)))
    block = render_block("senses.html", sentences=sentences, height=2 + 1.6 * _most_senses(rows))
    notes = count_more(len(text), WORDS)
    if text.unknown:
        notes = (*notes, f"Not in the dictionary: {', '.join(take_first(text.unknown))}")
    return render_value("Senses in text", block, facts=count_noun(len(text), "word"), notes=notes)


def _most_senses(words: Sequence[DisambiguatedWord]) -> int:
    return min(max((len(word.senses) for word in words), default=0), SENSES)


def _view_words(sentence: str, words: Sequence[DisambiguatedWord], text: DisambiguatedText) -> Iterator[TextWord]:
    """The words in the order of the sentence; a word inside another one is left out."""
    position = 0
    for word in sorted(words, key=lambda word: (word.usage.start, -word.usage.end)):
        if word.usage.start < position:
            continue
        before = cut_middle(sentence[position : word.usage.start])
        position = word.usage.end
        senses = [_view_sense(sense, text) for sense in word.senses[:SENSES]]
        strongest = _share(word.senses[0], text) if word.senses else 0.0
        yield TextWord(before, word.form, word.lemma, senses, shade(strongest))


def _view_sense(sense: WeightedSense, text: DisambiguatedText) -> tuple[str, str, str, str]:
    return f"{100 * _share(sense, text):.0f}", f"{sense.weight:.2f}", sense.id, cut_text(sense.gloss, TEXT_LENGTH // 2)


def _share(sense: WeightedSense, text: DisambiguatedText) -> float:
    width = text.highest - text.lowest
    return min(max((sense.weight - text.lowest) / width, 0.0), 1.0) if width > 0 else 0.0


def cut_middle(text: str, *, first: bool = False) -> str:
    """Cut the text between two words if it is long; the spaces at its ends stay.

    >>> cut_middle(" and ")
    ' and '
    """
    if len(text) <= TEXT_LENGTH:
        return text
    half = TEXT_LENGTH // 2
    return f"{text[:half]} …" if first else f"{text[:half]} … {text[-half:]}"


# -- substitutes ---------------------------------------------------------------------------------------------------


def render_substitutes(substitutes: Substitutes) -> str:
    """Render substitutes, with a bar for the probability of each."""
    pairs = zip(substitutes.words[:ROWS], substitutes.probabilities[:ROWS].tolist(), strict=True)
    highest = float(substitutes.probabilities.max(initial=0.0)) or 1.0
    rows = [(word, f"{p:.3f}", f"{100 * p / highest:.0f}") for word, p in pairs]
    block = render_block("bars.html", rows=rows, headings=("Substitute", "Probability"))
    facts = count_noun(len(substitutes), "word")
    return render_value("Substitutes", block, facts=facts, notes=count_more(len(substitutes)))
