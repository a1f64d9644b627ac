# MuJoCo's compiled module carries no types that a checker can read: everything in it is Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
