"""Every reader of Arrow reads every table: the same rows, types and units."""

import itertools
import math
import unittest
from functools import cache
from typing import Any

from support import ZONE, every_table, hkstats, live_objects, reader, store


@cache
def tables() -> dict[str, hkstats.Table]:
    return every_table()


@cache
def expected(name: str) -> list[dict[str, Any]]:
    return tables()[name].to_dicts()


class Readers(unittest.TestCase):
    def test_pyarrow(self) -> None:
        pyarrow = reader("pyarrow")
        for name, table in tables().items():
            with self.subTest(name):
                arrow = table.to_arrow()
                arrow.validate(full=True)
                self.assertEqual(arrow.to_pylist(), expected(name))
                self.assertEqual(arrow.column_names, table.columns)
                self.assertEqual(arrow.num_rows, len(table))
                self.assertEqual(pyarrow.schema(table), arrow.schema)
                self.assertEqual(pyarrow.schema(table).metadata, arrow.schema.metadata)
                for field in arrow.schema:
                    unit = (field.metadata or {}).get(b"unit")
                    self.assertEqual(unit and unit.decode(), table.unit(field.name))
                batches = list(pyarrow.RecordBatchReader.from_stream(table))
                self.assertEqual(sum(batch.num_rows for batch in batches), len(table))
                for batch in batches:
                    self.assertGreater(batch.num_rows, 0)
        batches = list(pyarrow.RecordBatchReader.from_stream(tables()["batches"]))
        self.assertGreater(len(batches), 3)
        self.assertEqual({batch.num_rows for batch in batches[:-1]}, {1000})

    def test_what_this_package_reads_is_what_pyarrow_reads(self) -> None:
        # Types, slices and offsets that the library itself does not make.
        pyarrow = reader("pyarrow")
        import datetime as dates
        from ctypes import addressof

        from hkstats._arrow import Batch, _field
        from hkstats._library import ArrowArray, ArrowSchema

        day = dates.datetime(2026, 10, 25, 2, 30)
        columns = {
            "nothing": pyarrow.nulls(5),
            "tiny": pyarrow.array([1, None, -3, 4, 5], pyarrow.int8()),
            "large": pyarrow.array([1, 2**63, None, 4, 5], pyarrow.uint64()),
            "single": pyarrow.array([1.5, None, 2.5, 3.5, 4.5], pyarrow.float32()),
            "truth": pyarrow.array([True, None, False, True, True]),
            "text": pyarrow.array(["a", None, "", "é€😀", "e"], pyarrow.large_string()),
            "word": pyarrow.array(["x", None, "y", "x", "x"]).dictionary_encode(),
            "seconds": pyarrow.array([day, None, day, day, day], pyarrow.timestamp("s")),
            "zoned": pyarrow.array([day, None, day, day, day], pyarrow.timestamp("ms", "+05:30")),
            "UTC": pyarrow.array([day, None, day, day, day], pyarrow.timestamp("us", "UTC")),
            "day": pyarrow.array([day.date(), None, dates.date(1, 1, 1), dates.date(9999, 12, 31),
                                  None]),
            "list": pyarrow.array([[1, None], None, [], [3], [4, 5]]),
            "rows": pyarrow.array([[{"a": 1, "b": "x"}], None, [], [{"a": None, "b": None}], []]),
            "lists": pyarrow.array([[[1.0], []], None, [], [[2.0, None]], [[]]],
                                   pyarrow.large_list(pyarrow.list_(pyarrow.float64()))),
            "structure": pyarrow.array([{"a": 1}, None, {"a": 2}, {"a": None}, {"a": 4}]),
        }  # fmt: skip
        # An offset stands in the columns of a slice of rows, or in the structure above them.
        whole = pyarrow.record_batch(columns)
        above = whole.to_struct_array()
        for start, stop, is_above in itertools.product(range(6), range(6), [False, True]):
            if start <= stop:
                batch = whole.slice(start, stop - start)
                schema, array = ArrowSchema(), ArrowArray()
                exported = above.slice(start, stop - start) if is_above else batch
                exported._export_to_c(addressof(array), addressof(schema))
                self.assertEqual(array.offset, start if is_above else 0)
                field = _field(schema)
                for first in range(stop - start + 1):
                    names = [child.name for child in field.children]
                    read = dict(zip(names, Batch(field, array).columns(first)))
                    self.assertEqual(read, batch.slice(first).to_pydict())
                array.release(addressof(array))
                schema.release(addressof(schema))

    def test_polars(self) -> None:
        polars = reader("polars")
        for name, table in tables().items():
            with self.subTest(name):
                frame = table.to_polars()
                self.assertEqual(frame.columns, table.columns)
                self.assertEqual(frame.to_dicts(), expected(name))
        frame = tables()["statistics"].to_polars()
        self.assertEqual(frame.schema["start"], polars.Datetime("us", ZONE))
        self.assertEqual(frame.schema["sum"], polars.Float64)

    def test_pandas(self) -> None:
        pandas = reader("pandas")
        reader("pyarrow")
        for name, table in tables().items():
            with self.subTest(name):
                frame = table.to_pandas()
                self.assertEqual(list(frame.columns), table.columns)
                self.assertEqual(len(frame), len(expected(name)))
                for column, kind in table.schema.items():
                    values = [row[column] for row in expected(name)]
                    known = [value for value in values if value is not None]
                    self.assertEqual(
                        frame[column].notna().tolist(), [v is not None for v in values]
                    )
                    if kind in ("float64", "int64"):
                        self.assertEqual(frame[column].dropna().tolist(), known)
        frame = tables()["statistics"].to_pandas()
        self.assertEqual(str(frame["start"].dt.tz), ZONE)
        if hasattr(pandas.DataFrame, "from_arrow"):
            again = pandas.DataFrame.from_arrow(tables()["statistics"])
            self.assertEqual(again["sum"].tolist(), frame["sum"].tolist())

    def test_duckdb(self) -> None:
        duckdb = reader("duckdb")
        for name, table in tables().items():
            with self.subTest(name):
                answer = table
                [[count]] = duckdb.sql("select count(*) from answer").fetchall()
                self.assertEqual(count, len(expected(name)))
                self.assertEqual(duckdb.sql("select * from answer").columns, table.columns)
                for column, kind in table.schema.items():
                    if kind not in ("float64", "int64"):
                        continue
                    [[total, known]] = duckdb.sql(
                        f'select sum("{column}"), count("{column}") from answer'
                    ).fetchall()
                    values = [row[column] for row in expected(name) if row[column] is not None]
                    self.assertEqual(known, len(values))
                    if values:
                        self.assertTrue(
                            math.isclose(total, sum(values), rel_tol=1e-9, abs_tol=1e-6)
                        )
        days = tables()["statistics"]
        joined = duckdb.sql("select a.sum from days a join days b using (start) order by start")
        self.assertEqual(
            [row[0] for row in joined.fetchall()], [row["sum"] for row in expected("statistics")]
        )
        del days

    def test_nanoarrow(self) -> None:
        nanoarrow = reader("nanoarrow")
        for name, table in tables().items():
            with self.subTest(name):
                read = nanoarrow.ArrayStream(table).read_all()
                self.assertEqual(len(read), len(expected(name)))
                self.assertEqual(
                    [field.name for field in nanoarrow.Schema(table).fields], table.columns
                )
                columns = [
                    column for column, kind in table.schema.items() if kind in ("float64", "int64")
                ]
                for column in columns:
                    place = table.columns.index(column)
                    self.assertEqual(
                        list(read.child(place).iter_py()), [row[column] for row in expected(name)]
                    )

    def test_parquet(self) -> None:
        import io

        polars = reader("polars")
        for name, table in tables().items():
            with self.subTest(name):
                file = io.BytesIO()
                table.to_polars().write_parquet(file)
                file.seek(0)
                self.assertEqual(polars.read_parquet(file).to_dicts(), expected(name))

    def test_a_reader_that_is_not_there(self) -> None:
        import sys
        from unittest import mock

        table = hkstats.merge([0], [1], [1], ["a"])
        for method, package in [
            (table.to_polars, "polars"), (table.to_arrow, "pyarrow"), (table.to_pandas, "pandas"),
        ]:  # fmt: skip
            with mock.patch.dict(sys.modules, {package: None}):
                with self.assertRaisesRegex(ImportError, f"pip install {package}"):
                    method()

    def test_readers_release_what_they_take(self) -> None:
        import gc

        pyarrow, polars = reader("pyarrow"), reader("polars")
        duckdb, nanoarrow = reader("duckdb"), reader("nanoarrow")
        reader("pandas")
        for table in tables().values():
            len(table)
        gc.collect()
        before = live_objects()
        for table in tables().values():
            first = pyarrow.RecordBatchReader.from_stream(table)
            next(iter(first), None)
            first.close()
            del first
            polars.DataFrame(table).head(1)
            table.to_pandas()
            answer = table
            duckdb.sql("select * from answer limit 1").fetchall()
            nanoarrow.ArrayStream(table).read_all()
            iterator = iter(nanoarrow.ArrayStream(table))
            next(iterator, None)
            del iterator, answer
        gc.collect()
        self.assertEqual(live_objects(), before)

    def test_a_store_is_asked_while_it_is_read(self) -> None:
        pyarrow = reader("pyarrow")
        table = store().samples("heartRate", rows=1000, timezone=ZONE)
        batches = iter(pyarrow.RecordBatchReader.from_stream(table))
        rows = next(batches).num_rows
        for batch in batches:
            rows += batch.num_rows
            self.assertEqual(len(store().statistics("steps", by="month", timezone=ZONE)), 12)
        self.assertEqual(rows, len(table))


if __name__ == "__main__":
    unittest.main()
