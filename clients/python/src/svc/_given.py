"""The default value of parameters for which None has a meaning of its own."""

from __future__ import annotations


class NotGiven:
    """The type of `NOT_GIVEN`, the default value of parameters that aren't sent if omitted."""

    def __bool__(self) -> bool:
        return False

    # Copying or unpickling returns the same object.
    def __reduce__(self) -> str:
        return "NOT_GIVEN"

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()
