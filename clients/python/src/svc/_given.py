"""The default of a parameter for which None has a meaning of its own."""

from __future__ import annotations


class NotGiven:
    """The type of `NOT_GIVEN`: the parameter was left out, and nothing is sent for it."""

    def __bool__(self) -> bool:
        return False

    # One that was copied or pickled is still the one that calls compare with.
    def __reduce__(self) -> str:
        return "NOT_GIVEN"

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()
