"""Reference values of rhythms, sleep regularity, and rest and activity.

Run: python3 rhythm.py > rhythm.json, then Rscript rhythm.R > rhythm-r.json. No random numbers.
"""
import json
import math

import astropy
import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from astropy.timeseries import LombScargle
from astropy.timeseries.periodograms.lombscargle import _statistics
from scipy import signal, stats
from statsmodels.stats._delta_method import NonlinearDeltaCov


def rotation(count, factor):
    """An irrational rotation: even, without order, the same everywhere."""
    return (np.arange(count) * factor) % 1


def cosinor(times, values, periods):
    columns = [np.ones(len(times))]
    for period in periods:
        columns += [np.cos(2 * np.pi / period * times), np.sin(2 * np.pi / period * times)]
    fit = sm.OLS(values, np.column_stack(columns)).fit()
    covariance = fit.cov_params()
    rhythms = []
    for index, period in enumerate(periods):
        at = 1 + 2 * index
        b, g = fit.params[at], fit.params[at + 1]
        size = math.hypot(b, g)

        def polar(p):
            # By complex steps; the quadrant changes no derivative.
            return np.array([np.sqrt(p[0] ** 2 + p[1] ** 2), -np.arctan(p[1] / p[0])])

        def slopes(p):
            r = math.hypot(p[0], p[1])
            return np.array([[p[0] / r, p[1] / r], [p[1] / r**2, -p[0] / r**2]])

        block = covariance[at : at + 2, at : at + 2]
        delta = NonlinearDeltaCov(polar, fit.params[at : at + 2], block, deriv=slopes)
        errors = np.sqrt(np.diag(delta.cov()))
        numeric = NonlinearDeltaCov(polar, fit.params[at : at + 2], block)
        assert np.allclose(np.sqrt(np.diag(numeric.cov())), errors, rtol=1e-7)
        restriction = np.zeros((2, len(fit.params)))
        restriction[0, at] = restriction[1, at + 1] = 1
        test = fit.f_test(restriction)
        rhythms.append({
            "period": period, "cosine": b, "sine": g, "cosineError": fit.bse[at],
            "sineError": fit.bse[at + 1], "covariance": block[0, 1], "amplitude": size,
            "amplitudeError": errors[0], "acrophase": math.atan2(-g, b),
            "acrophaseError": errors[1], "f": float(test.fvalue), "p": float(test.pvalue),
        })
    return {
        "mesor": fit.params[0], "mesorError": fit.bse[0], "low": fit.conf_int()[0][0],
        "high": fit.conf_int()[0][1], "f": fit.fvalue, "p": fit.f_pvalue,
        "rSquared": fit.rsquared, "deviation": math.sqrt(fit.mse_resid), "rhythms": rhythms,
    }


def cosinor_cases():
    i = np.arange(120.0)
    daily = 60 + 0.03 * i + 3 * np.sin(2 * np.pi * i / 7) + 5 * (rotation(120, 0.6180339887498949) - 0.5)
    yield "week", i, daily, [7.0]
    yield "weekAndMonth", i, daily, [7.0, 30.0]
    hours = np.arange(240) + 0.4 * rotation(240, math.sqrt(2))
    hourly = (60 + 8 * np.cos(2 * np.pi * (hours - 15) / 24) + 3 * np.cos(2 * np.pi * (hours - 4) / 12)
              + 6 * (rotation(240, 0.6180339887498949) - 0.5))
    yield "dayAndHalfDay", hours, hourly, [24.0, 12.0]
    # As the 200 rows of vitamin D of R's package cosinor: whole months, unevenly often.
    months = np.floor(1 + 12 * rotation(200, math.sqrt(3)) ** 1.3)
    level = 30 + 6.3 * np.cos(2 * np.pi * months / 12 - 1.147) + 20 * (rotation(200, math.sqrt(5)) - 0.5)
    yield "months", months, level, [12.0]


def periodogram_cases():
    i = np.arange(120)
    kept = (i * 7) % 5 != 0
    daily = 60 + 0.03 * i + 3 * np.sin(2 * np.pi * i / 7) + 5 * (rotation(120, 0.6180339887498949) - 0.5)
    yield "week", i[kept].astype(float), daily[kept], np.array([1 / 14, 1 / 10, 1 / 7, 1 / 5, 1 / 3])
    t = np.arange(150) * 0.7 + 0.6 * rotation(150, math.sqrt(3)) + np.where(np.arange(150) > 90, 21.5, 0)
    y = 50 + 2 * np.cos(2 * np.pi * t / 9.3 - 1) + 6 * (rotation(150, math.sqrt(7)) - 0.5)
    span = t.max() - t.min()
    steps = math.floor((75 - 1) * 5 + 1e-9)
    yield "uneven", t, y, (1 + np.arange(steps + 1) / 5) / span
    t = np.array([0.0, 0.3, 1.1, 2.9, 3.2, 7.7])
    yield "few", t, np.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0]), np.array([0.05, 0.13, 0.4, 1.0, 3.3])


def lomb_scargle(times, values, frequencies):
    ours = signal.lombscargle(times, values, 2 * np.pi * frequencies, floating_mean=True, normalize=True)
    theirs = LombScargle(times, values, fit_mean=True, center_data=True)
    power = theirs.power(frequencies, method="slow", normalization="standard")
    chi2 = theirs.power(frequencies, method="chi2", normalization="standard")
    highest = frequencies.max()
    # The public method rounds the highest frequency to a grid of its own.
    law = (highest, times, values, None)
    levels = [0.5, 0.1, 0.01, 0.001]
    asked = [0.02, 0.1, 0.3, 0.6, 0.9]
    return {
        "times": times, "values": values, "frequencies": frequencies, "scipy": ours, "astropy": power,
        "astropyChi2": chi2, "highest": highest, "asked": asked,
        "probability": [
            float(_statistics.false_alarm_probability(z, *law, "standard", method="baluev"))
            for z in asked],
        "probabilities": levels,
        "level": [
            float(_statistics.false_alarm_level(p, *law, "standard", method="baluev"))
            for p in levels] if len(times) > 20 else [],
    }


def regularity(days):
    same = sum(a == b for one, other in zip(days, days[1:]) for a, b in zip(one, other)
               if a is not None and b is not None)
    known = sum(a is not None and b is not None for one, other in zip(days, days[1:])
                for a, b in zip(one, other))
    return -100 + 200 / known * same


def regularity_cases():
    yield [[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1]]
    nights = []
    for day in range(12):
        begin, length = 20 + (day * 7) % 5, 15 + (day * 3) % 7
        nights.append([1 if begin <= epoch < begin + length else 0 for epoch in range(48)])
    yield nights
    gaps = [list(day) for day in nights]
    for day in range(12):
        for epoch in range(48):
            if (day * 48 + epoch) * 13 % 17 < 2:
                gaps[day][epoch] = None
    gaps[5] = gaps[5][:46]
    gaps[8] = gaps[8] + [0, 1]
    yield gaps


def circular_cases():
    yield [23.0, 23.5, 0.5, 1.0]
    yield [1.0, 7.0, 13.5, 20.0, 23.0, 2.0]
    yield list(22 + 3 * rotation(30, math.sqrt(2)))
    yield [3.25, 3.5, 3.0, 4.25, 2.75, 3.125, 5.0]


def circular(hours):
    return {
        "hours": hours, "mean": stats.circmean(hours, high=24), "deviation": stats.circstd(hours, high=24),
        "length": 1 - stats.circvar(hours, high=24),
    }


def activity_cases():
    i = np.arange(24 * 10)
    base = np.maximum(0, 400 * np.sin(2 * np.pi * (i % 24 - 7) / 24) + 300 * rotation(len(i), math.sqrt(2)))
    yield "whole", np.round(base)
    yield "repeated", np.tile(np.round(base[:24]), 6)
    yield "small", np.array([(k * k * 7 + k * 3) % 11 for k in range(24 * 3)], dtype=float)


def activity(values):
    n, p = len(values), 24
    days = values.reshape(-1, p)
    mean, hours = values.mean(), days.mean(axis=0)
    squares, steps = ((values - mean) ** 2).sum(), (np.diff(values) ** 2).sum()
    ring = np.concatenate([hours, hours])
    spells = {k: np.array([ring[h : h + k].mean() for h in range(p)]) for k in (5, 10)}
    least, most = spells[5].min(), spells[10].max()
    return {
        "values": values,
        # nparACT: the published forms.
        "stability": n * ((hours - mean) ** 2).sum() / (p * squares),
        "variability": n * steps / ((n - 1) * squares),
        # pyActigraphy: pandas' variances have n - 1, and its mean of squared steps n - 1 as well.
        "stabilityPyActigraphy": hours.var(ddof=1) / values.var(ddof=1),
        "variabilityPyActigraphy": (np.diff(values) ** 2).mean() / values.var(ddof=1),
        "least": least, "leastOnset": int(spells[5].argmin()), "most": most,
        "mostOnset": int(spells[10].argmax()), "relative": (most - least) / (most + least),
    }


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


result = plain({
    "versions": {
        "numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__,
        "astropy": astropy.__version__,
    },
    "cosinor": [
        {"name": name, "times": t, "values": y, "periods": periods, "result": cosinor(t, y, periods)}
        for name, t, y, periods in cosinor_cases()],
    "lombScargle": [
        {"name": name, **lomb_scargle(t, y, f)} for name, t, y, f in periodogram_cases()],
    "regularity": [{"days": days, "index": regularity(days)} for days in regularity_cases()],
    "circular": [circular(hours) for hours in circular_cases()],
    "activity": [{"name": name, **activity(values)} for name, values in activity_cases()],
})
# A case a line.
parts = [
    f'"{key}": ' + (json.dumps(part) if isinstance(part, dict) else
                    "[\n" + ",\n".join(json.dumps(case) for case in part) + "\n]")
    for key, part in result.items()]
print("{" + ",\n".join(parts) + "}")
