"""The walks of docs/explanation/architecture.md: the functions that it lists, and those that are called."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "architecture.md"
LONGEST_WALK = 8


def read_walk(heading: str) -> list[str]:
    """The dotted names of the functions in the list below a heading."""
    section = PAGE.read_text("utf-8").split(f"\n### {heading}\n")[1].split("\n#")[0]
    names = re.findall(r"^\d\. \{py:(?:func|meth)\}`([\w.]+)`", section, re.M)
    assert 1 < len(names) <= LONGEST_WALK
    return names


def find_code(name: str) -> CodeType:
    """The code of a function or method by its dotted name."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            value = getattr(value, part)
        code: CodeType = inspect.unwrap(value).__code__
        return code
    raise ModuleNotFoundError(name)


@contextmanager
def record_calls(names: list[str]) -> Iterator[list[str]]:
    """Record which of these functions are called, in the order of their first calls, in all new threads."""
    codes = {find_code(name): name for name in names}
    calls: list[str] = []

    def trace(frame: FrameType, event: str, _: object) -> None:
        name = codes.get(frame.f_code) if event == "call" else None
        if name and name not in calls:
            calls.append(name)

    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
