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
