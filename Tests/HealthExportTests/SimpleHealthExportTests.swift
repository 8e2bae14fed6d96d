import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthExport

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
}
