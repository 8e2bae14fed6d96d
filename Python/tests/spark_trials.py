"""The data source in Spark itself: a standalone master with two workers of one core each, and local mode.

    python spark_trials.py EXPORTS FOLDER

Makes so many exports, and cuts one in ten; asks for the steps of all days; compares each day with
what the generator knows; kills an executor amid a run; reads the same in local mode, with one
worker and with the command; and reads the exports once more as people do without hkstats, with pandas.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import DataFrame, SparkSession
from support import GENERATOR, ROOT, ZONE, run
from test_pages import blocks, is_shown, missing

import hkstats.spark  # noqa: E402

STEPS = "HKQuantityTypeIdentifierStepCount"
QUESTION = {"type": "steps", "by": "day", "timezone": ZONE, "names": "true"}
PORT, PAGE = 17077, 18080
PAGE_OF_COHORTS = ROOT / "Docs.docc" / "Cohorts.md"


def make(folder: Path, number: int) -> None:
    path, truth = folder / "exports" / f"p{number}.zip", folder / "truth" / f"p{number}.json"
    if path.exists():
        return
    made = folder / f"making{number}.zip"
    run(
        GENERATOR, "--out", str(made), "--seed", str(number), "--size", "3MB", "--density", "0.1",
        "--zone", ZONE, "--truth", str(truth),
    )  # fmt: skip
    if number % 10 == 9:
        content = made.read_bytes()
        made.write_bytes(content[: len(content) * (number % 7 + 1) // 9])
    made.rename(path)


PASSED: list[str] = []


def passed(sentence: str) -> None:
    """Says what holds, and counts it."""
    print(sentence, flush=True)
    PASSED.append(sentence)


class Truth:
    """What the generator knows: merged and raw steps of each person and day."""

    def __init__(self, folder: Path, exports: int) -> None:
        self.merged: dict[tuple[str, str], float] = {}
        self.raw = 0.0
        self.damaged = {f"p{number}" for number in range(exports) if number % 10 == 9}
        for number in range(exports):
            if f"p{number}" in self.damaged:
                continue
            known = json.loads((folder / "truth" / f"p{number}.json").read_text())
            for day, sums in known["sums"][STEPS].items():
                self.merged[(f"p{number}", day)] = sums["merged"]
                self.raw += sums["raw"]

    def check(self, rows: list[Any], findings: list[Any], what: str) -> None:
        """Fails unless each day is that of the generator, and each damaged export is listed."""
        days = {(row.person, str(row.date)): row.sum for row in rows if row.sum is not None}
        missing = self.merged.keys() - days.keys()
        wrong = [
            key for key, value in self.merged.items()
            if key in days and abs(days[key] - value) > 1e-9 * value
        ]  # fmt: skip
        more = {day for key, day in days.keys() - self.merged.keys() if day != "2026-11-01"}
        listed = [row.person for row in findings if row.severity == "error"]
        if missing or wrong or more or sorted(listed) != sorted(self.damaged):
            sys.exit(
                f"FAILED: {what}: {len(missing)} days missing, {len(wrong)} wrong, {len(more)} more, "
                f"{len(listed)} damaged exports listed of {len(self.damaged)}"
            )
        passed(f"{what}: {len(days)} days, {len(listed)} damaged exports listed")


class Cluster:
    """A master and workers of one core each, of pip's own spark-class."""

    def __init__(self, workers: int, folder: Path) -> None:
        home = Path(pyspark.__file__).parent
        self.url = f"spark://127.0.0.1:{PORT}"
        self._processes = []
        environment = {
            **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }  # fmt: skip
        log = open(folder / "cluster.log", "ab")
        master = ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(PORT)]
        worker = ["org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "2g",
                  "--host", "127.0.0.1", "--work-dir", str(folder / "work")]  # fmt: skip
        page = PAGE
        for words in [master] + [[*worker, self.url]] * workers:
            page += 1
            self._processes.append(
                subprocess.Popen(
                    [str(home / "bin" / "spark-class"), *words[:1], "--webui-port", str(page),
                     *words[1:]],
                    env=environment, stdout=log, stderr=log,
                )
            )  # fmt: skip
            time.sleep(4 if words is master else 2)

    def stop(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait(30)


class Watch:
    """The CPU time of Spark, and the peak memory of Python's workers, while something runs."""

    def __enter__(self) -> Watch:
        self.peak = 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._began, self._cpu = time.monotonic(), _cpu_seconds()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.monotonic() - self._began
        self.cpu = _cpu_seconds() - self._cpu
        self._ends.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ends.wait(0.2):
            for process in processes("pyspark.daemon"):
                try:
                    text = Path(f"/proc/{process}/status").read_text()
                except OSError:
                    continue
                for line in text.splitlines():
                    if line.startswith("VmHWM:"):
                        self.peak = max(self.peak, int(line.split()[1]) // 1024)


def _cpu_seconds() -> float:
    """What this process and all below it used, with those that have ended."""
    times: dict[int, tuple[int, int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        times[int(place.name)] = (int(words[1]), sum(map(int, words[11:15])))
    ours = {os.getpid()}
    while more := {each for each, (parent, _) in times.items() if parent in ours} - ours:
        ours |= more
    return sum(times[each][1] for each in ours) / os.sysconf("SC_CLK_TCK")


def processes(words: str) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words in line:
            found.append(int(place.name))
    return found


def session(master: str) -> SparkSession:
    spark = (
        SparkSession.builder.master(master).appName("hkstats trials")
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1").config("spark.sql.session.timeZone", "UTC")
        .config("spark.executor.memory", "1g").config("spark.log.level", "OFF").getOrCreate()
    )  # fmt: skip
    hkstats.spark.register(spark, filters=True)
    return spark


def table(spark: SparkSession, folder: Path, **options: str) -> DataFrame:
    return (
        spark.read.format("hkstats").options(**{**QUESTION, **options})
        .load(str(folder / "exports"))
    )  # fmt: skip


def both(spark: SparkSession, folder: Path, **options: str) -> tuple[list[Any], list[Any]]:
    """The rows, and the findings that are kept beside them."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        rows = table(spark, folder, findings=place, **options).collect()
        return rows, spark.read.parquet(place).collect()


def run_command(spark: SparkSession, folder: Path, truth: Truth) -> None:
    """What hkstats-cohort writes, which begins a Spark of its own."""
    out = folder / "results"
    result = subprocess.run(
        [
            sys.executable, "-m", "hkstats.cohort", str(folder / "exports"), "--out", str(out),
            "--types", "steps", "--timezone", ZONE, "--names", "--master", "local[2]",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if result.returncode:
        sys.exit(f"FAILED: hkstats-cohort: {result.stderr}")
    if sorted(each.name for each in out.iterdir()) != ["findings", "statistics"]:
        sys.exit("FAILED: hkstats-cohort leaves what it should not")
    rows = spark.read.parquet(str(out / "statistics"))
    findings = spark.read.csv(str(out / "findings"), header=True)
    truth.check(rows.collect(), findings.collect(), "hkstats-cohort")
    if f"{rows.count()} rows of statistics" not in result.stdout:
        sys.exit(f"FAILED: hkstats-cohort counts other rows: {result.stdout}")
    if rows.where("month <> date_format(date, 'yyyy-MM')").count():
        sys.exit("FAILED: hkstats-cohort has days in folders of other months")


def killed_amid(exports: int, spark: SparkSession, victims: list[int]) -> threading.Thread:
    """Kills an executor when a third of the tasks has ended."""

    def kill() -> None:
        tracker = spark.sparkContext.statusTracker()
        while True:
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info and info.numTasks > 1 and info.numCompletedTasks * 3 > exports:
                    victim = max(processes("CoarseGrainedExecutorBackend"))
                    os.kill(victim, signal.SIGKILL)
                    victims.append(victim)
                    return
            time.sleep(0.05)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


def peer(batches: Iterator[Any]) -> Iterator[Any]:
    """Steps by day as scripts of the web have them: each record of the XML, added up."""
    import zipfile
    from xml.etree import ElementTree

    import pandas

    for batch in batches:
        for path in batch["path"]:
            days: dict[str, float] = {}
            try:
                with zipfile.ZipFile(path) as archive:
                    name = next(each for each in archive.namelist() if each.endswith("/export.xml"))
                    with archive.open(name) as file:
                        for _, element in ElementTree.iterparse(file):
                            if element.get("type") == STEPS:
                                day = element.get("startDate", "")[:10]
                                days[day] = days.get(day, 0) + float(element.get("value", 0))
                            element.clear()
            except Exception:
                continue
            yield pandas.DataFrame(
                {"person": [Path(path).stem] * len(days), "date": list(days), "sum": days.values()}
            )


def run_page(spark: SparkSession) -> None:
    """Runs the page of the documentation in this folder, and compares what it prints."""
    text = PAGE_OF_COHORTS.read_text()
    made = next(body for body in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) if "seed" in body)
    made = made.replace(".build/release/generate-export", GENERATOR)
    subprocess.run(["bash", "-euc", made], check=True)
    names: dict[str, Any] = {"spark": spark, "os": os}
    for line, code, shown in blocks(text):
        if absent := missing(code):
            print(f"  line {line} is left out, without {', '.join(absent)}")
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, str(PAGE_OF_COHORTS), "exec"), names)
        if not is_shown(shown, printed.getvalue()):
            sys.exit(f"FAILED: {PAGE_OF_COHORTS.name}, line {line} prints\n{printed.getvalue()}")
    passed(f"{PAGE_OF_COHORTS.name}: as it shows")


def main() -> None:
    exports, folder = int(sys.argv[1]), Path(sys.argv[2]).resolve()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    for name in ("exports", "truth", "page"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    # The JVM keeps the folder in which it begins, and takes relative paths from there.
    os.chdir(folder / "page")
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda number: make(folder, number), range(exports)))
    print(f"{exports} exports made in {time.monotonic() - began:.0f} s", flush=True)
    truth = Truth(folder, exports)
    costs = {}
    for workers in (1, 2):
        cluster = Cluster(workers, folder)
        spark = session(cluster.url)
        try:
            # Workers of Python begin, and the JVM compiles what it runs often.
            few = table(spark, folder).where("person in ('p0', 'p1')")
            if few.rdd.getNumPartitions() != 2:
                sys.exit("FAILED: a filter on persons reads others, too")
            if {row.person for row in few.collect()} != {"p0", "p1"}:
                sys.exit("FAILED: a filter on persons loses somebody")
            passed(f"{workers} workers: a filter on persons reads nobody else")
            with Watch() as watch:
                rows, findings = both(spark, folder)
            costs[workers] = watch.cpu / exports
            truth.check(rows, findings, f"{workers} workers, {watch.seconds:.0f} s")
            print(f"  CPU {costs[workers]:.3f} s an export, peak of a task {watch.peak} MB", flush=True)
            if workers == 2:
                victims: list[int] = []
                thread = killed_amid(exports, spark, victims)
                rows, findings = both(spark, folder)
                thread.join(10)
                if not victims:
                    sys.exit("FAILED: no executor was killed")
                truth.check(rows, findings, "2 workers, an executor killed")
        finally:
            spark.stop()
            cluster.stop()
    spark = session("local[2]")
    with Watch() as watch:
        rows, findings = both(spark, folder)
    truth.check(rows, findings, f"local mode, {watch.seconds:.0f} s")
    with Watch() as watch:
        rows, findings = both(spark, folder, isolation="process")
    truth.check(rows, findings, f"local mode, a process each, {watch.seconds:.0f} s")
    paths = [(str(path),) for path in sorted((folder / "exports").iterdir())]
    files = spark.createDataFrame(paths, "path string").repartition(len(paths))
    with Watch() as watch:
        total = sum(
            row.sum for row in files.mapInPandas(peer, "person string, date string, sum double").collect()
        )
    merged = sum(truth.merged.values())
    print(
        f"pandas in mapInPandas: {watch.seconds:.0f} s, CPU {watch.cpu / exports:.3f} s an export, peak "
        f"{watch.peak} MB; {total / merged:.2f} times the steps (raw {truth.raw / merged:.2f})"
    )
    hkstats.spark.register(spark)
    days = table(spark, folder)
    for condition in ("person = 'p0'", "type = 'none'", "sum > 1", "person in ('p0', 'p1')"):
        days.where(condition).collect()
        truth.check(days.collect(), findings, f"all after those of {condition}")
    run_page(spark)
    run_command(spark, folder, truth)
    spark.stop()
    ratio = costs[2] / costs[1]
    print(f"CPU an export, two workers: {ratio:.2f} of one")
    # Of few exports most of it is the JVM's.
    if exports >= 100 and ratio > 1.1:
        sys.exit("FAILED: two workers cost more than 1.1 of one")
    print(f"Spark: {len(PASSED)} passed, 0 failed")


if __name__ == "__main__":
    main()
