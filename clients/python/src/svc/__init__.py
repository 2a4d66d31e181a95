"""The clinical API: `Client`, `AsyncClient`, and the errors that their calls raise.

Types of parameters and results are in `svc.types`, webhooks in `svc.webhooks`, and what helps to
test a program that uses this package in `svc.testing`.
"""

from . import errors
from ._async_client import AsyncClient
from ._client import Client
from ._given import NOT_GIVEN, NotGiven
from ._version import __version__
from .errors import *  # noqa: F403
from .generated.contract import API_VERSION as contract_version

__all__ = ["NOT_GIVEN", "AsyncClient", "Client", "NotGiven", "__version__", "contract_version"]
__all__ += errors.__all__
