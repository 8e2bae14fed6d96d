"""Questions, tables, and what people see of them."""

import copy
import ctypes
import datetime
import inspect
import json
import pickle
import re
import unittest
import zoneinfo
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from unittest import mock

from support import ZONE, every_table, export, hkstats, live_objects, store, store_path

from hkstats import _arrow
from hkstats._library import call, taken
from hkstats._store import _json, _members


class Questions(unittest.TestCase):
    def test_steps_of_days(self) -> None:
        days = store().statistics(
            "steps", by="day", since="2026-10-25", timezone=ZONE, columns=["sum", "count"]
        )
        self.assertEqual(len(days), 7)
        self.assertEqual(days.columns, ["start", "end", "sum", "count"])
        self.assertEqual(days.schema["sum"], "float64")
        self.assertEqual(days.schema["start"], f"timestamp[us, {ZONE}]")
        self.assertEqual(days.unit("sum"), "count")
        self.assertIsNone(days.unit("start"))
        rows = days.to_dicts()
        self.assertEqual([set(row) for row in rows], [set(days.columns)] * 7)
        zone = zoneinfo.ZoneInfo(ZONE)
        self.assertEqual(rows[0]["start"], datetime.datetime(2026, 10, 25, tzinfo=zone))
        # The day on which clocks go back.
        hours = [(row["end"] - row["start"]) for row in rows]
        utc = datetime.timezone.utc
        hours = [row["end"].astimezone(utc) - row["start"].astimezone(utc) for row in rows]
        self.assertEqual(hours, [datetime.timedelta(hours=25)] + [datetime.timedelta(days=1)] * 6)
        self.assertEqual(list(days.rows()), [tuple(row.values()) for row in rows])
        self.assertEqual(days.metadata["table"], "statistics")
        self.assertEqual(days.metadata["answer"]["merge"], "hk")

    def test_each_column_has_its_own_unit(self) -> None:
        table = store().statistics(
            "heartRate", by="month", columns=["mean", "count", "duration", "coverage"]
        )
        units = [table.unit(column) for column in ["mean", "duration", "coverage"]]
        self.assertEqual(units, ["count/min", "s", "1"])
        with self.assertRaisesRegex(hkstats.UsageError, "start, end, mean"):
            table.unit("means")

    def test_columns_and_first_rows_are_those_of_all(self) -> None:
        for name, table in every_table().items():
            with self.subTest(name):
                rows = table.to_dicts()
                self.assertEqual(table.shape, (len(rows), len(table.columns)))
                for column in table.columns:
                    self.assertEqual(table[column], [row[column] for row in rows])
                for count in (0, 1, 5, len(rows), len(rows) + 1):
                    self.assertEqual(table.head(count), rows[:count])
                self.assertEqual(table.head(), rows[:5])
        table = every_table()["one row"]
        with self.assertRaisesRegex(hkstats.UsageError, '"summ". The columns are start, end, sum'):
            table["summ"]
        with self.assertRaisesRegex(hkstats.UsageError, "below 0"):
            table.head(-1)
        for use in (lambda: table[0], lambda: iter(table), lambda: "sum" in table):  # type: ignore
            self.assertRaises(TypeError, use)

    def test_first_rows_are_of_the_first_batch(self) -> None:
        table = store().samples("heartRate", rows=1000, timezone=ZONE)
        kept, read = hkstats.Table._batches, []

        def seen(asked: hkstats.Table) -> Iterator[_arrow.Batch]:
            for batch in kept(asked):
                read.append(len(batch))
                yield batch

        with mock.patch.object(hkstats.Table, "_batches", seen):
            for count, batches in [(0, 1), (1000, 1), (1001, 2)]:
                self.assertEqual(len(table.head(count)), count)
                self.assertEqual(read, [1000] * batches)
                read.clear()

    def test_a_type_says_what_a_column_means(self) -> None:
        table = store().statistics("heartRate", by="month", columns=["mean", "duration"])
        for column, type in table.schema.items():
            self.assertEqual(
                (type.unit, table[column]), (table.unit(column), table[type.key or column])
            )
        mean = table.schema["mean"]
        self.assertEqual((mean, mean.unit), ("float64", "count/min"))
        self.assertIsInstance(mean, hkstats.ColumnType)
        self.assertEqual(json.loads(json.dumps(table.schema)), table.schema)
        for copied in (copy.deepcopy(mean), pickle.loads(pickle.dumps(mean))):
            self.assertEqual(vars(copied), vars(mean))
        # As where an answer says more of its columns.
        told = {"unit": "s", "key": "recent.value", "about": "the last value"}
        whole = table._whole
        [*others, last] = whole.children
        table._field = replace(whole, children=(*others, replace(last, metadata=told)))
        self.assertEqual(vars(table.schema["duration"]), told)
        self.assertEqual(table["recent.value"], table["duration"])
        self.assertEqual(table.unit("recent.value"), "s")
        # A name comes before a key.
        told["key"] = "mean"
        self.assertNotEqual(table["mean"], table["duration"])

    def test_intervals_without_samples_are_null(self) -> None:
        table = store().statistics("steps", by="day", since="2020-02", until="2020-03")
        self.assertEqual({row[2] for row in table.rows()}, {None})
        self.assertEqual(len(table), 29)

    def test_names_of_members(self) -> None:
        months = store().statistics("steps", by="month", by_source=True, timezone=ZONE)
        self.assertIn("source", months.columns)
        with self.assertRaisesRegex(hkstats.UsageError, "bySource"):
            store().statistics("steps", by_sources=True)
        self.assertEqual(
            _members({"from_": 1, "by_source": None}, columns="sum"), {"stat": "sum", "from": 1}
        )
        self.assertEqual(_members({"free_days": 1}, columns_="a"), {"columns": "a", "freeDays": 1})
        with self.assertRaisesRegex(hkstats.UsageError, "twice"):
            _members({"from_": 1}, since=2)

    def test_dates(self) -> None:
        zone = zoneinfo.ZoneInfo(ZONE)
        instant = datetime.datetime(2026, 10, 31, 6, 30, tzinfo=zone)
        for date, text in [
            (datetime.date(2026, 1, 31), "2026-01-31"),
            (datetime.datetime(2026, 1, 31, 10), "2026-01-31T10:00:00"),
            (instant, "2026-10-31T06:30:00+01:00"),
            (zone, ZONE),
            (datetime.timedelta(minutes=5), "300.0"),
        ]:
            self.assertIn(text, _json({"from": date}).decode())
        whole, rest = (
            store().samples("heartRate", since=since, until="2026-11-01", timezone=ZONE)
            for since in ["2026-10-31", instant]
        )
        starts = [row["start"] for row in whole.to_dicts()]
        self.assertEqual(len(rest), sum(start >= instant for start in starts))
        self.assertLess(len(rest), len(whole))

    def test_now(self) -> None:
        moment = datetime.datetime(2026, 10, 30, 23, 59, tzinfo=zoneinfo.ZoneInfo(ZONE))
        for now in [moment, moment.isoformat()]:
            with hkstats.open(store_path(), now=now, progress=False) as opened:
                days = opened.statistics("steps", by="day", since="-3d", timezone=ZONE)
                last = opened.statistics("steps", by="day", since="2026-10-30", timezone=ZONE)
            starts = [row["start"].date().isoformat() for row in days.to_dicts()]
            self.assertEqual(starts, ["2026-10-28", "2026-10-29", "2026-10-30"])
            # Who names a date gets all data, those that are later than now included.
            self.assertEqual(last.to_dicts()[-1]["start"].date().isoformat(), "2026-10-31")
        for now in ["2026-10-30T23:59:00", "today", "", moment.replace(tzinfo=None)]:
            with self.assertRaises(hkstats.UsageError) as raised:
                hkstats.open(store_path(), now=now, progress=False)
            self.assertIn("offset", str(raised.exception))

    def test_a_number_that_is_not_finite(self) -> None:
        with self.assertRaises(hkstats.UsageError):
            store().trend("steps", confidence=float("nan"))

    def test_each_analysis_has_the_parameters_that_the_library_describes(self) -> None:
        text = ctypes.c_void_p()
        call("describe", ctypes.byref(text))
        for analysis in json.loads(taken(text))["analyses"]:
            method = getattr(hkstats.Store, analysis["name"])
            named = inspect.signature(method).parameters
            for parameter in analysis["parameters"]:
                key = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), parameter["name"])
                given = named[key].default
                given = list(given) if isinstance(given, tuple) else given
                self.assertEqual(given, parameter["default"], f"{analysis['name']} {key}")
                self.assertIn(f"{key}: ", method.__doc__)

    def test_an_analysis_is_that_of_its_defaults(self) -> None:
        for name, members in [
            ("trend", {"type": "steps"}), ("typical", {"type": ["steps", "restingHeartRate"]}),
            ("correlate", {"type": "steps,restingHeartRate"}), ("rhythm", {}), ("hrv", {}),
            ("rhythm", {"type": "heartRate"}), ("glucose", {"since": "2026-10"}),
        ]:  # fmt: skip
            with self.subTest(name, **members):
                typed = getattr(store(), name)(timezone=ZONE, **members)
                asked = store().analysis(name, timezone=ZONE, **members)
                self.assertEqual(typed.to_dicts(), asked.to_dicts())
        with self.assertRaises(hkstats.Error) as raised:
            store().correlate(lags=367)
        self.assertIn("lags must be from 0 to 366", str(raised.exception))

    def test_the_form_of_a_dict(self) -> None:
        self.assertEqual(
            store().ask({"type": "steps", "by": "month", "timezone": ZONE}).to_dicts(),
            store().statistics("steps", by="month", timezone=ZONE).to_dicts(),
        )
        trend = store().ask({"analysis": "trend", "type": "steps", "timezone": ZONE})
        self.assertEqual(trend.to_dicts(), store().trend("steps", timezone=ZONE).to_dicts())
        self.assertEqual(
            store().ask({"kind": "audiogram"}).columns, store().elements("audiogram").columns
        )
        self.assertEqual(
            len(store().ask({"by": "month"}, table="sleep")), len(store().sleep(by="month"))
        )
        self.assertNotIn("stretches", store().sleep().columns)
        self.assertIn("stretches", store().sleep(stretches=True).columns)
        with self.assertRaises(hkstats.UsageError):
            store().ask({}, table="steps")

    def test_a_day_explained(self) -> None:
        # Neither the first nor the last day of the data, and not of 24 hours.
        day = store().explain("steps", "2026-10-25", timezone=ZONE)
        same = store().explain(
            "steps", by="day", since="2026-10-25", until="2026-10-26", timezone=ZONE
        )
        self.assertEqual(day.to_dicts(), same.to_dicts())
        for other in [datetime.date(2026, 10, 25), datetime.datetime(2026, 10, 25, 14)]:
            again = store().explain("steps", other, timezone=ZONE)
            self.assertEqual(again.to_dicts(), day.to_dicts())
        [merged] = (
            store()
            .statistics("steps", since="2026-10-25", until="2026-10-26", timezone=ZONE)
            .to_dicts()
        )
        counted = sum(row["sum"] for row in day.to_dicts())
        self.assertAlmostEqual(counted, merged["sum"], places=6)
        for row in day.to_dicts():
            self.assertAlmostEqual(
                sum(mask["amount"] for mask in row["masked_by"]), row["masked"], places=6
            )
        with self.assertRaises(hkstats.UsageError):
            store().explain("steps", "last week")
        with self.assertRaises(hkstats.UsageError):
            store().explain("steps", "2026-10-31", by="day")

    def test_samples_in_order_and_batches(self) -> None:
        table = store().samples("heartRate", since="2026-10-30", timezone=ZONE)
        newest = store().samples("heartRate", since="2026-10-30", timezone=ZONE, order="newest")
        few = store().samples(
            "heartRate", since="2026-10-30", timezone=ZONE, order="newest", limit=10,
            columns=["start", "value"], rows=3,
        )  # fmt: skip
        starts = [row["start"] for row in table.to_dicts()]
        self.assertEqual(starts, sorted(starts))
        self.assertEqual([row["start"] for row in newest.to_dicts()], starts[::-1])
        self.assertEqual([row[0] for row in few.rows()], starts[::-1][:10])
        self.assertEqual(few.columns, ["start", "value"])
        self.assertEqual((len(table), len(few)), (len(starts), 10))

    def test_seconds_in_place_of_instants(self) -> None:
        epoch = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)
        instants = store().samples("bodyMass", columns=["start"]).to_dicts()
        seconds = store().samples("bodyMass", columns=["start"], times="seconds")
        self.assertEqual(seconds.unit("start"), "s")
        for row, other in zip(instants, seconds.to_dicts()):
            self.assertAlmostEqual((row["start"] - epoch).total_seconds(), other["start"], 6)

    def test_instants_that_no_datetime_has(self) -> None:
        known = datetime.datetime(9999, 12, 31, 23, tzinfo=datetime.timezone.utc)
        first = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        seconds = int((known - first).total_seconds())
        for unit, scale in [("s", 1), ("m", 1_000), ("u", 1_000_000)]:
            field = _arrow.Field("time", f"ts{unit}:UTC", {}, (), None)
            values = (ctypes.c_int64 * 3)(seconds * scale, (seconds + 3601) * scale, -(2**61))
            array = SimpleNamespace(
                offset=0, null_count=0, n_buffers=2, buffers=[None, ctypes.addressof(values)]
            )
            self.assertEqual(
                _arrow._values(field, array, 0, 3),  # type: ignore[arg-type]
                [known, (seconds + 3601) * scale, -(2**61)],
            )

    def test_an_export_answers_as_its_store(self) -> None:
        before = live_objects()
        with hkstats.open(export(), progress=False) as opened:
            assert opened.report is not None
            self.assertEqual(opened.mode, "r")
            for ask in [
                lambda store: store.statistics("steps", by="month", timezone=ZONE),
                lambda store: store.sleep(timezone=ZONE),
                lambda store: store.samples("bodyMass", timezone=ZONE),
                lambda store: store.types(timezone=ZONE),
            ]:
                self.assertEqual(ask(opened).to_dicts(), ask(store()).to_dicts())
            days = opened.statistics("steps", by="day", timezone=ZONE)
            with self.assertRaisesRegex(hkstats.UsageError, "rw"):
                opened.import_export(export())
        self.assertEqual(len(days), 365)
        with self.assertRaisesRegex(hkstats.UsageError, "closed"):
            opened.types()
        opened.close()
        del days
        self.assertEqual(live_objects(), before)


class WhatPeopleSee(unittest.TestCase):
    def test_head_and_end_of_a_table(self) -> None:
        days = store().statistics("steps", by="day", timezone=ZONE)
        lines = repr(days).splitlines()
        self.assertEqual(lines[0], "statistics: 365 rows, 4 columns")
        self.assertEqual(lines[1].split(), ["start", "end", "sum", "count"])
        self.assertEqual(lines[2].split(), [ZONE, ZONE, "count"])
        self.assertEqual(len(lines), 3 + 6 + 1 + 4)
        self.assertTrue(lines[3].startswith("2025-11-01"))
        self.assertTrue(lines[-1].startswith("2026-10-31"))
        self.assertIn("…", lines[9])
        few = repr(store().statistics("steps", by="month", since="2026-08", timezone=ZONE))
        self.assertEqual(len(few.splitlines()), 3 + 3)
        self.assertNotIn("…", few)

    def test_samples_are_not_read_to_the_end(self) -> None:
        samples = store().samples("heartRate", rows=100)
        lines = repr(samples).splitlines()
        self.assertRegex(lines[0], "^samples: more than 10 rows, ")
        none = repr(store().samples("heartRate", since="2020", until="2020-02"))
        self.assertRegex(none.splitlines()[0], "^samples: 0 rows, ")

    def test_every_table_is_shown(self) -> None:
        for name, table in every_table().items():
            with self.subTest(name):
                text = repr(table)
                widths = [len(line) for line in text.splitlines()]
                self.assertLessEqual(max(widths), 80, text)
                page = table._repr_html_()
                self.assertEqual(page.count("<tr>"), page.count("</tr>"))
                shown = 10 if len(table) <= 10 else 11
                self.assertEqual(page.count("<tr>"), 2 + min(len(table), shown))

    def test_texts_of_a_store_are_no_markup(self) -> None:
        merged = hkstats.merge([0], [1], [1], ["<script>\x1b[31m\u202e&"])
        self.assertIn("&lt;script&gt;\ufffd[31m\ufffd&amp;", merged._repr_html_())
        self.assertIsNone(re.search("[\x1b\u202e]", repr(merged)))

    def test_a_store_names_itself(self) -> None:
        with hkstats.open(store_path()) as opened:
            self.assertIn("store.sqlite", repr(opened))
            self.assertNotIn("closed", repr(opened))
        self.assertIn("closed", repr(opened))


if __name__ == "__main__":
    unittest.main()
