"""Senses as text for the terminal: a line each, with the weight as a number and as a bar."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from polyseme.usage import Usage

DEFAULT_WIDTH = 100
"""The default width of lines."""

NARROW_WIDTH = 72
"""Below this width a gloss has lines of its own."""

DEFAULT_TOP = 5
"""How many senses of a word are printed by default."""

BAR_BLOCKS = " ▏▎▍▌▋▊▉█"

SenseLine = tuple[str, float, str]
"""The id of a sense, its weight and its gloss."""


def render_text(
    words: Iterable[tuple[Usage, Sequence[SenseLine]]],
    lowest: float = 0.0,
    highest: float = 1.0,
    width: int = DEFAULT_WIDTH,
    top: int | None = None,
) -> str:
    """Render texts, and below each its words with their senses.

    Args:
        words: Usages with their senses, the strongest first.
        lowest: The weight of an empty bar.
        highest: The weight of a full bar.
        width: The width of lines.
        top: How many senses of a word are printed.

    >>> usage = Usage("1", "bank.n", "A river bank", 8, 12)
    >>> senses = [("bank%1:17:01::", 0.75, "sloping land"), ("bank%1:14:00::", 0.25, "a company")]
    >>> print(render_text([(usage, senses)]))
    A river bank
    <BLANKLINE>
      bank (bank.n)
        0.75 █████████    bank%1:17:01::  sloping land
        0.25 ███          bank%1:14:00::  a company
    """
    blocks = []
    for text, group in groupby(words, key=lambda pair: (pair[0].meta.get("document"), pair[0].text)):
        rows = list(group)
        key_width = max((len(key) for _, senses in rows for key, _, _ in senses[: top or DEFAULT_TOP]), default=0)
        blocks.append(textwrap.fill(" ".join(text[1].split()), width) or "(no text)")
        for usage, senses in rows:
            lines = [f"  {usage.target} ({usage.lemma})" if usage.target else f"  {usage.lemma}"]
            printed = senses[: DEFAULT_TOP if top is None else top]
            lines += [_render_sense(sense, (lowest, highest), width, key_width) for sense in printed]
            if not senses:
                lines.append("    the model has no weights for its senses")
            elif top is None and len(senses) > len(printed):
                lines.append(f"    … and {len(senses) - len(printed)} more")
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _render_sense(sense: SenseLine, ends: tuple[float, float], width: int, key_width: int) -> str:
    key, weight, gloss = sense
    bar = render_bar((weight - ends[0]) / (ends[1] - ends[0]), 6 if width < NARROW_WIDTH else 12)
    start = f"    {weight:.2f} {bar}  "
    if width < NARROW_WIDTH:
        return "\n".join([f"{start}{key}", *_wrap_text(gloss, width, 6)])
    first = f"{start}{key:{key_width}}  "
    lines = _wrap_text(gloss, max(width, len(first) + 20), len(first)) or [first]
    return "\n".join([first + lines[0][len(first) :], *lines[1:]]).rstrip()


def _wrap_text(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=" " * indent)


def render_bar(share: float, width: int) -> str:
    """Render a share as a bar, in eighths of a character, padded with blanks.

    >>> render_bar(0.5, 3) + "|"
    '█▌ |'
    """
    eighths = round(8 * width * min(max(share, 0.0), 1.0))
    full, remainder = divmod(eighths, 8)
    return ("█" * full + (BAR_BLOCKS[remainder] if remainder else "")).ljust(width)
