"""The exports of many people, as Spark reads them: its partitions and batches, without Spark."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from support import (
    GENERATOR,
    ZONE,
    folder,
    hkstats,
    python,
    python_command,
    python_environment,
    reader,
    run,
)

pyarrow = reader("pyarrow")

from hkstats import _findings, _isolation, _reading  # noqa: E402
from hkstats._library import error_of  # noqa: E402
from hkstats._people import Cohort, Person, exports_at, name_of, pseudonym  # noqa: E402
from hkstats._store import Store  # noqa: E402

SUMS = {
    "steps": "HKQuantityTypeIdentifierStepCount",
    "activeEnergyBurned": "HKQuantityTypeIdentifierActiveEnergyBurned",
    "distanceWalkingRunning": "HKQuantityTypeIdentifierDistanceWalkingRunning",
}
# How the ten differ: where they live, and in what their phones show distance and energy.
PEOPLE = [
    ("Europe/Paris", "metric"),
    ("America/New_York", "imperial"),
    ("Asia/Tokyo", "kilojoules"),
]
IN_METRES = {"m": 1.0, "km": 1000.0, "mi": 1609.344}
IN_KILOCALORIES = {"kcal": 1.0, "Cal": 1.0, "kJ": 1 / 4.184}


@cache
def study() -> Path:
    """Ten exports and what they hold, two that are damaged, and a csv with the zones."""
    place = folder() / "study"
    (place / "exports").mkdir(parents=True)
    lines = ["name,timezone,enrolled"]
    for number in range(10):
        zone, units = PEOPLE[number % len(PEOPLE)]
        run(
            GENERATOR, "--out", str(place / "exports" / f"p{number}.zip"), "--seed", str(number),
            "--size", f"{2 + number % 3}MB", "--density", "0.1", "--zone", zone, "--units", units,
            "--truth", str(place / f"p{number}.json"),
        )  # fmt: skip
        lines.append(f"p{number},{zone},2026-10-01")
    whole = (place / "exports" / "p0.zip").read_bytes()
    (place / "exports" / "cut.zip").write_bytes(whole[: len(whole) // 2])
    torn = bytearray(whole)
    torn[len(torn) // 3 : len(torn) // 3 + 64] = bytes(64)
    (place / "exports" / "torn.zip").write_bytes(torn)
    lines += ["cut,UTC,", "torn,UTC,"]
    (place / "people.csv").write_text("\n".join(lines) + "\n")
    (place / "secret").write_text("a secret of tests\n")
    return place


def export_of(name: str, *records: str) -> Path:
    """A folder with an export of records that are given by their attributes."""
    place = folder() / name
    place.mkdir()
    lines = "".join(f'<Record sourceName="A" {each}/>\n' for each in records)
    (place / "a.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_FR">\n'
        f'<ExportDate value="2026-10-03 08:00:00 +0200"/>\n{lines}</HealthData>\n'
    )
    return place


def record(type: str, unit: str, value: str, day: str = "2026-10-01") -> str:
    return (
        f'type="HKQuantityTypeIdentifier{type}" unit="{unit}" value="{value}" '
        f'startDate="{day} 10:00:00 +0200" endDate="{day} 10:05:00 +0200"'
    )


def cohort(**options: Any) -> Cohort:
    """The source's options: the study by day."""
    plan = {"type": list(SUMS), "by": "day"} if options.get("table") is None else {}
    more = options.pop("plan", {})
    given = {
        "path": str(study() / "exports"), "people": str(study() / "people.csv"), "names": "true",
        "plan": None if more is None else json.dumps({**plan, **more}), **options,
    }  # fmt: skip
    return Cohort({name: value for name, value in given.items() if value is not None})


def read(source: Cohort, *people: Person) -> Any:
    """What Spark gets: each batch has the very schema that was announced."""
    schema = source.schema()
    batches = [
        batch
        for person in people or source.people()
        for batch in _isolation.read(source.question, person)
    ]
    for batch in batches:
        assert batch.schema.equals(schema), f"{batch.schema} is not {schema}"
        batch.validate(full=True)
    return pyarrow.Table.from_batches(batches, schema)


def rows_and_findings(source: Cohort, *people: Person) -> tuple[list[Any], list[Any]]:
    """The rows of people, and the findings that are kept beside them."""
    from pyarrow import parquet

    with tempfile.TemporaryDirectory(dir=folder()) as place:
        apart = replace(source.question, findings=os.path.join(place, "findings"))
        rows = [
            row
            for person in people or source.people()
            for batch in _isolation.read(apart, person)
            for row in batch.to_pylist()
        ]
        return rows, parquet.read_table(os.path.join(place, "findings")).to_pylist()


@contextlib.contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """A variable of the environment for a while."""
    kept = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if kept is not None:
            os.environ[name] = kept


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder that is empty, in which temporary files are for a while."""
    with tempfile.TemporaryDirectory() as place, variable("TMPDIR", place):
        tempfile.tempdir = place
        try:
            yield place
        finally:
            tempfile.tempdir = None


def is_for_spark(type: Any) -> bool:
    """Whether Spark's Python sources take a type."""
    types = pyarrow.types
    if types.is_list(type):
        return is_for_spark(type.value_type)
    if types.is_struct(type):
        return all(each.nullable and is_for_spark(each.type) for each in type)
    if types.is_timestamp(type):
        return bool(type == pyarrow.timestamp("us", tz="UTC"))
    return bool(
        types.is_string(type) or types.is_float64(type) or types.is_int64(type)
        or types.is_boolean(type) or types.is_date32(type)
    )  # fmt: skip


class CohortTests(unittest.TestCase):
    def test_totals_are_those_that_the_generator_knows(self) -> None:
        table = read(cohort())
        rows = {
            (row["person"], row["type"], str(row["date"])): row
            for row in table.to_pylist() if row["count"]
        }  # fmt: skip
        self.assertEqual({row["unit"] for row in rows.values()}, {"count", "kcal", "m"})
        known = 0
        for number in range(10):
            truth = json.loads((study() / f"p{number}.json").read_text())
            for type in SUMS.values():
                unit = truth["records"][type]["truthUnit"]
                scale = {**IN_METRES, **IN_KILOCALORIES}.get(unit, 1.0)
                for day, sums in truth["sums"][type].items():
                    row = rows.pop((f"p{number}", type, day))
                    # A phone rounds what it converts, sample by sample.
                    places = 12 if type == SUMS["steps"] else 5
                    self.assertAlmostEqual(row["sum"] / (sums["merged"] * scale), 1, places)
                    self.assertEqual(row["timezone"], PEOPLE[number % len(PEOPLE)][0])
                    known += sums["merged"] < sums["raw"]
        # What begins before the last midnight ends after it, where the generator does not look.
        self.assertLessEqual({day for _, _, day in rows}, {"2026-11-01"})
        self.assertGreater(known, 20, "days on which phone and watch counted the same")

    def test_answers_are_those_of_each_export_alone(self) -> None:
        plan = {"type": "heartRate,bodyMass,sleepAnalysis", "by": "week"}
        table = read(cohort(plan=plan))
        for number in (0, 1):
            export = hkstats.open(study() / "exports" / f"p{number}.zip", progress=False)
            alone = export.statistics(
                "heartRate", by="week", timezone=PEOPLE[number][0], unit="count/min"
            ).to_dicts()
            ours = [
                row for row in table.to_pylist()
                if row["person"] == f"p{number}" and row["type"].endswith("HeartRate")
            ]  # fmt: skip
            self.assertGreater(len(alone), 0)
            for column in ("start", "end", "mean", "min", "max", "count"):
                self.assertEqual([row[column] for row in ours], [row[column] for row in alone])

    def test_values_of_categories_are_told_by_keys(self) -> None:
        export = hkstats.open(study() / "exports" / "p1.zip", progress=False)
        alone = export.statistics("sleepAnalysis", by="week", timezone=PEOPLE[1][0])
        expected = {
            (row["start"], name.removesuffix("_count"), row[name], row[name[:-5] + "duration"])
            for row in alone.to_dicts() for name in alone.columns if name.endswith("_count") and row[name]
        }  # fmt: skip
        self.assertGreater(len(expected), 10)
        table = read(cohort(plan={"type": "sleepAnalysis", "by": "week"}))
        ours = {
            (row["start"], row["category"], row["count"], row["duration"])
            for row in table.to_pylist() if row["person"] == "p1"
        }  # fmt: skip
        self.assertEqual(ours, expected)
        # A name says nothing.
        schema = pyarrow.schema([
            pyarrow.field("start", pyarrow.timestamp("us", tz="UTC")), pyarrow.field("a_count", pyarrow.int64(), metadata={"key": "a_count"}),
            pyarrow.field("x", pyarrow.int64(), metadata={"key": "values.a.b_c.count"}),
        ])  # fmt: skip
        self.assertEqual(
            _reading._values(schema), {None: {"a_count": "a_count"}, "a.b_c": {"count": "x"}}
        )

    def test_nights_have_their_stages_one_after_the_other(self) -> None:
        export = hkstats.open(study() / "exports" / "p2.zip", progress=False)
        alone = export.sleep(stretches=True, timezone=PEOPLE[2 % len(PEOPLE)][0]).to_dicts()
        rows = [
            row for row in read(cohort(table="sleep", plan={"stretches": True})).to_pylist()
            if row["person"] == "p2"
        ]  # fmt: skip
        self.assertEqual([row["stretches"] for row in rows], [row["stretches"] for row in alone])
        lengths = [
            sum((each["end"] - each["start"]).total_seconds() for each in row["stretches"]
                if each["stage"] == "deep")
            for row in rows
        ]  # fmt: skip
        self.assertEqual(lengths, [row["deep"] or 0 for row in rows])
        self.assertGreater(sum(lengths), 0)
        self.assertNotIn("stretches", cohort(table="sleep", plan={}).schema().names)

    def test_a_damaged_export_is_a_row_and_harms_no_other(self) -> None:
        findings = read(cohort(table="findings", plan={})).to_pylist()
        errors = {row["person"]: row for row in findings if row["severity"] == "error"}
        self.assertEqual({name: row["finding"] for name, row in errors.items()},
                         {"cut": "damaged", "torn": "damaged"})  # fmt: skip
        good = {row["person"] for row in findings if row["finding"] == "read"}
        self.assertEqual(good, {f"p{number}" for number in range(10)})
        self.assertEqual({row["person"] for row in read(cohort()).to_pylist()}, good)
        for isolation in ("none", "process"):
            rows, kept = rows_and_findings(cohort(isolation=isolation))
            self.assertEqual(rows, read(cohort()).to_pylist())
            self.assertEqual(sorted(kept, key=str), sorted(findings, key=str))
        with self.assertRaisesRegex(hkstats.DataError, "^Person (cut|torn): the export: "):
            read(cohort(strict="true"))

    def test_what_is_odd_about_an_export_is_a_row_each(self) -> None:
        place = export_of(
            "odd", record("StepCount", "count", "5"), record("StepCount", "count", "many"),
            record("StepCount", "count", "7", day="2026-13-01"),
            record("HeartRate", "furlong77", "60"), record("HeartRate", "furlong78", "60"),
        )  # fmt: skip
        source = cohort(path=str(place), people=None, table="findings", plan={})
        rows = read(source).to_pylist()
        kinds = [(row["finding"], row["records"]) for row in rows]
        self.assertEqual(kinds[0], ("read", 1))
        self.assertEqual(sum(count for kind, count in kinds if kind == "skipped"), 4)
        skipped = [row for row in rows if row["finding"] == "skipped"]
        self.assertEqual({row["severity"] for row in skipped}, {"warning"})
        self.assertEqual(len({row["message"] for row in skipped}), 3)
        self.assertIn("HKQuantityTypeIdentifierHeartRate: ", skipped[0]["message"])
        self.assertNotIn("furlong", json.dumps(rows))

    def test_names_within_an_export_are_in_no_row(self) -> None:
        place = folder() / "inner"
        place.mkdir()
        for name in ("Anna Smith", "Bob: is here"):
            with zipfile.ZipFile(place / f"{len(name)}.zip", "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr(
                    f"{name}/export.xml", "<HealthData>" + "<Record/>" * 500 + "</HealthData>"
                )
            content = bytearray((place / f"{len(name)}.zip").read_bytes())
            content[content.index(b"export.xml") + 14] ^= 255
            (place / f"{len(name)}.zip").write_bytes(content)
        (place / "e").mkdir()
        source = cohort(path=str(place), people=None, table="findings", plan={})
        rows = read(source, *source.people(), Person("e", (str(place / "e"),), 0)).to_pylist()
        self.assertEqual(len([row for row in rows if row["severity"] == "error"]), 3, rows)
        text = json.dumps(rows)
        for word in ("Anna", "Bob", "here", "export.xml", str(place)):
            self.assertNotIn(word, text)
        self.assertEqual(text.count("the export: is damaged at byte"), 2, text)
        several = error_of(65, "/e: holds several exports: a.db", explanation="holds several exports")
        self.assertEqual(_findings.reason_of(several), "the export: holds several exports.")
        self.assertIn("the export: holds no export: no zip", text)

    def test_a_pipe_is_a_row_and_not_a_wait(self) -> None:
        place = folder() / "pipes"
        (place / "f").mkdir(parents=True)
        os.mkfifo(place / "a.zip")
        os.mkfifo(place / "f" / "export.xml")
        code = (
            "import sys, json; from hkstats._isolation import read; from hkstats._people import Cohort\n"
            "cohort = Cohort({'path': sys.argv[1], 'table': 'findings', 'names': 'true'})\n"
            "print(json.dumps([row for person in cohort.people()\n"
            "    for batch in read(cohort.question, person) for row in batch.to_pylist()]))"
        )
        rows = json.loads(python(code, str(place)).stdout)
        self.assertEqual({row["person"]: row["severity"] for row in rows},
                         {"a": "error", "f": "error"}, rows)  # fmt: skip

    def test_no_machine_has_a_say_in_days(self) -> None:
        place = export_of(
            "zones",
            *(record("StepCount", "count", "1", day=f"2026-10-0{day}") for day in (1, 2, 3)),
        )
        plan = {"type": "steps", "from": "2026-10-01", "to": "2026-10-02T09:00"}
        counts = []
        for zone in ("UTC", "Asia/Tokyo", "America/Los_Angeles"):
            with variable("TZ", zone):
                time.tzset()
                source = cohort(path=str(place), people=None, table="samples", plan=plan)
                counts.append(len(read(source)))
        time.tzset()
        # 10:00 of Paris is 8:00 of UTC, and of Tokyo 17:00.
        self.assertEqual(counts, [2, 2, 2])

    def test_what_the_library_does_not_know_has_the_unit_that_it_has(self) -> None:
        place = export_of("unknown", record("NewThing", "mi", "3"))
        for table in ("statistics", "samples"):
            plan = {"timezone": ZONE} if table == "statistics" else {}
            given = {"path": str(place), "names": "true", "table": table, "plan": plan}
            rows, findings = rows_and_findings(Cohort(given))
            self.assertEqual([row["unit"] for row in rows], ["mi"])
            self.assertEqual(
                [row["message"] for row in findings if row["severity"] == "warning"],
                ["HKQuantityTypeIdentifierNewThing: has the unit that its records have"],
            )

    def test_reasons_of_skipped_records_are_a_hundred_rows_and_one(self) -> None:
        for types in (99, 100, 101, 500):
            reasons = {f"T{n:04}": {"invalidDate": 2} for n in range(types)}
            rows = _findings._skipped(reasons)
            self.assertEqual(len(rows), min(types, 101))
            self.assertEqual(sum(row["records"] for row in rows), 2 * types)

    def test_one_unit_for_everybody(self) -> None:
        place = export_of("units", record("BodyMass", "lb", "150"), record("BodyMass", "kg", "70"))
        for table in ("statistics", "samples"):
            for units, unit in [({}, "kg"), ({"bodyMass": "lb"}, "lb")]:
                plan: dict[str, Any] = {"type": "bodyMass", "units": units}
                if table == "statistics":
                    plan["timezone"] = ZONE
                source = cohort(path=str(place), people=None, table=table, plan=plan)
                rows = read(source).to_pylist()
                self.assertEqual({row["unit"] for row in rows}, {unit}, table)

    def test_names_of_files_are_in_no_row(self) -> None:
        for table in ("statistics", "findings", "samples"):
            plan = {"type": "bodyMass"} if table != "findings" else {}
            source = cohort(table=table, plan=plan, names=None, secretFile=str(study() / "secret"))
            kept = [] if table == "findings" else rows_and_findings(source)[1]
            text = json.dumps(read(source).to_pylist() + kept, default=str)
            for name in ["exports", "cut.zip", "torn.zip", *(f"p{n}.zip" for n in range(10))]:
                self.assertNotIn(name, text, table)
        routes = {"kind": "workoutRoute"}
        for names, files in [(None, {None}), ("true", {".gpx"})]:
            source = cohort(table="elements", plan=routes, names=names)
            rows = read(source).column("file").to_pylist()
            self.assertGreater(len(rows), 0)
            self.assertEqual({each and each[-4:] for each in rows}, files)

    def test_pseudonyms_follow_the_rule(self) -> None:
        def by_hand(key: bytes, text: bytes) -> str:
            key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
            inner = hashlib.sha256(bytes(each ^ 0x36 for each in key) + text).digest()
            return hashlib.sha256(bytes(each ^ 0x5C for each in key) + inner).hexdigest()[:32]

        for key in (b"a secret of tests", b"k" * 100):
            for name in ("p0", "site 2/Zoë", "\udcff"):
                self.assertEqual(pseudonym(name, key), by_hand(key, os.fsencode(name)))
        keyed = {"names": None, "secretFile": str(study() / "secret")}
        ids = [person.id for person in cohort(**keyed).people()]
        self.assertEqual(len(set(ids)), 12)
        self.assertEqual(ids, [person.id for person in cohort(**keyed).people()])
        self.assertIn(pseudonym("p3", b"a secret of tests"), ids)
        other = [person.id for person in cohort(names=None).people()]
        self.assertEqual(set(ids) & set(other), set())

    def test_much_is_read_first_and_only_what_is_asked(self) -> None:
        people = cohort().people()
        sizes = [person.size for person in people]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual([each.id for each in cohort().people({"p1", "nobody"})], ["p1"])

    def test_reading_again_gives_the_same_and_leaves_nothing(self) -> None:
        before = sorted(os.listdir(study() / "exports"))
        with temporary_folder() as place:
            for isolation in ("none", "process"):
                source = cohort(isolation=isolation)
                people = source.people({"p1", "cut"})
                self.assertEqual(read(source, *people), read(cohort(), *people))
                # What is left amid its rows leaves nothing either.
                files = set(os.listdir("/proc/self/fd"))
                for _ in range(3):
                    next(iter(_isolation.read(source.question, people[0])))
                self.assertEqual(set(os.listdir("/proc/self/fd")), files, isolation)
                self.assertEqual(os.listdir(place), [], isolation)
        self.assertEqual(sorted(os.listdir(study() / "exports")), before)

    def test_the_end_of_a_process_is_a_row(self) -> None:
        source = cohort(table="findings", plan={}, isolation="process", memory="1024")
        one = source.people({"p1"})[0]
        self.assertEqual(read(source, one)["finding"].to_pylist(), ["read"])
        tried: list[tuple[dict[str, Any], str]] = [
            ({"memory": 30}, "took more than 30 MB"), ({"timeout": 0.01}, "after 0.01 s"),
        ]  # fmt: skip
        for limits, sentence in tried:
            limited = replace(source.question, **limits)
            rows = [row for batch in _isolation.read(limited, one) for row in batch.to_pylist()]
            self.assertEqual([row["finding"] for row in rows], ["process"])
            self.assertRegex(rows[0]["message"], sentence)
            with self.assertRaisesRegex(hkstats.DataError, "^Person p1: the process"):
                list(_isolation.read(replace(limited, strict=True), one))
        strict = replace(source.question, strict=True)
        with self.assertRaisesRegex(hkstats.DataError, "^Person cut: the export: "):
            list(_isolation.read(strict, source.people({"cut"})[0]))

    def test_a_process_ends_with_who_began_it(self) -> None:
        task = {"path": str(study() / "exports"), "table": "findings", "isolation": "process"}
        command = python_command(
            "import sys, json; from hkstats._isolation import read; from hkstats._people import Cohort\n"
            "cohort = Cohort(json.loads(sys.argv[1]))\n"
            "while True: [list(read(cohort.question, each)) for each in cohort.people()]",
            json.dumps(task),
        )
        parent = subprocess.Popen(command, env=python_environment())
        try:
            child = self.child_that_reads(parent.pid)
            os.kill(child, signal.SIGSTOP)
        finally:
            parent.kill()
            parent.wait()
        end = time.monotonic() + 60
        while time.monotonic() < end and self.is_alive(child):
            time.sleep(0.01)
        self.assertFalse(self.is_alive(child))

    def child_that_reads(self, parent: int) -> int:
        """A child that has an export open."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for child in map(
                int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            ):
                try:
                    for each in os.listdir(f"/proc/{child}/fd"):
                        if os.readlink(f"/proc/{child}/fd/{each}").endswith(".zip"):
                            return child
                except OSError:
                    continue
        raise AssertionError("no process reads an export")

    def is_alive(self, process: int) -> bool:
        try:
            stat = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return False
        return stat.rsplit(")", 1)[1].split()[0] != "Z"

    def test_exports_of_one_person_are_merged(self) -> None:
        place = folder() / "twice"
        place.mkdir()
        options = ["--seed", "5", "--size", "2MB", "--density", "0.1", "--zone", ZONE]
        run(GENERATOR, "--out", str(place / "first.zip"), *options)
        run(GENERATOR, "--out", str(place / "second.zip"), *options, "--later", "3")
        (place / "people.csv").write_text("name,person\nfirst,Q\nsecond,Q\n")
        plan = {"type": "steps", "timezone": ZONE}
        source = cohort(path=str(place), people=str(place / "people.csv"), plan=plan)
        people = source.people()
        self.assertEqual([(each.id, len(each.paths)) for each in people], [("Q", 2)])
        with hkstats.open(folder() / "twice.sqlite", mode="rw", progress=False) as store:
            for name in ("first", "second"):
                store.import_export(place / f"{name}.zip")
            expected = store.statistics("steps", by="day", timezone=ZONE).to_dicts()
        rows = read(source).to_pylist()
        self.assertEqual([row["sum"] for row in rows], [row["sum"] for row in expected])
        shutil.rmtree(place)

    def test_sources_that_somebody_has_not_are_no_error(self) -> None:
        whole = read(cohort(plan={"type": "steps"})).to_pylist()
        for member, name in [("exclude", "Nobody’s Watch"), ("prefer", "Nobody’s Watch")]:
            rows = read(cohort(plan={"type": "steps", member: name})).to_pylist()
            self.assertEqual([row["sum"] for row in rows], [row["sum"] for row in whole])
        rows, told = rows_and_findings(cohort(plan={"type": "steps", "source": "Nobody’s Watch"}))
        self.assertEqual(rows, [])
        self.assertEqual({row["finding"] for row in told if row["severity"] == "warning"},
                         {"noSource"})  # fmt: skip
        self.assertIn("source: Nobody’s Watch", json.dumps(told, ensure_ascii=False))
        watch = read(
            cohort(plan={"type": "steps", "source": "Anna’s Apple\u00a0Watch"})
        ).to_pylist()
        self.assertEqual({row["person"] for row in watch}, {row["person"] for row in whole})
        self.assertLess(sum(row["count"] for row in watch), sum(row["count"] for row in whole))

    def test_findings_are_kept_as_a_whole_and_once(self) -> None:
        place = folder() / "kept" / "findings"
        source = cohort(findings=f"file:{place}")
        people = source.people({"p1", "p2", "cut"})
        self.assertEqual(source.schema(), cohort().schema())
        self.assertFalse(place.exists())
        for _ in range(2):
            read(source, *people)
            files = sorted(os.listdir(place))
            self.assertEqual(len(files), 3)
            self.assertEqual({os.path.splitext(each)[1] for each in files}, {".parquet"})
            for word in ("p1", "p2", "cut"):
                self.assertNotIn(word, "".join(files))
        # Whoever reads them need not be who has read the exports.
        mask = os.umask(0)
        os.umask(mask)
        modes = {(place / each).stat().st_mode & 0o777 for each in files}
        self.assertEqual(modes, {0o666 & ~mask})
        # Of whom not all rows are taken there are none yet.
        shutil.rmtree(place)
        next(iter(_isolation.read(source.question, people[0]))).validate()
        self.assertFalse(place.exists())
        place.write_text("")
        for isolation in ("none", "process"):
            question = replace(source.question, isolation=isolation == "process")
            with self.assertRaisesRegex(hkstats.Error, "^Findings cannot be written: File exists"):
                list(_isolation.read(question, people[0]))
        self.assertEqual(os.listdir(place.parent), ["findings"])

    def test_options_are_members_of_the_plan(self) -> None:
        def question(**options: str) -> Any:
            return Cohort({"people": str(study() / "people.csv"), **options}).question

        tried: list[tuple[dict[str, str], str, str]] = [
            ({"type": "steps, heartRate", "by": "week", "stat": "sum,mean"}, "{}",
             '{"type": ["steps", "heartRate"], "by": "week", "stat": ["sum", "mean"]}'),
            ({"from": "2026-10-01", "to": "2026-10-08", "timezone": "Asia/Tokyo"}, '{"by": "hour"}',
             '{"by": "hour", "from": "2026-10-01", "to": "2026-10-08", "timezone": "Asia/Tokyo"}'),
            ({"type": "bodyMass", "unit": "lb", "merge": "none"}, "{}",
             '{"type": "bodyMass", "unit": "lb", "merge": "none"}'),
            ({"source": "A,B", "exclude": "C", "prefer": "D,E"}, "{}",
             '{"source": ["A", "B"], "exclude": ["C"], "prefer": ["D", "E"]}'),
            ({"table": "workouts", "activity": "running"}, "{}", '{"activity": "running"}'),
            ({"table": "elements", "kind": "workoutRoute"}, '{"limit": 2}',
             '{"kind": "workoutRoute", "limit": 2}'),
            ({"table": "sleep", "by": "month", "prefer": "A"}, "{}", '{"by": "month", "prefer": ["A"]}'),
        ]  # fmt: skip
        for options, plan, whole in tried:
            with self.subTest(options):
                table = {"table": options["table"]} if "table" in options else {}
                self.assertEqual(question(plan=plan, **options), question(plan=whole, **table))
        plain = {"type": ",".join(SUMS), "by": "day"}
        asked = cohort(plan=None, **plain)
        self.assertEqual(read(asked), read(cohort()))
        wrong: list[tuple[dict[str, str], str]] = [
            ({"by": "day", "plan": '{"by": "week"}'}, "^by is an option and a member of plan"),
            ({"type": "steps", "plan": '{"type": null}'}, "^type is an option and a member of plan"),
            ({"table": "samples", "by": "day"}, '^samples has no option "by".* type, from, to,'),
            ({"table": "findings", "type": "steps"}, '^findings has no option "type".* none'),
            ({"unit": "lb", "plan": '{"units": {"bodyMass": "kg"}}'}, "unit or units"),
            ({"type": " , "}, "type names nothing"), ({"by": "fortnight"}, "fortnight"),
            ({"timezone": "Europe/Pari"}, "no zone"), ({"unit": "mi", "type": "steps"}, "mi"),
        ]  # fmt: skip
        for options, words in wrong:
            with self.subTest(options), self.assertRaisesRegex(hkstats.UsageError, words):
                question(**options)

    def test_a_full_disk_fails_the_task(self) -> None:
        source = cohort()
        kept = Store.import_export

        def fail(self: Any, path: str, **_: Any) -> Any:
            raise hkstats._library.InputOutputError(f"{path}: the disk is full.")

        Store.import_export = fail  # type: ignore[method-assign, assignment]
        try:
            with self.assertRaisesRegex(OSError, "^the export: the disk is full.$"):
                read(source, source.people({"p1"})[0])
            gone = Person("x", (str(study() / "exports" / "gone.zip"),), 0, "UTC")
            self.assertEqual(read(cohort(table="findings", plan={}), gone)["finding"].to_pylist(),
                             ["unreadable"])  # fmt: skip
        finally:
            Store.import_export = kept  # type: ignore[method-assign]

    def test_a_full_disk_of_a_process_of_its_own_fails_the_task(self) -> None:
        place = folder() / "full"
        place.mkdir()
        (place / "sitecustomize.py").write_text(
            "from hkstats._library import InputOutputError\n"
            "from hkstats._store import Store\n"
            "def fail(store, path, **_):\n"
            "    raise InputOutputError(f'{path}: the disk is full.')\n"
            "Store.import_export = fail\n"
        )
        source = cohort(isolation="process", plan={"by": "hour"})
        one = source.people({"p1"})[0]
        with variable("PYTHONPATH", python_environment()["PYTHONPATH"] + f":{place}"):
            with self.assertRaisesRegex(OSError, "^the export: the disk is full.$"):
                list(_isolation.read(source.question, one))
        self.assertGreater(len(list(_isolation.read(source.question, one))), 0)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            with self.assertRaisesRegex(hkstats._library.InputOutputError, "cannot be written"):
                list(_isolation.read(source.question, one))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    def test_a_process_that_cannot_begin_fails_the_task(self) -> None:
        source = cohort(table="findings", plan={}, isolation="process")
        kept = _isolation._BEGIN
        _isolation._BEGIN = "import sys; sys.exit(1)"
        try:
            with self.assertRaisesRegex(hkstats.Error, "^Person p1: .* exit code 1.$"):
                list(_isolation.read(source.question, source.people({"p1"})[0]))
            _isolation._BEGIN = "import sys; sys.exit(70)"
            self.assertEqual(
                read(source, *source.people({"p1"}))["finding"].to_pylist(), ["process"]
            )
        finally:
            _isolation._BEGIN = kept
        # The folder that is current has no say in what it imports.
        place = folder() / "modules"
        place.mkdir()
        for name in ("csv", "json", "hkstats", "pyarrow"):
            (place / f"{name}.py").write_text("raise SystemExit(0)")
        before = os.getcwd()
        os.chdir(place)
        try:
            self.assertEqual(read(source, *source.people({"p1"}))["finding"].to_pylist(), ["read"])
        finally:
            os.chdir(before)

    def test_names_that_are_not_unicode_are_read_or_are_rows(self) -> None:
        place = os.fsencode(folder() / "names")
        os.mkdir(place)
        shutil.copy(os.fsencode(study() / "exports" / "p0.zip"), place + b"/Zo\xeb.zip")
        shutil.copy(os.fsencode(study() / "exports" / "cut.zip"), place + b"/\xff.zip")
        shutil.copy(os.fsencode(study() / "exports" / "cut.zip"), place + b"/Zo.zip")
        options: dict[str, Any] = {
            "table": "findings", "plan": {}, "people": None, "path": os.fsdecode(place),
        }  # fmt: skip
        for isolation in ("none", "process"):
            rows = read(cohort(isolation=isolation, **options)).to_pylist()
            self.assertEqual({row["person"] for row in rows}, {"Zo\ufffd", "\ufffd", "Zo"})
            rows = read(cohort(isolation=isolation, **{**options, "names": None})).to_pylist()
            self.assertEqual(len({row["person"] for row in rows}), 3)
            self.assertNotIn("Zo", json.dumps(rows))
        os.rename(place + b"/\xff.zip", place + b"/Zo\xff.zip")
        with self.assertRaisesRegex(hkstats.UsageError, "Two exports would be"):
            cohort(**options).people()

    def test_nobody_is_taken_for_somebody_else(self) -> None:
        csv = folder() / "who.csv"
        csv.write_text("name,person,timezone\np1,p2,UTC\n")
        options: dict[str, Any] = {"people": str(csv), "plan": {"timezone": "UTC"}}
        with self.assertRaisesRegex(hkstats.UsageError, 'Two exports would be person "p2"'):
            cohort(**options).people()
        self.assertEqual(len(cohort(**options, names=None).people()), 12)
        csv.write_text("name,person,timezone\np1.zip,A,UTC\n")
        with self.assertRaisesRegex(hkstats.UsageError, "No name of the csv .*such as"):
            cohort(**options).people()
        csv.write_text("name,person,timezone\np1,A,UTC\nq1,B,UTC\n")
        source = cohort(**options)
        source.people()
        self.assertEqual(source.unmatched, 1)

    def test_exports_of_an_object_store_have_the_names_below_its_folder(self) -> None:
        source = cohort(names=None, secretFile=str(study() / "secret"))
        local = {person.id: person.timezone for person in source.people()}
        for root, head in [
            ("s3a://b/x", "s3a://b/x/"),
            ("/x/", "file:/x/"),
            ("file:///x", "file:/x/"),
        ]:
            paths = [f"{head}{export.name}.zip" for export in exports_at(str(study() / "exports"))]
            people = source.people_below(root, paths)
            self.assertEqual(list(people), paths)
            self.assertEqual({each.id: each.timezone for each in people.values()}, local)
        for paths, words in [
            (["s3a://b/xy/p1.zip"], "not below"), (["s3a://b/x/p1.zip", "s3a://b/x/p1.xml"], "several"),
        ]:  # fmt: skip
            with self.subTest(paths), self.assertRaisesRegex(hkstats.UsageError, words):
                source.people_below("s3a://b/x", paths)
        csv = folder() / "one.csv"
        csv.write_text("name,person,timezone\na,A,UTC\nb,A,UTC\n")
        with self.assertRaisesRegex(hkstats.UsageError, "several"):
            cohort(people=str(csv)).people_below("/x", ["/x/a.zip", "/x/b.zip"])
        with self.assertRaisesRegex(hkstats.UsageError, "no timezone"):
            cohort().people_below("/x", ["/x/p1.zip", "/x/somebody.zip"])
        self.assertEqual(cohort().people_below("/x", []), {})

    def test_spark_takes_the_columns_of_each_table(self) -> None:
        kinds = (
            "workout", "workoutRoute", "correlation", "activitySummary", "heartbeatSeries",
            "electrocardiogram", "audiogram", "visionPrescription", "clinicalRecord",
        )  # fmt: skip
        asked: list[tuple[str, dict[str, Any]]] = [
            ("statistics", {"by": "month"}), ("statistics", {"stat": "sum,p90,coverage"}),
            ("samples", {"type": "steps"}), ("samples", {"type": "steps", "columns": ["value"]}),
            ("workouts", {}), ("workouts", {"by": "month", "stat": ["count", "best1k"]}),
            ("sleep", {}), ("sleep", {"by": "month"}), ("sleep", {"stretches": True}),
            ("findings", {}),
            *(("elements", {"kind": kind}) for kind in kinds),
        ]  # fmt: skip
        for table, plan in asked:
            source = cohort(table=table, plan=plan)
            for field in source.schema():
                self.assertTrue(field.nullable and is_for_spark(field.type), f"{table} {field}")
            rows = read(source, *source.people({"p2"}))
            if table != "elements":
                self.assertGreater(len(rows), 0, f"{table} {plan}")

    def test_only_wanted_columns_are_given(self) -> None:
        source = cohort()
        narrow = replace(source.question, columns=("sum", "person"))
        batches = list(_isolation.read(narrow, source.people({"p1"})[0]))
        self.assertEqual(batches[0].schema.names, ["sum", "person"])
        twice = cohort(plan={"stat": "sum,count,sum"}).schema().names
        self.assertEqual(twice[-2:], ["sum", "count"])
        only = replace(source.question, types=(SUMS["steps"],))
        kinds = {
            row
            for batch in _isolation.read(only, source.people({"p1"})[0])
            for row in batch["type"].to_pylist()
        }
        self.assertEqual(kinds, {SUMS["steps"]})

    def test_wrong_options_are_refused_before_anything_is_read(self) -> None:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"tabel": "x"}, "no option"), ({"table": "x"}, "no table"),
            ({"plan": {"type": "stepz"}}, "Did you mean: steps"),
            ({"plan": {"type": "bloodPressure"}}, "rows of its own"),
            ({"plan": {"type": "steps", "stat": "p90"}}, "does not fit"),
            ({"plan": {"group": "weekday"}}, "no member"), ({"strict": "yes"}, "true or false"),
            ({"plan": {"timezone": "Europe/Pari"}}, "no zone"),
            ({"people": None}, "no timezone"), ({"people": "/nowhere.csv"}, "cannot be read"),
            ({"secretFile": "/nowhere"}, "cannot be read"), ({"memory": "3000"}, "isolation"),
            ({"isolation": "process", "memory": "100"}, "256"),
            ({"plan": {"type": ""}}, "type names nothing"), ({"plan": {"stat": []}}, "stat names"),
            ({"plan": {"source": " , "}}, "source names"), ({"plan": {"source": 5}}, "neither a word"),
            ({"table": "samples", "plan": {"from": "garbage"}}, "garbage"),
            ({"table": "samples", "plan": {"unit": "kg"}}, "kg"),
            ({"memory": "9" * 5000, "isolation": "process"}, "whole number"),
            ({"people": "a\0b"}, "cannot be read"), ({"secretFile": "a\0b"}, "cannot be read"),
            ({"plan": {"units": {"stepz": "count"}}}, "Did you mean: steps"),
            ({"plan": {"units": {"bodyMass": "mi"}}}, "mi"),
            ({"table": "samples", "plan": {"units": {"bodyMass": "mi"}}}, "mi"),
            ({"table": "elements", "plan": {}}, "kind"),
            ({"plan": {"type": "steps", "unit": "kg"}}, "kg"),
            ({"findings": "true"}, "is a folder"), ({"findings": "s3://b/x"}, "not local"),
            ({"findings": "/dev/null"}, "is none"), ({"findings": "a\0b"}, "is a folder"),
            ({"table": "findings", "plan": {}, "findings": "x"}, "has them itself"),
        ]  # fmt: skip
        for options, words in wrong:
            with self.subTest(options), self.assertRaisesRegex(hkstats.UsageError, words):
                cohort(**options)
        for path, words in [
            ("", "missing"),
            ("s3://bucket/x", "binaryFile"),
            ("/none/*", "no export"),
        ]:
            with self.subTest(path), self.assertRaisesRegex(hkstats.Error, words):
                cohort(path=path).people()
        with self.assertRaisesRegex(hkstats.UsageError, "not JSON"):
            Cohort({"plan": "[" * 100_000})
        # What Spark makes a text of is taken here, too.
        taken = Cohort(
            {"table": "findings", "strict": True, "isolation": "process", "memory": 1024}
        )
        self.assertTrue(taken.question.strict and taken.question.memory == 1024)
        self.assertEqual(Cohort({"plan": {"timezone": "UTC"}}).question.plan, {"timezone": "UTC"})
        doubled = cohort(table="samples", plan={"type": "steps", "columns": ["value", "value"]})
        self.assertGreater(len(read(doubled, *doubled.people({"p1"}))), 0)
        short = folder() / "short"
        short.write_text("short\n")
        with self.assertRaisesRegex(hkstats.UsageError, "16 bytes"):
            cohort(secretFile=str(short))

    def test_names_come_from_paths(self) -> None:
        for path, name in [
            ("a.zip", "a"), ("site/b.ZIP", "site/b"), ("c/export.zip", "c"),
            ("d/apple_health_export/export.xml", "d"), ("export.zip", "export"), ("v1.2", "v1.2"),
        ]:  # fmt: skip
            self.assertEqual(name_of(path), name)
        place = folder() / "places"
        for each in ("a/export.zip", "b/export.zip", "c/apple_health_export/export.xml"):
            (place / each).parent.mkdir(parents=True)
            (place / each).write_bytes(b"")
        self.assertEqual([e.name for e in exports_at(str(place / "*" / "*.zip"))], ["a", "b"])
        self.assertEqual([e.name for e in exports_at(f"file://{place}/a/export.zip")], ["export"])
        self.assertEqual([e.name for e in exports_at(str(place))], ["c"])
        (place / "a.zip").write_bytes(b"")
        (place / "a.xml").write_bytes(b"")
        with self.assertRaisesRegex(hkstats.UsageError, "Two exports"):
            exports_at(str(place))
        shutil.rmtree(place)

    def test_the_command_says_what_is_missing(self) -> None:
        result = python("import sys; sys.modules['pyspark'] = None; import hkstats.cohort as c; "
                        "sys.exit(c.main(['x', '--out', 'y']))")  # fmt: skip
        self.assertEqual(result.returncode, 69, result.stderr)
        self.assertIn("[spark]", result.stderr)
        result = python("import sys, hkstats.cohort as c; sys.exit(c.main(['x', '--oot', 'y']))")
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertRegex(result.stderr, "^hkstats-cohort: .*--out")


if __name__ == "__main__":
    unittest.main()
