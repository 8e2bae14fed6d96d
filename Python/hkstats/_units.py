"""Units, their exact conversion, and the merging of columns, without a store."""

from __future__ import annotations

import ctypes
import datetime
import json
import sys
from collections.abc import Iterable, Sequence
from ctypes import byref, c_void_p
from typing import Any, overload

from ._library import Handle, UsageError, call, encoded, run, taken
from ._progress import Progress, Reporter
from ._table import Table


def unit(text: str) -> Unit:
    """A unit, as people write it: ``hkstats.unit("lb/ft^2").to("kg/m^2")``.

    Raises:
        UsageError: there is no such unit; the message names near ones
    """
    return Unit(text)


class Unit:
    """A unit of measurement.

    Attributes:
        facts: what the unit is: its name, its dimension, and its factor to base units
    """

    __slots__ = ("_text", "facts")

    def __init__(self, text: str) -> None:
        facts = c_void_p()
        call("unit", encoded(text, "A unit"), byref(facts))
        self.facts: dict[str, Any] = json.loads(taken(facts))
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"hkstats.unit({self._text!r})"

    def to(self, unit: str | Unit, *, type: str | None = None) -> Conversion:
        """The exact conversion to another unit.

        Args:
            unit: the other unit
            type: a type such as ``bloodGlucose``, which says what a mole weighs

        Raises:
            UsageError: the units are not of one dimension, or there is no such unit or type
        """
        return Conversion(self, unit if isinstance(unit, Unit) else Unit(unit), type)


class Conversion:
    """Converts numbers from one unit to another, each rounded once.

    ``conversion(5.4)`` gives a number; a list, a list; an array of numpy, another one; anything
    else of float64 with the buffer protocol, an ``array.array``. A NaN stays one.
    """

    __slots__ = ("_handle", "source", "target", "type")

    def __init__(self, source: Unit, target: Unit, type: str | None) -> None:
        self.source, self.target, self.type = source, target, type
        pointer = c_void_p()
        call(
            "conversion_open", encoded(str(source), "A unit"), encoded(str(target), "A unit"),
            None if type is None else encoded(type, "A type"), byref(pointer),
        )  # fmt: skip
        self._handle = Handle(pointer, "conversion_close", "conversion")

    def __repr__(self) -> str:
        type = "" if self.type is None else f", type={self.type!r}"
        return f"{self.source!r}.to({str(self.target)!r}{type})"

    @overload
    def __call__(self, values: float) -> float: ...

    @overload
    def __call__(self, values: list[float]) -> list[float]: ...

    @overload
    def __call__(self, values: Any) -> Any: ...

    def __call__(self, values: Any) -> Any:
        """Converts numbers.

        Raises:
            TypeError: they are no numbers
        """
        if isinstance(values, (int, float)) and not isinstance(values, bool):
            number = ctypes.c_double(values)
            self._convert(ctypes.addressof(number), ctypes.addressof(number), 1)
            return number.value
        if isinstance(values, (list, tuple)):
            numbers = (ctypes.c_double * len(values))(*values)
            self._convert(ctypes.addressof(numbers), ctypes.addressof(numbers), len(values))
            return list(numbers)
        given = _as_array(values)
        if given is not None:
            numpy = sys.modules["numpy"]
            source = _float64(numpy, given)
            target = numpy.empty(source.shape)
            self._convert(source.ctypes.data, target.ctypes.data, source.size)
            return target if given is values else target[()]
        import array

        with _Buffer(values) as buffer:
            converted = array.array("d", bytes(8 * buffer.count))
            self._convert(buffer.address, converted.buffer_info()[0], buffer.count)
            return converted

    def _convert(self, source: int | None, target: int, count: int) -> None:
        with self._handle as pointer:
            call("convert", pointer, source, target, count)


def _float64(numpy: Any, values: Any) -> Any:
    """An array of float64 without gaps between its numbers; the array itself where it is one."""
    array = numpy.asarray(values)
    if not numpy.can_cast(array.dtype, numpy.float64, "same_kind"):
        raise TypeError(f"An array of {array.dtype} has no numbers to convert.")
    return numpy.asarray(array, dtype=numpy.float64, order="C")


class _PyBuffer(ctypes.Structure):
    """The structure Py_buffer, which is the same since Python 3.3."""

    _fields_ = [
        ("buf", c_void_p), ("obj", c_void_p), ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p), ("shape", c_void_p), ("strides", c_void_p),
        ("suboffsets", c_void_p), ("internal", c_void_p),
    ]  # fmt: skip


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = (ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int)
_get_buffer.restype = ctypes.c_int
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = (ctypes.POINTER(_PyBuffer),)
_release_buffer.restype = None
# PyBUF_C_CONTIGUOUS and PyBUF_FORMAT
_CONTIGUOUS = 0x0038 | 0x0004


class _Buffer:
    """The memory of an object with float64 in it, also where it must not be written."""

    def __init__(self, owner: Any) -> None:
        self._view = _PyBuffer()
        _get_buffer(owner, byref(self._view), _CONTIGUOUS)
        if self._view.format not in (
            b"d",
            b"=d",
            b"@d",
            b"<d" if sys.byteorder == "little" else b">d",
        ):
            _release_buffer(byref(self._view))
            raise TypeError("A buffer must be of float64.")
        self.address = self._view.buf
        self.count = self._view.len // 8

    def __enter__(self) -> _Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        _release_buffer(byref(self._view))


# MARK: Merging


def merge(
    starts: Any,
    ends: Any,
    values: Any,
    sources: Any,
    *,
    priority: Sequence[str] = (),
    type: str = "stepCount",
    policy: str = "hk",
    progress: Progress = None,
) -> Table:
    """Merges overlapping samples of several sources into the parts that count, as statistics do.

    Args:
        starts: when each sample begins, in any order: an array of numpy (datetime64, or seconds
            since one epoch), a series of pandas, or a list of datetimes or numbers. Times without a
            zone are in UTC.
        ends: when each sample ends, in the same form
        values: the number of each sample, in one unit
        sources: the name of each sample's source; or its index in ``priority``
        priority: the sources, the one that counts first; names that are not here follow in the
            order of their first sample
        type: the type, which says whether values add up over time
        policy: how sources overlap; that of HealthKit when left out
        progress: as for ``open``

    Returns:
        a table with ``start``, ``end``, ``value``, ``source``, and ``row``, the number of the
        sample that the part is of, from 0. The parts of one source stand together, in the order of
        ``priority``, each in the order of time. Times are instants in UTC; where seconds were
        given, seconds.

    Raises:
        UsageError: columns are not equally long, a number is not finite, an index is none of
            ``priority``, or there is no such type or policy
        TypeError: a column has another form
    """
    begins, has_instants = _times(starts, "starts")
    finishes, has_instant_ends = _times(ends, "ends")
    if has_instants != has_instant_ends:
        raise TypeError("starts and ends must both be times, or both be seconds.")
    names = list(priority)
    codes = _codes(sources, names)
    numbers = _column(values, "values")
    lengths = {len(begins), len(finishes), len(numbers), len(codes)}
    if len(lengths) > 1:
        raise UsageError("starts, ends, values and sources must be equally long.")
    options = {"merge": policy, **({"times": "timestamp"} if has_instants else {})}
    texts = (ctypes.c_char_p * len(names))(*(encoded(name, "A source") for name in names))
    type_name, text = encoded(type, "A type"), json.dumps(options).encode()

    def body(notify: Any) -> Handle:
        table = c_void_p()
        call(
            "merge", type_name, begins.address, finishes.address, numbers.address, codes.address,
            len(codes), texts, len(names), text, notify, None, byref(table),
        )  # fmt: skip
        return Handle(table, "table_close", "table")

    with Reporter(progress) as report:
        return Table(run(body, report))


class _Column:
    """Numbers in a row in memory, which an owner keeps there."""

    def __init__(self, owner: Any, address: int | None, count: int) -> None:
        self._owner = owner
        self.address = address
        self._count = count

    def __len__(self) -> int:
        return self._count


def _of_numpy(array: Any) -> _Column:
    if array.ndim != 1:
        raise TypeError("A column must have one dimension.")
    return _Column(array, array.ctypes.data, array.size)


def _of_list(kind: Any, values: Iterable[Any], what: str) -> _Column:
    values = list(values)
    try:
        numbers = (kind * len(values))(*values)
    except TypeError:
        raise TypeError(f"{what} must be numbers.") from None
    return _Column(numbers, ctypes.addressof(numbers), len(values))


def _as_array(values: Any) -> Any:
    """Values as an array of numpy, where they come from it; else None."""
    numpy = sys.modules.get("numpy")
    if numpy is None or isinstance(values, (list, tuple)) or not hasattr(values, "__array__"):
        return None
    return numpy.asarray(values)


def _column(values: Any, what: str) -> _Column:
    array = _as_array(values)
    if array is not None:
        return _of_numpy(_float64(sys.modules["numpy"], array))
    if isinstance(values, (list, tuple)):
        return _of_list(ctypes.c_double, values, what)
    buffer = _Buffer(values)
    return _Column(buffer, buffer.address, buffer.count)


# Instants are seconds since 2001 in the library; numpy has microseconds since 1970.
_REFERENCE = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)
_EPOCH = 978_307_200_000_000


def _times(values: Any, what: str) -> tuple[_Column, bool]:
    """Seconds, and whether they are of instants."""
    array = _as_array(values)
    if array is not None and array.dtype.kind == "O":
        # Times with a zone.
        values = list(array)
    elif array is not None and array.dtype.kind == "M":
        numpy = sys.modules["numpy"]
        if numpy.isnat(array).any():
            raise UsageError(f"{what} has a time that is not known.")
        microseconds = array.astype("datetime64[us]").astype(numpy.int64)
        return _of_numpy((microseconds - _EPOCH) / 1e6), True
    if isinstance(values, (list, tuple)) and any(
        isinstance(each, datetime.date) for each in values
    ):
        return _of_list(ctypes.c_double, [_seconds(each, what) for each in values], what), True
    return _column(values, what), False


def _seconds(time: Any, what: str) -> float:
    if not isinstance(time, datetime.datetime):
        raise TypeError(f"{what} must be datetimes, or numbers.")
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.timezone.utc)
    return float((time - _REFERENCE).total_seconds())


def _codes(sources: Any, names: list[str]) -> _Column:
    """The index of each source in the names, to which those are added that it lacks."""
    array = _as_array(sources)
    if array is not None and array.dtype.kind in "iu":
        numpy = sys.modules["numpy"]
        if array.size and (array.min() < 0 or array.max() >= len(names)):
            raise UsageError("An index of sources is none of priority.")
        return _of_numpy(numpy.ascontiguousarray(array, dtype=numpy.int32))
    if not isinstance(sources, (list, tuple)):
        sources = list(sources) if array is None else array.tolist()
    if sources and isinstance(sources[0], int):
        if not all(isinstance(code, int) and 0 <= code < len(names) for code in sources):
            raise UsageError("An index of sources is none of priority.")
        return _of_list(ctypes.c_int32, sources, "sources")
    places = {name: place for place, name in enumerate(names)}
    codes = (ctypes.c_int32 * len(sources))()
    for row, name in enumerate(sources):
        place = places.get(name)
        if place is None:
            if not isinstance(name, str):
                raise TypeError("sources must be names, or indices in priority.")
            place = places[name] = len(names)
            names.append(name)
        codes[row] = place
    return _Column(codes, ctypes.addressof(codes), len(sources))
