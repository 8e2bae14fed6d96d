"""Reference values of correlations, adjusted p-values, partial correlations and components.

    python relations.py > relations.json && Rscript relations.R > relations-r.json

Deterministic, no random numbers. Also writes relations.tsv, the columns, for relations.R and the
tests. A column is text to 17 digits, so that all read the same numbers.
"""

import json
import math

import numpy as np
import pandas as pd
import pingouin
import scipy
import sklearn
import statsmodels
from scipy import stats
from sklearn.decomposition import PCA
from statsmodels.regression.linear_model import yule_walker
from statsmodels.stats.multitest import multipletests

i = np.arange(120)
y = 60 + 0.03 * i + 3 * np.sin(2 * np.pi * i / 7) + 5 * ((i * 0.6180339887498949) % 1 - 0.5)
columns = {
    "y": y,
    "z": np.roll(y, 2) + 0.5 * np.cos(i),
    # Whole numbers of few values: many ties.
    "tied": np.floor(4 * ((i * 0.4142135623730951) % 1) + 0.02 * i),
    "far": np.exp(12 * ((i * 0.7320508075688772) % 1)) - 0.1 * y,
    "slow": np.cumsum(((i * 0.2360679774997898) % 1) - 0.5) + 0.2 * y,
}
frame = pd.DataFrame(columns)
frame.to_csv("relations.tsv", sep="\t", index=False, float_format="%.17g")

correlations = []
for one, other in [("y", "z"), ("y", "tied"), ("tied", "far"), ("far", "slow"), ("slow", "y")]:
    for lag in range(-3, 4):
        a = columns[one][max(0, -lag):120 - max(0, lag)]
        b = columns[other][max(0, lag):120 - max(0, -lag)]
        spearman, pearson = stats.spearmanr(a, b), stats.pearsonr(a, b)
        interval = pearson.confidence_interval(0.95)
        rho = float(spearman.statistic)
        margin = stats.norm.ppf(0.975) * math.sqrt((1 + rho**2 / 2) / (len(a) - 3))
        correlations.append({
            "x": one, "y": other, "lag": lag, "count": len(a),
            "spearman": [rho, float(spearman.pvalue), math.tanh(math.atanh(rho) - margin),
                         math.tanh(math.atanh(rho) + margin)],
            "pearson": [float(pearson.statistic), float(pearson.pvalue), float(interval.low),
                        float(interval.high)],
        })

p_values = {
    "published": [.001, .008, .039, .041, .042, .06, .074, .205, .212, .216],
    "unordered": [((k * 0.6180339887498949) % 1) ** 3 for k in range(1, 60)] + [0.0, 1.0, 0.25, 0.25],
}
adjusted = {
    name: {"p": p, **{method: multipletests(p, method=method)[1].tolist()
                      for method in ("fdr_bh", "fdr_by", "holm")}}
    for name, p in p_values.items()}

partial = []
for given in ([], ["tied"], ["tied", "slow"], ["tied", "slow", "far"]):
    for method in ("pearson", "spearman"):
        row = pingouin.partial_corr(frame, "y", "z", given, method=method).iloc[0] if given else (
            pingouin.corr(frame["y"], frame["z"], method=method).iloc[0])
        partial.append({"given": given, "method": method, "coefficient": float(row["r"]),
                        "pValue": float(row["p_val" if "p_val" in row.index else "p-val"])})

standard = (frame - frame.mean()) / frame.std(ddof=1)
components = PCA(svd_solver="full").fit(standard)
loadings = [w * np.sign(w[np.argmax(np.abs(w))]) for w in components.components_]
scores = standard.to_numpy() @ np.array(loadings).T

whitening = {}
for name in ("y", "slow"):
    model = {order: yule_walker(columns[name], order, method="mle", demean=True)[0].tolist()
             for order in range(1, 15)}
    whitening[name] = model

print(json.dumps({
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__,
                 "statsmodels": statsmodels.__version__, "pingouin": pingouin.__version__,
                 "scikit-learn": sklearn.__version__},
    "correlations": correlations,
    "adjusted": adjusted,
    "partial": partial,
    "components": {"columns": list(columns), "variances": components.explained_variance_.tolist(),
                   "shares": components.explained_variance_ratio_.tolist(),
                   "loadings": [w.tolist() for w in loadings],
                   "firstScores": scores[0].tolist(), "lastScores": scores[-1].tolist()},
    "yuleWalker": whitening,
}, indent=1))
