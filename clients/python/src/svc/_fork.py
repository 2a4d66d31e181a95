"""Resets state that a process must not share with its forks: sockets and locks."""

from __future__ import annotations

import os
import weakref


class Forkable:
    def __init__(self) -> None:
        _known.add(self)

    def after_fork(self) -> None:
        """Runs in the child process."""
        raise NotImplementedError


_known: weakref.WeakSet[Forkable] = weakref.WeakSet()


def _after_fork() -> None:
    for one in list(_known):
        one.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
