"""Where this installation of polyseme comes from, which decides the command that adds an extra to it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

SUBPACKAGES = {"small": "models/small"}
"""The folders of a checkout that hold a package of their own, by extra."""


@dataclass(frozen=True)
class Origin:
    """The source of an installation.

    Args:
        path: The folder or file that pip installed; ``None`` for a registry.
        editable: Whether the folder is used where it is.
    """

    path: Path | None = None
    editable: bool = False


def read_origin() -> Origin:
    """Read where pip took polyseme from, as pip records it (PEP 610)."""
    try:
        record = json.loads(distribution("polyseme").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return Origin()
    url = urlsplit(record.get("url", ""))
    path = Path(url2pathname(url.path))
    if url.scheme != "file" or not path.exists():
        return Origin()
    return Origin(path, editable=bool(record.get("dir_info", {}).get("editable")))


def install_command(extra: str) -> str:
    """The one command that installs an extra, with quotes for the shell of this system.

    >>> install_command("plots")
    "pip install 'polyseme[plots]'"
    """
    origin, quote = read_origin(), '"' if os.name == "nt" else "'"
    if origin.path is None:
        return f"pip install {quote}polyseme[{extra}]{quote}"
    folder = origin.path / SUBPACKAGES.get(extra, ".")
    if extra in SUBPACKAGES and folder.is_dir():
        return f"pip install {quote}{folder}{quote}"
    option = "-e " if origin.editable else ""
    return f"pip install {option}{quote}{origin.path}[{extra}]{quote}"
