"""Glucose by iglu_python, NumPy and base R. Run: python glucose.py > glucose.json"""
import pathlib
import json, os, subprocess, tempfile, warnings, importlib.metadata as md
warnings.filterwarnings("ignore")
import numpy as np, pandas as pd, iglu_python as ig
here = os.path.dirname(os.path.abspath(__file__))
def r(values):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write("\n".join(map(str, values))); f.flush()
        out = subprocess.run(["Rscript", os.path.join(here, "glucose.R"), f.name], capture_output=True, text=True, check=True).stdout
    return {k: float(v) for k, v in (line.split() for line in out.splitlines())}
def iglu(values):
    s = pd.Series(np.array(values, float)); b = ig.below_percent(s, [54, 70]); a = ig.above_percent(s, [180, 250])
    return {"mean": s.mean(), "sd": ig.sd_glu(s), "cv": ig.cv_glu(s), "gmi": ig.gmi(s), "gri": ig.gri(s), "lbgi": ig.lbgi(s), "hbgi": ig.hbgi(s),
            "j": ig.j_index(s), "grade": ig.grade(s), "very_low": b["below_54"] / 100, "low": (b["below_70"] - b["below_54"]) / 100,
            "in_range": ig.in_range_percent(s, [[70, 180]])["in_range_70_180"] / 100, "high": (a["above_180"] - a["above_250"]) / 100,
            "very_high": a["above_250"] / 100}
def by_time(t, g, hold, end):
    """Shares of a curve that is cut into whole seconds, each with the last reading of at most hold seconds before it."""
    g = np.array(g, float); second = np.arange(t[0], end); row = np.searchsorted(t, second, side="right") - 1
    v = g[row][second - np.array(t)[row] < hold]; n = len(v)
    return {"seconds": n, "very_low": (v < 54).sum() / n, "low": ((v >= 54) & (v < 70)).sum() / n, "in_range": ((v >= 70) & (v <= 180)).sum() / n,
            "high": ((v > 180) & (v <= 250)).sum() / n, "very_high": (v > 250).sum() / n}
spec = [45, 60, 80, 100, 120, 150, 180, 181, 200, 250, 260, 300]
rows = [i for i in range(3000) if (i * 7) % 50 < 44]
made = [40 + (7 * i * i + 13 * i) % 331 for i in rows]
times = [300 * i + (i * 37) % 211 for i in rows]
print(json.dumps({
    "versions": {**{p: md.version(p) for p in ("iglu-python", "numpy", "pandas")}, "R": subprocess.run(
        ["Rscript", "-e", "cat(as.character(getRversion()))"], capture_output=True, text=True).stdout},
    "spec": json.load(open(pathlib.Path(__file__).resolve().parents[5] / "shared/data/analysis/reference.json"))["glucose"],
    "small": {"iglu": iglu(spec), "r": r(spec)},
    "made": {"formula": "i from 0 to 2999 with 7i mod 50 < 44: time 300 i + 37 i mod 211, value 40 + (7 i² + 13 i) mod 331", "iglu": iglu(made),
             "r": r(made), "seconds_hold_900": by_time(times, made, 900, times[-1] + 400), "seconds_hold_350": by_time(times, made, 350, times[-1] + 400)}},
    indent=1, default=float))
