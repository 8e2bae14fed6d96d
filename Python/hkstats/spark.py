"""The exports of many people as a data source of Apache Spark, 4.1 or later.

    import hkstats.spark

    hkstats.spark.register(spark)
    days = (
        spark.read.format("hkstats")
        .option("type", "steps,heartRate").option("by", "day").option("timezone", "Europe/Paris")
        .load("exports/*.zip")
    )

Each person is a partition, those with much to read first. Needs ``pip install "hkstats[spark]"`` and
Java. Nothing is written beside the exports.

Options, as texts:

- ``path``: a folder of exports, or a pattern: ``exports/*.zip``, ``exports/*/export.zip``. It is
  local or mounted, at the same place on all machines.
- ``table``: ``statistics`` (else), ``samples``, ``workouts``, ``sleep``, ``elements`` or
  ``findings``.
- ``type``, ``by``, ``from``, ``to``, ``timezone``, ``stat``, ``unit``, ``source``, ``exclude``,
  ``prefer``, ``merge``, ``kind``, ``activity``: the question, as the table has them; several types,
  statistics or names of sources with commas. Without ``type`` it is of all types. Numbers of
  ``statistics`` and ``samples`` are in one unit for everybody: the canonical one, and for rates the
  minute.
- ``plan``: further members of the question in the JSON form of hkstats, such as ``units`` of several
  types: ``{"units": {"bodyMass": "lb"}}``. None of them is an option as well.
- ``people``: a csv with the ``name`` of exports, and their ``person``, their ``timezone`` or both.
  Several exports of one person are merged, without what they have in common.
- ``secretFile``: the key of pseudonyms; else they are others in each ``load``.
- ``names``: ``true`` for names of exports in place of pseudonyms, and those of files in elements.
- ``strict``: ``true`` for an exception where an export cannot be read. Else it is a finding.
- ``findings``: a folder, mounted as that of exports is, which gets the findings of each person while
  the rows of the table are read: ``spark.read.parquet(folder)``. The table ``findings`` has them, too,
  but reads each export once more.
- ``isolation``: ``process`` reads each person in a process of its own, which a hostile export can end
  without the executor; with limits ``memory`` (resident, in MB) and ``timeout`` (in s; else an hour).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualTo,
    Filter,
    In,
    InputPartition,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from . import _isolation
from ._library import UsageError
from ._people import Cohort, Person
from ._plan import Question

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["HealthDataSource", "read_binary", "register"]

_PUSHDOWN = "spark.sql.python.filterPushdown.enabled"


def register(spark: SparkSession, *, filters: bool = False) -> None:
    """Makes ``spark.read.format("hkstats")`` known.

    Args:
        spark: the session
        filters: a filter on ``person`` or ``type`` reads only these exports and types. It switches on
            ``spark.sql.python.filterPushdown.enabled``. Then ``load`` anew for each query: Spark (as of
            4.3) answers a query without a filter from the partitions of the filtered one before it, so
            rows would be missing.
    """
    if filters:
        spark.conf.set(_PUSHDOWN, "true")
    spark.dataSource.register(_FilteredDataSource if filters else HealthDataSource)


class HealthDataSource(DataSource):
    """Exports of the Health app, a partition a person. Filters are Spark's alone."""

    _is_filtered = False

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        # Spark makes one source for a load, and keeps it, with its secret, for all jobs.
        self.cohort = Cohort({name: options[name] for name in options})
        self._is_planned = False

    @classmethod
    def name(cls) -> str:
        return "hkstats"

    def schema(self) -> StructType:
        return _schema_of(self.cohort.question)

    def reader(self, schema: StructType) -> DataSourceReader:
        self._is_planned = True
        return (_FilteredReader if self._is_filtered else _Reader)(self.cohort, schema)

    def __getstate__(self) -> dict[str, Any]:
        # What executors get has the source, which they ask for its name: not for the secret.
        hidden = ("cohort", "options") if self._is_planned else ()
        return {name: value for name, value in vars(self).items() if name not in hidden}


class _FilteredDataSource(HealthDataSource):
    _is_filtered = True


def _schema_of(question: Question) -> StructType:
    return from_arrow_schema(question.schema(), prefer_timestamp_ntz=False)


class _Reader(DataSourceReader):
    """Plans partitions on the driver, and reads them on executors."""

    def __init__(self, cohort: Cohort, schema: StructType) -> None:
        self._cohort = cohort
        self._question = replace(cohort.question, columns=tuple(schema.names))
        if _schema_of(self._question) != schema:
            raise TypeError(
                "A schema that is given has columns of the table with their types: "
                f"{_schema_of(self._question).simpleString()}"
            )
        self._persons: set[str] | None = None

    def partitions(self) -> Sequence[InputPartition]:
        # An empty list would be one partition without a value.
        return [InputPartition(each) for each in self._cohort.people(self._persons)] or [
            InputPartition(None)
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        person: Person | None = partition.value
        return iter(()) if person is None else _isolation.read(self._question, person)

    def __getstate__(self) -> dict[str, Any]:
        # Executors need neither the secret nor the csv of people.
        return {"_question": self._question}


class _FilteredReader(_Reader):
    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Leaves out persons and types that nobody asks for; Spark still checks each row."""
        for each in filters:
            if isinstance(each, (EqualTo, In)):
                values = {each.value} if isinstance(each, EqualTo) else set(each.value)
                if each.attribute == ("person",):
                    self._persons = values if self._persons is None else self._persons & values
                elif each.attribute == ("type",):
                    known = self._question.types
                    wanted = {value for value in values if isinstance(value, str)}
                    self._question = replace(
                        self._question,
                        types=tuple(sorted(wanted if known is None else wanted & set(known))),
                    )
        return filters


def read_binary(files: DataFrame, root: str, **options: Any) -> DataFrame:
    """The table of exports that Spark itself has read: those of an object store.

        files = spark.read.format("binaryFile").load("s3a://study/exports/*.zip")
        days = hkstats.spark.read_binary(files, "s3a://study/exports", type="steps", timezone="UTC")

    Each export is in memory as a whole, and for the time of its reading in a file without a name.
    Set ``spark.sql.execution.arrow.maxRecordsPerBatch`` to 1. Spark reads files up to 2 GB. Their
    paths are collected at once, on the driver; each person has one export.

    Args:
        files: columns ``path`` and ``content``
        root: the folder of all exports, below which their names begin
        options: as of the source, without ``path``

    Raises:
        UsageError: an option is wrong, a path is not below ``root``, or somebody has several exports
    """
    if "path" in options:
        raise UsageError("read_binary has no option path: its exports are those of files.")
    cohort = Cohort(options)
    # Executors need neither the secret nor the csv of people.
    question = cohort.question
    people = cohort.people_below(root, [row["path"] for row in files.select("path").collect()])

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch["path"], batch["content"]):
                person = people[path.as_py()]
                # Without a name it is gone with the executor, however that ends.
                with tempfile.TemporaryFile() as file:
                    file.write(content.as_buffer())
                    file.flush()
                    place = f"/proc/{os.getpid()}/fd/{file.fileno()}"
                    yield from _isolation.read(question, replace(person, paths=(place,)))

    return files.select("path", "content").mapInArrow(read, _schema_of(question))
