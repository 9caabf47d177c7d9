"""Templates, redirects and Markdown."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from markupsafe import Markup
from starlette.responses import RedirectResponse
from starlette.templating import Jinja2Templates

from polyseme.web.assets import create_templates

FOLDER = Path(__file__).parent


@cache
def load_templates() -> Jinja2Templates:
    """Load the templates beside this module and those that all applications share."""
    return create_templates(FOLDER / "templates")


def redirect(address: str) -> RedirectResponse:
    """Redirect the browser to another page."""
    return RedirectResponse(address, status_code=303)


def to_sentence(error: Exception) -> str:
    """Return the message of an error as a sentence.

    >>> to_sentence(ValueError("the link has expired"))
    'The link has expired.'
    """
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


@lru_cache(maxsize=32)
def render_markdown(text: str) -> Markup:
    r"""Render Markdown as safe HTML.

    HTML and images are left out, headings move down one level, and links open in a new tab.

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
