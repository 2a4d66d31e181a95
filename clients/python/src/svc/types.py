"""The types of parameters and results."""

from ._answers import Download, RawResponse
from ._extended import BothConsents
from ._pages import AsyncPage, Page
from ._settings import ResponseInfo
from .generated import parameters, results, words
from .generated.parameters import *  # noqa: F403
from .generated.results import *  # noqa: F403
from .generated.words import *  # noqa: F403

__all__ = ["AsyncPage", "BothConsents", "Download", "Page", "RawResponse", "ResponseInfo"]
__all__ += parameters.__all__
__all__ += results.__all__
__all__ += words.__all__
