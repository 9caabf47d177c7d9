"""A self-contained HTML page of tables and plots: no network, printable, light and dark."""

from __future__ import annotations

import html
from collections.abc import Sequence

from polyseme.report.plots import Plot, as_figure
from polyseme.report.tables import Table, as_html

STYLE = """
:root { color-scheme: light dark; --line: #8886; --faint: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--faint); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); }
tbody th { font-weight: 400; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.rule > * { border-top: 2px solid var(--line); }
.note { font-size: .9rem; opacity: .8; }
.wide { overflow-x: auto; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; overflow: visible; }
figure:not(.own-text) svg text { fill: currentColor; }
figure svg [class*="role-axis"] text, figure svg [class*="role-legend"] text { fill: currentColor; }
figcaption { font-size: .95rem; }
@media print { body { max-width: none; margin: 0; } table { break-inside: avoid; } }
"""


Block = Table | Plot


def page(title: str, introduction: str, sections: Sequence[tuple[str, str, Sequence[Block]]]) -> str:
    """A page: a title, an introduction, and sections of (heading, words, tables and plots)."""
    body = "".join(
        f"<section><h2>{html.escape(heading)}</h2><p>{html.escape(words)}</p>{''.join(map(_block, blocks))}</section>"
        for heading, words, blocks in sections
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><main><h1>{html.escape(title)}</h1><p>{html.escape(introduction)}</p>{body}</main></body></html>\n"
    )


def _block(given: Block) -> str:
    """A wide table scrolls by itself, so that the page need not."""
    if isinstance(given, Plot):
        return as_figure(given)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{html.escape(given.title)}">{as_html(given)}</div>'
    )
