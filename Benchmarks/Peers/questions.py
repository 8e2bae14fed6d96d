"""Questions to ten years of samples, each a process that starts cold, beside other databases.

    python questions.py FOLDER HKSTATS

FOLDER holds what `ten-years` writes: a store, and the same samples as plain columns. From those the
other databases are made first: DuckDB with its rows in order of type and time, SQLite with an index
over type, time and value, which holds all that the question needs. Every answer without merging is
compared with that of the others before a time is shown. Files are in the page cache.
"""

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import numpy

ROUNDS = 11
# 2001-01-01 in seconds since 1970, by which the store counts.
REFERENCE = 978_307_200
QUESTIONS = {
    "steps by day, ten years": ("day", "2016-11-01", "2026-11-01"),
    "steps by hour, one year": ("hour", "2025-11-01", "2026-11-01"),
}
SECONDS = {"day": 86_400, "hour": 3_600}


def instant(day):
    return int(numpy.datetime64(day).astype("datetime64[s]").astype(int)) - REFERENCE


def duckdb_query(interval, first, last):
    # The store's second 0 is the beginning of a day and of an hour.
    return (f"SELECT CAST(floor(start / {SECONDS[interval]}) AS BIGINT) AS bucket, sum(value), count(*)"
            f" FROM samples WHERE type = 0 AND start >= {instant(first)} AND start < {instant(last)}"
            " GROUP BY bucket ORDER BY bucket")


def sqlite_query(interval, first, last):
    return (f"SELECT CAST(start / {SECONDS[interval]} AS INTEGER) AS bucket, sum(value), count(*)"
            f" FROM samples WHERE type = 0 AND start >= {instant(first)} AND start < {instant(last)}"
            " GROUP BY bucket ORDER BY bucket")


DUCKDB_PROGRAM = """
import sys, time, duckdb
began = time.perf_counter()
rows = duckdb.connect(sys.argv[1], read_only=True).execute(sys.argv[2]).fetchall()
took = time.perf_counter() - began
for row in rows: print(*row, sep="|")
print(took, file=sys.stderr)
"""


def make_databases(folder):
    paths = folder / "rows.duckdb", folder / "rows.sqlite"
    columns = {name: numpy.fromfile(folder / f"{name}.{kind}", dtype=kind_of)
               for name, kind, kind_of in [("type", "u8", "u1"), ("source", "u8", "u1"),
                                           ("start", "f64", "f8"), ("end", "f64", "f8"),
                                           ("value", "f64", "f8")]}
    columns["ends"] = columns.pop("end")
    count = len(columns["type"])
    if not paths[0].exists():
        database = duckdb.connect(paths[0])
        database.execute("CREATE TABLE samples AS SELECT * FROM columns ORDER BY type, start")
        database.close()
    if not paths[1].exists():
        database = sqlite3.connect(paths[1])
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA page_size = 8192")
        database.execute("CREATE TABLE samples (type INTEGER NOT NULL, source INTEGER NOT NULL, "
                         "start REAL NOT NULL, ends REAL NOT NULL, value REAL NOT NULL)")
        step = 1_000_000
        for first in range(0, count, step):
            rows = (columns[name][first:first + step].tolist()
                    for name in ["type", "source", "start", "ends", "value"])
            database.executemany("INSERT INTO samples VALUES (?, ?, ?, ?, ?)", zip(*rows))
        database.execute("CREATE INDEX inTime ON samples (type, start, value)")
        database.execute("ANALYZE")
        database.commit()
        database.close()
    return count, *paths


def run(arguments):
    """What a process prints, the seconds it takes, and the seconds it names itself."""
    began = time.perf_counter()
    result = subprocess.run(arguments, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    took = time.perf_counter() - began
    own = result.stderr.split()
    return result.stdout, took, float(own[-1]) if arguments[0] == sys.executable else None


def sums_of(output, name):
    """The sums of the intervals that have samples, in order."""
    if name.startswith("hkstats"):
        rows = json.loads(output)["intervals"]
        return [row["sum"] for row in rows if row.get("sum") is not None and row["count"] > 0]
    return [float(line.split("|")[1]) for line in output.decode().splitlines()]


def main(folder, program):
    count, duck, lite = make_databases(folder)
    store = folder / "store.sqlite"
    sizes = ", ".join(f"{path.name} {path.stat().st_size / count:.2f} B" for path in [store, duck, lite])
    print(f"\n{count:,} samples of 30 types and 6 sources; a sample in {sizes}")
    for title, (interval, first, last) in QUESTIONS.items():
        ours = [program, "stats", "steps", "--by", interval, "--from", first, "--to", last,
                "--timezone", "UTC", "--store", store]
        ways = {
            "hkstats, table": [*ours],
            "hkstats, merged": [*ours, "--format", "json"],
            "hkstats, unmerged": [*ours, "--merge", "none", "--format", "json"],
            f"duckdb {duckdb.__version__}, python": [
                sys.executable, "-S", "-c", SITE + DUCKDB_PROGRAM, duck,
                duckdb_query(interval, first, last)],
            f"sqlite3 {sqlite3.sqlite_version}": [
                "sqlite3", "-readonly", lite, sqlite_query(interval, first, last)],
        }
        whole = {name: [] for name in ways}
        own = {name: [] for name in ways}
        answers = {}
        for _ in range(ROUNDS + 1):
            for name, arguments in ways.items():
                answers[name], took, named = run(arguments)
                whole[name].append(took)
                own[name].append(named)
        expected = None
        print(f"{title}: median of {ROUNDS} processes, ms (least)")
        for name in ways:
            note = ""
            if "table" not in name and name.split()[-1] != "merged":
                sums = sums_of(answers[name], name)
                if expected is None:
                    expected = sums
                elif len(sums) != len(expected) or not numpy.allclose(sums, expected, rtol=1e-9):
                    note = f"  OTHER ANSWER: {len(sums)} intervals, not {len(expected)}"
            times = [value * 1000 for value in whole[name][1:]]
            line = f"  {name:28} {statistics.median(times):9.1f} ({min(times):.1f})"
            if own[name][0] is not None:
                line += f"  of that the database {statistics.median(own[name][1:]) * 1000:.1f}"
            print(line + note, flush=True)


SITE = f"import sys; sys.path += {sys.path!r}\n"

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), os.path.abspath(sys.argv[2]))
