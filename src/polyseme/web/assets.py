"""Templates and static files: those of an application, and behind them the ones that all applications share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

SHARED_FOLDER = Path(__file__).parent


def create_templates(folder: Path, **known: Any) -> Jinja2Templates:
    """The templates of a folder, and the shared ones; whatever is put into them is escaped.

    ``known`` are functions and values that every template may use.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader([folder, SHARED_FOLDER / "templates"])
    environment = Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.globals |= known
    return Jinja2Templates(env=environment)


class SharedStaticFiles(StaticFiles):
    """The static files of a folder, and the shared ones."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self.all_directories = [folder, SHARED_FOLDER / "static"]
