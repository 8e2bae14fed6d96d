"""Decompositions of the same series by statsmodels, beside ours.

    python decomposition.py FOLDER DECOMPOSITION ROWS [SERIES]

FOLDER holds values.f64, as `decomposition write` makes it; DECOMPOSITION is that program. Both sides
work on one thread, whose own time counts. SERIES says how many series statsmodels decomposes by
MSTL and with weights of robustness (default: all), which takes seconds for each; its time is then
per series. Each answer is compared with ours.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import math
import subprocess
import sys
import time
from pathlib import Path

import numpy
import statsmodels
from statsmodels.tsa.seasonal import MSTL, STL

PERIODS = {7: 11, 365: 15}


def odd_from(number):
    return number + (number % 2 == 0)


def tenth_jumps(period, seasonal):
    """Jumps of a tenth of each window, rounded up, as R has them."""
    trend = odd_from(math.ceil(1.5 * period / (1 - 1.5 / seasonal)))
    windows = {"seasonal": seasonal, "trend": trend, "low_pass": odd_from(period + 1)}
    return {f"{name}_jump": math.ceil(window / 10) for name, window in windows.items()}


def stl(values, **options):
    result = STL(values, period=7, **options).fit()
    return [result.trend, result.seasonal]


def mstl(values):
    result = MSTL(values, periods=tuple(PERIODS)).fit()
    return [result.trend, *result.seasonal.T]


def mstl_tenth(values):
    """MSTL by its paper: the package has one jump for all periods."""
    found = {period: numpy.zeros(len(values)) for period in PERIODS}
    rest = values
    for _ in range(2):
        for period, window in PERIODS.items():
            rest = rest + found[period]
            result = STL(rest, period=period, seasonal=window, **tenth_jumps(period, window)).fit()
            found[period] = result.seasonal
            rest = rest - found[period]
    return [result.trend, *found.values()]


WAYS = {
    "stl-1": stl,
    "stl-tenth": lambda values: stl(values, **tenth_jumps(7, 7)),
    "stl-robust": lambda values: stl(values, robust=True),
    "mstl-1": mstl,
    "mstl-tenth": mstl_tenth,
}


def main(folder, program, rows, limit):
    ours = subprocess.run(
        [program, "measure", folder, str(rows)], check=True, capture_output=True, text=True).stdout
    values = numpy.fromfile(folder / "values.f64").reshape(-1, rows)
    print(f"{len(values)} series of {rows:,} days, one thread, statsmodels {statsmodels.__version__}")
    for line in ours.splitlines():
        name, seconds, count = line.split("\t")
        seconds = float(seconds) / int(count)
        chosen = values if name in ("stl-1", "stl-tenth") else values[:limit]
        begin = time.process_time()
        answers = [WAYS[name](series) for series in chosen]
        peer = (time.process_time() - begin) / len(chosen)
        expected = numpy.fromfile(folder / f"ours-{name}.f64").reshape(len(values), -1, rows)
        error = max(abs(numpy.asarray(answer) - own).max()
                    for answer, own in zip(answers, expected))
        note = "" if error <= 1e-10 * abs(values).max() else f"  differs by {error:.1e}"
        print(f"  {name:10} ours {seconds * 1e3:9.3f} ms a series, statsmodels {peer * 1e3:9.1f} ms"
              f" (of {len(chosen)}), ratio {peer / seconds:7.1f}{note}")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]),
         int(sys.argv[4]) if len(sys.argv) == 5 else None)
