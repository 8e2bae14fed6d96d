"""Reads the streams of the Arrow C data interface into plain Python, without another package."""

from __future__ import annotations

import ctypes
import datetime
import struct
from collections.abc import Callable, Iterator
from ctypes import addressof, c_char
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ._library import (
    ArrowArray,
    ArrowArrayStream,
    ArrowSchema,
    DataError,
    Error,
    Handle,
    InputOutputError,
    call,
)

_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_IN_UTC = _EPOCH.replace(tzinfo=datetime.timezone.utc)
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()

# The width of numbers, and their names.
_NUMBERS: dict[str, tuple[Any, str]] = {
    "c": (ctypes.c_int8, "int8"), "C": (ctypes.c_uint8, "uint8"),
    "s": (ctypes.c_int16, "int16"), "S": (ctypes.c_uint16, "uint16"),
    "i": (ctypes.c_int32, "int32"), "I": (ctypes.c_uint32, "uint32"),
    "l": (ctypes.c_int64, "int64"), "L": (ctypes.c_uint64, "uint64"),
    "f": (ctypes.c_float, "float32"), "g": (ctypes.c_double, "float64"),
}  # fmt: skip
# The names of units of time, and their microseconds.
_UNITS_OF_TIME = {"s": ("s", 1_000_000), "m": ("ms", 1_000), "u": ("us", 1), "n": ("ns", 0)}


@dataclass(frozen=True)
class Field:
    """A column of a table: its name, its type, and what its values mean."""

    name: str
    format: str
    metadata: dict[str, str]
    children: tuple[Field, ...]
    dictionary: Field | None

    @property
    def type(self) -> str:
        """The type in words: ``float64``, ``timestamp[us, Europe/Paris]``."""
        if self.dictionary is not None:
            return self.dictionary.type
        if self.format in _NUMBERS:
            return _NUMBERS[self.format][1]
        if self.format.startswith("ts"):
            unit, zone = self.format[2:].split(":", 1)
            words = [_UNITS_OF_TIME[unit][0], *([zone] if zone else [])]
            return f"timestamp[{', '.join(words)}]"
        if self.format in ("+l", "+L"):
            return f"list<{self.children[0].type}>"
        if self.format == "+s":
            return f"struct<{', '.join(f'{each.name}: {each.type}' for each in self.children)}>"
        names = {"n": "null", "b": "bool", "u": "string", "U": "string", "tdD": "date"}
        return names.get(self.format, self.format)

    @property
    def is_number(self) -> bool:
        return self.dictionary is None and self.format in _NUMBERS


def _metadata(address: int | None) -> dict[str, str]:
    """Pairs of texts, each after its length."""
    if not address:
        return {}
    place = address

    def number() -> int:
        nonlocal place
        place += 4
        return int(struct.unpack("=i", ctypes.string_at(place - 4, 4))[0])

    def text() -> str:
        nonlocal place
        length = number()
        place += length
        return ctypes.string_at(place - length, length).decode(errors="replace")

    return {text(): text() for _ in range(number())}


def _field(schema: ArrowSchema) -> Field:
    return Field(
        name=(schema.name or b"").decode(errors="replace"),
        format=schema.format.decode(),
        metadata=_metadata(schema.metadata),
        children=tuple(_field(schema.children[index][0]) for index in range(schema.n_children)),
        dictionary=_field(schema.dictionary[0]) if schema.dictionary else None,
    )


def field_of(table: Handle) -> Field:
    """The schema of a table, whose children are the columns."""
    schema = ArrowSchema()
    with table as pointer:
        call("table_schema", pointer, addressof(schema))
    try:
        return _field(schema)
    finally:
        schema.release(addressof(schema))


def batches(table: Handle, field: Field) -> Iterator[Batch]:
    """Reads a table batch by batch; each is valid until the next.

    Raises:
        InputOutputError: the store cannot be read
        DataError: the store is damaged
    """
    stream = ArrowArrayStream()
    with table as pointer:
        call("table_stream", pointer, addressof(stream))
    place = addressof(stream)
    try:
        while True:
            array = ArrowArray()
            number = stream.get_next(place, addressof(array))
            if number:
                text = (stream.get_last_error(place) or b"").decode(errors="replace")
                kind = InputOutputError if number == InputOutputError.number else Error
                raise kind(text)
            if not array.release:
                return
            try:
                yield Batch(field, array)
            finally:
                array.release(addressof(array))
    finally:
        stream.release(place)


class Batch:
    """Some rows of a table, while they are in memory."""

    def __init__(self, field: Field, array: ArrowArray) -> None:
        self._field = field
        self._array = array

    def __len__(self) -> int:
        return int(self._array.length)

    def columns(self, start: int = 0, stop: int | None = None) -> list[list[Any]]:
        """The values of rows, column by column."""
        return [self.column(index, start, stop) for index in range(len(self._field.children))]

    def column(self, index: int, start: int = 0, stop: int | None = None) -> list[Any]:
        """The values of rows of a column."""
        end = len(self) if stop is None else min(stop, len(self))
        field, first = self._field.children[index], self._array.offset
        return _values(field, self._array.children[index][0], first + start, first + end)


# MARK: Values


def _values(field: Field, array: ArrowArray, start: int, stop: int) -> list[Any]:
    """The values of some rows of a column; None where there is none."""
    start, stop = array.offset + start, array.offset + stop
    if stop <= start:
        return []
    if field.format == "n":
        return [None] * (stop - start)
    if field.dictionary is not None:
        words = _values(field.dictionary, array.dictionary[0], 0, array.dictionary[0].length)
        codes = _numbers(_NUMBERS[field.format][0], array.buffers[1], start, stop)
        known = _validity(array, start, stop)
        if known is None:
            return [words[code] for code in codes]
        return [words[code] if is_known else None for code, is_known in zip(codes, known)]
    values = _reader(field.format)(field, array, start, stop)
    known = _validity(array, start, stop)
    if known is None:
        return values
    return [value if is_known else None for value, is_known in zip(values, known)]


_Reader = Callable[[Field, ArrowArray, int, int], "list[Any]"]


def _reader(format: str) -> _Reader:
    if format in _NUMBERS:
        return lambda field, array, start, stop: _numbers(
            _NUMBERS[format][0], array.buffers[1], start, stop
        )
    if format.startswith("ts") and format[2:3] in "smun":
        return _instants
    readers: dict[str, _Reader] = {
        "b": lambda field, array, start, stop: _bits(array.buffers[1], start, stop),
        "u": lambda field, array, start, stop: _texts(ctypes.c_int32, array, start, stop),
        "U": lambda field, array, start, stop: _texts(ctypes.c_int64, array, start, stop),
        "tdD": _days,
        "+l": _lists,
        "+L": _lists,
        "+s": _structures,
    }
    if format not in readers:
        raise DataError(f'A column is of the type "{format}" of Arrow, which to_arrow() reads.')
    return readers[format]


def _numbers(kind: Any, address: int | None, start: int, stop: int) -> list[Any]:
    if not address:
        return []
    place = address + start * ctypes.sizeof(kind)
    return list((kind * (stop - start)).from_address(place))


def _bits(address: int | None, start: int, stop: int) -> list[bool]:
    if not address:
        return []
    first = start // 8
    data = ctypes.string_at(address + first, (stop + 7) // 8 - first)
    return [data[(row >> 3) - first] >> (row & 7) & 1 == 1 for row in range(start, stop)]


def _validity(array: ArrowArray, start: int, stop: int) -> list[bool] | None:
    """Which rows have a value; None where all have."""
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0]:
        return None
    return _bits(array.buffers[0], start, stop)


def _texts(width: Any, array: ArrowArray, start: int, stop: int) -> list[str]:
    offsets = _numbers(width, array.buffers[1], start, stop + 1)
    if not offsets or not array.buffers[2]:
        return [""] * (stop - start)
    first = offsets[0]
    data = (c_char * (offsets[-1] - first)).from_address(array.buffers[2] + first).raw
    return [
        data[begin - first : end - first].decode(errors="replace")
        for begin, end in zip(offsets, offsets[1:])
    ]


def _days(field: Field, array: ArrowArray, start: int, stop: int) -> list[Any]:
    days = _numbers(ctypes.c_int32, array.buffers[1], start, stop)
    known = range(1 - _FIRST_DAY, datetime.date.max.toordinal() - _FIRST_DAY + 1)
    return [datetime.date.fromordinal(day + _FIRST_DAY) if day in known else day for day in days]


def _instants(field: Field, array: ArrowArray, start: int, stop: int) -> list[Any]:
    """Datetimes; a number where the year is none from 1 to 9999."""
    unit, name = field.format[2:].split(":", 1)
    zone = _zone(name) if name else None
    values = _numbers(ctypes.c_int64, array.buffers[1], start, stop)
    scale = _UNITS_OF_TIME[unit][1]
    microseconds = [value * scale if scale else value // 1_000 for value in values]
    epoch = _EPOCH if zone is None else _EPOCH_IN_UTC
    instants: list[Any] = []
    for value, original in zip(microseconds, values):
        try:
            instant = epoch + datetime.timedelta(microseconds=value)
            instants.append(instant if zone is None else instant.astimezone(zone))
        except OverflowError:
            instants.append(original)
    return instants


def _zone(name: str) -> datetime.tzinfo:
    """A zone by its name; UTC where this machine knows no zones, which is the same instant."""
    if name in ("UTC", "Etc/UTC", "Z"):
        return datetime.timezone.utc
    if name[0] in "+-":
        sign = -1 if name[0] == "-" else 1
        hours, minutes = name[1:].split(":")
        return datetime.timezone(sign * datetime.timedelta(hours=int(hours), minutes=int(minutes)))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return datetime.timezone.utc


def _lists(field: Field, array: ArrowArray, start: int, stop: int) -> list[Any]:
    width = ctypes.c_int32 if field.format == "+l" else ctypes.c_int64
    offsets = _numbers(width, array.buffers[1], start, stop + 1)
    items = _values(field.children[0], array.children[0][0], offsets[0], offsets[-1])
    first = offsets[0]
    return [items[begin - first : end - first] for begin, end in zip(offsets, offsets[1:])]


def _structures(field: Field, array: ArrowArray, start: int, stop: int) -> list[Any]:
    names = [child.name for child in field.children]
    columns = [
        _values(child, array.children[index][0], start, stop)
        for index, child in enumerate(field.children)
    ]
    if not columns:
        return [{} for _ in range(start, stop)]
    return [dict(zip(names, row)) for row in zip(*columns)]
