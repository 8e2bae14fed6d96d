"""Units, their conversion, and merging."""

import array
import datetime
import math
import unittest

from support import ZONE, hkstats, live_objects, reader, store


class Units(unittest.TestCase):
    def test_scalars_and_lists(self) -> None:
        pounds = hkstats.unit("lb").to("kg")
        self.assertEqual(pounds(1), 0.45359237)
        self.assertEqual(pounds([0, 2.0, -1]), [0, 0.90718474, -0.45359237])
        self.assertEqual(pounds((1,)), [0.45359237])
        self.assertEqual(pounds([]), [])
        self.assertTrue(math.isnan(pounds(float("nan"))))
        self.assertEqual(hkstats.unit("degF").to("degC")(212), 100)
        # 3937 survey feet are 1200 metres; a pound is 0.45359237 kg, a foot 0.3048 m.
        self.assertAlmostEqual(hkstats.unit("lb/ft^2").to("kg/m^2")(1), 0.45359237 / 0.3048**2)

    def test_a_substance(self) -> None:
        with self.assertRaises(hkstats.UsageError):
            hkstats.unit("mg/dL").to("mmol/L")
        # A mole of glucose weighs 180.156 g.
        ratio = hkstats.unit("mmol/L").to("mg/dL", type="bloodGlucose")(1)
        self.assertAlmostEqual(ratio, 18.0156, 3)

    def test_buffers(self) -> None:
        pounds = hkstats.unit("lb").to("kg")
        numbers = array.array("d", [1, 2])
        for buffer in [numbers, memoryview(numbers), memoryview(numbers.tobytes()).cast("d")]:
            self.assertEqual(pounds(buffer), array.array("d", [0.45359237, 0.90718474]))
        self.assertEqual(numbers, array.array("d", [1, 2]))
        self.assertEqual(pounds(array.array("d")), array.array("d"))
        for wrong in [array.array("f", [1]), b"12345678", "1", None, object(), True, ["1"]]:
            with self.assertRaises(TypeError, msg=repr(wrong)):
                pounds(wrong)

    def test_numpy(self) -> None:
        numpy = reader("numpy")
        pounds = hkstats.unit("lb").to("kg")
        numbers = numpy.arange(6.0).reshape(2, 3)
        for given in [numbers, numbers.T, numbers[:, ::2], numbers[::-1], numbers.astype("f4"),
                      numbers.astype("i8"), numbers[:0]]:  # fmt: skip
            expected = numpy.array([[pounds(float(each)) for each in row] for row in given])
            converted = pounds(given)
            self.assertEqual(converted.shape, given.shape)
            self.assertEqual(converted.dtype, numpy.float64)
            self.assertEqual(converted.tolist(), expected.reshape(given.shape).tolist())
        self.assertEqual(numbers.tolist(), [[0, 1, 2], [3, 4, 5]])
        numbers.flags.writeable = False
        self.assertEqual(pounds(numbers)[0, 1], 0.45359237)
        self.assertEqual(pounds(numpy.float32(1)), 0.45359237)
        self.assertEqual(pounds(numpy.array(1.0)).shape, ())
        for wrong in [numpy.array(["1"]), numpy.array([1j]), numpy.array(["2026"], "M8[D]")]:
            with self.assertRaises(TypeError):
                pounds(wrong)
        with_gaps = pounds(numpy.array([1.0, numpy.nan]))
        self.assertTrue(numpy.isnan(with_gaps[1]) and with_gaps[0] == 0.45359237)

    def test_pandas(self) -> None:
        pandas = reader("pandas")
        series = pandas.Series([1.0, 2.0])
        self.assertEqual(hkstats.unit("lb").to("kg")(series).tolist(), [0.45359237, 0.90718474])

    def test_what_a_unit_is(self) -> None:
        unit = hkstats.unit("lb/ft^2")
        self.assertEqual(unit.facts["unit"], "lb/ft²" if "²" in str(unit.facts) else "lb/ft^2")
        self.assertIn("dimension", unit.facts)
        self.assertEqual(eval(repr(unit), {"hkstats": hkstats}).facts, unit.facts)
        conversion = unit.to("kg/m^2")
        self.assertEqual(eval(repr(conversion), {"hkstats": hkstats})(1), conversion(1))
        for wrong in ["lbb/ft", "a\0b", "\ud800"]:
            with self.assertRaises(hkstats.UsageError, msg=repr(wrong)):
                hkstats.unit(wrong)
        with self.assertRaises(hkstats.UsageError):
            unit.to("s")

    def test_conversions_are_closed(self) -> None:
        before = live_objects()
        conversions = [hkstats.unit("lb").to("kg") for _ in range(10)]
        self.assertEqual(live_objects(), before + 10)
        del conversions
        self.assertEqual(live_objects(), before)


class Merging(unittest.TestCase):
    def test_the_higher_rank_counts(self) -> None:
        merged = hkstats.merge([0, 5], [10, 15], [10, 10], ["phone", "watch"], priority=["watch"])
        self.assertEqual(merged.columns, ["start", "end", "value", "source", "row"])
        self.assertEqual(sorted(merged.rows()), [(0, 5, 5, "phone", 0), (5, 15, 10, "watch", 1)])
        raw = hkstats.merge([0, 5], [10, 15], [10, 10], ["phone", "watch"], policy="none")
        self.assertEqual(sum(row["value"] for row in raw.to_dicts()), 20)

    def test_names_and_codes(self) -> None:
        names = hkstats.merge([0, 5], [10, 15], [10, 10], ["a", "b"])
        codes = hkstats.merge([0, 5], [10, 15], [10, 10], [0, 1], priority=["a", "b"])
        self.assertEqual(names.to_dicts(), codes.to_dicts())
        for wrong in [[0, 2], [0, -1], [0, 2**40]]:
            with self.assertRaises(hkstats.UsageError):
                hkstats.merge([0, 5], [10, 15], [10, 10], wrong, priority=["a", "b"])

    def test_instants(self) -> None:
        utc = datetime.timezone.utc
        starts = [datetime.datetime(2026, 10, 1, 8, tzinfo=utc), datetime.datetime(2026, 10, 1, 9)]
        ends = [start + datetime.timedelta(hours=2) for start in starts]
        merged = hkstats.merge(starts, ends, [2, 2], ["a", "b"])
        self.assertEqual(
            sorted((row["start"], row["end"]) for row in merged.to_dicts()),
            [(starts[0], ends[0]), (ends[0], ends[1].replace(tzinfo=utc))],
        )
        self.assertEqual(merged.schema["start"], "timestamp[us, UTC]")
        self.assertEqual(merged.to_dicts()[0]["start"].utcoffset(), datetime.timedelta(0))

    def test_numpy_and_pandas(self) -> None:
        numpy = reader("numpy")
        starts = numpy.array(["2026-10-01T08:00", "2026-10-01T09:00"], "M8[ns]")
        ends = starts + numpy.timedelta64(2, "h")
        values, codes = numpy.array([2, 2], "i8"), numpy.array([0, 1], "i8")
        merged = hkstats.merge(starts, ends, values, codes, priority=["a", "b"])
        self.assertEqual([row["value"] for row in merged.to_dicts()], [2, 1])
        names = numpy.array(["a", "b"])
        self.assertEqual(hkstats.merge(starts, ends, values, names).to_dicts(), merged.to_dicts())
        pandas = reader("pandas")
        frame = pandas.DataFrame({"start": starts, "end": ends, "value": values, "source": names})
        for unit in ["ns", "us", "s"]:
            for zone in [None, "UTC", ZONE]:
                with self.subTest(unit=unit, zone=zone):
                    columns = [frame[name].astype(f"M8[{unit}]") for name in ["start", "end"]]
                    if zone:
                        columns = [
                            each.dt.tz_localize("UTC").dt.tz_convert(zone) for each in columns
                        ]
                    again = hkstats.merge(*columns, frame["value"], frame["source"])
                    self.assertEqual(again.to_dicts(), merged.to_dicts())
        starts[1] = numpy.datetime64("NaT")
        with self.assertRaises(hkstats.UsageError):
            hkstats.merge(starts, ends, values, codes, priority=["a", "b"])

    def test_what_does_not_fit(self) -> None:
        for arguments in [
            ([0], [1, 2], [1], ["a"]),
            ([0, 1], [1, 2], [1, 1], ["a"]),
            ([0], [float("nan")], [1], ["a"]),
            ([0], [float("inf")], [1], ["a"]),
            ([2], [1], [1], ["a"]),
        ]:
            with self.assertRaises(hkstats.UsageError, msg=repr(arguments)):
                hkstats.merge(*arguments)
        for arguments in [
            (["0"], [1], [1], ["a"]),
            ([0], [1], ["x"], ["a"]),
            ([0], [1], [1], [None]),
            ([datetime.datetime(2026, 1, 1)], [1], [1], ["a"]),
            ([datetime.datetime(2026, 1, 1), 1], [1, 2], [1, 1], ["a", "a"]),
        ]:
            with self.assertRaises(TypeError, msg=repr(arguments)):
                hkstats.merge(*arguments)
        for name in ["type", "policy"]:
            with self.assertRaises(hkstats.UsageError):
                hkstats.merge([0], [1], [1], ["a"], **{name: "steeps"})
        self.assertEqual(hkstats.merge([], [], [], []).to_dicts(), [])

    def test_samples_merged_are_the_statistics(self) -> None:
        month = {"since": "2026-10-01", "until": "2026-11-01", "timezone": ZONE}
        columns = ["start", "end", "value", "source", "entered_by_hand"]
        rows = store().samples("steps", columns=columns, times="seconds", **month).to_dicts()
        by_hand = " (entered by hand)"
        names = [row["source"] + by_hand * row["entered_by_hand"] for row in rows]
        statistics = store().statistics("steps", by="month", columns="sum", **month)
        merged = hkstats.merge(
            [row["start"] for row in rows], [row["end"] for row in rows],
            [row["value"] for row in rows], names,
            priority=statistics.metadata["answer"]["priority"],
        )  # fmt: skip
        # A sample across an edge of the month counts by its share.
        [total] = statistics.to_dicts()
        inside = sum(row["value"] for row in merged.to_dicts())
        self.assertLess(abs(inside - total["sum"]), 0.005 * total["sum"])
        raw = store().statistics("steps", by="month", columns="sum", merge="none", **month)
        self.assertGreater(raw.to_dicts()[0]["sum"], 1.2 * inside)


if __name__ == "__main__":
    unittest.main()
