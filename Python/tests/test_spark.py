"""The data source as Spark drives it, with Spark's own Python but no JVM.

What Spark sends to executors is made by Spark, read as executors read it, and run.
"""

from __future__ import annotations

import io
import os
import pickle
import unittest
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from support import folder, reader
from test_cohort import SUMS, cohort, read, rows_and_findings, study, temporary_folder

pyarrow = reader("pyarrow")
# The package pyspark-client has no distribution of Spark, and none is needed.
os.environ.setdefault("SPARK_HOME", os.path.dirname(os.path.abspath(__file__)))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    reader("pyspark")
    from pyspark.cloudpickle import dumps
    from pyspark.serializers import CPickleSerializer, read_int
    from pyspark.sql.datasource import EqualTo, GreaterThan, In, InputPartition
    from pyspark.sql.types import StringType, StructField, StructType
    from pyspark.sql.worker.plan_data_source_read import write_read_func_and_partitions

from pyarrow import parquet

import hkstats
import hkstats.spark
from hkstats.spark import HealthDataSource

SECRET = b"a secret of tests"


class Plan:
    """What Spark sends to executors for a query."""

    def __init__(
        self, options: dict[str, str], filters: list[Any] | None = None, schema: Any = None
    ) -> None:
        kind = HealthDataSource if filters is None else hkstats.spark._FilteredDataSource
        # Spark keeps a source that it has made once as bytes.
        source = pickle.loads(dumps(kind(options)))
        schema = schema or source.schema()
        planned = source.reader(schema)
        self.left = None if filters is None else list(planned.pushFilters(filters))
        out = io.BytesIO()
        write_read_func_and_partitions(
            out, reader=planned, data_source=source, schema=schema, max_arrow_batch_size=10_000,
            binary_as_bytes=True,
        )  # fmt: skip
        self.sent = out.getvalue()
        sent, serializer = io.BytesIO(self.sent), CPickleSerializer()
        self._read, _ = serializer._read_with_length(sent)
        self.partitions = [serializer._read_with_length(sent) for _ in range(read_int(sent))]

    def batches(self) -> Iterator[Any]:
        for each in self.partitions:
            value = pyarrow.array([pickle.dumps(each)], pyarrow.binary())
            yield from self._read(iter([pyarrow.RecordBatch.from_arrays([value], ["partition"])]))

    def rows(self) -> list[dict[str, Any]]:
        return [row for batch in self.batches() for row in batch.to_pylist()]


@cache
def options() -> dict[str, str]:
    return {
        "path": str(study() / "exports"), "people": str(study() / "people.csv"), "names": "true",
        "plan": f'{{"type": "{",".join(SUMS)}", "by": "day"}}',
    }  # fmt: skip


def key(row: dict[str, Any]) -> tuple[str, str, str]:
    return (row["person"], row["type"], str(row["start"]))


class SparkTests(unittest.TestCase):
    def test_rows_are_those_of_the_reader(self) -> None:
        plan = Plan(options())
        self.assertEqual(len(plan.partitions), 12)
        self.assertEqual(sorted(plan.rows(), key=key), sorted(read(cohort()).to_pylist(), key=key))

    def test_neither_secret_nor_people_go_to_executors(self) -> None:
        keyed = {name: value for name, value in options().items() if name != "names"}
        keyed["secretFile"] = str(study() / "secret")
        every: list[list[Any] | None] = [None, []]
        for filters in every:
            plan = Plan({**keyed, "table": "findings", "plan": "{}"}, filters)
            for word in (SECRET, b"people.csv", b"/secret", b"enrolled"):
                self.assertNotIn(word, plan.sent)
            self.assertEqual(sum(row["finding"] == "read" for row in plan.rows()), 10)
        # What Spark keeps until then is the driver's, and has the secret: else a second job had others.
        self.assertIn(SECRET, dumps(HealthDataSource(keyed)))
        twice = [
            sorted(each.value.id for each in Plan(keyed).partitions) for _ in range(2)
        ]  # fmt: skip
        self.assertEqual(*twice)

    def test_filters_leave_out_partitions_and_types(self) -> None:
        whole = read(cohort()).to_pylist()
        steps, energy = SUMS["steps"], SUMS["activeEnergyBurned"]
        person, type = ("person",), ("type",)
        tried: list[tuple[list[Any], set[str], set[str] | None]] = [
            ([EqualTo(person, "p1")], {"p1"}, None),
            ([In(person, ("p1", "p2", "nobody"))], {"p1", "p2"}, None),
            ([In(person, ("p1", "p2")), EqualTo(person, "p2")], {"p2"}, None),
            ([EqualTo(person, "p1"), EqualTo(person, "p2")], set(), None),
            ([EqualTo(person, None)], set(), None),
            ([EqualTo(type, steps), EqualTo(person, "p1")], {"p1"}, {steps}),
            ([In(type, (steps, energy)), In(type, (energy, "x")), EqualTo(person, "p1")], {"p1"}, {energy}),
            # What is no identifier is that of no row, whatever a plan makes of it.
            ([EqualTo(type, "steps,heartRate"), EqualTo(person, "p1")], {"p1"}, set()),
            ([EqualTo(type, "steps"), EqualTo(person, "p1")], {"p1"}, set()),
            ([In(type, (None, 7)), EqualTo(person, "p1")], {"p1"}, set()),
            ([GreaterThan(("sum",), 5.0), EqualTo(person, "p1")], {"p1"}, None),
        ]  # fmt: skip
        for filters, people, types in tried:
            with self.subTest(filters):
                plan = Plan(options(), filters)
                # Spark checks each row itself.
                self.assertEqual(plan.left, filters)
                self.assertEqual({each.value.id for each in plan.partitions if each.value}, people)
                self.assertGreater(len(plan.partitions), 0)
                expected = [
                    row for row in whole
                    if row["person"] in people and (types is None or row["type"] in types)
                ]  # fmt: skip
                self.assertEqual(sorted(plan.rows(), key=key), sorted(expected, key=key))

    def test_a_given_schema_is_of_columns_of_the_table(self) -> None:
        columns = HealthDataSource(options()).schema()
        narrow = StructType([columns["sum"], columns["person"]])
        plan = Plan(options(), [EqualTo(("person",), "p3")], narrow)
        self.assertEqual(list(plan.rows()[0]), ["sum", "person"])
        with self.assertRaisesRegex(hkstats.UsageError, "no column"):
            Plan(options(), None, StructType([StructField("steps", StringType())]))
        with self.assertRaisesRegex(TypeError, "sum"):
            Plan(options(), None, StructType([StructField("sum", StringType())]))

    def test_batches_have_the_types_that_spark_expects(self) -> None:
        for table, plan in [("samples", '{"type": "steps"}'), ("workouts", "{}"), ("sleep", "{}"),
                            ("elements", '{"kind": "workoutRoute"}'), ("findings", "{}")]:  # fmt: skip
            asked = Plan({**options(), "table": table, "plan": plan})
            self.assertGreater(len(asked.rows()), 0, table)

    def test_exports_that_spark_has_read(self) -> None:
        keyed = {name: value for name, value in options().items() if name not in ("path", "names")}
        keyed["secretFile"] = str(study() / "secret")
        names = ("p1", "p2", "cut")
        files = Files([
            (f"s3a://b/x/{name}.zip", (study() / "exports" / f"{name}.zip").read_bytes())
            for name in names
        ])  # fmt: skip
        kept = folder() / "findings-of-files"
        made = hkstats.spark.read_binary(files, "s3a://b/x/", findings=str(kept), **keyed)
        for word in (SECRET, b"people.csv", b"p3"):
            self.assertNotIn(word, made.sent)
        ours = cohort(names=None, secretFile=str(study() / "secret"))
        wanted = {ours.id_of(name) for name in names}
        expected, findings = rows_and_findings(ours, *ours.people(wanted))
        self.assertEqual({row["person"] for row in findings}, wanted)
        self.assertEqual(sorted(made.rows, key=repr), sorted(expected, key=repr))
        found = parquet.read_table(kept).to_pylist()
        self.assertEqual(sorted(found, key=repr), sorted(findings, key=repr))
        with temporary_folder() as place:
            apart = hkstats.spark.read_binary(files, "s3a://b/x/", isolation="process", **keyed)
            self.assertEqual(os.listdir(place), [])
        self.assertEqual(apart.rows, made.rows)
        with self.assertRaisesRegex(hkstats.UsageError, "not below"):
            hkstats.spark.read_binary(files, "s3a://c", **keyed)
        with self.assertRaisesRegex(hkstats.UsageError, "no option path"):
            hkstats.spark.read_binary(files, "s3a://b/x", path="y", **keyed)

    def test_a_partition_of_nobody_is_empty(self) -> None:
        plan = Plan(options(), [EqualTo(("person",), "nobody")])
        self.assertEqual([type(each) for each in plan.partitions], [InputPartition])
        self.assertEqual(plan.rows(), [])


class Files:
    """The calls of a data frame of binaryFile that are made of it; what it maps is sent as by Spark."""

    def __init__(self, rows: list[tuple[str, bytes]]) -> None:
        self._rows = rows
        self._columns: tuple[str, ...] = ()

    def select(self, *columns: str) -> Files:
        chosen = Files(self._rows)
        chosen._columns = columns
        return chosen

    def collect(self) -> list[dict[str, Any]]:
        return [
            {name: row[name] for name in self._columns}
            for row in ({"path": path, "content": content} for path, content in self._rows)
        ]

    def mapInArrow(self, read: Any, schema: Any) -> Mapped:
        return Mapped(dumps(read), self._batches())

    def _batches(self) -> Iterable[Any]:
        for row in self.collect():
            yield pyarrow.RecordBatch.from_pydict({name: [value] for name, value in row.items()})


class Mapped:
    def __init__(self, sent: bytes, batches: Iterable[Any]) -> None:
        self.sent = sent
        self.rows = [
            row for batch in pickle.loads(sent)(iter(batches)) for row in batch.to_pylist()
        ]  # fmt: skip


if __name__ == "__main__":
    unittest.main()
