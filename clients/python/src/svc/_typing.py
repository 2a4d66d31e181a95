"""Types that only type checkers use, so typing_extensions isn't a dependency."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Unpack, dataclass_transform
else:
    NotRequired = Unpack = None

    def dataclass_transform(**_: Any) -> Any:
        return lambda kind: kind


__all__ = ["NotRequired", "Unpack", "dataclass_transform"]
