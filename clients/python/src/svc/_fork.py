"""What a process must not share with those that it forks: sockets, and locks of other threads."""

from __future__ import annotations

import os
import weakref


class Forkable:
    def __init__(self) -> None:
        _known.add(self)

    def after_fork(self) -> None:
        """Called in the child."""
        raise NotImplementedError


_known: weakref.WeakSet[Forkable] = weakref.WeakSet()


def _after_fork() -> None:
    for one in list(_known):
        one.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
