"""Measures the Python package beside what it wraps, and beside peers; see run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any, Callable

REPEATS = 9


def write_export(count: int) -> None:
    """Writes an export with a heart rate every five seconds."""
    import datetime
    import random

    random.seed(1)
    write = sys.stdout.write
    write('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n')
    write(' <ExportDate value="2026-11-01 00:00:00 +0000"/>\n')
    end = datetime.datetime(2026, 11, 1)
    start = end - datetime.timedelta(seconds=5 * count)
    head = ' <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min"'
    rate = 70
    lines = []
    for index in range(count):
        rate = min(180, max(45, rate + random.randint(-3, 3)))
        date = (start + datetime.timedelta(seconds=5 * index)).strftime("%Y-%m-%d %H:%M:%S +0000")
        lines.append(f'{head} startDate="{date}" endDate="{date}" value="{rate}"/>\n')
        if len(lines) == 10_000:
            write("".join(lines))
            lines.clear()
    write("".join(lines) + "</HealthData>\n")


def seconds(run: Callable[[], Any]) -> float:
    """The seconds of a run."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def in_turns(**runs: Callable[[], float]) -> dict[str, float]:
    """The best of several turns of each, all in one process and at the same time."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(REPEATS):
        for name, run in runs.items():
            times[name].append(run())
    return {name: min(values) for name, values in times.items()}


def show(what: str, times: dict[str, float]) -> None:
    """One line: the first beside each of the others."""
    names = list(times)
    ours = times[names[0]]
    parts = [f"{name} {1000 * times[name]:.1f} ms" for name in names]
    ratios = [f"{ours / times[name]:.2f} × {name}" for name in names[1:]]
    print(f"{what:<34} {', '.join(parts)}: {', '.join(ratios)}", flush=True)


def measure(path: str, call: str, folder: str) -> None:
    """Measures everything on a store of heart rates."""
    import hkstats
    import numpy as np
    import pandas as pd
    import pint
    import polars as pl

    store = hkstats.open(path, progress=False)
    programs = [
        subprocess.Popen(
            [call, path, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for options in ([], ["thread"])
    ]

    def by_c(question: dict[str, Any], program: subprocess.Popen[str]) -> float:
        assert program.stdin and program.stdout
        program.stdin.write(json.dumps(question) + "\n")
        program.stdin.flush()
        return float(program.stdout.readline().split()[0])

    # Statistics, to a data frame, beside the call from C that reads every batch.
    for by, statistics in [("day", "mean,min,max,count"), ("hour", "mean,min,max,count"),
                           ("day", "median,p90")]:  # fmt: skip
        question = {"type": "heartRate", "by": by, "stat": statistics, "timezone": "Europe/Paris"}

        def by_python() -> float:
            return seconds(
                lambda: store.statistics(
                    "heartRate", by=by, columns=statistics.split(","), timezone="Europe/Paris"
                ).to_polars()
            )

        runs = {
            "Python": by_python,
            "C on a thread": lambda: by_c(question, programs[1]),
            "C": lambda: by_c(question, programs[0]),
        }
        show(f"{statistics} by {by}", in_turns(**runs))

    # Samples, beside polars reading the same columns from its own file.
    columns = ["start", "end", "value", "unit", "source"]
    frame = store.samples("heartRate", columns=columns).to_polars()
    parquet = f"{folder}/samples.parquet"
    frame.write_parquet(parquet)
    rows = frame.height
    del frame
    show(
        f"{rows} samples to polars",
        in_turns(
            Python=lambda: seconds(
                lambda: store.samples("heartRate", columns=columns).to_polars().height
            ),
            Parquet=lambda: seconds(lambda: pl.read_parquet(parquet).height),
        ),
    )

    # Merging, beside a sum by day that merges nothing.
    count = rows
    generator = np.random.default_rng(1)
    starts = np.sort(generator.uniform(0, 3e7, count))
    ends = starts + generator.uniform(0, 600, count)
    values = generator.integers(1, 100, count).astype(np.float64)
    sources = generator.integers(0, 2, count).astype(np.int32)
    names = ["watch", "phone"]
    data = pd.DataFrame({"day": (starts // 86_400).astype(np.int64), "value": values})
    show(
        f"merge of {count} rows",
        in_turns(
            Python=lambda: seconds(
                lambda: hkstats.merge(starts, ends, values, sources, priority=names)
            ),
            groupby=lambda: seconds(lambda: data.groupby("day")["value"].sum()),
        ),
    )

    # Units.
    convert = hkstats.unit("lb").to("kg")
    registry = pint.UnitRegistry()
    quantity = registry.Quantity(values, "lb")
    show(
        f"{count} numbers from lb to kg",
        in_turns(
            Python=lambda: seconds(lambda: convert(values)),
            pint=lambda: seconds(lambda: quantity.to("kg")),
            numpy=lambda: seconds(lambda: values * 0.45359237),
        ),
    )
    for program in programs:
        assert program.stdin
        program.stdin.close()
        program.wait()


if __name__ == "__main__":
    if sys.argv[1] == "export":
        write_export(int(sys.argv[2]))
    else:
        measure(*sys.argv[2:])
