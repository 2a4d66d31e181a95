"""Logs calls to `logging.getLogger("svc")`. Imports `logging` on first use."""

from __future__ import annotations

from typing import Any, Set

_said: Set[str] = set()


def _logger() -> Any:
    import logging

    logger = logging.getLogger("svc")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return logger


def debug(line: str) -> None:
    _logger().debug("%s", line)


def warn(line: str) -> None:
    _logger().warning("%s", line)


def warn_once(line: str, show: bool = False) -> None:
    """Logs a line once per process. With `show`, also issues a Python warning."""
    if line in _said:
        return
    _said.add(line)
    warn(line)
    if show:
        import warnings

        try:
            warnings.warn(line, FutureWarning, stacklevel=2)
        except Warning:
            # A filter may raise the warning as an error, which must not fail a successful call.
            pass
