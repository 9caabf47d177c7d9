"""HTML of reports, rendered from the templates of this package."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.web.environment import create_environment

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


@cache
def _environment() -> Environment:
    return create_environment(Path(__file__).parent / "templates", version=version("polyseme"))


def render_html(template: str, **context: Any) -> Markup:
    """Render a template; all values in it are escaped, except those that are HTML already."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(context))
