"""Training load by pandas, NumPy and base R. Run: python training.py > training.json"""
import pathlib
import json, math, os, subprocess, importlib.metadata as md
import numpy as np, pandas as pd
here = os.path.dirname(os.path.abspath(__file__))
out = subprocess.run(["Rscript", os.path.join(here, "training.R")], capture_output=True, text=True, check=True).stdout
r = {k: float(v) for k, v in (line.split() for line in out.splitlines())}
load = [50, 0, 80, 0, 0, 120, 60] * 8; p = {}
for n in (42, 7):
    for name, a in (("reciprocal", 1 / n), ("exponential", 1 - math.exp(-1 / n))):
        e = pd.Series([0.0] + load).ewm(alpha=a, adjust=False).mean()
        p[f"{name}_{n}_20"] = e[20]; p[f"{name}_{n}_56"] = e[56]
i = np.arange(400); t = 9 * i + (i * i) % 3 + np.where(i >= 200, 300, 0); h = 80 + (11 * i * i + 5 * i) % 121
held = np.minimum(60, np.append(np.diff(t), 0)); held[399] = held[398]; d = np.clip((h - 55) / 135, 0, 1)
p["curve_men"] = (held / 60 * d * .64 * np.exp(1.92 * d)).sum(); p["curve_women"] = (held / 60 * d * .86 * np.exp(1.67 * d)).sum()
z = np.clip(np.digitize(h, [95, 114, 133, 152, 171]), 0, 5)
for k in range(1, 6): p[f"zone_{k}"] = held[z == k].sum() / 60
p["edwards"] = (held / 60 * z).sum()
ref = json.load(open(pathlib.Path(__file__).resolve().parents[5] / "shared/data/analysis/reference.json"))
print(json.dumps({"versions": {**{q: md.version(q) for q in ("numpy", "pandas")}, "R": subprocess.run(
    ["Rscript", "-e", "cat(as.character(getRversion()))"], capture_output=True, text=True).stdout},
    "loads": "[50,0,80,0,0,120,60] eight times", "curve": "i from 0 to 399: time 9 i + i² mod 3, 300 s more from 200 on, rate 80 + (11 i² + 5 i) mod 121",
    "spec": {"men": ref["banister"]["men 60min 155/55/190"], "women": ref["banister"]["women 60min 155/55/190"],
             "reciprocal_42_56": ref["ctl_atl_after_56d_of[50,0,80,0,0,120,60]"]["ctl_1/N"], "reciprocal_7_56": ref["ctl_atl_after_56d_of[50,0,80,0,0,120,60]"]["atl_1/N"],
             "exponential_42_56": ref["ctl_atl_exp"]["ctl"], "exponential_7_56": ref["ctl_atl_exp"]["atl"]},
    "pandas": p, "r": r}, indent=1, default=float))
