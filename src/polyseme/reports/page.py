"""A self-contained HTML page of tables and plots: no network, printable, light and dark."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from polyseme.reports.plots import Plot, as_figure
from polyseme.reports.tables import Table, table_to_html

STYLE = """
:root { color-scheme: light dark; --line: #8886; --faint: #8882; --mark: #ffe08a; --on-mark: #1b1b1b; --bar: #3b6fb6; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: break-word; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--faint); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); }
tbody th { font-weight: 400; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.rule > * { border-top: 2px solid var(--line); }
.note { font-size: .9rem; opacity: .8; }
.wide { overflow-x: auto; } .wide tbody th { min-width: 9rem; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; overflow: visible; }
figure:not(.own-text) svg text { fill: currentColor; }
figure svg [class*="role-axis"] text, figure svg [class*="role-legend"] text { fill: currentColor; }
figcaption { font-size: .95rem; }
nav.contents { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem 1rem; margin: 1.5rem 0; }
nav.contents h2 { margin: 0; font-size: 1rem; }
nav.contents ol { margin: .3rem 0 0; padding-left: 1.4rem; columns: 18rem auto; column-gap: 2rem; }
nav.contents li { break-inside: avoid; padding: .1rem 0; }
nav.contents a { color: inherit; display: inline-block; padding: .1rem 0; }
footer.made { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: .6rem; font-size: .9rem; }
footer.made code { overflow-wrap: anywhere; }
mark { background: var(--mark); color: var(--on-mark); padding: 0 .15em; border-radius: .15em; font-weight: 600; }
@media (max-width: 45rem) {
  body { margin: 1rem auto; }
  figure > div { overflow-x: auto; } figure svg { max-width: 40rem; }
}
@media print {
  body { max-width: none; margin: 0; font-size: 11pt; } nav.contents { break-after: page; }
  table, figure, article { break-inside: avoid; } h2, h3 { break-after: avoid; } .wide { overflow: visible; }
  figure svg { max-width: 100%; } a { text-decoration: none; }
}
"""


@dataclass(frozen=True)
class HtmlBlock:
    """HTML of our own making, in which everything that comes from elsewhere is escaped already."""

    html: str


Block = Table | Plot | HtmlBlock
ReportSection = tuple[str, str, Sequence[Block]]
"""A heading, words, and what stands below them."""


@dataclass(frozen=True)
class Report:
    """What a page tells, before it is a page: so that each of its tables and plots can be had by itself too."""

    title: str
    introduction: str
    sections: Sequence[ReportSection]
    style: str = ""
    more: Sequence[Table] = field(default=())
    """Tables that are too long for a page, to be written as files."""

    def page(self, made_by: str = "") -> str:
        """The page as HTML; ``made_by`` is the command that made it."""
        return add_footer(render_report(self.title, self.introduction, self.sections, style=self.style), made_by)

    def tables(self) -> list[Table]:
        """All tables, in their order, and those that are too long for the page."""
        return [*(each for each in self._blocks() if isinstance(each, Table)), *self.more]

    def plots(self) -> list[Plot]:
        """All plots, in their order."""
        return [each for each in self._blocks() if isinstance(each, Plot)]

    def _blocks(self) -> Iterator[Block]:
        for _, _, blocks in self.sections:
            yield from blocks


def render_report(title: str, introduction: str, sections: Sequence[ReportSection], *, style: str = "") -> str:
    """A page: a title, an introduction, and sections of (heading, words, tables and plots).

    If there are several sections a list of contents leads to them; ``style`` is added to the page's own.
    """
    names = make_anchors(["contents", *(heading for heading, _, _ in sections)])[1:]
    body = "".join(_section(name, *section) for name, section in zip(names, sections, strict=True))
    contents = _contents(names, [heading for heading, _, _ in sections]) if len(sections) > 1 else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}{style}</style></head>'
        f"<body><main><h1>{html.escape(title)}</h1><p>{html.escape(introduction)}</p>{contents}{body}</main></body></html>\n"
    )


def make_anchors(headings: Sequence[str]) -> list[str]:
    """Names by which sections are found: their words, and a number where two are the same.

    >>> make_anchors(["Usim: Agreement", "Notes", "Notes", "§"])
    ['usim-agreement', 'notes', 'notes-2', 'section']
    """
    found: list[str] = []
    for heading in headings:
        name = make_slug(heading) or "section"
        number = 2
        chosen = name
        while chosen in found:
            chosen, number = f"{name}-{number}", number + 1
        found.append(chosen)
    return found


def make_slug(text: str, longest: int = 80) -> str:
    """The words of a text in plain letters and digits, joined by hyphens: for anchors and for the names of files.

    >>> make_slug("Fuzzy B-Cubed, naïve: σ=0.5")
    'fuzzy-b-cubed-naive-0-5'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:longest].strip("-")


def _section(name: str, heading: str, words: str, blocks: Sequence[Block]) -> str:
    said = f"<p>{html.escape(words)}</p>" if words else ""
    return f'<section id="{name}"><h2>{html.escape(heading)}</h2>{said}{"".join(map(_block, blocks))}</section>'


def _contents(names: Sequence[str], headings: Sequence[str]) -> str:
    lines = (
        f'<li><a href="#{name}">{html.escape(heading)}</a></li>' for name, heading in zip(names, headings, strict=True)
    )
    heading = '<h2 id="contents">Contents</h2>'
    return f'<nav class="contents" aria-labelledby="contents">{heading}<ol>{"".join(lines)}</ol></nav>'


def add_footer(page: str, made_by: str) -> str:
    """A page that says at its end which command made it, and which version; as it is, if no command is said.

    >>> add_footer("<body></body></html>", "polyseme demo")[:48]
    '<body><footer class="made">Made by <code>polysem'
    """
    if not made_by:
        return page
    said = f"<code>{html.escape(made_by)}</code>, polyseme {html.escape(version('polyseme'))}"
    before, end, after = page.rpartition("</body>")
    return f'{before}<footer class="made">Made by {said}.</footer>{end}{after}'


def _block(given: Block) -> str:
    """A wide table scrolls by itself, so that the page need not."""
    if isinstance(given, HtmlBlock):
        return given.html
    if isinstance(given, Plot):
        return as_figure(given)
    return f'<div class="wide" tabindex="0" role="region" aria-label="{html.escape(given.title)}">{table_to_html(given)}</div>'
