"""Templates and static files of an application, with those that all applications share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from polyseme.web.environment import SHARED_FOLDER, create_environment


def create_templates(folder: Path, **names: Any) -> Jinja2Templates:
    """Load the templates of a folder and the shared ones; all values are escaped.

    Args:
        folder: The templates of the application.
        names: Functions and values that every template can use.
    """
    return Jinja2Templates(env=create_environment(folder, **names))


class SharedStaticFiles(StaticFiles):
    """The static files of a folder, and the shared ones.

    Args:
        folder: The static files of the application, which take precedence.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self.all_directories = [folder, SHARED_FOLDER / "static"]
