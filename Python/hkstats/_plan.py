"""What is asked of each person: a table and its plan, read from options, and the columns of the answer.

The empty store of nobody says whether a plan is right and which columns it has, so nothing here
describes them a second time.
"""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pyarrow as pa

from ._findings import FIELDS_OF_FINDINGS
from ._library import UsageError
from ._store import Store
from ._table import Table

if TYPE_CHECKING:
    from ._people import Person

TABLES = ("statistics", "samples", "workouts", "sleep", "elements", "findings")
INSTANT = pa.timestamp("us", tz="UTC")

# The members of a plan, by table. Those that make other rows of an answer are not among them.
_SELECTION = {"from", "to", "timezone", "source", "exclude"}
_MEMBERS = {
    "statistics": _SELECTION
    | {"type", "by", "stat", "unit", "units", "merge", "prefer", "anchor", "clip", "style", "hold",
       "exact", "bySource"},
    "samples": _SELECTION | {"type", "columns", "unit", "units", "where", "order", "limit", "rows"},
    "workouts": {"from", "to", "timezone", "activity", "by", "stat"},
    "sleep": {"from", "to", "timezone", "by", "prefer", "gap", "stretches"},
    "elements": {"from", "to", "timezone", "kind", "order", "limit"},
    "findings": set(),
}  # fmt: skip
# Those that are options of their own, too.
MEMBERS_AS_OPTIONS = (
    "type", "by", "from", "to", "timezone", "stat", "unit", "source", "exclude", "prefer", "merge",
    "kind", "activity",
)  # fmt: skip
SOURCES = ("source", "exclude")
# Those that are words, or lists of them.
_LISTS = {"type", "stat", "columns", "prefer", *SOURCES}
# Tables whose rows are of local days.
_LOCAL = ("statistics", "sleep")
# Names of tables of statistics; others are those of blood pressures, foods and the like.
_TABLES_OF_NUMBERS = ("statistics", "categories", "intervals")
_STATISTICS = ("sum", "mean", "min", "max", "count", "duration")
_CATEGORY = "HKCategoryTypeIdentifier"


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
        strict: an export that cannot be read fails the task; else it is a finding
        findings: the folder that gets the findings of each person; else they are not kept
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
    findings: str | None = None
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
            table, _plan(options, table), strict=_flag(options, "strict"),
            findings=options.get("findings"), names=_flag(options, "names"), isolation=_isolation(options), memory=_number(options, "memory"),
            timeout=_number(options, "timeout"),
        )  # fmt: skip
        if question.memory and question.memory < 256:
            raise UsageError("memory is 256 MB at least: Python, Arrow and the library take 150.")
        if (question.memory or question.timeout) and not question.isolation:
            raise UsageError("memory and timeout are limits of isolation=process.")
        if question.findings is not None and table == "findings":
            raise UsageError("The table findings has them itself: leave out the option findings.")
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
        is_local = self.table in _LOCAL or self.table == "workouts" and "by" in self.plan
        if not is_local or "timezone" in self.plan or (person and person.timezone):
            return
        raise UsageError(
            f"{self.table} is of local days, and has no timezone: Europe/Paris, or UTC."
            if person is None else "An export of the path has no timezone in the csv of people."
        )  # fmt: skip

    # MARK: Columns

    def schema(self) -> pa.Schema:
        """The columns, which are those of every export.

        Raises:
            UsageError: the plan is wrong
        """
        fields = [pa.field("person", pa.string()), *self._fields()]
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
            return FIELDS_OF_FINDINGS
        for type in self.plan.get("units", {}):
            self.ask(_nobody(), self.for_type(type))
        if self.table == "statistics":
            return self._fields_of_statistics()
        asked = self.ask(_nobody(), self.plan if self.table != "samples" else self._two_types())
        table = stream(asked).schema
        return [pa.field(each.name, plain(each.type)) for each in table]

    def _two_types(self) -> dict[str, Any]:
        """A plan of samples whose answer has the column of types."""
        for type in self.types_of_plan() or ("stepCount", "heartRate"):
            self.ask(_nobody(), self.for_type(type))
        plan: dict[str, Any] = {"type": ["stepCount", "heartRate"]}
        if "columns" in self.plan:
            plan["columns"] = list(dict.fromkeys(["type", *self.plan["columns"]]))
        return plan

    def _fields_of_statistics(self) -> list[pa.Field]:
        names = self.stat or _STATISTICS
        types = self.types_of_plan() or ("stepCount", "heartRate", "sleepAnalysis")
        wanted = self.stat
        known: set[str] = set()
        for type in types:
            columns = fitting(type, wanted) if wanted else None
            known |= set(columns or ())
            if columns != ():
                self.ask(_nobody(), self.for_type(type, columns))
        for name in wanted or ():
            if name not in known:
                # It fits none, and the library says why.
                self.ask(_nobody(), self.for_type(types[0], (name,)))
        return [
            pa.field("type", pa.string()), pa.field("category", pa.string()),
            *([pa.field("source", pa.string())] if self.plan.get("bySource") is True else []),
            pa.field("start", INSTANT), pa.field("end", INSTANT), pa.field("date", pa.date32()),
            pa.field("timezone", pa.string()), pa.field("unit", pa.string()),
            *(pa.field(each, pa.int64() if each == "count" else pa.float64()) for each in names),
        ]  # fmt: skip

    # MARK: Members of a plan

    def types_of_plan(self) -> tuple[str, ...] | None:
        return tuple(self.plan["type"]) if "type" in self.plan else None

    @property
    def stat(self) -> tuple[str, ...] | None:
        """The statistics that are wanted; None for those that fit each type."""
        return tuple(self.plan["stat"]) if "stat" in self.plan else None

    def for_type(self, type: str, columns: Sequence[str] | None = None) -> dict[str, Any]:
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

    def ask(self, store: Store, plan: Mapping[str, Any]) -> Table:
        """Asks a store; nobody's has no source that a plan could name."""
        if store is _nobody():
            plan = {name: value for name, value in plan.items() if name not in SOURCES}
        found = store.ask(plan, table=self.table)
        if self.table == "statistics" and found.metadata["table"] not in _TABLES_OF_NUMBERS:
            raise UsageError(f"{plan['type']} has rows of its own, and no statistics.")
        return found


def schema_of(question: Question) -> pa.Schema:
    """The columns of a question, which are asked for once."""
    return _schema_of(json.dumps(asdict(question), sort_keys=True))


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
def fitting(type: str, wanted: tuple[str, ...]) -> tuple[str, ...] | None:
    """Those of the wanted statistics that a type has; None for a type that only its export knows."""
    if identifier(type) == type and common_unit(type) is None and not is_category(type):
        return None
    if is_category(type):
        return tuple(each for each in wanted if each in ("count", "duration"))
    found = []
    for name in wanted:
        try:
            _nobody().ask({"type": type, "stat": [name]}, table="statistics")
            found.append(name)
        except UsageError as error:
            if error.reason != "notAvailable":
                raise
    return tuple(found)


@cache
def common_unit(type: str) -> str | None:
    """The unit in which the numbers of a type are for everybody, whatever their phones show.

    It is the canonical unit, and for rates the minute. None for a type that is not known.
    """
    try:
        unit = unit_of(_nobody().ask({"type": type}, table="statistics"))
    except UsageError:
        return None
    return "count/min" if unit == "count/s" else unit


def unit_of(table: Table) -> str | None:
    """The unit of the numbers of a type; those of how long and how much have their own."""
    for column in table.columns:
        if column not in ("start", "end", "count", "duration", "coverage"):
            return table.unit(column)
    return None


def stream(table: Table) -> pa.RecordBatchReader:
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


# MARK: Options


def text_of(value: Any) -> str:
    """A value of an option as Spark would write it, and a plan as JSON."""
    if isinstance(value, (bool, Mapping)):
        return json.dumps(value)
    return str(value)


def _plan(options: Mapping[str, str], table: str) -> dict[str, Any]:
    """The members of a plan, of the option ``plan`` and of those that are members themselves."""
    try:
        plan = json.loads(options.get("plan", "{}"))
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
    for name in (each for each in MEMBERS_AS_OPTIONS if each in options):
        if name not in known:
            fitting = ", ".join(each for each in MEMBERS_AS_OPTIONS if each in known) or "none"
            raise UsageError(f'{table} has no option "{name}". Of the question it has {fitting}.')
        if name in plan:
            raise UsageError(f"{name} is an option and a member of plan. Give one of them.")
        plan[name] = options[name]
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
