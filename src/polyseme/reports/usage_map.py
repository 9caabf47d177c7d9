"""A map of usages as SVG: a mark a usage, whose shape and colour say which sense it has."""

from __future__ import annotations

import html

from polyseme.reports.plots import COLOURS
from polyseme.usage import Usage
from polyseme.words.word_report import WordReport, cite_source

SIDE = 420
"""How wide and high the map is, in its own units."""
MARGIN = 12
"""How far marks stay from its edge."""
CONTEXT_WIDTH = 45
"""So many characters on either side of the target are in the title of a mark."""

SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
    "M-3.6-3.6h7.2v7.2h-7.2Z",
    "M0-4.8L4.6 3.6H-4.6Z",
    "M0-5.2L5.2 0L0 5.2L-5.2 0Z",
    "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4Z",
    "M0 4.8L4.6-3.6H-4.6Z",
    "M-5-2h10v4h-10Z",
    "M-2-5h4v10h-4Z",
)
"""The outlines of usages on the map, circle, square, triangle, diamond, cross, triangle on its head, bar, post."""


def sense_colour(number: int) -> str:
    """The colour of a sense."""
    return COLOURS[number % len(COLOURS)]


def sense_mark(number: int) -> str:
    """The mark of a sense, to stand in a text."""
    return (
        f'<svg class="mark" viewBox="-6 -6 12 12" width="14" height="14" aria-hidden="true">'
        f'<path d="{SHAPES[number % len(SHAPES)]}" fill="{sense_colour(number)}"/></svg>'
    )


def usage_map(story: WordReport) -> str:
    """The map as a figure; marks have titles with the usage, and are the paler the less clear their sense is."""
    portrait, word = story.portrait, story.word
    marks = []
    for row, (x, y) in zip(story.rows.tolist(), story.places.tolist(), strict=True):
        main = int(portrait.main[row])
        clear = 0.25 + 0.7 * float(portrait.weights[row, main])
        drawn = f'd="{SHAPES[main % len(SHAPES)]}" fill="{sense_colour(main)}" opacity="{clear:.2f}"'
        title = html.escape(_mark_title(portrait.usages[row]))
        place = f'transform="translate({_scale_position(x)} {_scale_position(y)})"'
        marks.append(f'<path class="s{main}" {drawn} {place}><title>{title}</title></path>')  # quicker than <use>
    every = len(story.rows) == len(portrait.usages)
    shown = f"{'all ' if every else ''}{len(story.rows):,} usages"
    words = (
        f"Each mark is a usage ({shown}); those with similar words around them and similar senses lie near each other."
        " The paler, the less clear the sense."
    )
    label = html.escape(f"Map of {shown} of {word}. {words}", quote=True)
    return (
        f'<figure class="map"><div class="canvas"><svg viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{label}">'
        f"{''.join(marks)}</svg></div>"
        f"<figcaption><strong>Map of usages.</strong> {html.escape(words)}</figcaption></figure>"
    )


def _scale_position(value: float) -> str:
    return f"{MARGIN + (value + 1) / 2 * (SIDE - 2 * MARGIN):.0f}"


def _mark_title(usage: Usage) -> str:
    left, right = " ".join(usage.left.split()), " ".join(usage.right.split())
    before = left if len(left) <= CONTEXT_WIDTH else "…" + left[-CONTEXT_WIDTH:].partition(" ")[2]
    after = right if len(right) <= CONTEXT_WIDTH else right[:CONTEXT_WIDTH].rpartition(" ")[0] + "…"
    source = cite_source(usage)
    return f"{before} {usage.target} {after}" + (f" ({source})" if source else "")
