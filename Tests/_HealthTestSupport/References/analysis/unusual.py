"""Reference values of baselines and ranges. Run: python3 unusual.py > unusual.json (deterministic).

Median absolute deviations by SciPy, medians and percentiles by NumPy. unusual.R gives the same by R's
mad, median and quantile, as unusual-r.json.
"""
import json
import numpy as np, scipy
from scipy.stats import median_abs_deviation

i = np.arange(120)
plain = 60 + 0.03 * i + 3 * np.sin(2 * np.pi * i / 7) + 5 * ((i * 0.6180339887498949) % 1 - 0.5)
plain[100] += 12
flat = np.where(i % 10 == 3, 64.0, 60.0)
flat[90] = 71.0
gaps = {"plain": set(), "holes": {0, 1, 5, 30, 31, 77, 78, 79, 119} | {j for j in range(90, 110) if j % 3},
        "flat": set()}
series = {name: [None if j in missing else float(v) for j, v in enumerate(flat if name == "flat" else plain)]
          for name, missing in gaps.items()}
sources = [int(j >= 50) + int(70 <= j < 75) for j in i]


def scores(values, size, least, ids=None):
    out = []
    for row in range(len(values)):
        before = np.array([values[j] for j in range(max(0, row - size), row)
                           if values[j] is not None and (ids is None or ids[j] == ids[row])])
        if len(before) < least:
            out.append({"count": len(before), "median": None, "mad": None, "z": None})
            continue
        median = float(np.median(before))
        mad = float(median_abs_deviation(before))
        spread = mad / 0.6745 if mad > 0 else 1.253314 * float(np.mean(np.abs(before - median)))
        z = None if values[row] is None or spread == 0 else (values[row] - median) / spread
        out.append({"count": len(before), "median": median, "mad": mad, "z": z})
    return out


cases = []
for name in series:
    for size, least in ((28, 14), (7, 4)):
        cases.append({"series": name, "baseline": size, "least": least, "bySource": False,
                      "rows": scores(series[name], size, least)})
        cases.append({"series": name, "baseline": size, "least": least, "bySource": True,
                      "rows": scores(series[name], size, least, sources)})
ranges = []
for name in series:
    for size in (28, 120):
        for low, high in ((0.05, 0.95), (0.1, 0.9), (0.25, 0.75), (0.0, 1.0)):
            v = np.array([x for x in series[name][-size:] if x is not None])
            ranges.append({"series": name, "rows": size, "low": low, "high": high, "count": len(v),
                           "values": [float(np.quantile(v, low)), float(np.median(v)), float(np.quantile(v, high))]})
print(json.dumps({"versions": {"numpy": np.__version__, "scipy": scipy.__version__}, "series": series,
                  "sources": sources, "cases": cases, "ranges": ranges}))
