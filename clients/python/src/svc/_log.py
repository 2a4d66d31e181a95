"""The package's log of its calls, in `logging.getLogger("svc")`; loaded with the first line."""

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
    """Logs once per process. `show`: even if logging isn't configured."""
    if line in _said:
        return
    _said.add(line)
    warn(line)
    if show:
        import warnings

        try:
            warnings.warn(line, FutureWarning, stacklevel=2)
        except Warning:
            # A warnings filter turns this into an error, but the call has succeeded.
            pass
