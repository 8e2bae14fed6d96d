import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Simple Health Export, as CSV")
struct SimpleHealthExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let steps = """
    sep=,
    type,sourceName,sourceVersion,productType,device,startDate,endDate,unit,value,HKWasUserEntered
    HKQuantityTypeIdentifierStepCount,Sam’s iPhone,17.1,"iPhone15,3","<<HKDevice: 0x1>, name:iPhone>",2024-03-09 10:00:00 +0000,2024-03-09 10:05:00 +0000,count,25,
    HKQuantityTypeIdentifierStepCount,Sam’s iPhone,17.1,"iPhone15,3",,2024-03-09 11:00:00 +0000,2024-03-09 11:05:00 +0000,count,"30",1
    HKQuantityTypeIdentifierStepCount,Sam’s iPhone,17.1,,,noon,2024-03-09 11:05:00 +0000,count,30,

    """
  private static let sleep = """
    type,sourceName,sourceVersion,productType,device,startDate,endDate,value
    HKCategoryTypeIdentifierSleepAnalysis,Watch,10.1,,,2024-03-09 01:00:00 +0000,2024-03-09 02:00:00 +0000,5
    HKCategoryTypeIdentifierSleepAnalysis,Watch,10.1,,,2024-03-09 02:00:00 +0000,2024-03-09 03:00:00 +0000,HKCategoryValueSleepAnalysisAsleepDeep
    """

  private func read(_ path: String) throws -> (batches: [RecordColumns], summary: ExportSummary) {
    var reader = try SimpleHealthExportReader(path: path)
    var batches: [RecordColumns] = []
    while let batch = try reader.next() {
      if case .records(let rows) = batch { batches.append(rows) }
    }
    return (batches, reader.summary)
  }

  @Test("A file gives its records, hand-entered ones apart", arguments: ["\n", "\r\n"])
  func file(lineEnd: String) throws {
    let text = Self.steps.replacing("\n", with: lineEnd)
    let (batches, summary) = try read(try folder.write(text, to: "steps.csv"))
    #expect(batches.count == 2)
    let recorded = try #require(batches.first { !$0.source.isUserEntered })
    #expect(recorded.values == [25])
    #expect(recorded.ends[0] - recorded.starts[0] == 300)
    #expect(recorded.originTable.first?.sourceVersion == "17.1")
    #expect(recorded.originTable.first?.device.contains("0x1") == false)
    #expect(try #require(batches.first { $0.source.isUserEntered }).values == [30])
    #expect(summary.skipped == [.invalidDate: 1])
    #expect(summary.read == 3)
  }

  @Test("Zeros in texts, where a database would cut them, are left out")
  func zeros() throws {
    let text = Self.steps.replacing("Sam", with: "S\0am")
    let (batches, _) = try read(try folder.write(text, to: "steps.csv"))
    #expect(batches.allSatisfy { $0.source.name == "Sam’s iPhone" })
    #expect(batches.allSatisfy { $0.labelTable.allSatisfy { !$0.utf8.contains(0) } })
    #expect(batches.reduce(0) { $0 + $1.count } == 2)
  }

  @Test("A folder and an archive give what all their files hold")
  func several() throws {
    _ = try folder.write(Self.steps, to: "all/HKQuantityTypeIdentifierStepCount_1.csv")
    _ = try folder.write(Self.sleep, to: "all/HKCategoryTypeIdentifierSleepAnalysis_1.csv")
    _ = try folder.write("a,b\n1,2\n", to: "all/other.csv")
    let archive = ZipWriter([
      ZipWriter.Entry("steps.csv", Self.steps), ZipWriter.Entry("sleep.csv", Self.sleep),
      ZipWriter.Entry("__MACOSX/._sleep.csv", "x"),
    ])
    for path in [folder.path + "/all", try folder.write(archive.bytes, to: "all.zip")] {
      let (batches, summary) = try read(path)
      #expect(summary.read == 5)
      let sleep = try #require(batches.first { $0.type.kind == .category })
      #expect(
        sleep.labels.map { sleep.labelTable[Int($0)] } == [
          "HKCategoryValueSleepAnalysisAsleepREM", "HKCategoryValueSleepAnalysisAsleepDeep",
        ])
      #expect(sleep.values == [5, 4])
    }
  }

  @Test("Another separator, quotes with line breaks in them, and a byte order mark")
  func separators() throws {
    let text =
      "\u{FEFF}sep=;\ntype;sourceName;startDate;endDate;unit;value;note\n"
      + "HKQuantityTypeIdentifierBodyMass;\"Scale \"\"big\"\"; two\nlines\";"
      + "2024-03-09 10:00:00 +0000;2024-03-09 10:00:00 +0000;kg;80.5;x"
    let (batches, _) = try read(try folder.write(text, to: "mass.csv"))
    let mass = try #require(batches.first)
    #expect(mass.source.name == "Scale \"big\"; two\nlines")
    #expect(mass.values == [80.5])
    #expect(mass.metadataTable.last?.entries.map(\.key) == ["note"])
  }

  @Test(
    "A table that was through a spreadsheet reads the same",
    arguments: ["utf-8", "mark", "little", "big"], [";", "\t", ","])
  func spreadsheets(encoding: String, separator: String) throws {
    let decimal = separator == "," ? "\"80,5\"" : "80,5"
    let lines = [
      ["Type", "SourceName", "StartDate", "Unit", "Value", "note 🍎"],
      [
        "HKQuantityTypeIdentifierBodyMass", "Waage 🍎", "2024-03-09 10:00:00 +0000", " kg ",
        decimal, "\"zwei\r\nZeilen\"",
      ],
    ]
    let text = lines.map { $0.joined(separator: separator) }.joined(separator: "\r\n") + "\r\n"
    let bytes: [UInt8] =
      switch encoding {
      case "mark": [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      case "little": [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      case "big": [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      default: Array(text.utf8)
      }
    let path = try folder.write(bytes, to: "mass.txt")
    let (batches, summary) = try read(path)
    let mass = try #require(batches.first)
    #expect(mass.values == [80.5] && mass.labelTable == ["kg"])
    #expect(mass.source.name == "Waage 🍎" && mass.starts == mass.ends)
    #expect(mass.metadataTable.last?.entries.map(\.key) == ["note 🍎"])
    #expect(mass.metadataTable.last?.entries.map(\.value) == ["zwei\r\nZeilen"])
    #expect(summary.read == 1 && summary.skipped.isEmpty)
    #expect(try ImportFormat(path: path) == .simpleHealthExport)
  }

  @Test("A file says its type by its name where it has no such column, and sleep by a short word")
  func namedFiles() throws {
    let path = try folder.write(
      "startDate,endDate,value\n2024-03-09 01:00:00 +0000,2024-03-09 02:00:00 +0000,asleepREM\n",
      to: "HKCategoryTypeIdentifierSleepAnalysis_2024-03-10_SimpleHealthExportCSV.csv")
    let (batches, summary) = try read(path)
    #expect(batches.first?.values == [5])
    #expect(batches.first?.labelTable == ["HKCategoryValueSleepAnalysisAsleepREM"])
    #expect(summary.read == 1)
  }

  @Test("Every line counts once, whatever it lacks")
  func counts() throws {
    var random = SplitMix64(seed: 3)
    let cells = [
      "HKQuantityTypeIdentifierStepCount", "", "count", "12", "x", "\"", "\"a\"\"b\"", ",",
      "2024-03-09 01:00:00 +0000", "kg", "HKWorkoutActivityTypeYoga", "\r", "🍎", "1e400",
    ]
    for _ in 0..<200 {
      var text = "type,sourceName,startDate,endDate,unit,value\n"
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let count = Int.random(in: 1...8, using: &random)
        let line = (0..<count).map { _ in cells[Int.random(in: cells.indices, using: &random)] }
        text += line.joined(separator: ",") + "\n"
      }
      let bytes = Array(text.utf8)
      var lines = SeparatedText(source: MemoryBytes(bytes, mostAtOnce: 5))
      var lineCount = -1
      while try lines.next() != nil { lineCount += 1 }
      let (batches, summary) = try read(try folder.write(bytes, to: "steps.csv"))
      let workouts = summary.elements[.workout]?.read ?? 0
      #expect(summary.read + workouts == lineCount)
      let skipped = summary.skipped.values.reduce(0, +)
      #expect(batches.map(\.count).reduce(0, +) == summary.read - skipped)
    }
  }

  @Test("Every type is known by its name without a prefix, in any style of writing")
  func spellings() throws {
    for type in Catalogue.types {
      let prefixes = ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
      guard let prefix = prefixes.first(where: type.identifier.hasPrefix) else { continue }
      let suffix = String(type.identifier.dropFirst(prefix.count))
      var words: [String] = []
      for letter in suffix {
        if letter.isUppercase || words.isEmpty { words.append("") }
        words[words.count - 1].append(letter)
      }
      let snake = words.map { $0.lowercased() }.joined(separator: "_")
      let first = suffix.prefix(1).lowercased() + suffix.dropFirst()
      for name in [suffix, first, snake, words.joined(separator: " "), type.identifier] {
        #expect(HealthAutoExportNames.identifier(ofColumn: name) == type.identifier, "\(name)")
      }
    }
  }

  @Test(
    "The columns of converters that people use",
    arguments: [
      // Tables by type, without prefixes, texts in quotes.
      """
      sourceName,sourceVersion,device,type,unit,creationDate,startDate,endDate,value
      "iPhone","17.1","<<HKDevice: 0x1>, name:iPhone>","StepCount","count",\
      2024-01-01 09:01:00 +0000,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000,100
      """,
      // One table of everything, with a column for each attribute that any element has.
      """
      type,sourceName,value,unit,startDate,endDate,creationDate,duration,workoutActivityType
      StepCount,iPhone,100,count,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000,\
      2024-01-01 09:01:00 +0000,,
      """,
      """
      type,start_date,end_date,value,unit,source_name,creation_date
      "step_count","2024-01-01T08:00:00Z","2024-01-01T09:00:00Z","100","count","iPhone",\
      2024-01-01T09:01:00Z
      """,
      """
      Type,SourceName,SourceVersion,Unit,CreationDate,StartDate,EndDate,Value
      HKQuantityTypeIdentifierStepCount,iPhone,17,count,2024-01-01 09:01:00 +0000,\
      2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000,100
      """,
    ])
  func converters(table: String) throws {
    let path = try folder.write(table, to: "table.csv")
    #expect(try ImportFormat(path: path) == .simpleHealthExport)
    let (batches, summary) = try read(path)
    let rows = try #require(batches.first)
    #expect(rows.type == Catalogue.type(HKQuantityTypeIdentifier.stepCount.rawValue))
    #expect(rows.source.name == "iPhone" && rows.values == [100] && rows.labelTable == ["count"])
    #expect(rows.ends[0] - rows.starts[0] == 3600 && rows.created[0] - rows.ends[0] == 60)
    #expect(summary.read == 1 && summary.skipped.isEmpty && summary.unknownElements.isEmpty)
  }

  @Test(
    "A column for the moment alone, and the type in the name of the file",
    arguments: ["HeartRate.csv", "heart_rate.csv", "HeartRate_2024.csv"])
  func moments(name: String) throws {
    let table = "timestamp,value,unit\n2024-01-01T08:00:00+01:00,61,count/min\n"
    let (batches, summary) = try read(try folder.write(table, to: name))
    #expect(batches.map(\.type.identifier) == [HKQuantityTypeIdentifier.heartRate.rawValue])
    #expect(batches.first?.starts == batches.first?.ends && summary.read == 1)
  }

  @Test("What is no type, or may be several, is skipped and named")
  func unknownTypes() throws {
    let names = ["Mood", "StepCounter", "calories", "Distance", "temperature", "🍎"]
    let rows = names.map {
      "\($0),iPhone,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000,count,1\n"
    }
    let text = "type,sourceName,startDate,endDate,unit,value\n" + rows.joined()
    let (batches, summary) = try read(try folder.write(text, to: "table.csv"))
    #expect(batches.isEmpty)
    #expect(summary.skipped == [.unknownType: names.count])
    #expect(Set(summary.types.keys) == Set(names))
  }

  @Test("A type of a newer system is kept under its identifier")
  func newerType() throws {
    let text = """
      type,sourceName,startDate,endDate,unit,value
      HKQuantityTypeIdentifierFuture,iPhone,2024-01-01 08:00:00 +0000,,count,1
      """
    let (batches, _) = try read(try folder.write(text, to: "table.csv"))
    #expect(batches.map(\.type.identifier) == ["HKQuantityTypeIdentifierFuture"])
  }

  @Test("A date without its offset from UTC is no instant, and the report says that this is why")
  func noOffset() throws {
    let text = """
      type,sourceName,value,unit,startDate,endDate,workoutActivityType
      StepCount,iPhone,100,count,2024-01-01 08:00:00,2024-01-01 09:00:00,
      ,iPhone,,,2024-01-01 08:00:00,2024-01-01 09:00:00,HKWorkoutActivityTypeRunning
      StepCount,iPhone,100,count,noon,2024-01-01 09:00:00 +0000,
      StepCount,iPhone,100,count,0000-01-01 09:00:00 +0000,2024-01-01 09:00:00 +0000,
      """
    let (batches, summary) = try read(try folder.write(text, to: "table.csv"))
    #expect(batches.isEmpty)
    #expect(summary.skipped == [.dateWithoutOffset: 1, .invalidDate: 1, .dateOutOfRange: 1])
    #expect(summary.elements[.workout]?.skipped == [.dateWithoutOffset: 1])
  }

  @Test("A workout becomes a workout, in a column of its own too, with the unit of its duration")
  func namedWorkout() throws {
    for name in ["HKWorkoutActivityTypeRunning", "Running"] {
      let text = """
        type,sourceName,startDate,endDate,workoutActivityType,duration,durationUnit
        ,Watch,2024-03-09 10:00:00 +0000,2024-03-09 10:30:00 +0000,\(name),29.5,min
        """
      var reader = try SimpleHealthExportReader(path: try folder.write(text, to: "workouts.csv"))
      guard case .workouts(let workouts)? = try reader.next() else {
        Issue.record("no workouts")
        return
      }
      #expect(workouts.rows.map(\.activity) == ["HKWorkoutActivityTypeRunning"])
      #expect(workouts.rows.map(\.duration) == [1770])
    }
  }

  @Test("A workout becomes a workout")
  func workout() throws {
    let text = """
      type,sourceName,startDate,endDate,duration,totalDistance
      HKWorkoutActivityTypeRunning,Watch,2024-03-09 10:00:00 +0000,2024-03-09 10:30:00 +0000,1795,5
      """
    var reader = try SimpleHealthExportReader(path: try folder.write(text, to: "workouts.csv"))
    guard case .workouts(let workouts)? = try reader.next() else {
      Issue.record("no workouts")
      return
    }
    #expect(workouts.rows.map(\.activity) == ["HKWorkoutActivityTypeRunning"])
    #expect(workouts.rows.map(\.duration) == [1795])
    #expect(workouts.rows.first?.facts.metadata.entries.map(\.key) == ["totalDistance"])
    #expect(try reader.next() == nil)
  }

  @Test("What is no such file is refused")
  func refused() throws {
    for text in ["", "a,b\n1,2\n", "<xml/>", "sep=,"] {
      let path = try folder.write(text, to: "other.csv")
      #expect(throws: ExportError.self) { try SimpleHealthExportReader(path: path) }
    }
  }

  @Test("A quote that never closes costs no memory without bound")
  func lostQuote() throws {
    let text =
      Self.steps + "HKQuantityTypeIdentifierStepCount,\"" + String(repeating: "x", count: 1 << 20)
    let (batches, summary) = try read(try folder.write(text, to: "steps.csv"))
    #expect(batches.map(\.count).reduce(0, +) == 2)
    #expect(summary.read == 4)
  }

  private static func table(_ values: [String], type: String = "BodyMass") -> String {
    "type,sourceName,startDate,endDate,unit,value\n"
      + values.enumerated().map { place, value in
        "\(type),Scale,2024-03-09 1\(place):00:00 +0000,,\(type == "BodyMass" ? "kg" : "count"),"
          + "\"\(value)\"\n"
      }.joined()
  }

  @Test(
    "Whether a comma is a decimal mark or between thousands the other numbers of the file say",
    arguments: [
      (["1,234", "80,5"], [1.234, 80.5]), (["80,5", "1,234"], [80.5, 1.234]),
      (["1,234", "1,234,567"], [1234, 1_234_567]), (["1,234.5", "-1,234"], [1234.5, -1234]),
      (["1,234", "80.5"], [1234, 80.5]), (["0,125", "1,234"], [0.125, 1.234]),
      (["1234,567", "12,345"], [1234.567, 12.345]), (["80,5"], [80.5]), (["1,5e2"], [150]),
      (["1,234,567"], [1_234_567]),
    ])
  func commas(values: [String], expected: [Double]) throws {
    let (batches, summary) = try read(
      try folder.write(Self.table(values), to: "mass.csv"))
    #expect(batches.flatMap(\.values) == expected)
    #expect(summary.skipped.isEmpty)
  }

  @Test(
    "A comma that no other number explains is no guess: skipped and counted with the reason",
    arguments: [["1,234"], ["1,234", "70"], ["1,234", "80,5", "80.5"]])
  func ambiguousCommas(values: [String]) throws {
    let (batches, summary) = try read(
      try folder.write(Self.table(values), to: "mass.csv"))
    #expect(summary.skipped == [.ambiguousNumber: 1])
    #expect(batches.reduce(0) { $0 + $1.count } == values.count - 1)
  }

  @Test(
    "Commas that are none of a number are skipped", arguments: ["1,23,456", "1,", ",", "1,2,3"])
  func wrongCommas(value: String) throws {
    let (_, summary) = try read(try folder.write(Self.table([value]), to: "mass.csv"))
    #expect(summary.skipped == [.missingValue: 1])
  }

  @Test("Each file of a folder has its own marks")
  func commasByFile() throws {
    _ = try folder.write(Self.table(["1,234", "80,5"]), to: "all/a.csv")
    _ = try folder.write(Self.table(["1,234", "1,234,567"], type: "StepCount"), to: "all/b.csv")
    let (batches, _) = try read(folder.path + "/all")
    #expect(Set(batches.flatMap(\.values)) == [1.234, 80.5, 1234, 1_234_567])
  }

  @Test(
    "Units are read as people write them, and become HealthKit's",
    arguments: [
      ("BodyMass", "lbs", "150.5", "lb", 150.5), ("HeartRate", "bpm", "61", "count/min", 61),
      ("StepCount", "steps", "100", "count", 100), ("BodyTemperature", "°C", "36.9", "degC", 36.9),
      ("BodyTemperature", "°F", "98.6", "degF", 98.6), ("DietaryVitaminD", "µg", "10", "mcg", 10),
      ("RespiratoryRate", "breaths/min", "14", "count/min", 14),
      ("DietaryWater", "fl. oz", "8", "fl_oz_us", 8), ("Height", "inches", "70", "in", 70),
      ("WalkingSpeed", "km/h", "5", "km/hr", 5), ("BloodGlucose", "mg/dl", "90", "mg/dl", 90),
      ("VO2Max", "ml/kg/min", "42", "mL/min·kg", 42),
      ("OxygenSaturation", "percent", "97", "%", 0.97),
    ])
  func everydayUnits(
    type: String, unit: String, value: String, label: String, stored: Double
  ) throws {
    let table = """
      type,sourceName,unit,startDate,value
      \(type),Watch,\(unit),2026-01-07 10:30:00 +0100,\(value)
      """
    let (batches, summary) = try read(try folder.write(table, to: "table.csv"))
    let rows = try #require(batches.first)
    #expect(rows.values == [stored] && rows.labelTable == [label])
    #expect(summary.skipped.isEmpty)
  }

  @Test(
    "A unit that nobody can be sure of, and one of another quantity, is refused and named",
    arguments: [
      ("ActiveEnergyBurned", "calories", SkipReason.unknownUnit("calories")),
      ("ActiveEnergyBurned", "Calories", .unknownUnit("Calories")),
      ("StepCount", "Schritte", .unknownUnit("Schritte")),
      ("StepCount", "lbs", .incompatibleUnit("lb")), ("StepCount", "kg", .incompatibleUnit("kg")),
    ])
  func refusedUnits(type: String, unit: String, reason: SkipReason) throws {
    let table = """
      type,sourceName,unit,startDate,value
      \(type),Watch,\(unit),2026-01-07 10:30:00 +0100,12
      """
    let (batches, summary) = try read(try folder.write(table, to: "table.csv"))
    #expect(batches.isEmpty && summary.skipped == [reason: 1])
  }

  @Test(
    "Beside % stands what people say, or HealthKit's fraction, by what the numbers can be",
    arguments: [
      // 97 % as a fraction is above 1, and 0.97 % is a value that nobody has.
      ("OxygenSaturation", ["97", "0.97", "98.5"], [0.97, 0.97, 0.985]),
      ("BodyFatPercentage", ["18.5", "0.2"], [0.185, 0.2]),
      ("BloodAlcoholContent", ["0.5"], [0.005]),
      // Alone either is possible: the others say it.
      ("WalkingAsymmetryPercentage", ["0.8", "12", "3"], [0.008, 0.12, 0.03]),
      ("WalkingAsymmetryPercentage", ["0.8", "0.03", "0"], [0.8, 0.03, 0]),
      ("BloodAlcoholContent", ["0.01", "0.5"], [0.0001, 0.005]),
      ("BloodAlcoholContent", ["0.0005", "0.0008"], [0.0005, 0.0008]),
    ])
  func percentages(type: String, numbers: [String], stored: [Double]) throws {
    let lines = numbers.enumerated().map { place, number in
      "\(type),Watch,%,2026-01-07 1\(place):30:00 +0100,\(number)\n"
    }
    let table = "type,sourceName,unit,startDate,value\n" + lines.joined()
    let (batches, summary) = try read(try folder.write(table, to: "table.csv"))
    #expect(summary.skipped.isEmpty && batches.flatMap(\.values).count == stored.count)
    for (value, expected) in zip(batches.flatMap(\.values), stored) {
      #expect(abs(value - expected) < 1e-15)
    }
  }

  @Test("What the numbers of one type say beside % says nothing of another type or file")
  func percentagesApart() throws {
    let head = "type,unit,startDate,value\n"
    func line(_ type: String, _ number: String) -> String {
      "\(type),%,2026-01-07 10:30:00 +0100,\(number)\n"
    }
    let (said, stored) = ("WalkingAsymmetryPercentage", "AppleWalkingSteadiness")
    _ = try folder.write(head + line(said, "0.5") + line(stored, "0.5"), to: "all/a.csv")
    _ = try folder.write(
      head + line(said, "0.5") + line(stored, "0.9") + line(said, "7"), to: "all/b.csv")
    let (batches, _) = try read(folder.path + "/all")
    func values(_ type: String) -> [Double] {
      batches.filter { $0.type.identifier.hasSuffix(type) }.flatMap(\.values)
    }
    #expect(values(said) == [0.5, 0.005, 0.07])
    #expect(values(stored) == [0.5, 0.9])
  }

  @Test("Columns may be in any order")
  func columnOrder() throws {
    var random = SplitMix64(seed: 5)
    let rows = Self.steps.split(separator: "\n").dropFirst()
    let cells = rows.map { line in
      var lines = SeparatedText(source: MemoryBytes(Array(line.utf8)))
      return (try? lines.next()) ?? []
    }
    let (expected, _) = try read(try folder.write(Self.steps, to: "steps.csv"))
    for _ in 0..<20 {
      let order = cells[0].indices.shuffled(using: &random)
      let text = cells.map { row in
        order.map { "\"\(row.indices.contains($0) ? row[$0] : "")\"" }.joined(separator: ",")
      }.joined(separator: "\n")
      let (batches, summary) = try read(try folder.write(text, to: "mixed.csv"))
      #expect(batches.map(\.values) == expected.map(\.values))
      #expect(batches.map(\.starts) == expected.map(\.starts))
      #expect(summary.read == 3 && summary.skipped == [.invalidDate: 1])
    }
  }

  @Test(
    "A table without a column that its samples need is refused, and the column named",
    arguments: [
      ("type,sourceName,startDate,endDate,value", ["unit"]),
      ("type,sourceName,startDate,endDate,unit,note", ["value"]),
      ("type,sourceName,startDate,endDate,recorded", ["value", "unit"]),
    ])
  func missingColumns(header: String, missing: [String]) throws {
    let text = """
      \(header)
      SleepAnalysis,Watch,2024-03-09 01:00:00 +0000,2024-03-09 02:00:00 +0000,5,5
      StepCount,Watch,2024-03-09 01:00:00 +0000,2024-03-09 02:00:00 +0000,5,5
      """
    for path in [
      try folder.write(text, to: "all/steps.csv"), folder.path + "/all",
    ] {
      let error = #expect(throws: ExportError.self) { try read(path) }
      #expect(error?.reason == .missingColumns(missing))
      let place = path.hasSuffix("csv") ? path : path + ": steps.csv"
      #expect(error?.place == place)
    }
  }
}
