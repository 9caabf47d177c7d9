"""Rules that hold for every part of a kind; import them with ``from rules import check_every``."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Value = TypeVar("Value")


def check_every(values: Iterable[Value], check: Callable[[Value], None]) -> None:
    """Check a rule for every value, and list all that break it."""
    failures = []
    for value in values:
        try:
            check(value)
        except (AssertionError, pytest.fail.Exception) as error:
            failures.append(f"{value!r}: {error}")
    assert not failures, "\n".join(failures)
