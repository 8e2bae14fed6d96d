import Foundation
import HealthSamples
import HealthUnits
import Testing

@Suite("add and edit, as programs")
final class AddProgramTests: StoreSuite {
  @discardableResult
  private func ask(
    _ arguments: String..., code: Int32 = 0, input: String = ""
  ) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(arguments + ["--store", store], input: input)
    #expect(run.exitCode == code, "\(arguments) \(run.errors)")
    return run
  }

  /// The stored values and their recorded units.
  private func stored(_ type: String, _ more: String...) throws -> [String] {
    let run = try ProgramRun.hkstats(
      ["samples", type, "--format", "json", "--store", store] + more)
    #expect(run.exitCode == 0, "\(run.errors)")
    let rows = try #require(try run.json() as? [[String: Any]])
    return rows.map { "\($0["value"] as? Double ?? .nan) \($0["unit"] as? String ?? "")" }
  }

  // MARK: Units

  @Test(
    "a number is stored as what the person says",
    arguments: [
      (["oxygenSaturation", "97", "%"], "0.97 %", "97 %"),
      (["oxygenSaturation", "97%"], "0.97 %", "97 %"),
      (["oxygenSaturation", "97"], "0.97 %", "97 %"),
      (["bodyFatPercentage", "21.5", "%"], "0.215 %", "21.5 %"),
      (["heartRate", "61"], "61.0 count/min", "61 count/min"),
      (["heartRate", "61", "bpm"], "61.0 count/min", "61 count/min"),
      (["bodyMass", "154", "lbs"], "154.0 lb", "154 lb"),
      (["bodyMass", "71.4kg"], "71.4 kg", "71.4 kg"),
      (["bloodGlucose", "5.5", "mmol/L"], "5.5 mmol/L", "5.5 mmol/L"),
      (["bodyTemperature", "37.2", "°C"], "37.2 degC", "37.2 degC"),
      (["height", "180"], "180.0 cm", "180 cm"),
      (["dietaryCaffeine", "95"], "95.0 mg", "95 mg"),
      (["stepCount", "1,200"], "1200.0 count", "1,200"),
      (["bloodAlcoholContent", "0.08"], "0.0008 %", "0.08 %"),
    ])
  func understood(words: [String], value: String, said: String) throws {
    let run = try ProgramRun.hkstats(
      ["add"] + words + ["--at", "2024-03-09T10:00", "--store", store])
    #expect(run.exitCode == 0, "\(run.errors)")
    // A script gets the UUID alone; a person reads what was understood.
    #expect(try run.lines.count == 1 && UUID(uuidString: String(run.line(0))) != nil)
    #expect(run.errors == "hkstats: saved \(words[0]) \(said) at 2024-03-09 10:00 UTC\n")
    #expect(try stored(words[0]) == [value])
    // The table shows what is understood.
    let shown = said.split(separator: " ")
    #expect(try ask("samples", words[0]).output.contains(" \(shown[0]) "))
  }

  @Test("the preferred unit is the one of add, of conditions and of the table")
  func preferred() throws {
    try ask("add", "bodyMass", "70", "kg", "--at", "2024-03-08")
    try ask("units", "prefer", "bodyMass", "lb")
    #expect(try ask("add", "bodyMass", "154").errors.contains("saved bodyMass 154 lb"))
    #expect(try stored("bodyMass") == ["70.0 kg", "154.0 lb"])
    #expect(try stored("bodyMass", "--where", "value<154.2") == ["154.0 lb"])
    let table = try ask("samples", "bodyMass").output
    #expect(table.contains("154.3") && table.contains("154  ") && !table.contains("kg"))
    #expect(try ask("add", "bodyMass", "70", "km", code: 64).errors.contains("lb"))
  }

  @Test("a unit of most samples is the one that is understood")
  func recorded() throws {
    for day in 1...3 { try ask("add", "height", "1.8", "m", "--at", "2024-03-0\(day)") }
    try ask("add", "height", "1.81")
    #expect(try stored("height").last == "1.81 m")
  }

  @Test("a condition on a percentage means percent, and one on glucose its unit")
  func conditions() throws {
    for value in ["94", "95", "96"] { try ask("add", "oxygenSaturation", value, "%") }
    #expect(try stored("oxygenSaturation", "--where", "value<95 %") == ["0.94 %"])
    #expect(try stored("oxygenSaturation", "--where", "value<=95%").count == 2)
    #expect(try stored("oxygenSaturation", "--where", "value>94.5").count == 2)
    #expect(try stored("oxygenSaturation", "--where", "value=0.95 count") == ["0.95 %"])
    let gone = try ask("delete", "oxygenSaturation", "--where", "value>95 %", "--yes")
    #expect(gone.output.contains("1 sample"))
    #expect(try stored("oxygenSaturation").count == 2)
    for value in ["6.5", "7.5"] { try ask("add", "bloodGlucose", value, "mmol/L") }
    #expect(try stored("bloodGlucose", "--where", "value>7 mmol/L") == ["7.5 mmol/L"])
    #expect(try stored("bloodGlucose", "--where", "value>126.2 mg/dL") == ["7.5 mmol/L"])
    #expect(try stored("bloodGlucose", "--where", "value=6.5 mmol/L") == ["6.5 mmol/L"])
  }

  @Test("heart rates that are recorded per second are shown and understood per minute")
  func perSecond() throws {
    var export = SmallExport()
    for minute in 10...12 {
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "1.25", unit: "count/s",
        from: "2014-10-01T10:\(minute):00", to: "2014-10-01T10:\(minute):00")
    }
    try ask("import", try scratch.file("export.xml", export.data))
    #expect(try ask("samples", "heartRate").output.contains("75  bpm"))
    #expect(try ask("types").output.contains("bpm"))
    let answer = try ask("stats", "heartRate", "--format", "json").object()
    #expect(answer["unit"] as? String == "count/min")
    #expect(try stored("heartRate", "--where", "value=75").count == 3)
    // What a program reads is what was recorded.
    #expect(try stored("heartRate").first == "1.25 count/s")
  }

  @Test("glucose is mmol/L in every command, and no molar mass is printed")
  func glucose() throws {
    for place in 0..<20 {
      try ask(
        "add", "bloodGlucose", "5.\(place % 10)", "mmol/L", "--at",
        "2024-03-\(10 + place)T08:00")
    }
    try ask("units", "prefer", "bloodGlucose", "mmol/L")
    let several = ["bloodGlucose.min,bloodGlucose.max", "--by", "day"]
    for command in [
      ["types"], ["types", "--format", "json"], ["samples", "bloodGlucose"],
      ["samples", "bloodGlucose", "--format", "csv"],
      ["samples", "bloodGlucose", "--changed-since", "0"],
      ["stats", "bloodGlucose", "--unit", "mmol/L"], ["stats", "bloodGlucose", "--format", "csv"],
      ["stats"] + several + ["--format", "csv"], ["stats"] + several + ["--format", "json"],
      ["stats", "bloodGlucose", "--by", "day", "--top", "3", "--format", "json"],
      ["trend", "bloodGlucose", "--by", "day", "--format", "json"],
      ["trend"] + several + ["--format", "csv"],
      ["glucose", "--format", "json"],
      ["export", "bloodGlucose", "--format", "csv"], ["export", "--format", "fhir"],
    ] {
      let run = try ProgramRun.hkstats(command + ["--store", store])
      #expect(run.exitCode == 0, "\(command) \(run.errors)")
      #expect(run.output.contains("mmol/L") || command.contains("fhir"), "\(command) \(run.output)")
      #expect(!run.output.contains("180.15"), "\(command)")
    }
  }

  @Test("mmol/L of glucose is imported as the sample that it is with its molar mass")
  func readsBack() throws {
    let line =
      "HKQuantityTypeIdentifierBloodGlucose,Meter,2024-01-01 08:00:00 +0000,2024-01-01 08:00:00 +0000"
    func load(_ unit: String) throws -> Int? {
      let csv = "type,sourceName,startDate,endDate,unit,value\n\(line),\(unit),5.5\n"
      let file = try scratch.file("samples.csv", Data(csv.utf8))
      return try ask("import", file, "--json").object()["new"] as? Int
    }
    #expect(try load("mmol/L") == 1)
    #expect(try load("mmol<180.1558800000541>/L") == 0)
    var export = SmallExport()
    for (hour, unit) in ["mmol/L", "mmol&lt;180.1558800000541&gt;/L", "mg/dL"].enumerated() {
      export.add(
        "HKQuantityTypeIdentifierBloodGlucose", hour < 2 ? "5.5" : "99.1", unit: unit,
        from: "2024-03-09T0\(hour):00:00", to: "2024-03-09T0\(hour):00:00")
    }
    try ask("import", try scratch.file("export.xml", export.data))
    #expect(try stored("bloodGlucose", "--where", "value>99.08 mg/dL").count == 4)
    #expect(try stored("bloodGlucose", "--where", "value=5.5 mmol/L").count == 3)
    #expect(try stored("bloodGlucose").count { $0 == "5.5 mmol/L" } == 3)
  }

  @Test("units convert needs the type of a mole, and stays strict otherwise")
  func convert() throws {
    let command = ["units", "convert", "5.5", "mmol/L", "mg/dL"]
    let run = try ProgramRun.hkstats(command + ["--type", "bloodGlucose"])
    #expect(run.exitCode == 0 && run.output.hasPrefix("99.08"), "\(run.output)\(run.errors)")
    let refused = try ProgramRun.hkstats(command)
    #expect(refused.exitCode == 64 && refused.errors.contains("--type"))
    let other = try ProgramRun.hkstats(command + ["--type", "bodyMass"])
    #expect(other.exitCode == 64 && other.errors.contains("bloodGlucose"))
    for words in [["convert", "1", "lbs", "kg"], ["parse", "lbs"]] {
      let strict = try ProgramRun.hkstats(["units"] + words)
      #expect(strict.exitCode == 64 && strict.errors.contains("lb?"), "\(strict.errors)")
    }
  }

  // MARK: Doubt

  @Test(
    "an implausible value is saved only with --yes, and the refusal does not repeat it",
    arguments: [
      (["oxygenSaturation", "0.913"], "0.913", "30 to 100 %", "97 for 0.97"),
      (["height", "1.837"], "1.837", "20 to 280 cm", "in m?"),
      (["bodyTemperature", "98.76"], "98.76", "13 to 47 degC", "in degF?"),
      (["heartRate", "4321"], "4321", "20 to 300 count/min", "Health Connect"),
    ])
  func implausible(words: [String], value: String, range: String, advice: String) throws {
    let refused = try ProgramRun.hkstats(["add"] + words + ["--store", store])
    #expect(refused.exitCode == 64 && refused.output.isEmpty)
    #expect(refused.errors.contains(range) && refused.errors.contains(advice), "\(refused.errors)")
    #expect(!refused.errors.contains(value))
    #expect(try stored(words[0]).isEmpty)
    let saved = try ProgramRun.hkstats(["add"] + words + ["--yes", "--store", store])
    #expect(saved.exitCode == 0, "\(saved.errors)")
    #expect(try stored(words[0]).count == 1)
  }

  @Test("imports are never asked: what a made-up export holds is plausible all the same")
  func generated() throws {
    let made = try GeneratedStore(seed: 5, version: "13")
    let types = try ProgramRun.hkstats(["types", "--format", "json", "--store", made.path])
      .rows("types").compactMap { $0["type"] as? String }
    #expect(types.count > 20)
    var checked = 0
    for name in types {
      guard let type = Catalogue.type(name), let range = Catalogue.plausibleRange(of: type) else {
        continue
      }
      let run = try ProgramRun.hkstats(["samples", name, "--format", "json", "--store", made.path])
      for row in try #require(try run.json() as? [[String: Any]]) {
        let unit = try #require(try type.displayUnit(named: row["unit"] as? String))
        let value = try #require(row["value"] as? Double)
        let bounds = try #require(range.bounds(in: unit))
        #expect(bounds.contains(unit.spoken(value)), "\(name)")
        checked += 1
      }
    }
    #expect(checked > 500)
  }

  // MARK: What add says

  @Test("json is one object of the sample")
  func json() throws {
    let run = try ask(
      "add", "oxygenSaturation", "97", "%", "--at", "2024-03-09T10:00", "--format", "json")
    let object = try run.object()
    #expect(run.errors.isEmpty)
    #expect(
      Set(object.keys) == ["uuid", "type", "value", "unit", "start", "end", "source"])
    #expect(object["value"] as? Double == 0.97 && object["unit"] as? String == "%")
    #expect(object["start"] as? String == "2024-03-09T10:00:00+00:00")
    let stage = try ask(
      "add", "sleepAnalysis", "asleepREM", "--at", "2024-03-09T02:10", "--to", "2024-03-09T02:40",
      "--timezone", "Europe/Paris")
    #expect(
      stage.errors
        == "hkstats: saved sleepAnalysis asleepREM from 2024-03-09 02:10 to 02:40 Europe/Paris\n")
  }

  @Test("a total that does not grow by the sample is explained, any other is not")
  func total() throws {
    var export = SmallExport(offset: 0)
    export.steps(70, from: "2024-03-08T10:00:00", to: "2024-03-08T11:00:00")
    export.steps(
      1000, from: "2024-03-09T10:00:00", to: "2024-03-09T11:00:00", source: SmallExport.phone)
    try ask("import", try scratch.file("export.xml", export.data))
    let beside = try ask(
      "add", "steps", "300", "--at", "2024-03-09T12:00", "--to", "2024-03-09T13:00")
    #expect(!beside.errors.contains("ranks"), "\(beside.errors)")
    let over = try ask(
      "add", "steps", "500", "--at", "2024-03-09T10:00", "--to", "2024-03-09T11:00")
    #expect(over.errors.contains("the stepCount of 2024-03-09 falls from 1,300 to 800"))
    #expect(
      over.errors.contains("(entered by hand) ranks above Anna’s iPhone and masks")
        && over.errors.contains("--explain"))
    #expect(over.lines.count == 1)
  }

  // MARK: Files

  @Test("a file of samples is saved whole, its columns in any order")
  func file() throws {
    let text = """
      start,Value,type,unit,source
      2024-03-09T10:00,97,oxygenSaturation,%,Meter
      2024-03-09T11:00,"1,200",steps,,
      2024-03-09T12:00,5.5,bloodGlucose,mmol/L,
      """
    let run = try ask("add", "--csv", "-", input: text)
    #expect(run.lines.count == 3 && run.errors == "hkstats: saved 3 samples\n")
    #expect(try stored("oxygenSaturation") == ["0.97 %"])
    #expect(try stored("oxygenSaturation", "--where", "source=Meter").count == 1)
    #expect(try stored("stepCount") == ["1200.0 count"])
    let span = "type,value,start,end\r\nsleepAnalysis,inBed,2024-03-09T01:00,2024-03-09T02:00\r\n"
    try ask("add", "--csv", try scratch.file("span.csv", Data(span.utf8)))
    #expect(try stored("sleepAnalysis").count == 1)
  }

  @Test("a file without an end that one could type is refused before it fills memory")
  func largeFile() throws {
    let path = try scratch.file("large.csv", Data("type,value,start\n".utf8))
    try #require(truncate(path, 1 << 34) == 0)
    let run = try ProgramRun.hkstats(["add", "--csv", path, "--store", store])
    #expect(run.exitCode == 65 && run.errors.contains("is larger than"), "\(run.errors)")
    #expect(try ask("types").output.contains("stepCount") == false)
  }

  @Test(
    "a file with a mistake saves nothing and names the line",
    arguments: [
      ("type,value,start\nsteps,1,2024-03-09\nbodyMass,x,2024-03-09", "line 3", "no number"),
      ("type,value,start\nsteps,1,2024-03-09\n\nstepz,1,2024-03-09", "line 4", "steps"),
      ("type,value,start\nsteps,1", "line 2", "2 fields"),
      ("type,value,start\nsteps,1,", "line 2", "no start"),
      ("type,value,unit,start\nbodyMass,70,km,2024-03-09", "line 2", "kg"),
      ("type,value,start\nsteps,1,someday", "line 2", "no date"),
      ("type,value\nsteps,1", "first line", "start"),
      ("type,value,start,colour\nsteps,1,2024-03-09,red", "colour", "does not know"),
      ("type,value,start,type\nsteps,1,2024-03-09,steps", "type", "twice"),
      ("type,value,start\n", "no samples", "first line"), ("", "first line", "type"),
    ])
  func mistakes(text: String, place: String, hint: String) throws {
    let run = try ask("add", "--csv", "-", code: 65, input: text)
    #expect(run.errors.contains(place) && run.errors.contains(hint), "\(run.errors)")
    #expect(try run.output.isEmpty && stored("steps").isEmpty)
  }

  @Test("an implausible line is named, and a wrong set of words is refused")
  func refusals() throws {
    let text = "type,value,start\nsteps,1,2024-03-09\noxygenSaturation,0.91,2024-03-09"
    let run = try ask("add", "--csv", "-", code: 64, input: text)
    #expect(run.errors.contains("line 3: Plausible for oxygenSaturation"))
    #expect(try stored("steps").isEmpty)
    try ask("add", "--csv", "-", "--yes", input: text)
    #expect(try stored("steps").count == 1)
    try ask("add", "steps", code: 64)
    try ask("add", code: 64)
    try ask("add", "steps", "1", "--csv", "-", code: 64)
    try ask("add", "--csv", scratch.path("none"), code: 66)
  }

  // MARK: Edit

  @Test("edit puts a corrected sample in the place of one's own")
  func edit() throws {
    let first = String(
      try ask("add", "bodyMass", "714", "kg", "--yes", "--at", "2024-03-09").line(0))
    let run = try ask("edit", first, "71.4")
    let second = String(try run.line(0))
    #expect(first != second)
    #expect(run.errors == "hkstats: saved bodyMass 71.4 kg at 2024-03-09 00:00 UTC\n")
    #expect(try stored("bodyMass") == ["71.4 kg"])
    try ask("edit", second, "--at", "2024-03-10T08:00")
    let rows = try #require(
      try ask("samples", "bodyMass", "--format", "json").json() as? [[String: Any]])
    #expect(rows.count == 1 && rows[0]["start"] as? String == "2024-03-10T08:00:00+00:00")
    #expect(rows[0]["end"] as? String == "2024-03-10T08:00:00+00:00")
    #expect(rows[0]["enteredByHand"] as? Bool == true)
    // What was edited is gone, and so is what was deleted.
    #expect(try ask("edit", first, "70", code: 64).errors.contains("no sample"))
    #expect(try ask("edit", UUID().uuidString, "70", code: 64).errors.contains("no sample"))
    try ask("edit", second, code: 64)
    #expect(try ask("edit", "xyz", "70", code: 64).errors.contains("no UUID"))
  }

  @Test("edit keeps the length, doubts as add does, and leaves imported samples")
  func edits() throws {
    let uuid = String(
      try ask("add", "steps", "10", "--at", "2024-03-09T10:00", "--to", "2024-03-09T10:30").line(0))
    let moved = String(try ask("edit", uuid, "--at", "2024-03-09T12:00").line(0))
    let rows = try #require(
      try ask("samples", "steps", "--format", "json").json() as? [[String: Any]])
    #expect(rows.first?["end"] as? String == "2024-03-09T12:30:00+00:00")
    let doubted = try ask("edit", moved, "9,999,999", code: 64)
    #expect(doubted.errors.contains("Plausible for stepCount"))
    try ask("edit", moved, "--to", "2024-03-09T11:00", code: 64)
    var export = SmallExport()
    export.steps(1000, from: "2024-03-08T10:00:00", to: "2024-03-08T11:00:00")
    try ask("import", try scratch.file("export.xml", export.data))
    let imported =
      try #require(
        try ask("samples", "steps", "--to", "2024-03-09", "--uuid", "--format", "json").json()
          as? [[String: Any]]
      ).first?["uuid"] as? String
    let refused = try ask("edit", try #require(imported), "5", code: 64)
    #expect(refused.errors.contains("import") && refused.errors.contains("delete --uuid"))
    #expect(try stored("steps").count == 2)
  }
}
