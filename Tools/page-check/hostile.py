#!/usr/bin/env python3
"""Writes an export whose names try to break out of a page: markup, quotes, controls, marks that turn the
direction of text, and a name of 100 kB.

    Tools/page-check/hostile.py export.xml
"""

import datetime
import sys
from xml.sax.saxutils import quoteattr

NAMES = [
    "<script>document.title = 'broken'</script>", "\"><img src=x onerror=alert(1)>", "</style><style>*{}",
    "' onmouseover='alert(1)", "</script><script>throw 1</script>", "{{7*7}}${7*7}", "javascript:alert(1)",
    "\u202eright to left\u202c \u2066isolated\u2069", "ساعة عليّ", "e" + "\u0301" * 2_000, "long " * 20_000,
]
DAYS = 150
TIME = "%Y-%m-%d %H:%M:%S +0100"


def main(path):
    first = datetime.datetime(2026, 1, 5, 8)
    lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<HealthData locale=\"en_GB\">",
             f" <ExportDate value=\"{(first + datetime.timedelta(DAYS)).strftime(TIME)}\"/>"]

    def record(kind, unit, value, source, start, minutes):
        end = start + datetime.timedelta(minutes=minutes)
        unit = f" unit=\"{unit}\"" if unit else ""
        lines.append(
            f" <Record type=\"{kind}\" sourceName={quoteattr(source)} sourceVersion={quoteattr(source[:80])}"
            f" device={quoteattr('<<HKDevice: 0x1>, name:' + source[:80] + '>')}{unit}"
            f" creationDate=\"{end.strftime(TIME)}\" startDate=\"{start.strftime(TIME)}\""
            f" endDate=\"{end.strftime(TIME)}\" value=\"{value}\"/>")

    for day in range(DAYS):
        start = first + datetime.timedelta(day)
        for place, name in enumerate(NAMES):
            record("HKQuantityTypeIdentifierStepCount", "count", 500 + 40 * place + day % 7 * 90, name,
                   start + datetime.timedelta(minutes=20 * place), 30)
        name = NAMES[day % len(NAMES)]
        record("HKQuantityTypeIdentifierBodyMass", "kg", 70 + day % 5 / 10, name, start, 0)
        record("HKQuantityTypeIdentifierRestingHeartRate", "count/min", 55 + day % 6, name, start, 0)
        record("HKCategoryTypeIdentifierSleepAnalysis", "", "HKCategoryValueSleepAnalysisAsleepCore", name,
               start - datetime.timedelta(hours=9), 60 * 7 + day % 5 * 9)
        end = start + datetime.timedelta(minutes=31)
        lines.append(
            f" <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"31\" durationUnit=\"min\""
            f" sourceName={quoteattr(name)} creationDate=\"{end.strftime(TIME)}\""
            f" startDate=\"{start.strftime(TIME)}\" endDate=\"{end.strftime(TIME)}\">"
            f"<MetadataEntry key={quoteattr(name[:200])} value={quoteattr(name[:200])}/></Workout>")
    lines.append("</HealthData>")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
