"""Reads the exports of a person into a store of their own, and asks it.

Spark stays out of here and of the modules below, so that the same code is tested without it. They
need pyarrow.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from ._findings import (
    columns_of,
    finding,
    findings_of,
    is_readable,
    keep,
    kind_of,
    may_wait,
    reason_of,
    scrubbed,
)
from ._library import (
    DataError,
    InputOutputError,
    NotFoundError,
    NotPermittedError,
    UsageError,
)
from ._people import Person
from ._plan import (
    SOURCES,
    Question,
    common_unit,
    fitting,
    identifier,
    is_category,
    schema_of,
    stream,
    unit_of,
    zone_named,
)
from ._store import Store
from ._table import Table

# Columns of elements that name files.
_FILES = {"file", "attachments"}


class Reader:
    """Reads one person, and finds what is odd about their exports."""

    def __init__(self, question: Question, person: Person) -> None:
        self._question = question
        self._person = person
        self._findings: list[dict[str, Any]] = []

    def rows(self) -> Iterator[pa.RecordBatch]:
        """Reads the exports of the person, and gives their rows.

        An export that cannot be read is a finding. Reading it again gives the same rows.

        Raises:
            Error: ``strict`` is on, and an export cannot be read
        """
        with Store._temporary("", "rw", False) as store:
            for path in self._person.paths:
                self._import(path, store)
            yield from self._answers(store)
        yield from tell(self._findings, self._question, self._person)

    def _import(self, path: str, store: Store) -> None:
        try:
            if may_wait(path):
                raise NotFoundError(f"{path}: is neither a file nor a folder.")
            report = store.import_export(path, jobs=1)
        except (
            DataError, NotFoundError, InputOutputError, NotPermittedError, UsageError,
        ) as error:  # fmt: skip
            # A full disk is not the export's fault: another executor may have room.
            if isinstance(error, InputOutputError) and is_readable(path):
                raise InputOutputError(scrubbed(error.message, path)) from None
            reason = reason_of(error)
            if self._question.strict:
                raise type(error)(f"Person {self._person.id}: {reason}") from None
            self._findings.append(finding("error", kind_of(error), reason))
        else:
            self._findings += findings_of(report)

    # MARK: Answers

    def _answers(self, store: Store) -> Iterator[pa.RecordBatch]:
        """The rows of the table. What an export has no answer to is added to the findings."""
        # Never that of a machine: another executor would have another.
        zone = self._person.timezone or self._question.plan.get("timezone") or "UTC"
        asked = self._with_sources(store)
        if asked is None:
            return
        asked = replace(asked, plan={**asked.plan, "timezone": zone})
        parts: list[Callable[[], Iterator[pa.RecordBatch]]] = []
        types = _types(asked, store) if asked.table in ("statistics", "samples") else []
        self._findings += [
            finding("warning", "unknownType", f"{type[:100]}: has the unit that its records have")
            for type in types if not is_category(type) and common_unit(type) is None
        ]  # fmt: skip
        if asked.table == "statistics":
            parts = [partial(self._statistics, asked, store, type, zone) for type in types]
        elif asked.table == "samples":
            parts = [partial(self._samples, asked, store, type) for type in types]
        elif asked.table != "findings":
            parts = [lambda: self._rows(asked.ask(store, asked.plan))]
        for part in parts:
            try:
                yield from part()
            except (UsageError, DataError) as error:
                if asked.strict:
                    raise type(error)(f"Person {self._person.id}: {error.message}") from None
                self._findings.append(finding("error", "question", scrubbed(error.message)))

    def _with_sources(self, store: Store) -> Question | None:
        """The question without the sources that a store has not; None if it has none of those asked.

        Each name that nobody has is added to the findings.
        """
        plan = dict(self._question.plan)
        for member in (each for each in SOURCES if each in self._question.plan):
            words = plan.pop(member)
            known = [word for word in words if _has_source(store, word)]
            self._findings += [
                finding("warning", "noSource", f"no source has the name in {member}: {word}")
                for word in words if word not in known
            ]  # fmt: skip
            if known:
                plan[member] = known
            elif member == "source":
                return None
        return replace(self._question, plan=plan)

    def _samples(self, asked: Question, store: Store, type: str) -> Iterator[pa.RecordBatch]:
        return self._rows(asked.ask(store, asked.for_type(type)), type=type)

    def _statistics(
        self, asked: Question, store: Store, type: str, zone: str
    ) -> Iterator[pa.RecordBatch]:
        columns = None if asked.stat is None else fitting(type, asked.stat)
        if columns == ():
            return
        table = asked.ask(store, asked.for_type(type, columns))
        days = _Days(zone)
        for batch in stream(table):
            for category, columns in _values(batch.schema).items():
                rows = batch if category is None else _with(batch, columns["count"])
                numbers = {statistic: rows[name] for statistic, name in columns.items()}
                yield self._batch(rows.num_rows, {
                    "type": type, "category": category, "timezone": zone,
                    "start": rows["start"], "end": rows["end"], "date": days.of(rows["start"]),
                    "unit": "s" if is_category(type) else unit_of(table),
                    "source": rows["source"] if "source" in rows.schema.names else None, **numbers,
                })  # fmt: skip

    def _rows(self, table: Table, **constants: str) -> Iterator[pa.RecordBatch]:
        for batch in stream(table):
            columns = {name: batch.column(name) for name in batch.schema.names}
            yield self._batch(batch.num_rows, {**constants, **columns})

    def _batch(self, count: int, columns: Mapping[str, Any]) -> pa.RecordBatch:
        return _batch_of(self._question, self._person, count, columns)


def tell(
    findings: Sequence[Mapping[str, Any]], question: Question, person: Person
) -> Iterator[pa.RecordBatch]:
    """The findings of a person: rows where they are what is asked, else a file in their folder.

    Raises:
        InputOutputError: the file cannot be written
    """
    if question.table == "findings":
        yield _batch_of(question, person, len(findings), columns_of(findings))
    elif question.findings is not None:
        keep(findings, person.id, question.findings)


def _batch_of(
    question: Question, person: Person, count: int, columns: Mapping[str, Any]
) -> pa.RecordBatch:
    """A batch of the schema: arrays, constants, and nulls for what is not given."""
    schema = schema_of(question)
    values = {"person": person.id, **columns}
    if not question.names:
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


def _types(question: Question, store: Store) -> list[str]:
    """The identifiers of the types that are asked, and that the store has."""
    present = [row["type"] for row in store.types().to_dicts()]
    named = question.types_of_plan()
    wanted = set(present if named is None else map(identifier, named))
    if question.types is not None:
        wanted &= set(question.types)
    return [each for each in sorted(present) if each in wanted]


def _has_source(store: Store, name: str) -> bool:
    """Whether somebody has a source; of many people some have not."""
    try:
        store.ask({"type": "stepCount", "source": [name], "from": "2000", "to": "2000-02"})
    except UsageError as error:
        if error.reason != "unknownSource":
            raise
        return False
    return True


# The keys of what is counted of each value of a category begin so.
_VALUES = "values."


def _values(schema: pa.Schema) -> dict[str | None, dict[str, str]]:
    """The columns of each value of a category by what they are; those of a quantity are of None.

    Their keys in json are ``values.inBed.count``.
    """
    found: dict[str | None, dict[str, str]] = {}
    for each in schema:
        key = (each.metadata or {}).get(b"key", b"").decode()
        category, _, statistic = key.removeprefix(_VALUES).rpartition(".")
        if key.startswith(_VALUES):
            found.setdefault(category, {})[statistic] = each.name
        elif each.name not in ("start", "end", "source"):
            found.setdefault(None, {})[each.name] = each.name
    return found


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
