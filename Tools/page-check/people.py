#!/usr/bin/env python3
"""Writes small exports of people whose pages hold what the sample has not: readings of blood pressure at
all hours and a glucose sensor, three days alone, menstrual cycles alone.

    Tools/page-check/people.py FOLDER
"""

import datetime
import math
import pathlib
import sys

TIME = "%Y-%m-%d %H:%M:%S +0100"
LAST = datetime.datetime(2026, 10, 31)


class Export:
    """The records of a person."""

    def __init__(self):
        self.lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<HealthData locale=\"en_GB\">",
                      f" <ExportDate value=\"{(LAST + datetime.timedelta(1)).strftime(TIME)}\"/>"]

    @staticmethod
    def record(kind, value, start, minutes=0, unit=None, source="Home", metadata=()):
        end = start + datetime.timedelta(minutes=minutes)
        unit = f" unit=\"{unit}\"" if unit else ""
        entries = "".join(f"<MetadataEntry key=\"{key}\" value=\"{text}\"/>" for key, text in metadata)
        return (f" <Record type=\"HK{kind}\" sourceName=\"{source}\"{unit} "
                f"creationDate=\"{end.strftime(TIME)}\" startDate=\"{start.strftime(TIME)}\" "
                f"endDate=\"{end.strftime(TIME)}\" value=\"{value}\"" +
                (f">{entries}</Record>" if entries else "/>"))

    def add(self, *given, **more):
        self.lines.append(self.record(*given, **more))

    def pressure(self, start, systolic, diastolic):
        records = [self.record(f"QuantityTypeIdentifierBloodPressure{name}", value, start, unit="mmHg")
                   for name, value in [("Systolic", systolic), ("Diastolic", diastolic)]]
        at = start.strftime(TIME)
        self.lines += [f" <Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"Home\" "
                       f"creationDate=\"{at}\" startDate=\"{at}\" endDate=\"{at}\">",
                       *records, " </Correlation>", *records]

    def write(self, path):
        path.write_text("\n".join([*self.lines, "</HealthData>"]) + "\n")


def days(count):
    """The last days, each with a number that goes up and down."""
    for place in range(count):
        yield place, LAST - datetime.timedelta(count - 1 - place), math.sin(place * 2.4)


def pressure():
    export = Export()
    for place, day, wave in days(120):
        for hour, more in [(7, 0), (20, 6)] + [(14, 3)] * (place % 9 == 0):
            export.pressure(day + datetime.timedelta(hours=hour), round(128 + more + 8 * wave),
                            round(81 + more / 2 + 4 * wave))
    # What began after the rest.
    for place, day, wave in days(400):
        export.add("QuantityTypeIdentifierStepCount", round(7000 + 2000 * wave), day, 1200, unit="count")
    for place, day, wave in days(40):
        export.add("QuantityTypeIdentifierBodyMass", f"{80 + wave - place / 40:.1f}", day, unit="kg")
        for hour in range(9, 20):
            export.add("QuantityTypeIdentifierHeartRate", round(74 + 9 * wave + hour % 5 * 4),
                       day + datetime.timedelta(hours=hour), unit="count/min")
    for place, day, wave in days(30):
        for quarter in range(96):
            value = 6.4 + 1.4 * wave + 2 * math.sin(quarter / 7.3)
            export.add("QuantityTypeIdentifierBloodGlucose", f"{value:.1f}",
                       day + datetime.timedelta(minutes=15 * quarter), unit="mmol<180.1558800000541>/L",
                       source="Sensor")
    return export


def few():
    export = Export()
    for place, day, wave in days(3):
        for hour in range(8, 22):
            start = day + datetime.timedelta(hours=hour)
            export.add("QuantityTypeIdentifierStepCount", round(600 + 300 * wave + 20 * hour), start, 30,
                       unit="count")
            for minute in range(0, 60, 10):
                export.add("QuantityTypeIdentifierHeartRate", round(70 + 9 * math.sin(hour + minute)),
                           start + datetime.timedelta(minutes=minute), unit="count/min")
        export.add("QuantityTypeIdentifierRestingHeartRate", 58 + place, day, 60, unit="count/min")
        export.add("CategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
                   day - datetime.timedelta(minutes=30 + 20 * place), 440)
    return export


def cycles():
    export = Export()
    first, length = LAST - datetime.timedelta(500), [27, 29, 28, 31]
    for place in range(17):
        for day in range(5):
            flow = ["Medium", "Heavy", "Heavy", "Light", "Unspecified"][day]
            export.add("CategoryTypeIdentifierMenstrualFlow", f"HKCategoryValueVaginalBleeding{flow}",
                       first + datetime.timedelta(day), 1439,
                       metadata=[("HKMenstrualCycleStart", int(day == 0))])
        first += datetime.timedelta(length[place % 4])
    return export


def main(folder):
    for person in [pressure, few, cycles]:
        person().write(pathlib.Path(folder) / f"{person.__name__}.xml")


if __name__ == "__main__":
    main(sys.argv[1])
