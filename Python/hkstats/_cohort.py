"""Reads the exports of many people, each by itself: what the data source of Spark is made of.

Spark stays out of here, so that the same code is tested without it, and runs as a process of its
own where exports are not trusted. It needs pyarrow.
"""

from __future__ import annotations

import csv
import ctypes
import datetime
import glob
import hashlib
import hmac
import itertools
import json
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NoReturn
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pyarrow as pa

from ._library import (
    DataError,
    Error,
    InputOutputError,
    NotFoundError,
    NotPermittedError,
    UsageError,
    error_of,
)
from ._store import Store
from ._table import Table

TABLES = ("statistics", "samples", "workouts", "sleep", "elements", "findings")
INSTANT = pa.timestamp("us", tz="UTC")

_FINDINGS = [
    pa.field("severity", pa.string()),
    pa.field("finding", pa.string()),
    pa.field("records", pa.int64()),
    pa.field("message", pa.string()),
]
# The members of a plan, by table. Those that change which columns an answer has are not among them.
_SELECTION = {"from", "to", "timezone", "source", "exclude"}
_MEMBERS = {
    "statistics": _SELECTION
    | {"type", "by", "stat", "unit", "units", "merge", "prefer", "anchor", "clip", "style", "hold",
       "exact", "bySource"},
    "samples": _SELECTION | {"type", "columns", "unit", "units", "where", "order", "limit", "rows"},
    "workouts": {"from", "to", "timezone", "activity"},
    "sleep": {"from", "to", "timezone", "by", "prefer", "gap"},
    "elements": {"from", "to", "timezone", "kind", "order", "limit"},
    "findings": set(),
}  # fmt: skip
_SOURCES = ("source", "exclude")
# Those that are words, or lists of them.
_LISTS = {"type", "stat", "columns", *_SOURCES}
# Columns of elements that name files.
_FILES = {"file", "attachments"}
# Tables whose rows are of local days.
_LOCAL = ("statistics", "sleep")
_STATISTICS = ("sum", "mean", "min", "max", "count", "duration")
_CATEGORY = "HKCategoryTypeIdentifier"


# MARK: Exports and people


@dataclass(frozen=True)
class Export:
    """An export, with the name that its place gives it."""

    path: str
    name: str
    size: int


@dataclass(frozen=True)
class Person:
    """A partition: somebody, with all exports of theirs."""

    id: str
    paths: tuple[str, ...]
    size: int
    timezone: str | None = None


def exports_at(path: str) -> list[Export]:
    """The exports of a folder, or of a pattern such as ``exports/*.zip`` or ``exports/*/export.zip``.

    The name of an export is its path below the folder, or below the part of the pattern that has no
    wildcard, without ``.zip`` or ``.xml`` and without a last ``export``.

    Raises:
        UsageError: the path is none of a local file system, or two exports have one name
        NotFoundError: there is no export
    """
    path = _without_scheme_of_files(path)
    scheme = path.split("://", 1)[0]
    if "://" in path and scheme.isalnum():
        raise UsageError(
            f"A path of {scheme}:// is not local: mount it, or read it with binaryFile and read_binary."
        )
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.isdir(path) and not _is_export(path):
        root = path
        found = [os.path.join(path, each) for each in os.listdir(path) if not each.startswith(".")]
        found = [each for each in found if _is_export(each)]
    elif os.path.lexists(path):
        root, found = os.path.dirname(path), [path]
    else:
        root = path
        while glob.has_magic(root):
            root = os.path.dirname(root)
        found = glob.glob(path, recursive=True)
    if not found:
        raise NotFoundError(f"There is no export at {path}.")
    exports: dict[str, Export] = {}
    for each in sorted(found):
        export = Export(each, name_of(os.path.relpath(each, root)), _size(each))
        if export.name in exports:
            raise UsageError(f'Two exports have the name "{export.name}". Rename one of them.')
        exports[export.name] = export
    return list(exports.values())


def name_of(path: str) -> str:
    """The name of an export, by its path below the folder of all."""
    stem, suffix = os.path.splitext(path)
    name = stem if suffix.lower() in (".zip", ".xml") else path
    parts = name.split(os.sep)
    while len(parts) > 1 and parts[-1] in ("export", "apple_health_export"):
        parts.pop()
    return "/".join(parts)


def _is_export(path: str) -> bool:
    """Whether a path looks as an export does; whether it is one shows when it is read."""
    if os.path.isdir(path):
        inner = (path, os.path.join(path, "apple_health_export"))
        return any(os.path.exists(os.path.join(each, "export.xml")) for each in inner)
    return path.lower().endswith((".zip", ".xml"))


def _without_scheme_of_files(url: str) -> str:
    """A local path of each of its forms ``/a``, ``file:/a`` and ``file:///a``; other URLs as they are."""
    return "/" + url[5:].lstrip("/") if url.startswith("file:") else url


def _size(path: str) -> int:
    if not os.path.isdir(path):
        try:
            return os.stat(path).st_size
        except OSError:
            return 0
    return sum(
        _size(os.path.join(folder, each)) for folder, _, names in os.walk(path) for each in names
    )


def pseudonym(name: str, secret: bytes) -> str:
    """The person of an export: the first 128 bits of HMAC-SHA-256 of its name, in hexadecimal.

    The secret is the key. Who has it can compute the pseudonyms of all names; who has not cannot,
    even if they guess the name.
    """
    return hmac.new(secret, os.fsencode(name), hashlib.sha256).hexdigest()[:32]


@dataclass(frozen=True)
class Participant:
    """A row of the csv of people."""

    person: str | None
    timezone: str | None


def participants_of(path: str) -> dict[str, Participant]:
    """The csv of people: ``name`` of the export, and ``person``, ``timezone`` or both.

    Raises:
        UsageError: the file cannot be read, has no column ``name``, or one name twice
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if "name" not in (reader.fieldnames or ()):
                raise UsageError(f"{path}: the head has no column name.")
            people: dict[str, Participant] = {}
            for row in reader:
                name = (row["name"] or "").strip()
                if name in people:
                    raise UsageError(f"{path}: line {reader.line_num} has a name a second time.")
                people[name] = Participant(
                    (row.get("person") or "").strip() or None,
                    (row.get("timezone") or "").strip() or None,
                )
    except UsageError:
        raise
    except (OSError, ValueError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read as csv: {error}.") from None
    for each in {each.timezone for each in people.values() if each.timezone}:
        zone_named(each)
    return people


def secret_of(path: str | None) -> bytes:
    """The secret of a file, without the end of its line; without a file, one of this moment.

    Raises:
        UsageError: the file cannot be read, or is shorter than 16 bytes
    """
    if path is None:
        return secrets.token_bytes(32)
    try:
        secret = Path(path).read_bytes().rstrip(b"\r\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: the secret cannot be read: {error}.") from None
    if len(secret) < 16:
        raise UsageError(f"{path}: a secret has 16 bytes at least: openssl rand -hex 32 > {path}")
    return secret


def zone_named(name: str) -> datetime.tzinfo:
    """A zone by its name.

    Raises:
        UsageError: there is none
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(
            f'There is no zone "{name}" here: write Europe/Paris or UTC, or pip install tzdata.'
        ) from None


# MARK: Questions


def _nobody() -> Store:
    """A store without a record, which knows the columns of every question and refuses wrong ones."""
    return _nobody_of(os.getpid())


@cache
def _nobody_of(process: int) -> Store:
    return Store._temporary("", "r", False)


@dataclass(frozen=True)
class Question:
    """What is asked of each person: a table, with the plan in the JSON form of hkstats.

    Attributes:
        table: one of ``TABLES``
        plan: the members
        strict: an export that cannot be read fails the task; else it is a row of findings
        findings: the rows of findings are among those of the table, which has their columns, too
        names: names of files may be in rows
        isolation: reads in a process of its own, whose end does not end this one
        memory: the resident memory above which that process is ended, in MB
        timeout: the seconds after which that process is ended; else an hour
        types: only these types, by their identifiers
        columns: only these columns
    """

    table: str = "statistics"
    plan: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = False
    findings: bool = False
    names: bool = False
    isolation: bool = False
    memory: int | None = None
    timeout: float | None = None
    types: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None

    @classmethod
    def of(cls, options: Mapping[str, str], has_zones: bool) -> Question:
        """Reads options, whose values are texts.

        Args:
            options: by their names, in small letters
            has_zones: whether people have zones of their own

        Raises:
            UsageError: an option is wrong; the sentence names it
        """
        table = options.get("table", "statistics")
        if table not in TABLES:
            raise UsageError(f'There is no table "{table}". There are {", ".join(TABLES)}.')
        question = cls(
            table, _plan(options.get("plan", "{}"), table),
            strict=_flag(options, "strict"), findings=_flag(options, "findings"),
            names=_flag(options, "names"), isolation=_isolation(options), memory=_number(options, "memory"),
            timeout=_number(options, "timeout"),
        )  # fmt: skip
        if question.memory and question.memory < 256:
            raise UsageError("memory is 256 MB at least: Python, Arrow and the library take 150.")
        if (question.memory or question.timeout) and not question.isolation:
            raise UsageError("memory and timeout are limits of isolation=process.")
        if not has_zones:
            question.check_zone(None)
        if "timezone" in question.plan:
            zone_named(str(question.plan["timezone"]))
        question.schema()
        return question

    def check_zone(self, person: Person | None) -> None:
        """Refuses days of nobody knows where.

        Raises:
            UsageError: the table is of local days, and neither the plan nor the person has a zone
        """
        if self.table not in _LOCAL or "timezone" in self.plan or (person and person.timezone):
            return
        raise UsageError(
            f"{self.table} is of local days, and the plan has no timezone, such as Europe/Paris or UTC."
            if person is None else "An export of the path has no timezone in the csv of people."
        )  # fmt: skip

    # MARK: Columns

    def schema(self) -> pa.Schema:
        """The columns, which are those of every export.

        Raises:
            UsageError: the plan is wrong
        """
        fields = [pa.field("person", pa.string()), *self._fields()]
        if self.findings and self.table != "findings":
            fields += _FINDINGS
        if self.columns is None:
            return pa.schema(fields)
        known = {each.name: each for each in fields}
        for name in self.columns:
            if name not in known:
                raise UsageError(
                    f'There is no column "{name}". The columns are {", ".join(known)}.'
                )
        return pa.schema([known[name] for name in self.columns])

    def _fields(self) -> list[pa.Field]:
        if self.table == "findings":
            return _FINDINGS
        for type in self.plan.get("units", {}):
            self._asked(_nobody(), self._for_type(type))
        if self.table == "statistics":
            return self._fields_of_statistics()
        asked = self._asked(_nobody(), self.plan if self.table != "samples" else self._two_types())
        table = _stream(asked).schema
        return [pa.field(each.name, plain(each.type)) for each in table]

    def _two_types(self) -> dict[str, Any]:
        """A plan of samples whose answer has the column of types."""
        for type in self._types_of_plan() or ("stepCount", "heartRate"):
            self._asked(_nobody(), self._for_type(type))
        plan: dict[str, Any] = {"type": ["stepCount", "heartRate"]}
        if "columns" in self.plan:
            plan["columns"] = list(dict.fromkeys(["type", *self.plan["columns"]]))
        return plan

    def _fields_of_statistics(self) -> list[pa.Field]:
        names = self._stat or _STATISTICS
        types = self._types_of_plan() or ("stepCount", "heartRate", "sleepAnalysis")
        wanted = self._stat
        fitting: set[str] = set()
        for type in types:
            columns = _fitting(type, wanted) if wanted else None
            fitting |= set(columns or ())
            if columns != ():
                self._asked(_nobody(), self._for_type(type, columns))
        for name in wanted or ():
            if name not in fitting:
                # It fits none, and the library says why.
                self._asked(_nobody(), self._for_type(types[0], (name,)))
        return [
            pa.field("type", pa.string()), pa.field("category", pa.string()),
            *([pa.field("source", pa.string())] if self.plan.get("bySource") is True else []),
            pa.field("start", INSTANT), pa.field("end", INSTANT), pa.field("date", pa.date32()),
            pa.field("timezone", pa.string()), pa.field("unit", pa.string()),
            *(pa.field(each, pa.int64() if each == "count" else pa.float64()) for each in names),
        ]  # fmt: skip

    # MARK: Members of a plan

    def _types_of_plan(self) -> tuple[str, ...] | None:
        return tuple(self.plan["type"]) if "type" in self.plan else None

    @property
    def _stat(self) -> tuple[str, ...] | None:
        """The statistics that are wanted; None for those that fit each type."""
        return tuple(self.plan["stat"]) if "stat" in self.plan else None

    def _for_type(self, type: str, columns: Sequence[str] | None = None) -> dict[str, Any]:
        """The plan of one type. ``columns`` are its statistics, None for those that fit."""
        plan = {name: value for name, value in self.plan.items() if name not in ("units", "type")}
        plan["type"] = type
        unit = self._units.get(identifier(type))
        if unit is None and "unit" not in plan and not is_category(type):
            unit = common_unit(type)
        if unit is not None:
            plan["unit"] = unit
        if self.table == "statistics":
            plan = {"by": "day", **plan}
            plan.pop("stat", None)
            if columns is not None and not is_category(type):
                plan["stat"] = list(columns)
        return plan

    @property
    def _units(self) -> dict[str, str]:
        return {identifier(name): unit for name, unit in self.plan.get("units", {}).items()}

    def _asked(self, store: Store, plan: Mapping[str, Any]) -> Table:
        """Asks a store; nobody's has no source that a plan could name."""
        if store is _nobody():
            plan = {name: value for name, value in plan.items() if name not in _SOURCES}
        return store.ask(plan, table=self.table)

    def _with_sources(self, store: Store, findings: list[dict[str, Any]]) -> Question | None:
        """The question without the sources that a store has not; None if it has none of those asked.

        Each name that nobody has is added to the findings.
        """
        plan = dict(self.plan)
        for member in (each for each in _SOURCES if each in self.plan):
            words = plan.pop(member)
            known = [word for word in words if _has_source(store, word)]
            findings += [
                _finding("warning", "noSource", f"no source has the name in {member}: {word}")
                for word in words if word not in known
            ]  # fmt: skip
            if known:
                plan[member] = known
            elif member == "source":
                return None
        return replace(self, plan=plan)

    # MARK: Answers

    def answers(
        self, store: Store, person: Person, findings: list[dict[str, Any]]
    ) -> Iterator[pa.RecordBatch]:
        """The rows of a person. What an export has no answer to is added to the findings."""
        # Never that of a machine: another executor would have another.
        zone = person.timezone or self.plan.get("timezone") or "UTC"
        asked = self._with_sources(store, findings)
        if asked is None:
            return
        asked = replace(asked, plan={**asked.plan, "timezone": zone})
        parts: list[Callable[[], Iterator[pa.RecordBatch]]] = []
        types = asked._types(store) if self.table in ("statistics", "samples") else []
        findings += [
            _finding("warning", "unknownType", f"{type[:100]}: has the unit that its records have")
            for type in types if not is_category(type) and common_unit(type) is None
        ]  # fmt: skip
        if self.table == "statistics":
            parts = [partial(asked._statistics, store, person, type, zone) for type in types]
        elif self.table == "samples":
            parts = [partial(asked._samples, store, person, type) for type in types]
        elif self.table != "findings":
            parts = [lambda: asked._rows(asked._asked(store, asked.plan), person)]
        for part in parts:
            try:
                yield from part()
            except (UsageError, DataError) as error:
                if self.strict:
                    raise type(error)(f"Person {person.id}: {error.message}") from None
                findings.append(_finding("error", "question", _scrubbed(error.message)))

    def _samples(self, store: Store, person: Person, type: str) -> Iterator[pa.RecordBatch]:
        return self._rows(self._asked(store, self._for_type(type)), person, type=type)

    def _types(self, store: Store) -> list[str]:
        """The identifiers of the types that are asked, and that the store has."""
        present = [row["type"] for row in store.types().to_dicts()]
        named = self._types_of_plan()
        wanted = set(present if named is None else map(identifier, named))
        if self.types is not None:
            wanted &= set(self.types)
        return [each for each in sorted(present) if each in wanted]

    def _statistics(
        self, store: Store, person: Person, type: str, zone: str
    ) -> Iterator[pa.RecordBatch]:
        columns = None if self._stat is None else _fitting(type, self._stat)
        if columns == ():
            return
        table = self._asked(store, self._for_type(type, columns))
        days = _Days(zone)
        for batch in _stream(table):
            parts = [(None, "", batch)]
            if is_category(type):
                parts = [
                    (name.removesuffix("_count"), name.removesuffix("count"), _with(batch, name))
                    for name in batch.schema.names if name.endswith("_count")
                ]  # fmt: skip
            for category, prefix, rows in parts:
                numbers = {
                    name.removeprefix(prefix): rows[name] for name in rows.schema.names
                    if name.startswith(prefix) and name not in ("start", "end")
                }  # fmt: skip
                yield self._batch(rows.num_rows, person, {
                    "type": type, "category": category, "timezone": zone,
                    "start": rows["start"], "end": rows["end"], "date": days.of(rows["start"]),
                    "unit": "s" if is_category(type) else _unit(table),
                    "source": rows["source"] if "source" in rows.schema.names else None, **numbers,
                })  # fmt: skip

    def _rows(self, table: Table, person: Person, **constants: str) -> Iterator[pa.RecordBatch]:
        for batch in _stream(table):
            columns = {name: batch.column(name) for name in batch.schema.names}
            yield self._batch(batch.num_rows, person, {**constants, **columns})

    def _batch(self, count: int, person: Person, columns: Mapping[str, Any]) -> pa.RecordBatch:
        """A batch of the schema: arrays, constants, and nulls for what is not given."""
        schema = self._schema
        values = {"person": person.id, **columns}
        if not self.names:
            values.update(dict.fromkeys(_FILES & values.keys()))
        arrays = []
        for each in schema:
            value = values.get(each.name)
            if value is None:
                arrays.append(pa.nulls(count, each.type))
            elif isinstance(value, str):
                arrays.append(pa.repeat(pa.scalar(value, each.type), count))
            else:
                arrays.append(value if value.type == each.type else value.cast(each.type))
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    @property
    def _schema(self) -> pa.Schema:
        return _schema_of(_frozen(self))

    # MARK: Reading

    def read(self, person: Person) -> Iterator[pa.RecordBatch]:
        """Reads the exports of a person, and gives their rows.

        An export that cannot be read is a row of findings. Reading it again gives the same rows.

        Raises:
            Error: ``strict`` is on, and an export cannot be read
        """
        if self.isolation:
            yield from _in_a_process(self, person)
            return
        findings: list[dict[str, Any]] = []
        with Store._temporary("", "rw", False) as store:
            for path in person.paths:
                try:
                    if _may_wait(path):
                        raise NotFoundError(f"{path}: is neither a file nor a folder.")
                    report = store.import_export(path, jobs=1)
                except (
                    DataError, NotFoundError, InputOutputError, NotPermittedError, UsageError,
                ) as error:  # fmt: skip
                    # A full disk is not the export's fault: another executor may have room.
                    if isinstance(error, InputOutputError) and _is_readable(path):
                        raise InputOutputError(_scrubbed(error.message, path)) from None
                    finding = _finding("error", _kind(error), _reason(error.message, path))
                    if self.strict:
                        raise type(error)(f"Person {person.id}: {finding['message']}") from None
                    findings.append(finding)
                else:
                    findings += _findings_of(report)
            yield from self.answers(store, person, findings)
        yield from self.rows_of(findings, person)

    def rows_of(
        self, findings: Sequence[Mapping[str, Any]], person: Person
    ) -> Iterator[pa.RecordBatch]:
        """The findings of a person as rows of the table, where they are asked."""
        if findings and (self.findings or self.table == "findings"):
            yield self._batch(len(findings), person, {
                each.name: pa.array([row[each.name] for row in findings], each.type)
                for each in _FINDINGS
            })  # fmt: skip


def _has_source(store: Store, name: str) -> bool:
    """Whether somebody has a source; of many people some have not."""
    try:
        store.ask({"type": "stepCount", "source": [name], "from": "2000", "to": "2000-02"})
    except UsageError as error:
        if not error.message.startswith("There is no source"):
            raise
        return False
    return True


def _frozen(question: Question) -> str:
    return json.dumps(asdict(question), sort_keys=True)


@cache
def _schema_of(frozen: str) -> pa.Schema:
    return Question(**json.loads(frozen)).schema()


@cache
def identifier(type: str) -> str:
    """The identifier of a type, by whatever name. A name that nobody knows stays as it is."""
    try:
        return str(_nobody().ask({"type": type}, table="statistics").metadata["answer"]["type"])
    except UsageError:
        return type


def is_category(type: str) -> bool:
    """Whether the values of a type are words, for each of which an answer has its columns."""
    return identifier(type).startswith(_CATEGORY)


@cache
def _fitting(type: str, wanted: tuple[str, ...]) -> tuple[str, ...] | None:
    """Those of the wanted statistics that a type has; None for a type that only its export knows."""
    if identifier(type) == type and common_unit(type) is None and not is_category(type):
        return None
    if is_category(type):
        return tuple(each for each in wanted if each in ("count", "duration"))
    fitting = []
    for name in wanted:
        try:
            _nobody().ask({"type": type, "stat": [name]}, table="statistics")
            fitting.append(name)
        except UsageError as error:
            if "does not fit" not in error.message:
                raise
    return tuple(fitting)


@cache
def common_unit(type: str) -> str | None:
    """The unit in which the numbers of a type are for everybody, whatever their phones show.

    It is the canonical unit, and for rates the minute. None for a type that is not known.
    """
    try:
        unit = _unit(_nobody().ask({"type": type}, table="statistics"))
    except UsageError:
        return None
    return "count/min" if unit == "count/s" else unit


def _unit(table: Table) -> str | None:
    """The unit of the numbers of a type; those of how long and how much have their own."""
    for column in table.columns:
        if column not in ("start", "end", "count", "duration", "coverage"):
            return table.unit(column)
    return None


def _with(batch: pa.RecordBatch, column: str) -> pa.RecordBatch:
    """The rows in which a count is not 0."""
    counts = batch[column].to_pylist()
    return batch.filter(pa.array([bool(count) for count in counts], pa.bool_()))


class _Days:
    """The local days of instants."""

    def __init__(self, zone: str) -> None:
        self._zone = zone_named(zone)

    def of(self, instants: pa.Array) -> pa.Array:
        seconds = instants.cast(pa.int64()).to_pylist()
        return pa.array([self._day(each) for each in seconds], pa.date32())

    def _day(self, microseconds: int | None) -> datetime.date | None:
        if microseconds is None:
            return None
        try:
            return datetime.datetime.fromtimestamp(microseconds // 1_000_000, self._zone).date()
        except (OverflowError, ValueError, OSError):
            return None


def _stream(table: Table) -> pa.RecordBatchReader:
    return pa.RecordBatchReader.from_stream(table)


def plain(type: pa.DataType) -> pa.DataType:
    """The type that Spark takes: no dictionary, and instants in UTC."""
    if pa.types.is_dictionary(type):
        return plain(type.value_type)
    if pa.types.is_timestamp(type):
        return INSTANT
    if pa.types.is_list(type):
        return pa.list_(pa.field(type.value_field.name, plain(type.value_type)))
    if pa.types.is_struct(type):
        return pa.struct([pa.field(each.name, plain(each.type)) for each in type])
    return type


# MARK: Cohorts

OPTIONS = (
    "path", "table", "plan", "people", "names", "secretFile", "strict", "findings", "isolation",
    "memory", "timeout",
)  # fmt: skip


class Cohort:
    """The exports of many people, and what is asked of each: the options of the data source.

    Attributes:
        question: what is asked
        unmatched: how many names of the csv of people are of none of the exports, once people are asked
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Reads options by their names, whose capitals do not matter. Values are texts, or become some.

        Raises:
            UsageError: an option is wrong, or a file that it names cannot be read
        """
        given = {name.lower(): _text(value) for name, value in options.items()}
        for name in given.keys() - {each.lower() for each in OPTIONS}:
            raise UsageError(f'There is no option "{name}". There are {", ".join(OPTIONS)}.')
        self._participants = participants_of(given["people"]) if "people" in given else {}
        self.unmatched = 0
        has_zones = all(each.timezone for each in self._participants.values())
        self.question = Question.of(given, bool(self._participants) and has_zones)
        self._path = given.get("path", "")
        self._secret = secret_of(given.get("secretfile"))

    def schema(self) -> pa.Schema:
        """The columns of the table."""
        return self.question.schema()

    def id_of(self, name: str) -> str:
        """Who the person of an export is called, by its name."""
        known = self._participants.get(name)
        if known is not None and known.person:
            return known.person
        if self.question.names:
            # A name of a file is any bytes; a text of Spark is Unicode.
            return os.fsencode(name).decode(errors="replace")
        return pseudonym(name, self._secret)

    def person_of(self, name: str, path: str) -> Person:
        """The person of one export."""
        known = self._participants.get(name)
        return Person(self.id_of(name), (path,), 0, known.timezone if known else None)

    def people(self, only: Collection[str] | None = None) -> list[Person]:
        """One partition a person, those with much to read first.

        Args:
            only: these persons; else all

        Raises:
            NotFoundError: there is no export
            UsageError: the option ``path`` is missing or not local, two exports have one name, or
                somebody has no zone where days need one
        """
        if not self._path:
            raise UsageError(
                "The option path is missing: a folder, or a pattern such as exports/*.zip."
            )
        exports = exports_at(self._path)
        self._check_names([export.name for export in exports])
        people: dict[str, Person] = {}
        for export in exports:
            one = self.person_of(export.name, export.path)
            person = people.get(one.id, replace(one, paths=()))
            if person.timezone != one.timezone:
                raise UsageError(f'The exports of person "{one.id}" have two zones.')
            people[one.id] = replace(
                person, paths=(*person.paths, export.path), size=person.size + export.size
            )
        for person in people.values():
            self.question.check_zone(person)
        chosen = (each for each in people.values() if only is None or each.id in only)
        return sorted(chosen, key=lambda person: (-person.size, person.id))

    def people_below(self, root: str, paths: Sequence[str]) -> dict[str, Person]:
        """The persons of exports that are not files here, by their paths, which are URLs.

        Raises:
            UsageError: a path is not below ``root``, somebody has several exports, or has no zone where
                days need one
        """
        folder = _without_scheme_of_files(root).rstrip("/") + "/"
        names = {}
        for path in paths:
            place = _without_scheme_of_files(path)
            if not place.startswith(folder):
                raise UsageError(f"{path} is not below {root}, where the names of exports begin.")
            names[path] = name_of(place.removeprefix(folder))
        self._check_names(list(names.values()))
        people = {path: self.person_of(name, path) for path, name in names.items()}
        seen: set[str] = set()
        for person in people.values():
            self.question.check_zone(person)
            if person.id in seen:
                raise UsageError(
                    f'Person "{person.id}" has several exports; only those of a path are merged.'
                )
            seen.add(person.id)
        return people

    def _check_names(self, names: Sequence[str]) -> None:
        """Refuses names of exports that would make one person of two people."""
        known: dict[str, str] = {}
        for name in names:
            id = self.id_of(name)
            participant = self._participants.get(name)
            is_told = participant is not None and participant.person is not None
            # The exports that the csv gives to one person have one owner.
            owner = "" if is_told else name
            if known.setdefault(id, owner) != owner:
                raise UsageError(
                    f'Two exports would be person "{id}", and the csv of people does not say so.'
                )
        self.unmatched = len(self._participants.keys() - set(names))
        if names and self._participants and self.unmatched == len(self._participants):
            raise UsageError(
                f'No name of the csv of people is that of an export, such as "{names[0]}".'
            )


# MARK: Findings


def _kind(error: Error) -> str:
    if isinstance(error, NotFoundError):
        return "missing"
    return "damaged" if isinstance(error, DataError) else "unreadable"


def _finding(
    severity: str, finding: str, message: str | None, records: int | None = None
) -> dict[str, Any]:
    return {"severity": severity, "finding": finding, "records": records, "message": message}


# Where the reason of a sentence begins; before it stand the places.
_REASON = re.compile(r": (?=(?:is|holds|has|was|cannot|unpacks|there is|this kind) )")


def _reason(message: str, path: str) -> str:
    """Why an export cannot be read, without names of files: neither its own, nor those in it."""
    begins = [each.end() for each in _REASON.finditer(message)]
    reason = message[begins[-1] :] if begins else "cannot be read."
    reason = re.sub("(holds several exports): .*", r"\1.", reason, flags=re.DOTALL)
    return f"the export: {reason.replace(path, 'the export')}"


def _scrubbed(message: str, path: str = "") -> str:
    """A sentence without a path, and without near names, which are of somebody's data."""
    if path:
        message = message.replace(path, "the export")
    return message.split(" Did you mean", 1)[0]


def _may_wait(path: str) -> bool:
    """Whether a path may be read for ever, as a pipe is."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def _is_readable(path: str) -> bool:
    """Whether all bytes of an export can be read here."""
    files = [path]
    if os.path.isdir(path):
        files = [os.path.join(folder, each) for folder, _, names in os.walk(path) for each in names]
    try:
        for each in itertools.filterfalse(_may_wait, files):
            with open(each, "rb") as file:
                while file.read(1 << 20):
                    pass
    except OSError:
        return False
    return True


def _skipped(reasons: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """A row for each type and each reason why its records are skipped, up to a hundred."""
    # After a colon a reason quotes the file.
    counts = Counter[str]()
    for type, of_type in sorted(reasons.items()):
        for reason, count in sorted(of_type.items()):
            counts[f"{type[:100]}: {reason.split(':', 1)[0]}"] += count
    rows = [
        _finding("warning", "skipped", each, records=counts[each]) for each in list(counts)[:100]
    ]
    further = list(counts)[100:]
    if further:
        count = sum(counts[each] for each in further)
        rows.append(_finding("warning", "skipped", "further types and reasons", records=count))
    return rows


def _findings_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the report of an import says, a row for the whole and one for each oddity."""
    rows = [_finding("info", "read", None, records=report["new"])]
    if any(each["cutAt"] is not None for each in report["inputs"]):
        rows.append(_finding("warning", "cut", "the export ends amid its records"))
    rows += _skipped(report["skippedReasons"])
    others = sum(len(each["otherExports"]) for each in report["inputs"])
    for finding, sentence, count in (
        (
            "missingFiles",
            "files that the export names are not in it",
            report["missingFiles"]["count"],
        ),
        (
            "unreadableFiles",
            "files of the export cannot be read",
            report["unreadableFiles"]["count"],
        ),
        ("otherExports", "further exports in the same place are not read", others),
    ):
        if count:
            rows.append(_finding("warning", finding, sentence, records=count))
    if not report["new"] and not report["known"]:
        rows.append(_finding("warning", "empty", "the export has no record"))
    return rows


# MARK: Options


def _text(value: Any) -> str:
    """A value of an option as Spark would write it, and a plan as JSON."""
    if isinstance(value, (bool, Mapping)):
        return json.dumps(value)
    return str(value)


def _plan(text: str, table: str) -> dict[str, Any]:
    try:
        plan = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"plan is not JSON: {error}.") from None
    if not isinstance(plan, dict):
        raise UsageError('plan is an object of JSON: {"type": "steps", "by": "day"}.')
    known = _MEMBERS[table]
    for name in plan:
        if name not in known:
            raise UsageError(
                f'A plan of {table} has no member "{name}". It has {", ".join(sorted(known))}.'
                if known else f"{table} has no plan."
            )  # fmt: skip
    for name in _LISTS & plan.keys():
        plan[name] = list(dict.fromkeys(_words(plan[name])))
        if not plan[name]:
            raise UsageError(f"{name} names nothing; leave it out for all.")
    if not isinstance(plan.get("units", {}), dict):
        raise UsageError('units is an object of JSON: {"bodyMass": "lb"}.')
    if "unit" in plan and "units" in plan:
        raise UsageError("Give unit or units, not both.")
    return plan


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(each.strip() for each in value.split(",") if each.strip())
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise UsageError(f"{json.dumps(value)} is neither a word nor a list of words.")


def _flag(options: Mapping[str, str], name: str) -> bool:
    text = options.get(name, "false").lower()
    if text not in ("true", "false"):
        raise UsageError(f'{name} is true or false, not "{text}".')
    return text == "true"


def _isolation(options: Mapping[str, str]) -> bool:
    text = options.get("isolation", "none")
    if text not in ("none", "process"):
        raise UsageError(f'isolation is none or process, not "{text}".')
    return text == "process"


def _number(options: Mapping[str, str], name: str) -> int | None:
    if name not in options:
        return None
    text = options[name]
    if not (text.isascii() and text.isdecimal()) or len(text) > 6 or not int(text):
        raise UsageError(f'{name} is a whole number above 0, not "{text}".')
    return int(text)


# MARK: A process of its own

# Where neither memory nor time ends a process, this does.
_MOST_SECONDS = 3600
_PAGE = os.sysconf("SC_PAGE_SIZE")
# The exit code of a process whose reader fails otherwise than it should.
_FAILED = 70
# It has the modules of its parent, and none of the folder that is current.
_BEGIN = (
    "import sys; sys.path[:] = sys.argv[1].split(':'); from hkstats._cohort import _main; _main()"
)


def _in_a_process(question: Question, person: Person) -> Iterator[pa.RecordBatch]:
    """Reads in a process whose end, of whatever kind, is a row of findings.

    Its rows go to a file without a name, and are given when it has ended well: all or none. What it
    raises, this raises.

    Raises:
        Error: the process raises it, or cannot begin
    """
    with (
        tempfile.TemporaryFile() as task,
        tempfile.TemporaryFile() as rows,
        tempfile.TemporaryFile() as raised,
    ):
        task.write(json.dumps({
            "question": asdict(replace(question, isolation=False)), "person": asdict(person),
            "parent": os.getpid(), "raised": raised.fileno(),
        }).encode())  # fmt: skip
        task.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", _BEGIN, os.pathsep.join(sys.path)], stdin=task, stdout=rows,
            stderr=subprocess.DEVNULL, pass_fds=[raised.fileno()],
        )  # fmt: skip
        try:
            failure = _outcome(process, question)
        finally:
            process.kill()
            process.wait()
        if failure is None:
            rows.seek(0)
            yield from pa.ipc.open_stream(rows)
            return
        if process.returncode > 0 and process.returncode != _FAILED:
            # It tells why where it can. This is no fault of the export: Spark tries again elsewhere.
            raised.seek(0)
            message = raised.read(1 << 16).decode(errors="replace")
            raise error_of(process.returncode, message or f"Person {person.id}: {failure}.")
    if question.strict:
        raise DataError(f"Person {person.id}: {failure}.")
    yield from question.rows_of([_finding("error", "process", failure)], person)


def _outcome(process: subprocess.Popen[bytes], question: Question) -> str | None:
    """Waits for a process within its limits: None where it has ended well, else what happened."""
    seconds = question.timeout or _MOST_SECONDS
    end = time.monotonic() + seconds
    while True:
        try:
            code = process.wait(0.02)
        except subprocess.TimeoutExpired:
            # A limit of the address space would not do: where a thread cannot begin for want of it,
            # Dispatch waits for ever.
            if question.memory and _resident(process.pid) > question.memory * 1_000_000:
                return f"the process that read the export took more than {question.memory} MB"
            if time.monotonic() > end:
                return f"the process that read the export was ended after {seconds:g} s"
            continue
        if code < 0:
            return f"the process that read the export ended by signal {-code}"
        return f"the process that read the export ended with exit code {code}" if code else None


def _resident(process: int) -> int:
    """The bytes of memory that a process takes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except OSError:
        return 0


def _main() -> NoReturn:
    """The process: a task on standard input, batches of Arrow on standard output."""
    task = json.load(sys.stdin)
    # It ends with its parent, also where that is killed.
    die_with_parent = 1
    ctypes.CDLL(None).prctl(die_with_parent, signal.SIGKILL)
    if os.getppid() != task["parent"]:
        sys.exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    question, person = Question(**task["question"]), task["person"]
    person = Person(**{**person, "paths": tuple(person["paths"])})
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    try:
        with pa.ipc.new_stream(sys.stdout.buffer, question.schema(), options=options) as writer:
            for batch in question.read(person):
                writer.write_batch(batch)
        sys.stdout.flush()
    except (Error, OSError) as error:
        if not isinstance(error, Error):
            error = InputOutputError(f"Rows cannot be written: {error.strerror}.")
        os.write(task["raised"], error.message.encode(errors="replace"))
        # Else Python writes what its buffers have once more, and ends with a code of its own.
        os._exit(error.code)
    except Exception:
        os._exit(_FAILED)
    os._exit(0)
