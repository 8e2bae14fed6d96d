"""Reference values of STL and MSTL by statsmodels, and those of the original Fortran that its wheel
carries; writes decomposition.json beside itself.

    python decomposition.py

Deterministic: the series are formulas. The cases "fortran ..." are rows of
statsmodels/tsa/stl/tests/results/stl_test_results.csv and stl_co2.csv: the output of the program of
Cleveland and others (netlib.org/a/stl, with its median repaired) for monthly CO2 at Mauna Loa.
statsmodels is under the three-clause BSD licence, Copyright (C) 2006 Jonathan E. Taylor, 2006-2008
Scipy Developers, 2009-2018 statsmodels Developers.
"""

import json
from pathlib import Path

import numpy
import pandas
import statsmodels
from statsmodels.tsa.seasonal import MSTL, STL
from statsmodels.tsa.stl import tests

GOLDEN = 0.6180339887498949


def series(count, period, spikes=False, year=0):
    i = numpy.arange(count)
    y = 60 + 0.03 * i + 3 * numpy.sin(2 * numpy.pi * i / period) + 5 * ((GOLDEN * i) % 1 - 0.5)
    if spikes:
        y[11::29] += 40
    if year:
        y += 7 * numpy.cos(2 * numpy.pi * i / year)
    return y


def block():
    """A run of outliers longer than the windows: there all weights of robustness are 0."""
    y = series(126, 7)
    y[50:80] += 500 + 100 * ((GOLDEN * 3 * numpy.arange(30)) % 1)
    return y


def stl(name, y, period, inner=None, outer=None, every=1, **options):
    def fit(values):
        return STL(values, period=period, **options).fit(inner_iter=inner, outer_iter=outer)

    return case(name, y, [period], options | {"inner": inner, "outer": outer}, every, fit)


def mstl(name, y, periods, windows=None, every=1, **options):
    def fit(values):
        return MSTL(values, periods=periods, windows=windows, stl_kwargs=dict(options)).fit()

    return case(name, y, list(periods), options | {"windows": windows, "multiple": True}, every,
                fit)


def case(name, y, periods, options, every, fit):
    """A case, and how much statsmodels' own parts change with the last bits of the values."""
    result = fit(y)
    change = weight_change = 0
    for roll in range(6):
        bits = 2.0 ** -52 * numpy.resize(numpy.roll([-1, 1, 0, 1, -1, 0, 0, 1, 1, -1, 0], roll), len(y))
        other = fit(y * (1 + bits))
        change = max(change, abs(other.trend - result.trend).max(),
                     abs(other.seasonal - result.seasonal).max())
        weight_change = max(weight_change, abs(other.weights - result.weights).max())
    seasonal = numpy.asarray(result.seasonal)
    seasons = [seasonal] if seasonal.ndim == 1 else list(seasonal.T)
    return {
        "name": name, "periods": periods,
        "options": {key: value for key, value in options.items() if value is not None},
        "every": every, "change": float(change),
        "weightChange": float(weight_change),
        "series": list(map(float, y)),
        "trend": list(map(float, result.trend[::every])),
        "seasons": [list(map(float, season[::every])) for season in seasons],
        "weights": list(map(float, result.weights[::every])),
    }


def fortran():
    folder = Path(tests.__file__).parent / "results"
    y = numpy.asarray(pandas.read_csv(folder / "stl_co2.csv", header=None).iloc[:, 0])
    table = pandas.read_csv(folder / "stl_test_results.csv", skipinitialspace=True,
                            float_precision="round_trip")
    table.columns = [name.strip() for name in table.columns]
    base = {"seasonal": 35, "trend": 19, "low_pass": 13, "seasonal_jump": 4, "trend_jump": 2,
            "low_pass_jump": 2, "inner": 1, "outer": 2}
    for name, change in [("baseline", {}), ("short", {}), ("nljump-1", {"low_pass_jump": 1}),
                         ("nljump-1-ntjump-1", {"low_pass_jump": 1, "trend_jump": 1})]:
        rows = table[table.scenario.str.strip() == name].sort_values("idx")
        yield {
            "name": f"fortran {name}", "periods": [12], "options": base | change, "every": 2,
            "series": list(map(float, y[:len(rows)])), "trend": list(rows.trend[::2]),
            "seasons": [list(rows.season[::2])], "weights": list(rows.rw[::2]),
        }


def cases():
    yield stl("spec's series", series(120, 7), 7)
    yield stl("spec's series, robust", series(120, 7), 7, robust=True)
    yield stl("spikes, robust", series(204, 7, spikes=True), 7, robust=True)
    yield stl("jumps", series(200, 7), 7, seasonal=11, seasonal_jump=2, trend_jump=3,
              low_pass_jump=4)
    yield stl("windows beyond the series", series(61, 12), 12, seasonal=35, trend=85, low_pass=71,
              seasonal_jump=2, trend_jump=7)
    yield stl("windows beyond the series, robust", series(61, 12, True), 12, seasonal=35, trend=85,
              low_pass=71, trend_jump=7, robust=True)
    yield stl("constants", series(40, 2), 2, seasonal_deg=0, trend_deg=0, low_pass_deg=0)
    yield stl("constants, robust, jumps", series(101, 10, True), 10, robust=True, seasonal_deg=0,
              trend_deg=1, low_pass_deg=0, seasonal_jump=2, trend_jump=4, low_pass_jump=3)
    yield stl("constants of the trend, robust", series(101, 10, True), 10, robust=True,
              trend_deg=0)
    yield stl("two periods", series(14, 7), 7)
    yield stl("five periods and a day, robust", series(36, 7), 7, robust=True)
    yield stl("jumps beyond the series", series(100, 7), 7, seasonal_jump=50, trend_jump=450,
              low_pass_jump=99)
    yield stl("the last row far outside of its window", series(100, 7), 7, trend=9, low_pass=9,
              trend_jump=40, low_pass_jump=35)
    yield stl("the last row far outside of its window, robust", series(100, 7, True), 7, trend=9,
              low_pass=9, trend_jump=40, robust=True)
    yield stl("spread below a thousandth of the rows", series(1103, 2), 2, seasonal=3, trend=3,
              low_pass=3, every=10)
    yield stl("one place with a whole window more", series(75, 7), 7, seasonal=11)
    yield stl("a run of outliers", block(), 7, robust=True)
    yield stl("iterations", series(90, 7, True), 7, inner=3, outer=1)
    yield mstl("two periods of seasons", series(800, 7, year=365), (7, 365), every=4)
    yield mstl("two periods of seasons, a leap year more", series(1161, 7, year=365), (7, 365),
               every=7, trend_jump=61, low_pass_jump=37, seasonal_jump=2)
    yield mstl("windows in another order", series(300, 7, True, year=30), (30, 7), (17, 9),
               robust=True, every=2)
    yield mstl("one period", series(100, 7), (7,))
    yield from fortran()


if __name__ == "__main__":
    document = {
        "source": "decomposition.py", "licence of the rows fortran": "BSD-3-Clause, statsmodels",
        "versions": {"numpy": numpy.__version__, "statsmodels": statsmodels.__version__},
        "cases": list(cases()),
    }
    target = Path(__file__).with_suffix(".json")
    lines = ",\n".join(json.dumps(entry) for entry in document.pop("cases"))
    head = json.dumps(document, indent=1)[:-2]
    target.write_text(f'{head},\n "cases": [\n{lines}\n]}}\n')
