"""TOML whose errors name the file and the line."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from polyseme.errors import InputError


def parse_toml(source: str, path: object = None) -> dict[str, Any]:
    """Parse TOML; an error names the line.

    >>> parse_toml("seed = 1")
    {'seed': 1}
    """
    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem, _, position = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", position)
        number = int(line[1]) if line else source.count("\n") + 1
        advice = "a line reads: key = value, with texts in quotes"
        raise InputError(f"this is not TOML: {problem}; {advice}", path=path, line=number) from None
