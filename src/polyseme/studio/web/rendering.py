"""Templates filled in, and Markdown made safe to show."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response
from markupsafe import Markup
from starlette.templating import Jinja2Templates

from polyseme.web.assets import create_templates

if TYPE_CHECKING:
    from polyseme.studio.web.security import Studio

FOLDER = Path(__file__).parent


@cache
def load_templates() -> Jinja2Templates:
    """The templates beside this module, and those that all applications share."""
    return create_templates(FOLDER / "templates")


def render_page(request: Request, here: Studio, template: str, status: int = 200, /, **context: Any) -> Response:
    """A page."""
    known = {"study": here.store.study.title, "shown": None}
    return here.templates.TemplateResponse(request, template, known | context, status_code=status)


@lru_cache(maxsize=32)
def render_markdown(text: str) -> Markup:
    r"""Markdown as HTML: no HTML of its own, no pictures, headings one lower, and links that open beside the page.

    >>> render_markdown("# Rate\n\n<script>alert(1)</script> *all* [x](javascript:alert)")
    Markup('<h2>Rate</h2>\n<p>&lt;script&gt;alert(1)&lt;/script&gt; <em>all</em> [x](javascript:alert)</p>\n')
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + 1)}"
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
    return Markup(parser.renderer.render(tokens, parser.options, {}))
