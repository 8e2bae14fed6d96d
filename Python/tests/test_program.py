"""The library gives the columns and numbers of the program's csv, bit for bit."""

import datetime
import json
import random
import unittest
from typing import Any

from support import PLANS, ZONE, answer_of_program, hkstats, store


def same(text: str, value: Any) -> bool:
    """Whether the text of a cell of csv is a value."""
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int):
        return text == str(value)
    if isinstance(value, float):
        return text != "" and float(text) == value
    if isinstance(value, datetime.datetime):
        # Datetimes of different zones are never equal in the hour that clocks repeat.
        return text != "" and datetime.datetime.fromisoformat(text).timestamp() == value.timestamp()
    if isinstance(value, datetime.date):
        return text == value.isoformat()
    if isinstance(value, str):
        return text == value
    return True


# Where the options of the program have other names than members of questions.
FLAGS = {"clip", "least", "streaks", "gaps", "spread", "bySource", "exact"}
REPEATED = {"prefer": "--prefer", "source": "--source", "exclude": "--exclude"}


def options(question: dict[str, Any]) -> list[str]:
    """The words after `hkstats stats` that ask a question."""
    types = question["type"]
    words = [types if isinstance(types, str) else ",".join(types)]
    for member, value in question.items():
        if member == "type":
            continue
        option = "--" + "".join("-" + c.lower() if c.isupper() else c for c in member)
        if member in FLAGS:
            words += [option] if value else []
        elif member in REPEATED:
            for each in [value] if isinstance(value, str) else value:
                words += [option, each]
        elif isinstance(value, list):
            words += [option, ",".join(value)]
        else:
            words += [option, str(value)]
    return words


class Program(unittest.TestCase):
    def compare(self, table: hkstats.Table, *words: str) -> None:
        """Compares a table with csv: all its columns but lists."""
        code, names, lines = answer_of_program(*words)
        self.assertEqual(code, 0, words)
        rows = table.to_dicts()
        self.assertEqual(len(lines), len(rows), words)
        columns = [name for name, kind in table.schema.items() if not kind.startswith("list<")]
        # They stand in the same order.
        self.assertEqual([name for name in names if name in columns], columns)
        for number, (line, row) in enumerate(zip(lines, rows)):
            for name in columns:
                text, value = line[names.index(name)], row[name]
                self.assertTrue(same(text, value), (words, number, name, text, value))

    def test_tables(self) -> None:
        zone = ["--timezone", ZONE]
        asked = store()
        for table, words in [
            (asked.types(timezone=ZONE), ["types"]),
            (asked.sources("steps", timezone=ZONE), ["sources", "steps"]),
            (asked.sources("heartRate", timezone=ZONE), ["sources", "heartRate"]),
            (asked.sleep(timezone=ZONE), ["sleep"]),
            (asked.sleep(by="week", timezone=ZONE), ["sleep", "--by", "week"]),
            (asked.sleep(by="month", timezone=ZONE), ["sleep", "--by", "month"]),
            (asked.workouts(timezone=ZONE), ["workouts", "--unit", "m,kcal"]),
            (asked.workouts("running", since="2026-03", timezone=ZONE),
             ["workouts", "--activity", "running", "--from", "2026-03", "--unit", "m,kcal"]),
            (asked.workouts(by="month", timezone=ZONE),
             ["workouts", "--by", "month", "--unit", "m,kcal"]),
            (asked.workouts(by="quarter", columns=["count", "pace", "best1k"], kinds=2, timezone=ZONE),
             ["workouts", "--by", "quarter", "--stat", "count,pace,best1k", "--kinds", "2",
              "--unit", "m,kcal"]),
            (asked.rings(timezone=ZONE), ["summary", "--unit", "kcal"]),
            (asked.rings(streaks=True, timezone=ZONE), ["summary", "--streaks"]),
            (asked.statistics("heartRate", during="sleep", timezone=ZONE),
             ["stats", "heartRate", "--during", "sleep"]),
            (asked.statistics("oxygenSaturation", during="sleep", columns=["min", "median"],
                              since="2026-10", timezone=ZONE),
             ["stats", "oxygenSaturation", "--during", "sleep", "--stat", "min,median", "--from",
              "2026-10"]),
        ]:  # fmt: skip
            with self.subTest(words):
                self.compare(table, *words, *zone)

    def test_elements(self) -> None:
        zone = ["--timezone", ZONE]
        found = 0
        for name in ["bloodPressure", "electrocardiograms", "stateOfMind", "medications", "totalEnergy"]:
            for by in [None, "month"]:
                with self.subTest(name, by=by):
                    table = store().statistics(name, by=by, timezone=ZONE)
                    self.compare(table, "stats", name, *(["--by", by] if by else []), *zone)
                    found += len(table)
        for name in ["cycles", "labResults", "food"]:
            with self.subTest(name):
                self.compare(store().statistics(name, timezone=ZONE), "stats", name, *zone)
                with self.assertRaisesRegex(hkstats.UsageError, f"{name} has no by: leave it out."):
                    store().statistics(name, by="day")
        self.assertGreater(found, 20)
        for member, value in {
            "columns": "max", "unit": "kPa", "merge": "none", "prefer": "Watch", "per": "day",
            "clip": True, "by_source": True, "explain": True, "exact": True, "top": 3, "gaps": True,
            "anchor": "2026-01-01", "style": "arithmetic", "hold": 60,
        }.items():  # fmt: skip
            with self.subTest(member), self.assertRaises(hkstats.UsageError) as caught:
                store().statistics("bloodPressure", **{member: value})
            self.assertEqual(caught.exception.reason, "memberDoesNotFit")

    def test_samples(self) -> None:
        for type in ["bodyMass", "heartRate", "sleepAnalysis", "oxygenSaturation", "bloodGlucose"]:
            for since, until in [("2026-10-20", "2026-11-01"), ("2026-03-28", "2026-03-30")]:
                with self.subTest(type=type, since=since):
                    table = store().samples(type, since=since, until=until, timezone=ZONE)
                    words = ["samples", type, "--from", since, "--to", until, "--timezone", ZONE]
                    unit = table.unit("value") if "value" in table.columns else None
                    self.compare(table, *words, *(["--unit", unit] if unit else []))

    def test_conditions(self) -> None:
        for conditions in [
            ["value>150 count/min"],
            ["value<=55", "device=Apple Watch"],
            ["metadata.HKMetadataKeyHeartRateMotionContext=2"],
            ["source!=Anna’s Apple Watch"],
        ]:
            with self.subTest(conditions):
                table = store().samples(
                    "heartRate", where=conditions, since="2026-10", timezone=ZONE
                )
                words = [word for each in conditions for word in ["--where", each]]
                self.compare(
                    table, "samples", "heartRate", "--from", "2026-10", "--timezone", ZONE,
                    "--unit", "count/min", *words,
                )  # fmt: skip

    def test_cycles_that_nobody_has(self) -> None:
        code, _, _ = answer_of_program("cycles")
        with self.assertRaises(hkstats.Error) as caught:
            store().cycles()
        self.assertEqual(caught.exception.code, code)

    def test_random_plans(self) -> None:
        answered = refused = 0
        for number in range(PLANS):
            plan = random_question(random.Random(number))
            with self.subTest(number, plan=json.dumps(plan, ensure_ascii=False)):
                words = ["stats", *options(plan)]
                code, names, lines = answer_of_program(*words)
                try:
                    table = store().ask(plan)
                except hkstats.Error as error:
                    # A source to leave out that nobody has: the command warns, the library, which
                    # has no place for a warning, refuses.
                    warned = code == 0 and NOBODY in plan.get("exclude", [])
                    self.assertEqual((error.code, str(error)), (64 if warned else code, str(error)))
                    refused += 1
                    continue
                self.assertEqual(code, 0, words)
                answered += 1
                self.compare_plan(table, names, lines)
        # Most plans have an answer, and some have none.
        self.assertGreater(answered, 0.5 * PLANS)
        self.assertGreater(refused, 0)

    def compare_plan(self, table: hkstats.Table, names: list[str], lines: list[list[str]]) -> None:
        rows = list(table.rows())
        self.assertEqual(len(rows), len(lines))
        self.assertEqual(names[: len(table.columns)], list(table.columns))
        for line, row in zip(lines, rows):
            for name, text, value in zip(names, line, row):
                self.assertTrue(same(text, value), (name, text, value))


CUMULATIVE = ["steps", "activeEnergyBurned", "distanceWalkingRunning", "flightsClimbed"]
DISCRETE = ["heartRate", "bodyMass", "restingHeartRate", "oxygenSaturation", "walkingSpeed"]
CATEGORIES = ["sleepAnalysis", "mindfulSession", "appleStandHour"]
UNITS = {"distanceWalkingRunning": ["mi", "m"], "bodyMass": ["lb", "st"], "walkingSpeed": ["m/s"],
         "heartRate": ["count/s"], "activeEnergyBurned": ["kJ"]}  # fmt: skip
NOBODY = "Nobody's"
SOURCES = ["Anna’s Apple Watch", "Anna’s iPhone", "Health", NOBODY]


def random_question(any: random.Random) -> dict[str, Any]:
    """A question as people ask it; some have no answer."""

    def often(share: float) -> bool:
        return any.random() < share

    def some(words: list[str]) -> list[str]:
        return any.sample(words, any.randint(1, min(3, len(words))))

    kind = any.choice(["cumulative", "cumulative", "discrete", "discrete", "category", "several"])
    types = {"cumulative": CUMULATIVE, "discrete": DISCRETE, "category": CATEGORIES,
             "several": CUMULATIVE + DISCRETE}[kind]  # fmt: skip
    question: dict[str, Any] = {"type": some(types) if kind == "several" else any.choice(types)}
    question["timezone"] = any.choice([ZONE, "UTC", "America/New_York", "Asia/Kathmandu"])
    if often(0.9):
        question["by"] = any.choice(
            ["hour", "day", "day", "week", "month", "quarter", "year", "3h", "15d", "2mo"]
        )
    first = datetime.date(2025, 10, 1) + datetime.timedelta(days=any.randrange(390))
    if often(0.7) or question.get("by") in ("hour", "3h"):
        question["from"] = first.isoformat()
        if often(0.7) or question.get("by") in ("hour", "3h"):
            question["to"] = (first + datetime.timedelta(days=any.randint(1, 60))).isoformat()
    if "from" in question and often(0.15):
        question["clip"] = True
    if often(0.1):
        question["anchor"] = (first + datetime.timedelta(days=any.randrange(9))).isoformat()
    if often(0.2):
        question["merge"] = any.choice(["hk", "hc", "subtractive", "drop", "highest", "none"])
    for member in ["prefer", "source", "exclude"]:
        if often(0.1):
            question[member] = some(SOURCES)
    if kind == "several":
        return question
    type = question["type"]
    if often(0.2) and type in UNITS:
        question["unit"] = any.choice(UNITS[type])
    if often(0.5):
        question["stat"] = some({
            "cumulative": ["sum", "count", "duration", "coverage", "mean"],
            "discrete": ["mean", "min", "max", "count", "median", "p90", "p12.5", "stddev",
                         "timeP50", "recent", "first", "duration", "coverage", "sum"],
            "category": ["duration", "count"],
        }[kind])  # fmt: skip
    if kind == "cumulative" and often(0.2):
        # Intervals of hours have no days to divide by.
        is_short = question.get("by") in ("hour", "3h")
        question["per"] = "hour" if is_short else any.choice(["day", "hour"])
    if kind == "discrete" and often(0.2):
        question["style"] = any.choice(["arithmetic", "temporallyWeighted", "sdk18", "sdk26"])
    if kind == "discrete" and often(0.2):
        question["hold"] = any.choice(["90s", "5min", "1h"])
    if often(0.1):
        question["bySource"] = True
    if kind != "category" and often(0.1):
        question["exact"] = True
    if "by" in question and often(0.35):
        question |= any.choice([
            {"group": "weekday"}, {"group": "month"}, {"group": "hour"}, {"rolling": 3},
            {"top": 5}, {"top": 3, "least": True}, {"above": "10"}, {"below": "5000"},
            {"above": "100", "streaks": True}, {"gaps": True}, {"spread": True},
            {"compare": "previous"}, {"compare": "year"},
        ])  # fmt: skip
    return question


if __name__ == "__main__":
    unittest.main()
