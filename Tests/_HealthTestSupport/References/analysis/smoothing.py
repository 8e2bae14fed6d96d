"""Reference values of smoothing. Run: python3 smoothing.py > smoothing.json (deterministic).

Whittaker's curve by SciPy's banded solver and by decimals of 80 digits; moving means by pandas. smoothing.R gives the same curves by R's dense solver, as smoothing-r.json.
"""
import json
from decimal import Decimal, getcontext
import numpy as np, pandas, scipy
from scipy.linalg import solveh_banded
from scipy.optimize import minimize_scalar

getcontext().prec = 80
i = np.arange(120)
plain = 60 + 0.03 * i + 3 * np.sin(2 * np.pi * i / 7) + 5 * ((i * 0.6180339887498949) % 1 - 0.5)
gaps = {
    "plain": [],
    "gap": list(range(40, 47)),
    "holes": [0, 1, 5, 30, 31, 77, 78, 79, 119] + [j for j in range(90, 110) if j % 3],
}


def rows(name):
    missing = set(gaps[name])
    return [None if j in missing else float(v) for j, v in enumerate(plain)]


def span(name):
    values = rows(name)
    present = [j for j, v in enumerate(values) if v is not None]
    return present[0], values[present[0]:present[-1] + 1]


def system(values, order, lam):
    n = len(values)
    w = np.array([v is not None for v in values], float)
    y = np.array([0.0 if v is None else v for v in values])
    D = np.diff(np.eye(n), order, axis=0)
    return np.diag(w) + lam * D.T @ D, w, y


def banded(values, order, lam):
    A, w, y = system(values, order, lam)
    ab = np.zeros((order + 1, len(y)))
    for d in range(order + 1):
        ab[d, :len(y) - d] = np.diag(A, -d)
    curve = solveh_banded(ab, w * y, lower=True)
    trace = float((w * np.diag(np.linalg.inv(A))).sum())
    return curve, trace, float((w * (y - curve) ** 2).sum()), int(w.sum())


def gcv(values, order, lam):
    _, trace, rss, m = banded(values, order, lam)
    return m * rss / (m - trace) ** 2


def exact(values, order, lam, with_trace=True):
    """The curve, and the trace where it is asked for, by Cholesky without roots in decimals."""
    n, lam = len(values), Decimal(lam)
    c = [Decimal(1)]
    for _ in range(order):
        c = [b - a for a, b in zip([Decimal(0)] + c, c + [Decimal(0)])]
    A = [[Decimal(0)] * n for _ in range(n)]
    for s in range(n - order):
        for a in range(order + 1):
            for b in range(order + 1):
                A[s + a][s + b] += lam * c[a] * c[b]
    for j, v in enumerate(values):
        A[j][j] += 0 if v is None else 1
    L = [[Decimal(0)] * n for _ in range(n)]
    D = [Decimal(0)] * n
    for j in range(n):
        low = max(0, j - order)
        D[j] = A[j][j] - sum(L[j][k] ** 2 * D[k] for k in range(low, j))
        for r in range(j + 1, min(n, j + order + 1)):
            L[r][j] = (A[r][j] - sum(L[r][k] * L[j][k] * D[k] for k in range(max(0, r - order), j))) / D[j]

    def solve(b):
        x = list(b)
        for r in range(n):
            x[r] -= sum(L[r][k] * x[k] for k in range(max(0, r - order), r))
        x = [v / d for v, d in zip(x, D)]
        for r in reversed(range(n)):
            x[r] -= sum(L[k][r] * x[k] for k in range(r + 1, min(n, r + order + 1)))
        return x

    curve = solve([Decimal(0) if v is None else Decimal(v) for v in values])
    if not with_trace:
        return [float(v) for v in curve], None
    trace = Decimal(0)
    for j, v in enumerate(values):
        if v is not None:
            trace += solve([Decimal(int(k == j)) for k in range(n)])[j]
    return [float(v) for v in curve], float(trace)


curves, extremes, chosen = [], [], []
for name in gaps:
    start, values = span(name)
    for order in (1, 2, 3):
        for lam in (0.1, 1.0, 100.0, 12345.0):
            curve, trace, rss, m = banded(values, order, lam)
            curves.append({"series": name, "order": order, "lambda": lam, "start": start,
                           "curve": curve.tolist(), "exact": exact(values, order, lam, False)[0],
                           "trace": trace, "gcv": m * rss / (m - trace) ** 2})
        if name == "holes":
            for lam in ("1e-6", "1e8", "1e12"):
                curve, trace = exact(values, order, lam)
                extremes.append({"series": name, "order": order, "lambda": float(lam), "start": start,
                                 "curve": curve, "trace": trace})
        grid = np.arange(-2, 10.01, 0.5)
        best = grid[int(np.argmin([gcv(values, order, 10 ** g) for g in grid]))]
        found = minimize_scalar(lambda g: gcv(values, order, 10 ** g), method="bounded",
                                bounds=(max(-2, best - 0.5), min(10, best + 0.5)), options={"xatol": 1e-10})
        chosen.append({"series": name, "order": order, "logLambda": float(found.x), "gcv": float(found.fun)})

means = []
for name in gaps:
    s = pandas.Series([np.nan if v is None else v for v in rows(name)])
    for size, least, centred in ((7, 4, False), (7, 4, True), (1, 1, False), (28, 14, False), (29, 3, True)):
        m = s.rolling(size, min_periods=least, center=centred).mean()
        means.append({"series": name, "rows": size, "least": least, "centred": centred,
                      "means": [None if np.isnan(v) else float(v) for v in m]})

print(json.dumps({
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "pandas": pandas.__version__},
    "series": {name: rows(name) for name in gaps}, "curves": curves, "extremes": extremes,
    "chosen": chosen, "means": means}))
