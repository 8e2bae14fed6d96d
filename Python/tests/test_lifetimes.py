"""How long handles, streams and arrays live: nothing is left, whatever readers do."""

import contextlib
import ctypes
import gc
import os
import resource
import threading
import unittest
from ctypes import addressof
from pathlib import Path

from support import ROUNDS, ZONE, every_table, hkstats, live_objects, reader, store, store_path

from hkstats import _library


def resident() -> int:
    """The memory of this process, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


class Lifetimes(unittest.TestCase):
    def setUp(self) -> None:
        store()
        gc.collect()
        self._before = live_objects()

    def tearDown(self) -> None:
        gc.collect()
        self.assertEqual(live_objects(), self._before)

    def test_capsules_that_nobody_reads(self) -> None:
        for table in every_table().values():
            for _ in range(3):
                capsule = table.__arrow_c_stream__()
                schema = table.__arrow_c_schema__()
                del capsule, schema

    def test_a_stream_that_is_released_early(self) -> None:
        tables = every_table()
        for name, table in tables.items():
            with self.subTest(name):
                for rows in [0, 1, 7]:
                    reading = table.rows()
                    for _ in range(rows):
                        if next(reading, None) is None:
                            break
                    del reading
        del tables, table

    def test_streams_outlive_table_and_store(self) -> None:
        opened = hkstats.open(store_path())
        table = opened.samples("heartRate", rows=1000, timezone=ZONE)
        count = len(table)
        days = opened.statistics("steps", by="day", timezone=ZONE)
        expected = days.to_dicts()
        reading, others = table.rows(), days.rows()
        next(reading)
        opened.close()
        self.assertEqual(days.to_dicts(), expected)
        del table
        self.assertEqual(1 + sum(1 for _ in reading), count)
        names = days.columns
        del days, opened
        self.assertEqual([dict(zip(names, row)) for row in others], expected)
        del reading, others

    def test_arrays_outlive_their_stream(self) -> None:
        # Moves an array out of its stream, as the Arrow C data interface allows.
        table = store().statistics("steps", by="day", timezone=ZONE)
        expected = table.to_dicts()
        stream, array = _library.ArrowArrayStream(), _library.ArrowArray()
        with table._handle as pointer:
            _library.call("table_stream", pointer, addressof(stream))
        self.assertEqual(stream.get_next(addressof(stream), addressof(array)), 0)
        stream.release(addressof(stream))
        field = table._whole
        del table
        moved = _library.ArrowArray()
        ctypes.memmove(addressof(moved), addressof(array), ctypes.sizeof(array))
        from hkstats._arrow import Batch

        columns = Batch(field, moved).columns()
        self.assertEqual([list(row) for row in zip(*columns)], [list(r.values()) for r in expected])
        # A child that was moved out is not released with its parent.
        child = _library.ArrowArray()
        ctypes.memmove(addressof(child), moved.children[2], ctypes.sizeof(child))
        moved.children[2][0].release = _library.Release()
        moved.release(addressof(moved))
        self.assertFalse(moved.release)
        numbers = (ctypes.c_double * child.length).from_address(child.buffers[1])
        self.assertEqual(list(numbers), [row["sum"] for row in expected])
        child.release(addressof(child))

    def test_addresses_are_those_of_the_library(self) -> None:
        pyarrow, polars = reader("pyarrow"), reader("polars")
        table = store().statistics("heartRate", by="hour", columns="mean", timezone=ZONE)
        one, other = table.to_arrow(), table.to_arrow()
        address = one["mean"].chunk(0).buffers()[1].address
        self.assertEqual(address, other["mean"].chunk(0).buffers()[1].address)
        frame = table.to_polars()
        series = frame["mean"].to_arrow()
        self.assertEqual(series.buffers()[1].address, address)
        numbers = one["mean"].chunk(0)
        del table, one, other, frame
        self.assertGreater(pyarrow.compute.sum(numbers).as_py(), 0)
        self.assertTrue(polars.Series(numbers).sum() > 0)
        del numbers, series

    def test_memory_stays_flat(self) -> None:
        asked = store()

        def once() -> None:
            table = asked.statistics("steps", by="month", since="2026-08", timezone=ZONE)
            table.to_dicts()
            capsule = table.__arrow_c_stream__()
            del capsule
            with contextlib.suppress(hkstats.UsageError):
                asked.statistics("steeps")
            hkstats.merge([0, 5], [10, 15], [10, 10], ["watch", "phone"])
            hkstats.unit("lb").to("kg")(1)

        for _ in range(100):
            once()
        gc.collect()
        before = resident()
        for _ in range(ROUNDS):
            once()
        gc.collect()
        # A leak of one column of 3 numbers in each round alone would be more than half of it.
        self.assertLess(resident() - before, 4_000_000 + 50 * ROUNDS)

    def test_texts_are_freed(self) -> None:
        def often(count: int) -> None:
            for _ in range(count):
                hkstats.unit("lb/ft^2")
                with contextlib.suppress(hkstats.UsageError):
                    hkstats.unit("lbb/ft^2")

        often(1_000)
        before = resident()
        often(20_000)
        # Each of them has two texts of about a hundred bytes.
        self.assertLess(resident() - before, 1_500_000)

    def test_opening_and_closing(self) -> None:
        def once() -> None:
            with hkstats.open(store_path()) as opened:
                opened.types()
            forgotten = hkstats.open(store_path())
            reading = forgotten.samples("heartRate").rows()
            next(reading)

        def open_files() -> int:
            gc.collect()
            return len(os.listdir("/proc/self/fd"))

        for _ in range(5):
            once()
        before = open_files()
        for _ in range(25):
            once()
        self.assertLess(open_files(), before + 5)

    def test_a_store_is_closed_amid_calls(self) -> None:
        opened = hkstats.open(store_path())
        problems: list[BaseException] = []

        def ask() -> None:
            try:
                while True:
                    opened.statistics("heartRate", by="day", timezone=ZONE)
            except hkstats.UsageError as error:
                if "closed" not in str(error):
                    problems.append(error)
            except BaseException as error:
                problems.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        opened.statistics("steps", by="day")
        opened.close()
        for thread in threads:
            thread.join(60)
            self.assertFalse(thread.is_alive())
        self.assertEqual(problems, [])
        # The last call closed it, and not the end of this function.
        self.assertEqual(live_objects(), self._before)


if __name__ == "__main__":
    unittest.main()
