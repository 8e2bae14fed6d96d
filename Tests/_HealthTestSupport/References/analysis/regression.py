"""Reference values of Regression/ and Distributions/, by SciPy, statsmodels, NumPy, pymannkendall and R.

No random numbers. Run: python3 regression.py > regression.json (it starts Rscript regression.R).
"""
import pathlib
import importlib.metadata, json, math, os, subprocess, warnings
import numpy as np, scipy, statsmodels, statsmodels.api as sm, pymannkendall
from scipy import special, stats
warnings.filterwarnings("ignore")
here = os.path.dirname(os.path.abspath(__file__))
golden = 0.6180339887498949
f = lambda v: [float(e) for e in v]
frac = lambda v: v - np.floor(v)

# Trends: name, x, y.
i = np.arange(120.0)
spec = 60 + 0.03 * i + 3 * np.sin(2 * np.pi * i / 7) + 5 * ((i * golden) % 1 - 0.5)
k = np.arange(60.0)
ties = np.round(2 * k / 10 + 9 * frac(k * golden)); ties[[7, 30, 31, 55]] += [40, -30, 60, 25]
m = np.arange(80.0)
uneven = np.cumsum(0.25 + frac(m * golden)); far = 5 - 0.5 * uneven + 2 * frac(m * m * 0.7548776662466927)
far[::9] += 30
w = np.arange(800)
trends = {
    "specification": (i, spec),
    "ties in both": (np.floor(k / 2), ties),
    "many ties": (np.floor(k / 20), np.floor(ties / 15)),
    "twelve": (np.arange(12.0), frac((np.arange(12.0) + 1) ** 2 * golden)),
    "thirty-three": (np.arange(33.0), 0.02 * np.arange(33) + frac(np.arange(33.0) * golden)),
    "thirty-four": (np.arange(34.0), 0.02 * np.arange(34) + frac(np.arange(34.0) * golden)),
    "outliers": (uneven, far),
    "seconds": (757382400 + 86400 * i[:50], spec[:50]),
    "sorted but for one pair": (np.arange(50.0), np.r_[1, 0, np.arange(2.0, 50)]),
    "long": (w.astype(float), ((w * 7919) % 10007) / 8 + w / 16),
}
O = {"versions": {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__,
                  "pymannkendall": importlib.metadata.version("pymannkendall")}}
out = []
def huber(y, X):
    s = float(np.std(y))
    h = sm.RLM(y, X, M=sm.robust.norms.HuberT(t=1.345)).fit(tol=1e-14 * s, maxiter=20000, conv="coefs")
    return {"coefficients": f(h.params), "errors": f(h.bse), "scale": float(h.scale), "weights": f(h.weights)}
for name, (x, y) in trends.items():
    e = {"name": name, "x": f(x), "y": f(y), "theilSen": []}
    for c in (0.95, 0.8, 0.3):
        t = stats.theilslopes(y, x, 1 - c, method="separate") if c > 0.5 else None
        if t is None:  # SciPy takes the larger of alpha and 1 - alpha as the confidence.
            continue
        j = stats.theilslopes(y, x, 1 - c, method="joint")
        e["theilSen"].append({"confidence": c, "slope": t[0], "intercept": t[1], "joint": j[1], "low": t[2], "high": t[3]})
    n = len(x)
    if name != "long" and name != "many ties" and name != "sorted but for one pair":
        e["huber"] = huber(y, sm.add_constant(x))
    q = stats.kendalltau(x, y)
    e["kendall"] = {"tau": float(q.statistic), "p": float(q.pvalue)}
    if np.all(np.diff(x) == 1) and n < 500:
        e["hamedRao"] = []
        for lag in (None, 3):
            r = pymannkendall.hamed_rao_modification_test(y, 0.05, lag)
            e["hamedRao"].append({"lag": lag or 0, "p": float(r.p), "z": float(r.z), "s": float(r.s), "var": float(r.var_s), "slope": float(r.slope)})
    out.append(e)

# Models: name, columns, response, weights.
L = sm.datasets.longley.load_pandas().data
lc = ["GNPDEFL", "GNP", "UNEMP", "ARMED", "POP", "YEAR"]
v = np.arange(40.0)
c1, c2, c3 = 10 * frac(v * golden), frac(v * 0.7548776662466927) ** 2, v / 8
resp = 3 + 2 * c1 - 4 * c2 + 0.1 * c3 + frac(v * v * golden)
wts = 10 ** (6 * frac(v * 0.3819660112501051) - 3)
zero = wts.copy(); zero[[0, 5, 17, 39]] = 0
stack = np.array([[80,27,89,42],[80,27,88,37],[75,25,90,37],[62,24,87,28],[62,22,87,18],[62,23,87,18],[62,24,93,19],[62,24,93,20],[58,23,87,15],[58,18,80,14],[58,18,89,14],[58,17,88,13],[58,18,82,11],[58,19,93,12],[50,18,89,8],[50,18,86,7],[50,19,72,8],[50,19,79,8],[50,20,80,9],[56,20,82,15],[70,20,91,15]], float)
models = {
    "Longley": (lc, [L[c].values for c in lc], L["TOTEMP"].values, None, True),
    "Longley without intercept": (lc, [L[c].values for c in lc], L["TOTEMP"].values, None, False),
    "line": (["day"], [i], spec, None, True),
    "week": (["day", "cos", "sin"], [i, np.cos(2 * np.pi * i / 7), np.sin(2 * np.pi * i / 7)], spec, None, True),
    "weights": (["a", "b", "c"], [c1, c2, c3], resp, wts, True),
    "weights without intercept": (["a", "b", "c"], [c1, c2, c3], resp, wts, False),
    "zero weights": (["a", "b", "c"], [c1, c2, c3], resp, zero, True),
    "stackloss": (["air", "water", "acid"], list(stack[:, :3].T), stack[:, 3], None, True),
}
mo = []
for name, (names, cols, y, wt, const) in models.items():
    y = np.asarray(y, float); X = np.column_stack(([np.ones(len(y))] if const else []) + [np.asarray(c, float) for c in cols])
    e = {"name": name, "names": names, "columns": [f(c) for c in cols], "response": f(y), "hasIntercept": const}
    if wt is not None: e["weights"] = f(wt)
    keep = np.ones(len(y), bool) if wt is None else np.asarray(wt) > 0
    fit = sm.OLS(y, X) if wt is None else sm.WLS(y[keep], X[keep], weights=wt[keep])
    g = fit.fit(); ci = g.conf_int(0.05); ci9 = g.conf_int(0.1)
    F, Fp = (g.fvalue, g.f_pvalue)
    e["statsmodels"] = {"coefficients": f(g.params), "errors": f(g.bse), "p": f(g.pvalues), "statistic": float(F), "probability": float(Fp),
      "rSquared": float(g.rsquared), "low95": f(ci[:, 0]), "high95": f(ci[:, 1]), "low90": f(ci9[:, 0]), "high90": f(ci9[:, 1]),
      "deviation": math.sqrt(g.scale), "covariance": [f(r) for r in g.cov_params()]}
    if keep.all():
        nw = []
        default = int(math.floor(4 * (len(y) / 100) ** (2 / 9)))
        for lag in (4, 7, default, 0):
            for corr in (False, True):
                h = fit.fit(cov_type="HAC", cov_kwds={"maxlags": lag, "use_correction": corr})
                nw.append({"lag": lag, "isDefault": lag == default, "smallSample": corr, "errors": f(h.bse)})
        e["neweyWest"] = nw
    if wt is None and name not in ("Longley without intercept",):
        e["huber"] = huber(y, X)
    mo.append(e)

# Minimum norm.
A = np.column_stack([np.ones(30), v[:30], 2 * v[:30] + 1, frac(v[:30] * golden), v[:30] - frac(v[:30] * golden)])
B = np.column_stack([np.ones(30), frac(v[:30] * golden), frac(v[:30] * v[:30] * golden)])
mn = []
for name, M in (("dependent", A), ("independent", B), ("zero column", np.column_stack([B, np.zeros(30)]))):
    s, _, rank, sv = np.linalg.lstsq(M, resp[:30], rcond=16 * 30 * 2.0 ** -52)
    mn.append({"name": name, "columns": [f(c) for c in M[:, 1:].T], "response": f(resp[:30]), "coefficients": f(s), "singularValues": f(sv), "rank": int(rank)})

# Distributions: argument lists; SciPy here, R below.
ts = [1e-10, 1e-4, 0.03, 0.3, 0.7, 1, 1.5, 2, 3, 5, 8, 12, 40, 1e3, 1e8, 1e30]
tf = [1, 1.5, 2.7, 4.25, 10.3, 29.5, 100.25, 1234.5, 31622.7, 1e8]
D = {"student": [[n, t, float(stats.t.sf(t, n))] for n in tf for t in ts]}
nf = [0.5, 1, 2.5, 7, 30, 200.5, 5000]
D["f"] = [[a, b, x, float(stats.f.sf(x, a, b))] for a in nf for b in nf for x in (1e-8, 1e-3, 0.1, 0.5, 0.9, 1, 1.1, 2, 5, 20, 300, 1e6)]
D["normal"] = [[z, float(stats.norm.sf(z))] for z in (-38, -8, -3, -1, -1e-3, -1e-12, 0, 1e-9, 0.1, 0.5, 1, 1.96, 3, 5, 8, 12, 20, 30, 37, 38)]
qs = [1e-300, 1e-100, 1e-30, 1e-15, 1e-8, 1e-4, 0.001, 0.025, 0.1, 0.25, 0.3, 0.4, 0.49, 0.4999, 0.5 - 1e-9, 0.5 + 1e-6, 0.6, 0.75, 0.9, 0.999]
D["normalQuantile"] = [[q, float(-special.ndtri(q))] for q in qs]
D["studentQuantile"] = [[n, q, float(-special.stdtrit(n, q))] for n in (1, 1.5, 2.7, 10.3, 100.25, 31622.7) for q in qs[3:]]

# R, by lines "key number number …".
lines = []
num = lambda vs: " ".join(repr(float(x)) for x in vs)
for e in out: lines += [f"trend|{e['name']}", num(e["x"]), num(e["y"]), str(int("huber" in e))]
for e in mo:
    lines += [f"model|{e['name']}", str(int(e["hasIntercept"])), str(len(e["columns"]))] + [num(c) for c in e["columns"]]
    lines += [num(e["response"]), num(e.get("weights", [1] * len(e["response"]))), str(int("huber" in e))]
for e in mn: lines += [f"minimumNorm|{e['name']}", str(len(e["columns"]))] + [num(c) for c in e["columns"]] + [num(e["response"])]
for key in D: lines += [f"distribution|{key}", str(len(D[key]))] + [num(r[:-1]) for r in D[key]]
lines += ["end|"]
r = subprocess.run(["Rscript", "--vanilla", os.path.join(here, "regression.R")], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
R = {}
for line in r.stdout.splitlines():
    key, values = line.split("|")[0:-1], line.split("|")[-1]
    if key[0] == "version": O["versions"][key[1]] = values; continue
    R.setdefault(tuple(key[:2]), {})[key[2]] = [float(x) for x in values.split()]
for e in out: e["r"] = R[("trend", e["name"])]
for e in mn: e["r"] = R[("minimumNorm", e["name"])]
for e in mo: e["r"] = R[("model", e["name"])]
for key in D: D[key] = [row + [x] for row, x in zip(D[key], R[("distribution", key)]["values"])]
O.update({"trends": out, "models": mo, "minimumNorm": mn, "distributions": D})
with open(pathlib.Path(__file__).resolve().parents[5] / "shared/data/analysis/reference.json") as s: S = json.load(s)
O["specification"] = {
    "ols": [S["ols"]["intercept"], S["ols"]["slope"]], "olsErrors": S["ols"]["se"], "olsInterval": S["ols"]["ci95_slope"], "olsP": S["ols"]["p"],
    "neweyWest4": S["newey_west_L4_no_correction"], "neweyWest4Small": S["newey_west_L4_small_sample"],
    "neweyWest7": S["newey_west_L7_no_correction"], "neweyWest7Small": S["newey_west_L7_small_sample"],
    "theilSen": [S["theil_sen"][q] for q in ("slope", "intercept_separate", "intercept_joint", "low", "high")],
    "huber": S["huber_1.345"]["params"], "huberScale": S["huber_1.345"]["scale"],
    "tau": S["mann_kendall_tau_b"]["tau"], "tauP": S["mann_kendall_tau_b"]["p"]}
def clean(v):
    if isinstance(v, dict): return {a: clean(b) for a, b in v.items()}
    if isinstance(v, (list, tuple)): return [clean(b) for b in v]
    if isinstance(v, np.generic): v = v.item()
    if isinstance(v, float): assert math.isfinite(v), v
    return v
print(json.dumps(clean(O), indent=None, separators=(",", ":")).replace('{"name"', '\n{"name"').replace("],[", "],\n["))
