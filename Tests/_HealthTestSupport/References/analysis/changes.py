"""Reference partitions. Run: python3 changes.py > changes.json (deterministic).

ruptures' PELT with l2, and its exact dynamic programming (Dynp) for the number of changes that PELT
finds: where the two differ, PELT of ruptures is not the optimum, which `pelt` then says.
"""
import json
import numpy as np, ruptures

MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def unit(self):
        return (self.next() >> 11) / 2 ** 53

    def normal(self):
        return sum(self.unit() for _ in range(12)) - 6


def cost(y, ends):
    total, start = 0.0, 0
    for end in ends:
        total += ((y[start:end] - y[start:end].mean()) ** 2).sum()
        start = end
    return float(total)


random = SplitMix64(71)
cases = []
wiggle = np.where(np.arange(160) % 2 == 0, 0.1, -0.1)
steps = np.concatenate([np.zeros(50), np.full(50, 5.0), np.full(60, -2.0)]) + wiggle
inputs = [("spec", steps, 2, 3.0)]
for number in range(60):
    n = 40 + random.next() % 160
    level, y = 0.0, []
    for row in range(n):
        if random.next() % 25 == 0:
            level = 4 * random.unit() - 2
        y.append(round(level + random.normal(), 6))
    least = [1, 2, 5, 7, 14][random.next() % 5]
    penalty = [0.5, 2.0, 5.0, 10.0, 20.0][random.next() % 5]
    inputs.append((f"random {number}", np.array(y), least, penalty))
agree = 0
for name, y, least, penalty in inputs:
    # Ruptures asks for two segments of the least length.
    pelt = ruptures.Pelt(model="l2", min_size=least, jump=1).fit(y).predict(pen=penalty)
    count = len(pelt) - 1
    exact = ruptures.Dynp(model="l2", min_size=least, jump=1).fit(y).predict(n_bkps=count) if count else [len(y)]
    same = pelt == exact
    agree += same
    cases.append({"name": name, "values": y.tolist(), "leastLength": least, "penalty": penalty,
                  "pelt": pelt, "exact": exact, "cost": cost(y, exact) + penalty * count,
                  "peltCost": cost(y, pelt) + penalty * count})
print(json.dumps({"versions": {"numpy": np.__version__, "ruptures": ruptures.__version__},
                  "agree": agree, "cases": cases}))
