"""Tables: answers in rows and columns, which any reader of Arrow takes without a copy."""

from __future__ import annotations

import ctypes
import datetime
import html
import json
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any

from ._arrow import Field, batches, field_of
from ._library import Handle, UsageError, call, schema_capsule, stream_capsule, taken

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# How many rows a table shows at its head and at its end.
_HEAD, _TAIL = 6, 4
_ELLIPSIS = "…"


class ColumnType(str):
    """The type of a column in words, such as ``float64``, and what its values mean.

    Attributes:
        unit: the unit of its numbers, such as ``count/min``; None where it has none
        key: its name in the JSON of the command; None where the answer does not say it
        about: what it is, in a sentence; empty where the answer does not say it
    """

    unit: str | None
    key: str | None
    about: str

    def __new__(
        cls, type: str, unit: str | None = None, key: str | None = None, about: str = ""
    ) -> ColumnType:
        made = super().__new__(cls, type)
        made.unit, made.key, made.about = unit, key, about
        return made


class Table:
    """An answer in rows and columns.

    It has ``__arrow_c_stream__``, so that polars, pandas, pyarrow, DuckDB, nanoarrow and other
    readers of Arrow take its numbers where they lie, any number of times:
    ``polars.DataFrame(days)``, ``duckdb.sql("select * from days")``.

    Times are instants in microseconds, which readers show in the zone of the question. Each column
    of numbers has its own unit: ``days.unit("sum")``. A number that is not known is null, and never
    NaN or 0. In plain Python ``days["sum"]`` is a column, ``days.head(3)`` are rows. A table stays as it is when its store changes or is closed: samples and elements are
    read each time from the state that the store had when they were asked for.
    """

    __slots__ = ("__weakref__", "_field", "_handle", "_metadata")

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._field: Field | None = None
        self._metadata: dict[str, Any] | None = None

    # MARK: What it is

    @property
    def _whole(self) -> Field:
        """The schema, whose children are the columns."""
        if self._field is None:
            self._field = field_of(self._handle)
        return self._field

    @property
    def _fields(self) -> tuple[Field, ...]:
        return self._whole.children

    def _index(self, column: str) -> int:
        """Where a column is, by its name, else by its key."""
        keys = [field.metadata.get("key") for field in self._fields]
        for names in (self.columns, keys):
            if column in names:
                return names.index(column)
        known = ", ".join(self.columns)
        raise UsageError(f'There is no column "{column}". The columns are {known}.')

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [field.name for field in self._fields]

    @property
    def schema(self) -> dict[str, ColumnType]:
        """The type of each column: ``{"start": "timestamp[us, UTC]", "sum": "float64"}``.

        They are texts, which also say the ``unit``, the ``key`` and what the column is ``about``.
        """
        return {
            field.name: ColumnType(
                field.type, field.metadata.get("unit"), field.metadata.get("key"),
                field.metadata.get("about", ""),
            )
            for field in self._fields
        }  # fmt: skip

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns. Samples and elements are read to be counted.

        Raises:
            InputOutputError: the store cannot be read
        """
        return (len(self), len(self._fields))

    @property
    def metadata(self) -> dict[str, Any]:
        """What the table is, the version of its columns, and the rules of the answer."""
        if self._metadata is None:
            text = c_void_p()
            with self._handle as pointer:
                call("table_info", pointer, byref(text))
            self._metadata = json.loads(taken(text))
        return self._metadata

    def unit(self, column: str) -> str | None:
        """The unit of a column of numbers, such as ``count/min``; None where it has none.

        Args:
            column: its name, or its key

        Raises:
            UsageError: there is no such column
        """
        return self._fields[self._index(column)].metadata.get("unit")

    @property
    def _count(self) -> int | None:
        rows = ctypes.c_int64()
        with self._handle as pointer:
            call("table_rows", pointer, byref(rows))
        return rows.value if rows.value >= 0 else None

    def __len__(self) -> int:
        """The number of rows. Samples and elements are read to be counted.

        Raises:
            InputOutputError: the store cannot be read
        """
        count = self._count
        if count is not None:
            return count
        return sum(len(batch) for batch in self._batches())

    # MARK: Rows in plain Python

    def _batches(self) -> Iterator[Any]:
        return batches(self._handle, self._whole)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Each row as a tuple, read batch by batch.

        Times are datetimes in the zone of the question, which ``zoneinfo`` must know: else in UTC.
        A time whose year is none from 1 to 9999 is its microseconds since 1970.

        Raises:
            InputOutputError: the store cannot be read
        """
        for batch in self._batches():
            yield from zip(*batch.columns())

    def to_dicts(self) -> list[dict[str, Any]]:
        """All rows, each with its columns by name.

        Raises:
            InputOutputError: the store cannot be read
        """
        names = self.columns
        return [dict(zip(names, row)) for row in self.rows()]

    def head(self, count: int = 5) -> list[dict[str, Any]]:
        """The first rows, as ``to_dicts()`` has them. Of samples no more batches are read.

        Raises:
            InputOutputError: the store cannot be read
            UsageError: ``count`` is below 0
        """
        if count < 0:
            raise UsageError("head() gives no number of rows below 0.")
        names, rows = self.columns, list[dict[str, Any]]()
        for batch in self._batches():
            columns = batch.columns(0, count - len(rows))
            rows += [dict(zip(names, row)) for row in zip(*columns)]
            if len(rows) == count:
                break
        return rows

    def __getitem__(self, column: str) -> list[Any]:
        """The values of a column by its name, or its key, as ``rows()`` has them.

        Raises:
            InputOutputError: the store cannot be read
            UsageError: there is no such column
        """
        if not isinstance(column, str):
            raise TypeError(f"A column has a name, and no {type(column).__name__}: {self.columns}.")
        index = self._index(column)
        return [value for batch in self._batches() for value in batch.column(index)]

    # Else Python would look for a column 0.
    __iter__ = None

    # MARK: Readers of Arrow

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A stream of all rows, for readers of Arrow. A requested schema is not looked at."""
        return stream_capsule(self._handle)

    def __arrow_c_schema__(self) -> object:
        """The schema, for readers of Arrow."""
        return schema_capsule(self._handle)

    def to_polars(self) -> polars.DataFrame:
        """The table as a data frame of polars, of the same memory.

        Raises:
            ImportError: polars is not installed
        """
        try:
            import polars
        except ImportError as error:
            raise _missing("to_polars", "polars") from error
        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas, which copies it.

        Raises:
            ImportError: pandas is not installed; before version 3 it needs pyarrow, too
        """
        try:
            import pandas
        except ImportError as error:
            raise _missing("to_pandas", "pandas") from error
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise _missing("to_pandas", "pandas pyarrow") from error
        return self.to_arrow().to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """The table as one of pyarrow, of the same memory.

        Raises:
            ImportError: pyarrow is not installed
        """
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("to_arrow", "pyarrow") from error
        return pyarrow.table(self)

    # MARK: What people see

    def _shown(self) -> _Shown:
        count = self._count
        fields = self._fields
        rows = _HEAD + _TAIL
        head: list[list[Any]] = [[] for _ in fields]
        tail: list[list[Any]] = [[] for _ in fields]
        read = 0
        for batch in self._batches():
            begin, read = read, read + len(batch)
            if begin < rows:
                _extend(head, batch.columns(0, rows - begin))
            if count is None and read > rows:
                # More samples would only be read to be counted.
                return _Shown(self._name, fields, head, tail, None)
            if count is not None and count > rows and read > count - _TAIL:
                _extend(tail, batch.columns(max(count - _TAIL - begin, 0)))
        if count is not None and count > rows:
            head = [column[:_HEAD] for column in head]
        return _Shown(self._name, fields, head, tail, read)

    @property
    def _name(self) -> str:
        return self._whole.metadata.get("hkstats.table", "table")

    def __repr__(self) -> str:
        return self._shown().text(shutil.get_terminal_size().columns)

    def _repr_html_(self) -> str:
        return self._shown().page()


def _extend(columns: list[list[Any]], more: list[list[Any]]) -> None:
    for column, values in zip(columns, more):
        column.extend(values)


def _missing(method: str, packages: str) -> ImportError:
    return ImportError(
        f"{method}() needs {packages.replace(' ', ' and ')}, which is not installed: "
        f"pip install {packages}"
    )


class _Shown:
    """The rows of a table that people see."""

    def __init__(
        self, name: str, fields: Sequence[Field], head: list[list[Any]], tail: list[list[Any]],
        count: int | None,
    ) -> None:  # fmt: skip
        self._fields = fields
        shown = len(head[0]) + len(tail[0]) if head else 0
        self._is_cut = count is None or count > shown
        rows = (
            f"more than {shown} rows"
            if count is None
            else "1 row"
            if count == 1
            else f"{count:,} rows"
        )
        columns = "1 column" if len(fields) == 1 else f"{len(fields)} columns"
        self._title = f"{name}: {rows}, {columns}"
        self._columns = [
            [field.name, _legend(field), *_cells(before + after, len(before), self._is_cut)]
            for field, before, after in zip(fields, head, tail)
        ]

    def text(self, width: int) -> str:
        """Lines of the table for a terminal, with as many columns as have room."""
        lines = ["" for _ in self._columns[0]] if self._columns else []
        left: list[str] = []
        room = 0
        for field, cells in zip(self._fields, self._columns):
            widest = max(map(_width, cells))
            gap = 2 if room else 0
            if left or (room and room + gap + widest > width):
                left.append(field.name)
                continue
            room += gap + widest
            for row, cell in enumerate(cells):
                blank = " " * (widest - _width(cell))
                lines[row] += " " * gap + (blank + cell if field.is_number else cell + blank)
        if len(lines) > 1 and not lines[1].strip():
            del lines[1]
        if left:
            more = f"and {len(left)} more: {', '.join(left)}"
            lines.append(more if _width(more) <= width else more[: max(width - 1, 0)] + _ELLIPSIS)
        return "\n".join([self._title, *(line.rstrip() for line in lines)])

    def page(self) -> str:
        """The table for a notebook."""

        def row(index: int, tag: str) -> str:
            cells = [
                f'<{tag} style="text-align: {"right" if field.is_number else "left"}">'
                f"{html.escape(cells[index])}</{tag}>"
                for field, cells in zip(self._fields, self._columns)
            ]
            return f"<tr>{''.join(cells)}</tr>"

        count = len(self._columns[0]) if self._columns else 0
        head = "".join(row(index, "th") for index in range(min(count, 2)))
        body = "".join(row(index, "td") for index in range(2, count))
        return (
            f"<table><caption>{html.escape(self._title)}</caption>"
            f"<thead>{head}</thead><tbody>{body}</tbody></table>"
        )


def _legend(field: Field) -> str:
    """What stands below the name of a column: its unit, or the zone of its times."""
    if field.format.startswith("ts"):
        return field.format.split(":", 1)[1]
    return field.metadata.get("unit", "")


def _cells(values: list[Any], head: int, is_cut: bool) -> list[str]:
    times = [value for value in values if isinstance(value, datetime.datetime)]
    if all(instant.time() == datetime.time() for instant in times):
        timespec = None
    elif any(time.microsecond for time in times):
        timespec = "milliseconds"
    else:
        timespec = "seconds" if any(time.second for time in times) else "minutes"
    cells = [_cell(value, timespec) for value in values]
    return [*cells[:head], *([_ELLIPSIS] if is_cut else []), *cells[head:]]


def _cell(value: Any, timespec: str | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, datetime.datetime):
        if timespec is None:
            return value.date().isoformat()
        return value.replace(tzinfo=None).isoformat(" ", timespec)
    if isinstance(value, float):
        text = f"{value:.6g}"
        return f"{value:.0f}" if "e" in text and 1 <= abs(value) < 1e15 else text
    if isinstance(value, list):
        return "1 item" if len(value) == 1 else f"{len(value)} items"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_cell(each, 'seconds')}" for key, each in value.items())
    if isinstance(value, str):
        return _cut("".join(map(_printable, value)))
    return str(value)


def _printable(character: str) -> str:
    """A character, unless it moves others, as a terminal's escapes do."""
    if character == "\N{ZERO WIDTH JOINER}" or unicodedata.category(character) == "Zs":
        return character
    return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"


def _cut(text: str, head: int = 12, tail: int = 22) -> str:
    """A text without its middle, where it is long: identifiers differ at their end."""
    if _width(text) <= head + 1 + tail:
        return text
    begin, end = text[:head], text[-tail:]
    while _width(begin) > head:
        begin = begin[:-1]
    while _width(end) > tail:
        end = end[1:]
    return begin + _ELLIPSIS + end


def _width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )
