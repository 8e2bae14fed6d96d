"""MAGE, MODD, CONGA, events, DFA, monotony, real variability, MSFsc, seasonal Mann-Kendall, missing weekdays by other packages.

No random numbers. Run: python measures.py > measures.json"""
import itertools, json, math, os, sys, types, warnings, importlib.metadata as md
from fractions import Fraction
warnings.filterwarnings("ignore")
data = types.ModuleType("nolds.datasets"); data.__getattr__ = lambda name: None
sys.modules["nolds.datasets"] = data  # Not needed here, and its own import fails with Python 3.11.
import numpy as np, pandas as pd, iglu_python as ig, neurokit2 as nk, nolds, pymannkendall as mk
from scipy import stats
here = os.path.dirname(os.path.abspath(__file__))

def glucose(dropped):
    i = np.arange(288 * 5); keep = np.array([k not in dropped for k in i])
    g = np.round(118 + 45 * np.sin(2 * np.pi * i / 288) + 38 * np.sin(2 * np.pi * i / 97) + 14 * np.sin(2 * np.pi * i / 31)
                 + (7 * i * i + 3 * i) % 9)
    # The grid of iglu begins five minutes after midnight.
    frame = pd.DataFrame({"id": "a", "time": pd.date_range("2024-01-01 00:05", periods=len(i), freq="5min"), "gl": g})[keep].reset_index(drop=True)
    found = ig.episode_calculation(frame.copy(), tz="UTC").set_index(["type", "level"])
    event = lambda kind, level: {"count": float(found.total_episodes[kind, level]), "minutes": float(found.avg_ep_duration[kind, level])}
    masked = np.where(keep, g, np.nan)
    def lag(rows):
        d = masked[rows:] - masked[:-rows]; d = d[~np.isnan(d)]
        return {"count": len(d), "mean": np.abs(d).mean(), "sd": d.std(ddof=1)}
    return {"times": (300.0 * i[keep]).tolist(), "values": g[keep].tolist(),
            "iglu": {"modd": ig.modd(frame.copy(), tz="UTC").MODD[0], "conga1": ig.conga(frame.copy(), n=1, tz="UTC").CONGA[0],
                     "conga24": ig.conga(frame.copy(), n=24, tz="UTC").CONGA[0]},
            "mage": {k: ig.mage(frame.copy(), direction=k, tz="UTC").MAGE[0] for k in ("service", "plus", "minus", "avg")},
            "events": {"low": event("hypo", "lv1"), "veryLow": event("hypo", "lv2"), "high": event("hyper", "lv1"),
                       "veryHigh": event("hyper", "lv2"), "extended": event("hypo", "extended")},
            "numpy": {"1": lag(12), "4": lag(48), "24": lag(288)}, "sd": g[keep].std(ddof=1),
            "tight": float(np.mean((g[keep] >= 70) & (g[keep] <= 140)))}

def dfa(values, sizes):
    alpha, (_, logs, _) = nolds.dfa(np.array(values, float), nvals=sizes, overlap=False, order=1, fit_exp="poly", debug_data=True)
    other, found = nk.fractal_dfa(np.array(values, float), scale=sizes, overlap=False, integrate=True, order=1)
    return {"sizes": sizes, "nolds": alpha, "fluctuations": np.exp(logs).tolist(), "neurokit": float(other),
            "neurokitFluctuations": np.ravel(found["Fluctuations"]).tolist()}

def beats(values):
    peaks = np.concatenate([[0], np.cumsum(values)])
    return {"lnRMSSD": math.log(nk.hrv_time(peaks, sampling_rate=1000).HRV_RMSSD[0]),
            "ratio": nk.hrv_nonlinear(peaks, sampling_rate=1000).HRV_SD1SD2[0],
            "dfa": [dfa(values, list(range(4, 17))), dfa(values, list(range(10, 65)))]}

def pressure():
    k = np.arange(60); hours = (k * 7 + (k * k) % 5).cumsum() / 9.0 + 6
    s = 118 + (17 * k * k + 5 * k) % 31; d = 70 + (13 * k * k + 11 * k) % 17
    def of(x):
        step = np.abs(np.diff(x)); w = np.diff(hours)
        return {"mean": x.mean(), "sd": x.std(ddof=1), "cv": 100 * stats.variation(x, ddof=1), "arv": step.mean(), "weighted": np.average(step, weights=w)}
    return {"days": (hours // 24).astype(int).tolist(), "hours": (hours % 24).tolist(), "systolic": s.tolist(), "diastolic": d.tolist(),
            "measures": {"systolic": of(s), "diastolic": of(d), "pulse": of(s - d), "mean": of(d + (s - d) / 3)}}

def chronotype():
    nights = [(23.0, 6.5, 2), (23.5, 7.0, 3), (22.75, 6.25, 4), (23.25, 6.75, 5), (0.5, 7.0, 6), (1.0, 9.5, 7), (0.75, 9.75, 1)]
    frame = pd.DataFrame(nights, columns=["onset", "wake", "day"]); frame["free"] = frame.day.isin([1, 7])
    frame["length"] = (frame.wake - frame.onset) % 24
    sdf, sdw = frame[frame.free].length.mean(), frame[~frame.free].length.mean()
    # Onset on free days and half of the mean sleep of the week (Roenneberg 2012).
    middle = (frame.onset + frame.length / 2) % 24
    onset = stats.circmean(middle[frame.free], 24) - sdf / 2
    return {"nights": nights, "sdf": sdf, "sdw": sdw, "sdweek": (5 * sdw + 2 * sdf) / 7, "msfsc": (onset + (5 * sdw + 2 * sdf) / 14) % 24}

def joint(x, period):
    """Dietz and Killeen's covariances, term by term, with missing values as they are."""
    x = np.append(x, [np.nan] * (-len(x) % period)).reshape(-1, period); n = len(x)
    sign = np.nan_to_num(np.sign(x[None] - x[:, None])); upper = np.triu_indices(n, 1)
    counts = (~np.isnan(x)).sum(0); ranks = (counts + 1 + sign.sum(0)) / 2
    return sum((sign[:, :, g][upper] @ sign[:, :, h][upper] + 4 * ranks[:, g] @ ranks[:, h] - n * (counts[g] + 1) * (counts[h] + 1)) / 3
               for g in range(period) for h in range(period) if min(counts[g], counts[h]) > 0)

def seasonal(name, values, period):
    x = np.array([np.nan if v is None else v for v in values], float)
    plain = mk.seasonal_test(x, period=period); both = mk.correlated_seasonal_test(x, period=period) if not np.isnan(x).any() else None
    return {"name": name, "period": period, "values": values, "score": plain.s, "variance": plain.var_s, "statistic": plain.z, "p": plain.p,
            "tau": plain.Tau, "slope": mk.seasonal_sens_slope(x, period).slope, "jointVariance": joint(x, period),
            "pymannkendallJoint": both.var_s if both else None}

def weekdays(name, missing, first):
    days, gone = [0] * 7, [0] * 7
    for row, absent in enumerate(missing):
        if 0 < row < len(missing) - 1:
            w = (first + row) % 7; days[w] += 1; gone[w] += absent
    test = stats.chi2_contingency(np.array([gone, np.subtract(days, gone)]), correction=False)
    total, lost = sum(days), sum(gone); exact = None
    if min(lost, total - lost) <= 12:
        square = lambda m: sum(Fraction(c * c, k) for c, k in zip(m, days))
        seen = square(gone) if 2 * lost <= total else square([k - c for k, c in zip(days, gone)])
        rare = min(lost, total - lost); ways = 0
        for m in itertools.product(*(range(min(k, rare) + 1) for k in days[:6])):
            last = rare - sum(m)
            if 0 <= last <= days[6] and square(m + (last,)) >= seen: ways += math.prod(map(math.comb, days, m + (last,)))
        exact = ways / math.comb(total, rare)
    return {"name": name, "first": first, "missing": [int(v) for v in missing], "statistic": test.statistic, "p": test.pvalue, "exact": exact}

ints = [int(t) for t in open(os.path.join(here, "beats-intervals.txt"))]
made = [780 + (i * i * 31 + i * 17) % 97 + (i // 400) * 23 for i in range(2500)]
loads = [[300, 0, 400, 200, 0, 500, 100], [120, 0, 0, 45.5, 0, 0, 310], [80, 80, 80, 80, 80, 80, 90]]
month = lambda y, m: round(50 + 30 * math.sin(m / 12 * 2 * math.pi) + 0.4 * y + ((y * y * 7 + m * m * 5 + y * m * 3) % 23) / 3, 2)
months = [month(y, m) for y in range(14) for m in range(12)]
ties = [float((w * 3 + d * d + (w * w + d) % 4) // 3) for w in range(30) for d in range(7)][:203]
gaps = [None if (k * k * 3 + k) % 11 < 3 or k % 36 == 5 else v for k, v in enumerate(months)][2:]
print(json.dumps({
    "versions": {p: md.version(p) for p in ("iglu-python", "neurokit2", "nolds", "numpy", "pandas", "pymannkendall", "scipy")},
    "glucose": [glucose(()), glucose(range(500, 545))],
    "beats": {"file": beats(ints), "made": beats(made)},
    "training": [{"loads": w, "mean": pd.Series(w).mean(), "sd": pd.Series(w).std(), "monotony": pd.Series(w).mean() / pd.Series(w).std(),
                  "strain": sum(w) * pd.Series(w).mean() / pd.Series(w).std()} for w in loads],
    "pressure": pressure(), "chronotype": chronotype(),
    "seasonal": [seasonal("months", months, 12), seasonal("weeks with ties", ties, 7), seasonal("months with gaps", gaps, 12)],
    "weekdays": [weekdays("few", [k in (3, 9, 10, 17, 24, 31, 33) for k in range(40)], 4),
                 weekdays("most", [k not in (0, 2, 9, 16, 20, 23, 29, 30) for k in range(31)], 0),
                 weekdays("many", [0 < k < 400 and ((k * k * 5 + k) % 13 < 4 or k % 7 == 2 and k % 3 > 0) for k in range(401)], 6)]},
    separators=(",", ":"), default=float).replace("],", "],\n").replace("},", "},\n"))
