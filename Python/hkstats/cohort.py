"""The command ``hkstats-cohort``: the exports of many people into Parquet, with Spark out of sight."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ._library import Error, UsageError, __version__

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

USAGE, UNAVAILABLE, CANNOT_CREATE, FAILED = 64, 69, 73, 1
# While exports are read, the findings of each person wait in a folder of their own.
_READING, _STATISTICS, _FINDINGS = "reading", "statistics", "findings"
_COLUMNS = "person string, severity string, finding string, records bigint, message string"

_LACKS = {
    "pyspark": 'Spark is missing: pip install "hkstats[spark]", or that wheel: '
    'pip install "./hkstats-VERSION-py3-none-manylinux_2_36_x86_64.whl[spark]".',
    "java": "Java is missing: apt install default-jre-headless, or set JAVA_HOME.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code."""
    options = _parser().parse_args(arguments)
    lacking = _lacking()
    if lacking is not None:
        return _refuse(lacking, UNAVAILABLE)
    if os.path.exists(options.out) and (not os.path.isdir(options.out) or os.listdir(options.out)):
        return _refuse(f"{options.out} is there already, and is not empty.", CANNOT_CREATE)
    try:
        source = _source(options)
        # Wrong options are refused at once, and not when Spark has begun.
        from ._people import Cohort

        cohort = Cohort(source)
        people = cohort.people()
    except Error as error:
        return _refuse(error.message, error.code)
    exports = sum(len(person.paths) for person in people)
    print(f"{exports} exports of {len(people)} persons", file=sys.stderr)
    if cohort.unmatched:
        print(f"{cohort.unmatched} names of {options.people} are of no export", file=sys.stderr)
    began = time.monotonic()
    is_new = not os.path.exists(options.out)
    made: tuple[str, ...] = (_READING, _STATISTICS, _FINDINGS)
    spark: SparkSession | None = None
    try:
        spark = _session(options)
        _write(spark, source, options, len(people), began)
        made, is_new = (_READING,), False
        return 0
    except KeyboardInterrupt:
        return _refuse("Interrupted.", 130)
    except Exception as error:  # Spark's own are of many kinds.
        lines = str(error).strip().splitlines() or [type(error).__name__]
        # The exception of an executor stands amid the words of Spark: its type, and its sentence.
        told = [line.split(": ", 1)[-1] for line in lines if line.startswith("hkstats._library.")]
        return _refuse((told or lines)[0], FAILED)
    finally:
        # No task writes any more: results are whole, or there are none.
        if spark is not None:
            spark.stop()
        for each in made:
            shutil.rmtree(os.path.join(options.out, each), ignore_errors=True)
        if is_new:
            with contextlib.suppress(OSError):
                os.rmdir(options.out)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"hkstats-cohort: {message}\n{self.format_usage()}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="hkstats-cohort",
        description="Reads the exports of many people, and writes their statistics as Parquet, by "
        "type and month.",
        epilog="Persons are pseudonyms. They are the same ones again only with --secret-file.",
    )
    add = parser.add_argument
    add("exports", help="a folder of exports, or a quoted pattern: 'exports/*/export.zip'")
    add("--out", required=True, metavar="FOLDER", help="where the results go; a new folder")
    add("--by", default="day", metavar="INTERVAL", help="hour, day, week, month (default: day)")
    add("--types", metavar="TYPES", help="such as steps,heartRate; else all")
    add("--stat", metavar="COLUMNS", help="such as sum,mean,p90; else those that fit each type")
    add("--from", dest="since", metavar="DATE", help="the first moment")
    add("--to", dest="until", metavar="DATE", help="the end, which does not belong to it")
    add("--timezone", metavar="ZONE", help="whose days count, unless the csv of people says more")
    add("--people", metavar="CSV", help="a csv: name of the export; person, timezone or both")
    add("--secret-file", metavar="FILE", help="the key of pseudonyms, 16 bytes or more")
    add("--names", action="store_true", help="names of exports in place of pseudonyms")
    add("--strict", action="store_true", help="ends where an export cannot be read")
    add("--isolation", action="store_true", help="reads each person in a process of its own")
    add("--master", default="local[*]", metavar="URL", help="of Spark (default: local[*])")
    add("--version", action="version", version=__version__)
    return parser


def _lacking() -> str | None:
    # A package without py4j is only a client of Spark elsewhere.
    if any(importlib.util.find_spec(each) is None for each in ("pyspark", "py4j", "pyarrow")):
        return _LACKS["pyspark"]
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if java is None or not os.access(java, os.X_OK):
        return _LACKS["java"]
    return None


def _refuse(sentence: str, code: int) -> int:
    print(f"hkstats-cohort: {sentence}", file=sys.stderr)
    return code


def _source(options: argparse.Namespace) -> dict[str, str]:
    """The options of the data source."""
    source: dict[str, str | None] = {
        "path": options.exports, "people": options.people, "secretFile": options.secret_file,
        "type": options.types, "by": options.by, "stat": options.stat, "from": options.since,
        "to": options.until, "timezone": options.timezone,
        "names": "true" if options.names else None, "strict": "true" if options.strict else None,
        "isolation": "process" if options.isolation else None,
        "findings": os.path.abspath(os.path.join(options.out, _READING)),
    }  # fmt: skip
    if options.timezone is None and options.people is None:
        raise UsageError("Say whose days count: --timezone Europe/Paris, or --people with zones.")
    return {name: value for name, value in source.items() if value is not None}


# Spark tells of a failure once for each of its layers; the command says it in a sentence.
_QUIET = """\
rootLogger.level = off
rootLogger.appenderRef.none.ref = none
appender.none.type = Null
appender.none.name = none
"""


def _session(options: argparse.Namespace) -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # An interruption is told by py4j with its stack, and by the command in a word.
    logging.disable(logging.ERROR)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    from pyspark.sql import SparkSession

    if "SPARK_SUBMIT_OPTS" not in os.environ:
        file = tempfile.NamedTemporaryFile("w", suffix=".properties", delete=False)
        with file:
            file.write(_QUIET)
        atexit.register(os.unlink, file.name)
        os.environ["SPARK_SUBMIT_OPTS"] = f"-Dlog4j2.configurationFile={file.name}"

    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    }  # fmt: skip
    builder = SparkSession.builder.appName("hkstats-cohort").master(options.master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _write(
    spark: SparkSession, source: dict[str, str], options: argparse.Namespace, people: int,
    began: float,
) -> None:  # fmt: skip
    from pyspark.sql import functions

    from .spark import HealthDataSource

    spark.dataSource.register(HealthDataSource)
    table: DataFrame = spark.read.format("hkstats").options(**source).load()
    reading, statistics, findings = (
        os.path.join(options.out, each) for each in (_READING, _STATISTICS, _FINDINGS)
    )
    # The order of files begins with that of their folders, in which Spark would else sort anew.
    by_month = (
        table.withColumn("month", functions.date_format("date", "yyyy-MM"))
        .repartition("type").sortWithinPartitions("type", "month", "person", "start")
    )  # fmt: skip
    _with_progress(
        spark, people, lambda: by_month.write.partitionBy("type", "month").parquet(statistics)
    )
    kept = spark.read.schema(_COLUMNS).parquet(reading)
    kept.repartition(1).sortWithinPartitions("person", "finding").write.csv(findings, header=True)
    rows = spark.read.schema(by_month.schema).parquet(statistics).count()
    counted = kept.groupBy("severity", "finding").agg(
        functions.count("*").alias("rows"), functions.sum("records").alias("records")
    ).orderBy("severity", "finding").collect()  # fmt: skip
    seconds = time.monotonic() - began
    print(f"{rows} rows of statistics in {options.out}, after {seconds:.0f} s")
    for each in counted:
        records = f", {each['records']} records" if each["records"] is not None else ""
        print(f"  {each['severity']:7}  {each['finding']}: {each['rows']}{records}")


def _with_progress(spark: SparkSession, total: int, work: Any) -> None:
    """Does work on a thread, and says how many persons are read, on one line of a terminal."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    tracker = spark.sparkContext.statusTracker()
    done, told = 0, -1
    while thread.is_alive():
        thread.join(0.5)
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            # What is read is sorted and written by tasks of further stages.
            if info and info.numTasks == total:
                done = max(done, info.numCompletedTasks)
        if done != told and sys.stderr.isatty():
            print(f"\r{done} of {total} persons", end="", file=sys.stderr, flush=True)
            told = done
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if failures:
        raise failures[0]


if __name__ == "__main__":
    sys.exit(main())
