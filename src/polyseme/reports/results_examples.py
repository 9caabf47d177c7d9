"""Usages that went wrong, as HTML: gold and answer side by side, the target marked. All text is escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from polyseme.reports.results import FailedUsage, Mistakes
from polyseme.usage import Usage

CONTEXT_WIDTH = 240
"""How many characters of a usage are shown on each side of its target."""
SHOWN_SENSES = 5
"""How many senses of a usage are shown, the heaviest."""

STYLE = """
article.example { border-left: .25rem solid var(--line); padding: .1rem 0 .1rem 1rem; margin: 1.5rem 0; }
article.example h3 { margin: 0; font-size: 1rem; }
article.example blockquote { margin: .4rem 0 .8rem; font-family: Georgia, serif; font-size: 1.05rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .5rem 2rem; }
.sides p { margin: 0; font-weight: 600; } .sides ul { list-style: none; margin: .2rem 0 0; padding: 0; }
.sides li { margin: .2rem 0; overflow-wrap: anywhere; } .sides .gloss { font-size: .9rem; opacity: .85; }
.weight { display: inline-block; width: 5rem; height: .6rem; background: var(--faint); margin-right: .5rem; }
.weight span { display: block; height: 100%; background: var(--bar); }
.answer .weight span { background: #d9822b; }
@media print { .weight, .weight span { print-color-adjust: exact; } }
"""


def listed(sentences: Sequence[str]) -> str:
    """Sentences as a list."""
    return "<ul>" + "".join(f"<li>{html.escape(each)}</li>" for each in sentences) + "</ul>"


def examples_markup(mistakes: Mistakes) -> str:
    """The worst usages, one after the other."""
    return "".join(_example(mistakes, each) for each in mistakes.examples)


def _example(mistakes: Mistakes, each: FailedUsage) -> str:
    heading = f"{html.escape(each.usage.lemma)} <small>({html.escape(each.usage.id)}, {each.wrong:.0%} wrong)</small>"
    sides = "".join(
        _side(mistakes, each.usage.lemma, title, senses)
        for title, senses in (("Gold", each.gold), ("Answer", each.answer))
    )
    text = f"<blockquote>{in_context(each.usage)}</blockquote>"
    return f'<article class="example"><h3>{heading}</h3>{text}<div class="sides">{sides}</div></article>'


def in_context(usage: Usage) -> str:
    """A usage with its target marked, cut at words where it is long.

    >>> in_context(Usage("u", "win.v", "We <won>.", 4, 7))
    'We &lt;<mark>won</mark>&gt;.'
    """
    left, right = usage.left, usage.right
    if len(left) > CONTEXT_WIDTH:
        left = "… " + left[-CONTEXT_WIDTH:].partition(" ")[2]
    if len(right) > CONTEXT_WIDTH:
        right = right[:CONTEXT_WIDTH].rpartition(" ")[0] + " …"
    return f"{html.escape(left)}<mark>{html.escape(usage.target)}</mark>{html.escape(right)}"


def _side(mistakes: Mistakes, lemma: str, title: str, senses: Mapping[str, float]) -> str:
    shown = list(senses.items())[:SHOWN_SENSES]
    lines = "".join(_sense(mistakes, lemma, sense, weight) for sense, weight in shown)
    more = f"<li>and {len(senses) - SHOWN_SENSES} more</li>" if len(senses) > SHOWN_SENSES else ""
    return f'<div class="{title.lower()}"><p>{title}</p><ul>{lines}{more}</ul></div>'


def _sense(mistakes: Mistakes, lemma: str, sense: str, weight: float) -> str:
    gloss = mistakes.glosses.get((lemma, sense), "")
    bar = f'<span class="weight" aria-hidden="true"><span style="width:{100 * weight:.0f}%"></span></span>'
    said = f' <span class="gloss">{html.escape(gloss)}</span>' if gloss else ""
    return f"<li>{bar}{weight:.2f} <b>{html.escape(sense)}</b>{said}</li>"
