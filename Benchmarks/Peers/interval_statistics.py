"""Interval statistics of the same samples by other tools, beside ours.

    python interval_statistics.py FOLDER PEER_COLUMNS

FOLDER holds times.i64 (seconds since 1970) and values.f64, as `peer-columns write` makes them;
PEER_COLUMNS is that program. Every tool gives mean, min, max and count by hour and by day, in UTC
and in Europe/Paris. Each answer is compared with ours before its time is shown.
"""

import subprocess
import sys
import time
from pathlib import Path

import duckdb
import numpy
import pandas
import polars

ROUNDS = 3
ZONES = ["UTC", "Europe/Paris"]
INTERVALS = {"hour": "1h", "day": "1D"}


def numpy_answer(data, interval, zone):
    times, values, edges = data
    first = numpy.searchsorted(times, edges[interval, zone])
    keep = first[:-1] < first[1:]
    rows = first[:-1][keep]
    counts = numpy.diff(first)[keep]
    sums = numpy.add.reduceat(values, rows)
    numpy.minimum.reduceat(values, rows)
    numpy.maximum.reduceat(values, rows)
    return sums / counts, counts


def edges_of(times, interval, zone):
    """What NumPy is given, as our kernel is: it has no calendar."""
    first, last = pandas.to_datetime(times[[0, -1]], unit="s", utc=True).tz_convert(zone)
    edges = pandas.date_range(
        first.normalize(), last + pandas.Timedelta(days=2), freq=INTERVALS[interval])
    return edges.tz_convert("UTC").tz_localize(None).as_unit("s").asi8


def pandas_answer(data, interval, zone):
    series = data if zone == "UTC" else data.tz_convert(zone)
    table = series.resample(INTERVALS[interval]).agg(["mean", "min", "max", "count"])
    table = table[table["count"] > 0]
    return table["mean"].to_numpy(), table["count"].to_numpy()


def polars_answer(data, interval, zone):
    frame = data if zone == "UTC" else data.with_columns(
        polars.col("time").dt.convert_time_zone(zone))
    table = frame.group_by_dynamic("time", every=INTERVALS[interval].lower()).agg(
        polars.col("value").mean().alias("mean"), polars.col("value").min().alias("min"),
        polars.col("value").max().alias("max"), polars.len().alias("count"))
    return table["mean"].to_numpy(), table["count"].to_numpy()


def duckdb_answer(data, interval, zone):
    bucket = (f"time_bucket(INTERVAL '1 {interval}', time)" if zone == "UTC"
              else f"time_bucket(INTERVAL '1 {interval}', time, '{zone}')")
    table = data.execute(
        f"SELECT {bucket} AS bucket, avg(value) AS mean, min(value), max(value), count(*) AS count "
        "FROM samples GROUP BY bucket ORDER BY bucket").fetchnumpy()
    return table["mean"], table["count"]


def tools(times, values):
    """Each tool with the data in its own form, made before the clock starts."""
    edges = {(interval, zone): edges_of(times, interval, zone)
             for interval in INTERVALS for zone in ZONES}
    yield f"numpy {numpy.__version__} reduceat, edges given", numpy_answer, (times, values, edges)
    index = pandas.to_datetime(times, unit="s", utc=True)
    yield f"pandas {pandas.__version__} resample", pandas_answer, pandas.Series(values, index)
    frame = polars.DataFrame({"time": times, "value": values}).with_columns(
        polars.from_epoch("time", time_unit="s").dt.replace_time_zone("UTC")).set_sorted("time")
    yield f"polars {polars.__version__} group_by_dynamic", polars_answer, frame
    database = duckdb.connect()
    database.execute("SET TimeZone = 'UTC'")
    arrays = {"time": times, "value": values}
    database.execute(
        "CREATE TABLE samples AS SELECT to_timestamp(time) AS time, value FROM arrays")
    yield f"duckdb {duckdb.__version__} time_bucket", duckdb_answer, database


def our_answer(folder, interval, zone):
    name = f"{interval}-{zone.replace('/', '-')}.f64"
    counts = numpy.fromfile(folder / f"ours-count-{name}")
    means = numpy.fromfile(folder / f"ours-mean-{name}")
    return means[counts > 0], counts[counts > 0]


def difference(answer, expected):
    """What is wrong with an answer, or nothing."""
    means, counts = (numpy.asarray(column, dtype=float) for column in answer)
    if len(counts) != len(expected[1]):
        return f"{len(counts)} intervals, not {len(expected[1])}"
    wrong = int((counts != expected[1]).sum())
    if wrong:
        return f"{wrong} intervals with another count"
    if not numpy.allclose(means, expected[0], rtol=1e-9, atol=0):
        return "other means"
    return ""


def main(folder, program):
    ours = subprocess.run(
        [program, "measure", folder], check=True, capture_output=True, text=True).stdout
    rows = {}
    for line in ours.splitlines():
        interval, zone, way, seconds = line.split("\t")
        rows.setdefault((interval, zone), []).append((way, float(seconds), ""))
    times = numpy.fromfile(folder / "times.i64", dtype=numpy.int64)
    values = numpy.fromfile(folder / "values.f64")
    for name, answer, data in tools(times, values):
        for interval in INTERVALS:
            for zone in ZONES:
                best, result = float("inf"), None
                for _ in range(ROUNDS + 1):
                    begin = time.perf_counter()
                    result = answer(data, interval, zone)
                    best = min(best, time.perf_counter() - begin)
                note = difference(result, our_answer(folder, interval, zone))
                rows[interval, zone].append((name, best, note))
    for (interval, zone), ways in rows.items():
        floor = next(seconds for way, seconds, _ in ways if way == "memory floor")
        print(f"\nBy {interval}, {zone}, {len(times):,} samples: mean, min, max and count")
        for way, seconds, note in sorted(ways, key=lambda row: row[1]):
            print(f"  {way:34} {seconds * 1e9 / len(times):8.2f} ns a sample"
                  f" {seconds / floor:8.1f} × floor  {note}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2])
