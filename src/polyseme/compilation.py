"""Loops that numba compiles where it is installed; elsewhere Python runs them, with the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

IntegerArray = NDArray[np.integer[Any]]
FloatArray = NDArray[np.float64]

Function = TypeVar("Function", bound=Callable[..., Any])


def compile_loop(function: Function) -> Function:
    """Compile a function with numba if it is installed: a decorator."""
    try:
        import numba
    except ImportError:
        return function
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
