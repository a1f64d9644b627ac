"""The array type of this package, and the check that numbers from outside have to pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from telecell.errors import InputError

FloatArray = NDArray[np.float64]

LARGEST = 1e9
"""No length, angle or force is larger in SI units; below it, squares and products stay finite."""


def validate_array(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Copy numbers into a new array.

    Args:
        name: what the numbers are, for the error text.
        values: anything that numpy can read.
        shape: the shape that they must have.

    Raises:
        InputError: not numbers, of another shape, not finite, or beyond `LARGEST`.
    """
    size = " x ".join(str(n) for n in shape)
    remedy = f"Give {size} finite numbers."
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is not made of numbers", value=values, remedy=remedy) from None
    if array.shape != shape:
        raise InputError(f"{name} has the wrong shape", value=array.shape, limit=shape, remedy=remedy)
    if not np.isfinite(array).all():
        raise InputError(f"{name} is not finite", value=array.tolist(), remedy=remedy)
    if (np.abs(array) > LARGEST).any():
        raise InputError(f"{name} is too large", value=array.tolist(), limit=LARGEST)
    return array
