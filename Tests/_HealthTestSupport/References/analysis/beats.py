"""Heart rate variability by hrv-analysis, NeuroKit and base R. Run: python beats.py > beats.json

The 1,000 intervals (ms) are the numbers of tests/test_nn_intervals.txt of github.com/Aura-healthcare/hrv-analysis;
they are kept in beats-intervals.txt. The second series is made of whole numbers, as is the third, with ectopic beats."""
import json, os, subprocess, sys, tempfile, types, warnings, importlib.metadata as md
warnings.filterwarnings("ignore")
import numpy as np, pandas as pd, neurokit2 as nk
sys.modules["nolds"] = types.ModuleType("nolds")  # Not needed here, and its own import fails with Python 3.11.
from hrvanalysis import get_time_domain_features, get_poincare_plot_features
here = os.path.dirname(os.path.abspath(__file__))
def r(values):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write("\n".join(map(str, values))); f.flush()
        out = subprocess.run(["Rscript", os.path.join(here, "beats.R"), f.name], capture_output=True, text=True, check=True).stdout
    return {k: float(v) for k, v in (line.split() for line in out.splitlines())}
def windows(x):
    x = pd.Series(np.array(x, float)); w = np.floor((x.cumsum() - x) / 300000); g = x.groupby(w); ok = g.sum() >= 150000
    return {"windows": int(ok.sum()), "sdnn_index": float(g.std()[ok].mean()), "sdann": float(g.mean()[ok].std())}
def all_of(values):
    h = get_time_domain_features(values); p = get_poincare_plot_features(values)
    peaks = np.concatenate([[0], np.cumsum(values)])
    n = nk.hrv_time(peaks, sampling_rate=1000).iloc[0]; q = nk.hrv_nonlinear(peaks, sampling_rate=1000).iloc[0]
    return {"hrvanalysis": {"mean": h["mean_nni"], "sdnn": h["sdnn"], "rmssd": h["rmssd"], "sdsd": h["sdsd"], "nn50": float(h["nni_50"]),
                            "pnn50": h["pnni_50"], "mean_hr": h["mean_hr"], "std_hr": h["std_hr"], "sd1": p["sd1"]},
            "neurokit": {"mean": n["HRV_MeanNN"], "sdnn": n["HRV_SDNN"], "rmssd": n["HRV_RMSSD"], "sdsd_ddof1": n["HRV_SDSD"],
                         "sd1": q["HRV_SD1"], "sd2": q["HRV_SD2"]},
            "pandas": windows(values), "r": r(values)}
ints = [int(t) for t in open(os.path.join(here, "beats-intervals.txt"))]
made = [780 + (i * i * 31 + i * 17) % 97 + (i // 400) * 23 for i in range(2500)]
print(json.dumps({
    "versions": {**{p: md.version(p) for p in ("hrv-analysis", "neurokit2", "numpy", "pandas")}, "R": subprocess.run(
        ["Rscript", "-e", "cat(as.character(getRversion()))"], capture_output=True, text=True).stdout},
    "published": {"sdnn": 43.113074968427306, "rmssd": 19.519400785039664, "sdsd": 19.519367520775713, "nn50": 24, "mean": 718.248,
                  "mean_hr": 83.84733227281252, "std_hr": 5.196775370674054, "sd1": 13.80919037557993},
    "file": all_of(ints),
    "made": {"formula": "780 + (31 i² + 17 i) mod 97 + 23 (i div 400), i from 0 to 2499", **all_of(made)}}, indent=1, default=float))
