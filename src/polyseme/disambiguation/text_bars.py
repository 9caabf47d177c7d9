"""Senses for people to read: a line each, with the weight as a number and as a bar."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from polyseme.usage import Usage

DEFAULT_WIDTH = 100
"""How wide the lines are where nobody says."""

NARROW_WIDTH = 72
"""Where there is less room than this, a gloss has lines of its own."""

DEFAULT_TOP = 5
"""So many senses of a word are shown, unless another number is asked for."""

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
    """Texts, and below each its words with their senses.

    >>> usage = Usage("1", "bank.n", "A river bank", 8, 12)
    >>> print(render_text([(usage, [("bank%1:17:01::", 0.75, "sloping land"), ("bank%1:14:00::", 0.25, "a company")])]))
    A river bank
    <BLANKLINE>
      bank (bank.n)
        0.75 █████████    bank%1:17:01::  sloping land
        0.25 ███          bank%1:14:00::  a company
    """
    blocks = []
    for text, group in groupby(words, key=lambda pair: (pair[0].meta.get("document"), pair[0].text)):
        told = list(group)
        keys = max((len(key) for _, senses in told for key, _, _ in senses[: top or DEFAULT_TOP]), default=0)
        blocks.append(textwrap.fill(" ".join(text[1].split()), width) or "(no text)")
        blocks += [_render_word(usage, senses, (lowest, highest), width, keys, top) for usage, senses in told]
    return "\n\n".join(blocks)


def _render_word(
    usage: Usage, senses: Sequence[SenseLine], ends: tuple[float, float], width: int, keys: int, top: int | None
) -> str:
    shown = senses[: DEFAULT_TOP if top is None else top]
    lines = [f"  {usage.target} ({usage.lemma})" if usage.target else f"  {usage.lemma}"]
    lines += [_render_sense(sense, ends, width, keys) for sense in shown]
    if not senses:
        lines.append("    the model cannot tell its senses")
    elif top is None and len(senses) > len(shown):
        lines.append(f"    … and {len(senses) - len(shown)} more")
    return "\n".join(lines)


def _render_sense(sense: SenseLine, ends: tuple[float, float], width: int, keys: int) -> str:
    key, weight, gloss = sense
    room = 6 if width < NARROW_WIDTH else 12
    start = f"    {weight:.2f} {render_bar((weight - ends[0]) / (ends[1] - ends[0]), room)}  "
    if width < NARROW_WIDTH:
        return "\n".join([f"{start}{key}", *_wrap_text(gloss, width, 6)])
    first = f"{start}{key:{keys}}  "
    lines = _wrap_text(gloss, max(width, len(first) + 20), len(first)) or [first]
    return "\n".join([first + lines[0][len(first) :], *lines[1:]]).rstrip()


def _wrap_text(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=" " * indent)


def render_bar(share: float, width: int) -> str:
    """A bar of a share of a width, in eighths of a character, and blank to its end.

    >>> render_bar(0.5, 3) + "|"
    '█▌ |'
    """
    eighths = round(8 * width * min(max(share, 0.0), 1.0))
    full, rest = divmod(eighths, 8)
    return ("█" * full + (BAR_BLOCKS[rest] if rest else "")).ljust(width)
