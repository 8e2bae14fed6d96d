"""Cycles from days of flow, and the spread of their lengths, by pandas and base R. Run: python cycles.py > cycles.json"""
import json, os, subprocess, importlib.metadata as md
import numpy as np, pandas as pd
here = os.path.dirname(os.path.abspath(__file__))
# Bleeds of 4 to 6 days, one with a day without flow, 25 to 33 days apart, and a gap of 121 days.
starts = np.cumsum([100] + [28, 27, 31, 25, 33, 29, 121, 28, 26, 30]); days = []
for k, s in enumerate(starts): days += [int(s) + d for d in range(4 + k % 3) if not (k == 3 and d == 2)]
s = pd.Series(sorted(days)); first = s[(s.diff().isna()) | (s.diff() - 1 >= 10)]
lengths = first.diff().dropna().astype(int); used = lengths[lengths <= 90]
out = subprocess.run(["Rscript", os.path.join(here, "cycles.R"), *map(str, used)], capture_output=True, text=True, check=True).stdout
print(json.dumps({"versions": {**{q: md.version(q) for q in ("numpy", "pandas")}, "R": subprocess.run(
    ["Rscript", "-e", "cat(as.character(getRversion()))"], capture_output=True, text=True).stdout},
    "days": days, "firsts": first.tolist(), "lengths": used.tolist(),
    "pandas": {"median": used.median(), "lower": used.quantile(.25), "upper": used.quantile(.75), "sd": used.std(), "least": int(used.min()), "greatest": int(used.max())},
    "r": {k: float(v) for k, v in (line.split() for line in out.splitlines())}}, default=float))
