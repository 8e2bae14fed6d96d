"""What the tests share: the library, the program, an export and a store, and readers of Arrow.

Environment:
    HKSTATS_LIBRARY: the library; else that of the installed package, else ../.build/library
    HKSTATS_PROGRAM, HKSTATS_GENERATOR: the programs; else those in ../.build/release
    HKSTATS_TEST_READERS: 1 where a reader of Arrow that is not installed fails a test
    HKSTATS_TEST_PLANS: how many random plans are compared with the program; else 60
    HKSTATS_TEST_ROUNDS: how often calls are repeated in search of leaks; else 1000
"""

from __future__ import annotations

import atexit
import csv
import importlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / ".build" / "release"

if importlib.util.find_spec("hkstats") is None:
    sys.path.insert(0, str(ROOT / "Python"))
    os.environ.setdefault("HKSTATS_LIBRARY", str(ROOT / ".build" / "library" / "libhkstats.so"))

import hkstats  # noqa: E402
from hkstats._library import live_objects  # noqa: E402

PROGRAM = os.environ.get("HKSTATS_PROGRAM", str(RELEASE / "hkstats"))
GENERATOR = os.environ.get("HKSTATS_GENERATOR", str(RELEASE / "generate-export"))
PLANS = int(os.environ.get("HKSTATS_TEST_PLANS", "60"))
ROUNDS = int(os.environ.get("HKSTATS_TEST_ROUNDS", "1000"))
ZONE = "Europe/Paris"
# Now, for the library and the program.
NOW = "2026-11-21T12:34:56+01:00"


@cache
def folder() -> Path:
    """A folder that is gone when the tests end."""
    path = Path(tempfile.mkdtemp(prefix="hkstats-tests-"))
    owner = os.getpid()

    def remove() -> None:
        # Children of a fork share it.
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path


@cache
def export() -> str:
    """A year of somebody who does not exist."""
    path = folder() / "export.zip"
    run(
        GENERATOR, "--out", str(path), "--seed", "1", "--years", "1", "--until", "2026-11-01",
        "--zone", ZONE,
    )  # fmt: skip
    return str(path)


@cache
def store_path() -> str:
    """A store that the program made of the export."""
    path = folder() / "store.sqlite"
    run(PROGRAM, "import", export(), "--store", str(path))
    return str(path)


@cache
def store() -> hkstats.Store:
    """The store, read only, which no test closes."""
    return hkstats.open(store_path(), now=NOW, progress=False)


def run(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, check=True, capture_output=True, text=True, **options)


def answer_of_program(*words: str) -> tuple[int, list[str], list[list[str]]]:
    """The exit code of the program, and the head and rows of its csv."""
    result = subprocess.run(
        [PROGRAM, *words, "--format", "csv", "--store", store_path()],
        capture_output=True, text=True, env={**os.environ, "TZ": "UTC", "HKSTATS_NOW": NOW}, check=False,
    )  # fmt: skip
    if result.returncode:
        return result.returncode, [], []
    lines = list(csv.reader(io.StringIO(result.stdout)))
    return 0, lines[0], lines[1:]


def python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in a fresh interpreter, in which warnings are errors."""
    return subprocess.run(
        python_command(code, *arguments), capture_output=True, text=True, check=False, timeout=120,
        env=python_environment(**environment),
    )  # fmt: skip


def python_command(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-W", "error", "-c", code, *arguments]


def python_environment(**environment: str) -> dict[str, str]:
    path = os.pathsep.join(
        [str(Path(hkstats.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    return {**os.environ, "PYTHONPATH": path, **environment}


def reader(name: str) -> Any:
    """A package that reads Arrow, or skips the test."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if os.environ.get("HKSTATS_TEST_READERS") == "1":
            raise
        raise unittest.SkipTest(f"{name} is not installed") from None


def every_table() -> dict[str, hkstats.Table]:
    """A table of each kind, and those that are large, small and empty."""
    asked = store()
    tables = {
        "statistics": asked.statistics("steps", by="day", timezone=ZONE),
        "discrete": asked.statistics(
            "heartRate", by="week", timezone=ZONE, columns=["mean", "p90", "recent", "duration"]
        ),
        "averages": asked.statistics("steps", by="month", per="day", timezone=ZONE),
        "sources": asked.statistics("steps", by="month", by_source=True, timezone=ZONE),
        "categories": asked.statistics("sleepAnalysis", by="month", timezone=ZONE),
        "series": asked.statistics(["steps", "heartRate.max"], by="day", timezone=ZONE),
        "groups": asked.statistics("steps", by="day", group="weekday", timezone=ZONE),
        "many rows": asked.statistics("steps", by="hour", timezone=ZONE),
        "one row": asked.statistics("steps", timezone=ZONE),
        "nulls": asked.statistics("steps", by="day", since="2020", until="2020-03", timezone=ZONE),
        "no row": asked.samples("heartRate", since="2020-01-01", until="2020-01-02"),
        "samples": asked.samples("bodyMass", timezone=ZONE),
        "batches": asked.samples("heartRate", since="2026-10-01", rows=1000, timezone=ZONE),
        "samples in seconds": asked.samples("bodyMass", times="seconds"),
        "elements": asked.elements("electrocardiogram", timezone=ZONE, limit=3),
        "routes": asked.elements("workoutRoute", timezone=ZONE, limit=2),
        "explain": asked.explain("steps", "2026-10-31", timezone=ZONE),
        "workouts": asked.workouts(timezone=ZONE),
        "nights": asked.sleep(timezone=ZONE),
        "months of sleep": asked.sleep(by="month", timezone=ZONE),
        "types": asked.types(timezone=ZONE),
        "sources of steps": asked.sources("steps", timezone=ZONE),
        "merged": hkstats.merge([0, 5], [10, 15], [10, 10], ["watch", "phone"]),
    }
    for method, type in [
        ("anomalies", None), ("typical", None), ("changes", "restingHeartRate"),
        ("rhythm", None), ("training", None), ("glucose", None), ("hrv", None), ("pressure", None),
    ]:  # fmt: skip
        tables[method] = asked.analysis(method, type, timezone=ZONE)
    return tables


__all__ = [
    "GENERATOR", "NOW", "PLANS", "PROGRAM", "ROOT", "ROUNDS", "ZONE", "answer_of_program", "every_table",
    "export", "folder", "hkstats", "live_objects", "python", "python_command",
    "python_environment", "reader", "run", "store", "store_path",
]  # fmt: skip
