"""Reference values of Dependence/ and of what rests on it, by NumPy and SciPy: whole matrices and sums.

No random numbers. Run: python3 dependence.py > dependence.json
"""
import json, numpy as np, scipy
from scipy import optimize, stats

golden = 0.6180339887498949
frac = lambda v: v - np.floor(v)


def nodes(residuals, rows, design):
    """Posterior of (rho, tau), Zellner and Tiao 1964 with noise: weight, deviation ratio, correlations."""
    n, p = design.shape
    count = min(64, max(24, int(np.ceil(1.25 * np.sqrt(n)))))
    edges = np.sin(np.arange(count + 1) / count * np.pi / 2)
    middles = np.sin((np.arange(count) + 0.5) / count * np.pi / 2)
    distance = np.abs(rows[:, None] - rows[None])
    plain = residuals @ residuals
    found = []
    for rho, share in zip(middles, np.diff(edges)):
        for tau, prior in ((0, 0.9), (0.2, 0.1 / 3), (0.5, 0.1 / 3), (0.8, 0.1 / 3)):
            R = tau * np.eye(n) + (1 - tau) * rho ** distance
            L = np.linalg.cholesky(R)
            X, r = np.linalg.solve(L, design), np.linalg.solve(L, residuals)
            G = X.T @ X
            rest = r @ r - (X.T @ r) @ np.linalg.solve(G, X.T @ r)
            logarithm = (-np.log(np.diag(L)).sum() - np.linalg.slogdet(G)[1] / 2 - (n - p) / 2 * np.log(rest)
                         + np.log(share * prior))
            found.append((logarithm, np.sqrt(rest / plain), R, (1 - tau) * rho))
    weights = np.exp(np.array([f[0] for f in found]) - max(f[0] for f in found))
    weights /= weights.sum()
    return [(w, f[1], f[2], f[3]) for w, f in zip(weights, found)]


def scales(found, influence):
    return [(w, d * np.sqrt(influence @ R @ influence / (influence @ influence))) for w, d, R, _ in found]


def tail(parts, t, df):
    return sum(w * stats.t.sf(t / s, df) for w, s in parts)


def quantile(parts, p, df):
    return optimize.brentq(lambda t: tail(parts, t, df) - p, 0, 1e6, xtol=1e-14, rtol=1e-14)


def line(x, y, rows):
    """Least squares, and how sure its slope is."""
    n = len(x)
    d = x - x.mean()
    slope = d @ (y - y.mean()) / (d @ d)
    rest = y - y.mean() - slope * d
    error = np.sqrt(rest @ rest / (n - 2) / (d @ d))
    found = nodes(rest, rows, np.c_[np.ones(n), d])
    parts = scales(found, d)
    return {"slope": slope, "error": error, "p": 2 * tail(parts, abs(slope) / error, n - 2),
            "margins": [quantile(parts, (1 - c) / 2, n - 2) * error for c in (0.5, 0.9, 0.95, 0.99)],
            "autocorrelation": sum(w * a for w, _, _, a in found)}


def theil_sen(x, y, rows):
    """Sen's slope, and how sure it is by the ranks of the residuals."""
    n = len(x)
    i, j = np.triu_indices(n, 1)
    slopes = np.sort((y[j] - y[i]) / (x[j] - x[i]))
    slope, N = np.median(slopes), len(slopes)
    d = x - x.mean()
    rests = y - slope * x
    order = np.argsort(rests, kind="stable")  # Residuals that differ by rounding alone are equal.
    joins = np.r_[False, np.diff(rests[order]) <= 2.0 ** -32 * np.abs(y).max()]
    groups = np.empty(n)
    groups[order] = np.cumsum(~joins)
    ranks = stats.rankdata(groups)
    ranks = ranks - ranks.mean()
    rest = ranks - (d @ ranks) / (d @ d) * d
    parts = scales(nodes(rest, rows, np.c_[np.ones(n), d]), d)
    ties = np.unique(y, return_counts=True)[1]
    sigma = np.sqrt((n * (n - 1) * (2 * n + 5) - (ties * (ties - 1) * (2 * ties + 5)).sum()) / 18)
    unit = 2 * N / np.pi
    C = unit * np.arctan(quantile(parts, 0.025, n - 2) * sigma / unit)
    low = int(np.ceil((N - C) / 2)) - 1
    score = max(0, abs(int(np.sign(slopes).sum())) - int((slopes == 0).sum()))
    t = unit * np.tan(score / unit) / sigma
    return {"slope": slope, "low": slopes[low], "high": slopes[N - 1 - low], "p": 2 * tail(parts, t, n - 2)}


def cosinor(t, y, period, rows):
    """A cosine by least squares, and how sure it is."""
    n = len(t)
    X = np.c_[np.ones(n), np.cos(2 * np.pi * t / period), np.sin(2 * np.pi * t / period)]
    inverse = np.linalg.inv(X.T @ X)
    H = X @ inverse
    b = y @ H
    rest = y - X @ b
    s2 = rest @ rest / (n - 3)
    A = np.hypot(b[1], b[2])
    along, across = (b[1] * H[:, 1] + b[2] * H[:, 2]) / A, (b[2] * H[:, 1] - b[1] * H[:, 2]) / A
    found = nodes(rest, rows, X)
    one, other = scales(found, along), scales(found, across)
    F = b[1:] @ np.linalg.solve(inverse[1:, 1:], b[1:]) / 2 / s2
    p = sum(w * stats.f.sf(F / ((s * s + q * q) / 2), 2, n - 3) for (w, s), (_, q) in zip(one, other))
    return {"amplitude": A, "margin": quantile(one, 0.025, n - 3) * np.sqrt(s2 * along @ along),
            "angle": quantile(other, 0.025, n - 3) * np.sqrt(s2 * across @ across) / A, "p": p, "statistic": F}


def wandering(n, kept, step=1):
    e = frac(np.arange(1, n + 1) ** 2 * golden * step) - 0.5
    out, last = [], 0.0
    for v in e:
        last = kept * last + v
        out.append(last)
    return np.array(out)


k = np.arange(52)
gaps = k[(k * 7 % 11 > 2) & ((k < 20) | (k > 27))]
cases = {
    "independent": (np.arange(12), 0.05 * np.arange(12) + frac(np.arange(1, 13) ** 2 * golden)),
    "keeps half": (np.arange(52), 0.02 * k + wandering(52, 0.5)),
    "keeps 0.9": (np.arange(90), wandering(90, 0.9)),
    "with gaps": (gaps, 60 + 0.1 * gaps + wandering(len(gaps), 0.6, 3)),
    "wanders with noise": (np.arange(120), wandering(120, 0.97) + 2 * (frac(np.arange(120) * golden) - 0.5)),
    "ties": (np.arange(30), np.round(3 * frac(np.arange(1, 31) ** 2 * golden) + 0.08 * np.arange(30))),
}
out = {"versions": {"numpy": np.__version__, "scipy": scipy.__version__}, "cases": []}
for name, (rows, y) in cases.items():
    x = rows * 7.0 + 3
    out["cases"].append({"name": name, "rows": [int(r) for r in rows], "x": list(x), "y": [float(v) for v in y],
                         "line": line(x, y, rows), "theilSen": theil_sen(x, y, rows) if len(x) > 12 else None,
                         "cosinor": cosinor(x / 7, y, 7, rows) if name != "ties" else None})
print(json.dumps(out, default=float))
