"""Correlations of all pairs of series at all lags by SciPy, beside ours.

    python relations.py FOLDER RELATIONS ROWS [EVERY]

FOLDER holds values.f64, as `relations write` makes it; RELATIONS is that program. Both sides work on
one thread, whose own time counts. SciPy is called for one test of so many as EVERY says (default:
50), on the rows that both series have, and its time is scaled up to all. Each of its coefficients is
compared with ours. Ours includes the counts of independent pairs and the adjusted p-values, SciPy's
a p-value for each test.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import subprocess
import sys
import time
from pathlib import Path

import numpy
import scipy
from scipy import stats

LAGS = range(-3, 4)
FUNCTIONS = {"spearman": stats.spearmanr, "pearson": stats.pearsonr}


def main(folder, program, rows, every):
    series = numpy.fromfile(folder / "values.f64").reshape(-1, rows)
    tests = [(x, y, lag) for x in range(len(series)) for y in range(x + 1, len(series))
             for lag in LAGS]
    lines = subprocess.run([program, "measure", str(folder), str(rows)], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    gaps = numpy.isnan(series).mean()
    print(f"{len(series)} series of {rows} rows, {gaps:.1%} missing, {len(tests)} tests; "
          f"SciPy {scipy.__version__} on every {every}th")
    for line in lines:
        method, seconds, count = line.split("\t")
        assert int(count) == len(tests)
        ours = numpy.fromfile(folder / f"ours-{method}.f64")
        function = FUNCTIONS[method]
        took, farthest, sampled = 0, 0, range(0, len(tests), every)
        for index in sampled:
            one, other, lag = tests[index]
            began = time.process_time()
            x = series[one, max(0, -lag):rows - max(0, lag)]
            y = series[other, max(0, lag):rows - max(0, -lag)]
            both = ~(numpy.isnan(x) | numpy.isnan(y))
            found = function(x[both], y[both])
            took += time.process_time() - began
            farthest = max(farthest, abs(found.statistic - ours[index]))
        assert farthest < 1e-12, farthest
        whole = took / len(sampled) * len(tests)
        print(f"{method}: SciPy {whole:.2f} s ({took / len(sampled) * 1e6:.0f} us a test), "
              f"ours {float(seconds):.3f} s, {whole / float(seconds):.0f} times; "
              f"largest difference {farthest:.1e}")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]),
         int(sys.argv[4]) if len(sys.argv) == 5 else 50)
