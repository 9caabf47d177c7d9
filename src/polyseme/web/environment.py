"""The Jinja environment of all HTML pages: those of the studio and the explorer, and reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

SHARED_FOLDER = Path(__file__).parent


def create_environment(folder: Path, **names: Any) -> Environment:
    """Create an environment that escapes all values and raises an error for undefined names.

    Args:
        folder: The templates of an application; the shared ones stand behind them.
        names: Functions and values that every template can use.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader([folder, SHARED_FOLDER / "templates"])
    environment = Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.globals |= names
    return environment
