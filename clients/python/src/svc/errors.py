"""Every error that this package raises. Those of one code each come from the contract."""

from ._errors import (
    APIError,
    ConfigurationError,
    ConnectionError,
    SignatureVerificationError,
    SvcError,
    TimeoutError,
    WaitTimeoutError,
)
from .generated import problems
from .generated.problems import *  # noqa: F403

__all__ = [
    "APIError",
    "ConfigurationError",
    "ConnectionError",
    "SignatureVerificationError",
    "SvcError",
    "TimeoutError",
    "WaitTimeoutError",
]
__all__ += problems.__all__
