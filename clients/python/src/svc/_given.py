"""The default of parameters for which None has its own meaning."""

from __future__ import annotations


class NotGiven:
    """The type of `NOT_GIVEN`, which means the parameter was omitted and nothing is sent for it."""

    def __bool__(self) -> bool:
        return False

    # A copied or unpickled instance is still the same object.
    def __reduce__(self) -> str:
        return "NOT_GIVEN"

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()
