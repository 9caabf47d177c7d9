"""Coroutines from tests, also where the driver of a browser has an event loop running in the same thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def finished(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine gives, run in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
