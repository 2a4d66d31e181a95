"""Result types: frozen dataclasses that convert from and to JSON without loss."""

from __future__ import annotations

from datetime import date, datetime
from threading import RLock
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Dict,
    List,
    Mapping,
    Optional,
    Set,
    Tuple,
    Type,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ._typing import dataclass_transform
from ._wire import read_day, read_moment, to_json

if TYPE_CHECKING:
    import dataclasses

M = TypeVar("M", bound="Model")

_NOTHING: Mapping[str, Any] = {}


class _Late(type):
    """Turns a class into a dataclass on first use.

    Converting every class at import would be slow.
    """

    def __call__(cls, *values: Any, **members: Any) -> Any:
        _as_dataclass(cls)
        return super().__call__(*values, **members)

    def __getattr__(cls, name: str) -> Any:
        if name == "__dataclass_fields__" and cls is not Model:
            return _as_dataclass(cls).__dict__[name]
        raise AttributeError(f"{cls.__name__} has no {name}")


_dataclasses: Set[Any] = set()
_making = RLock()


def _as_dataclass(cls: Any) -> Any:
    if cls in _dataclasses:
        return cls
    # Converts each class once, and completely before another thread uses it.
    with _making:
        if cls not in _dataclasses:
            from dataclasses import dataclass

            dataclass(frozen=True, repr=False)(cls)
            _dataclasses.add(cls)
    return cls


@dataclass_transform(frozen_default=True)
class Model(metaclass=_Late):
    """The base class of every result."""

    # Instance attributes rather than fields, so comparison and the constructor ignore them.
    _unknown: ClassVar[Mapping[str, Any]] = _NOTHING
    _request_id: ClassVar[Optional[str]] = None

    @property
    def request_id(self) -> Optional[str]:
        """The response's request ID. None for objects nested in a result."""
        return self._request_id

    def to_dict(self) -> Dict[str, Any]:
        """The result as the API's JSON, including fields newer than this version of the package."""
        members: Dict[str, Any] = {}
        for field in _fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            members[_wire_name(field.name)] = to_json(value)
        members.update(to_json(dict(self._unknown)))
        return members

    @classmethod
    def from_dict(cls: Type[M], members: Mapping[str, Any]) -> M:
        """Creates a result from the API's JSON, such as the body of a webhook."""
        result: M = _reader(cls)(members)
        return result

    def __reduce__(self) -> Any:
        return (_restored, (type(self), dict(self.__dict__)))

    # Logs and error reports print results, so the repr shows no patient data.
    def __repr__(self) -> str:
        shown = ("id", "medication_id", "type", "kind", "status", "pointer", "code")
        values = [f"{name}={getattr(self, name)!r}" for name in shown if hasattr(self, name)]
        return f"{type(self).__name__}({', '.join([*values, '...'])})"


def _restored(cls: Any, members: Dict[str, Any]) -> Any:
    model = object.__new__(_as_dataclass(cls))
    model.__dict__.update(members)
    return model


def _fields(model: Any) -> Tuple[dataclasses.Field[Any], ...]:
    from dataclasses import fields

    # Otherwise, `fields` would return only the base class's fields.
    _as_dataclass(model if isinstance(model, type) else type(model))
    return fields(model)


def _wire_name(name: str) -> str:
    return name[:-1] if name.endswith("_") else name


Reader = Callable[[Any], Any]
_readers: Dict[Any, Reader] = {}


def _same(value: Any) -> Any:
    return value


def _reader(kind: Any) -> Reader:
    """Returns the cached reader for a type."""
    known = _readers.get(kind)
    if known is None:
        known = _readers[kind] = _make_reader(kind)
    return known


def _make_reader(kind: Any) -> Reader:
    if kind is datetime:
        return read_moment
    if kind is date:
        return read_day
    if isinstance(kind, type) and issubclass(kind, Model):
        return _model_reader(kind)
    if get_origin(kind) is list:
        return _list_reader(_reader(get_args(kind)[0]))
    if get_origin(kind) is Union:
        args = get_args(kind)
        models = [one for one in args if isinstance(one, type) and issubclass(one, Model)]
        if len(models) == 2 and "deleted" in get_type_hints(models[1]):
            return _deletable_reader(*models)
        if len(models) > 1:
            return _tagged_reader(models)
        readers = {_reader(one) for one in get_args(kind)} - {_same}
        return readers.pop() if len(readers) == 1 else _same
    return _same


def _tagged_reader(models: List[Any]) -> Reader:
    """Chooses among models by `type`. The model that accepts any type reads unknown ones."""
    types = [(get_type_hints(one)["type"], _reader(one)) for one in models]
    by_type = {value: reader for hint, reader in types for value in get_args(hint)}
    otherwise = next(reader for hint, reader in types if hint is str)

    def read(value: Any) -> Any:
        kind = value.get("type") if isinstance(value, Mapping) else None
        return by_type.get(kind, otherwise)(value)

    return read


def _deletable_reader(model: Any, gone: Any) -> Reader:
    """Reads a resource or its deletion marker."""
    present, absent = _reader(model), _reader(gone)

    def read(value: Any) -> Any:
        is_gone = isinstance(value, Mapping) and value.get("deleted") is True
        return (absent if is_gone else present)(value)

    return read


def _list_reader(item: Reader) -> Reader:
    if item is _same:
        return _same

    def read(value: Any) -> Any:
        return [item(one) for one in value] if isinstance(value, list) else value

    return read


def _model_reader(cls: Type[Model]) -> Reader:
    fields = {_wire_name(field.name): field for field in _fields(cls)}
    hints = get_type_hints(cls)
    readers: Dict[str, Reader] = {}

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        if not readers:
            readers.update({name: _reader(hints[field.name]) for name, field in fields.items()})
        known = {field.name: readers[name](value.get(name)) for name, field in fields.items()}
        model = cls(**known)
        unknown = {name: member for name, member in value.items() if name not in fields}
        if unknown:
            object.__setattr__(model, "_unknown", unknown)
        return model

    return read


def read_result(kind: Any, value: Any, request_id: Optional[str]) -> Any:
    """Reads a call's result and sets its request ID."""
    result = _reader(kind)(value)
    if isinstance(result, Model):
        object.__setattr__(result, "_request_id", request_id)
    return result


def read_value(kind: Any, value: Any) -> Any:
    """Reads part of a response."""
    return _reader(kind)(value)


def read_items(kind: Any, values: List[Any]) -> List[Any]:
    """Reads a page's items."""
    read = _reader(kind)
    return [read(value) for value in values]
