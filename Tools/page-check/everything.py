#!/usr/bin/env python3
"""Writes the exports of a person who has everything that two sheets for a visit can show, and more of
each than fits: an export of the phone, and the doses of another app.

    Tools/page-check/everything.py FOLDER

The export is in FOLDER/phone, the doses are in FOLDER/doses.json.
"""

import datetime
import json
import math
import pathlib
import sys
from xml.sax.saxutils import quoteattr

END = datetime.datetime(2026, 11, 1)
DAYS = 730
TIME = "%Y-%m-%d %H:%M:%S +0100"
# Type, unit, at which hour, and about which level with how much of a wave.
MEASURES = [
    ("RestingHeartRate", "count/min", 9, 58, 4), ("HeartRateVariabilitySDNN", "ms", 9, 44, 9),
    ("OxygenSaturation", "%", 3, 0.968, 0.01), ("RespiratoryRate", "count/min", 3, 15.2, 1),
    ("AppleSleepingWristTemperature", "degC", 3, 35.6, 0.3), ("BodyMass", "kg", 7, 96.4, 1.5),
    ("BodyTemperature", "degC", 8, 36.6, 0.3), ("BodyFatPercentage", "%", 7, 0.31, 0.01),
    ("StepCount", "count", 12, 6400, 2500), ("AppleExerciseTime", "min", 12, 24, 15),
    ("VO2Max", "mL/min·kg", 18, 31.5, 2), ("WalkingSpeed", "km/hr", 18, 4.4, 0.5),
    ("WalkingHeartRateAverage", "count/min", 18, 104, 6), ("WaistCircumference", "cm", 7, 104, 2),
    ("DietaryEnergyConsumed", "kcal", 13, 2350, 400), ("DietarySodium", "mg", 13, 2900, 700),
    ("PeakExpiratoryFlowRate", "L/min", 8, 410, 30), ("InhalerUsage", "count", 8, 3, 2),
    ("TimeInDaylight", "min", 12, 55, 40), ("FlightsClimbed", "count", 12, 9, 5),
]
EVENTS = ["HighHeartRateEvent", "LowHeartRateEvent", "IrregularHeartRhythmEvent", "LowCardioFitnessEvent",
          "AppleWalkingSteadinessEvent", "SleepApneaEvent", "HypertensionEvent"]
VALUES = {"LowCardioFitnessEvent": "HKCategoryValueLowCardioFitnessEventLowFitness",
          "AppleWalkingSteadinessEvent": "HKCategoryValueAppleWalkingSteadinessEventInitialLow"}
FINDINGS = ["Sinus Rhythm"] * 4 + ["Atrial Fibrillation", "Heart Rate Over 120", "Poor Recording",
                                   "Inconclusive", "Heart Rate Under 50"]
# Name, LOINC, unit, lower and upper end, value.
LABS = [
    ("Hemoglobin A1c/Hemoglobin.total in Blood", "4548-4", "%", None, 5.7, 7.4),
    ("Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation", "13457-7", "mg/dL", 0, 116, 162),
    ("Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area]", "62238-1", "mL/min/1.73 m2", 60, None, 54),
    ("Potassium", "2823-3", "mmol/L", 3.5, 5.1, 4.4), ("Thyrotropin [Units/volume] in Serum or Plasma", "3016-3", "mIU/L", 0.4, 4, 2.13),
    ("Creatinine", "2160-0", "mg/dL", 0.6, 1.3, 1.42), ("Triglycerides", "2571-8", "mg/dL", 0, 150, 231),
    ("Hämoglobin", "718-7", "g/dL", 12, 16, 13.1), ("Ferritin", "2276-4", "ng/mL", 15, 150, 9),
    ("C reactive protein [Mass/volume] in Serum or Plasma by High sensitivity method", "30522-7", "mg/L", 0, 5, 3.2),
    ("Vitamin D", "1989-3", "ng/mL", 30, 100, 18), ("Urate", "3084-1", "mg/dL", 3.4, 7, 6.1),
]
MEDICATIONS = ["Levothyroxine", "Metformin hydrochloride 1000 mg film-coated tablets", "Ramipril/Hydrochlorothiazide 5 mg/25 mg",
               "Apixaban", "Atorvastatin", "Cetirizine", "Salbutamol", "Vitamin D3 20,000 IU", "Ibuprofen"]


def wave(number, day):
    """A number of a day from -1 to 1 that looks like chance and is the same every time."""
    return math.sin(day * (1.3 + number * 0.37)) * math.cos(day * 0.11 + number)


class Export:
    def __init__(self, folder):
        self.folder = folder
        self.lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<HealthData locale=\"en_GB\">",
                      f" <ExportDate value=\"{END.strftime(TIME)}\"/>",
                      " <Me HKCharacteristicTypeIdentifierDateOfBirth=\"1957-11-21\""
                      " HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\""
                      " HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeABNegative\"/>"]

    def record(self, kind, unit, value, start, minutes=0, source="Watch"):
        end = start + datetime.timedelta(minutes=minutes)
        unit = f" unit=\"{unit}\"" if unit else ""
        self.lines.append(
            f" <Record type=\"{kind}\" sourceName=\"{source}\"{unit} creationDate=\"{end.strftime(TIME)}\""
            f" startDate=\"{start.strftime(TIME)}\" endDate=\"{end.strftime(TIME)}\" value=\"{value}\"/>")

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write(self):
        self.file("export.xml", "\n".join([*self.lines, "</HealthData>", ""]))


def measures(export):
    quantity, category = "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"
    export.record(quantity + "Height", "cm", 168, END - datetime.timedelta(400))
    for day in range(DAYS):
        date = END - datetime.timedelta(DAYS - day)
        for place, (name, unit, hour, level, range_) in enumerate(MEASURES):
            drift = 0 if unit in ["%", "degC"] else 0.06 * day / DAYS
            value = round(level * (1 + drift) + range_ * wave(place, day), 3)
            whole = unit in ["count"] or name in ["StepCount", "AppleExerciseTime", "TimeInDaylight"]
            export.record(quantity + name, unit, max(0, round(value)) if whole else value,
                          date + datetime.timedelta(hours=hour), 10 if whole else 0)
        for part in range(0, 24, 3):
            rate = round(72 + 30 * wave(part, day) ** 2 + (40 if part == 18 else 0))
            export.record(quantity + "HeartRate", "count/min", rate, date + datetime.timedelta(hours=part))
        bed = date - datetime.timedelta(minutes=70 - 40 * wave(3, day))
        export.record(category + "SleepAnalysis", "", "HKCategoryValueSleepAnalysisAsleepCore", bed,
                      round(425 + 45 * wave(5, day)))
    # Two readings each morning and evening of the last weeks, one a week before.
    for day in range(DAYS):
        date = END - datetime.timedelta(DAYS - day)
        times = [7.0, 7.05, 20.0, 20.05] if day >= DAYS - 40 else [7.0] if day % 7 == 0 else []
        for hour in times:
            start = date + datetime.timedelta(hours=hour)
            export.record(quantity + "BloodPressureSystolic", "mmHg", round(137 + 9 * wave(8, day + hour)), start,
                          source="Cuff")
            export.record(quantity + "BloodPressureDiastolic", "mmHg", round(84 + 6 * wave(9, day + hour)), start,
                          source="Cuff")
    # A sensor of the last fifteen days, a reading each five minutes.
    for step in range(15 * 288):
        start = END - datetime.timedelta(minutes=5 * (15 * 288 - step))
        hour = start.hour + start.minute / 60
        meal = sum(math.exp(-((hour - at) / 1.1) ** 2) for at in [8.5, 13.5, 20])
        export.record(quantity + "BloodGlucose", "mg/dL", round(112 + 84 * meal + 26 * wave(2, step / 50)), start,
                      source="Sensor")


def events(export):
    for place, name in enumerate(EVENTS):
        for turn in range(1 + place * 2 % 7):
            start = END - datetime.timedelta(days=9 + 31 * turn + place, hours=5)
            export.record("HKCategoryTypeIdentifier" + name, "", VALUES.get(name, "HKCategoryValueNotApplicable"), start)
    for day in [12, 140, 200]:
        export.record("HKQuantityTypeIdentifierNumberOfTimesFallen", "count", 1, END - datetime.timedelta(days=day, hours=3))


def documents(export):
    for turn in range(46):
        start = END - datetime.timedelta(days=3 + 11 * turn, hours=14)
        lines = ["Name,", "Date of Birth,\"21 Nov 1957\"", f"Recorded Date,{start.strftime(TIME)}",
                 f"Classification,{FINDINGS[turn * 5 % len(FINDINGS)]}", "Symptoms,", "Software Version,2",
                 "Device,\"Watch7,1\"", "Sample Rate,512 hertz", "", "", "Lead,Lead I", "Unit,µV", ""]
        lines += [f"{90 * wave(1, place / 9):.3f}" for place in range(64)]
        export.file(f"electrocardiograms/ecg_{start:%Y-%m-%d}.csv", "\n".join(lines) + "\n")
    number = 0
    for turn in range(4):
        for place, (name, code, unit, low, high, value) in enumerate(LABS):
            date = END - datetime.timedelta(days=20 + place * 9 + 120 * turn)
            number += 1
            range_ = {each: {"value": end, "unit": unit} for each, end in [("low", low), ("high", high)] if end is not None}
            resource = {
                "resourceType": "Observation", "id": f"lab-{number}", "status": "final",
                "category": {"coding": [{"system": "http://hl7.org/fhir/observation-category", "code": "laboratory"}]},
                "code": {"text": name, "coding": [{"system": "http://loinc.org", "code": code, "display": name}]},
                "effectiveDateTime": f"{date:%Y-%m-%d}", "valueQuantity": {"value": round(value * (1 - 0.04 * turn), 2), "unit": unit},
                "referenceRange": [range_]}
            path = f"clinical-records/Observation-{number:08d}.json"
            export.file(path, json.dumps(resource, ensure_ascii=False))
            export.lines.append(
                f" <ClinicalRecord type=\"Observation\" identifier=\"lab-{number}\" sourceName=\"Clinic\""
                f" sourceURL=\"https://example.org/\" fhirVersion=\"1.0.2\" receivedDate=\"{date.strftime(TIME)}\""
                f" resourceFilePath={quoteattr('/' + path)}/>")


def doses(path):
    rows = []
    for day in range(80):
        for place, name in enumerate(MEDICATIONS):
            start = END - datetime.timedelta(days=80 - day, hours=16 - place)
            if (day * 5 + place) % (4 + place) == 3:
                continue
            rows.append({
                "displayText": name, "form": "tablet", "units": "mg", "scheduledDosage": 10, "dosage": 10,
                "status": "Skipped" if (day + place) % 9 == 0 else "Taken", "isArchived": False,
                "start": start.strftime("%Y-%m-%d %I:%M:%S %p +0100"), "scheduledDate": start.strftime("%Y-%m-%d %I:%M:%S %p +0100")})
    path.write_text(json.dumps({"data": {"metrics": [], "medications": rows}}))


def main(folder):
    folder = pathlib.Path(folder)
    export = Export(folder / "phone")
    measures(export)
    events(export)
    documents(export)
    export.write()
    doses(folder / "doses.json")


if __name__ == "__main__":
    main(sys.argv[1])
