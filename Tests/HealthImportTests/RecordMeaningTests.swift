import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("What records mean")
struct RecordMeaningTests {
  @Test("a batch has one type, one source and the order of the file")
  func batches() throws {
    let sources = (0..<900).map { $0 % 3 == 0 ? "Watch" : "Phone" }
    let text = export(
      sources.enumerated().map { record(source: $1, value: "\($0)") }.joined()
        + record(type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", value: "61"))
    let reading = try Reading(text)
    #expect(reading.batches.count == 3)
    for batch in reading.batches where batch.type.identifier.hasSuffix("StepCount") {
      #expect(batch.values == batch.values.sorted())
      #expect(batch.count == (batch.source.name == "Watch" ? 300 : 600))
      #expect(batch.copies.allSatisfy { $0 == 1 })
      #expect(batch.labelTable == ["count"])
      #expect(batch.originTable.count == 1)
    }
    #expect(reading.summary.read == 901)
  }

  @Test("no batch has more than 65,536 rows, and none is lost")
  func batchSize() throws {
    let line = record()
    let reading = try Reading(export(String(repeating: line, count: 70_000)))
    #expect(reading.batches.map(\.count) == [65_536, 4464])
    #expect(reading.summary.types.values.map(\.delivered) == [70_000])
  }

  @Test("rows that wait are bounded, however many sources there are")
  func boundedRows() throws {
    let lines = (0..<6000).map { record(source: "source \($0 % 3000)", value: "\($0)") }
    let bytes = Array(export(lines.joined()).utf8)
    let reading = try Reading(bytes, limits: ImportLimits(bufferedRows: 1024))
    #expect(reading.records.map(\.value).sorted() == (0..<6000).map(Double.init))
    #expect(reading.batches.count > 3000)
  }

  @Test("the address of a device does not make it another one")
  func deviceAddress() throws {
    let lines = (0..<50).map {
      let device = "&lt;&lt;HKDevice: 0x28\($0)0&gt;, name:iPhone, hardware:iPhone10,1&gt;"
      return record(more: " device=\"\(device)\"")
    }
    let batch = try #require(try Reading(export(lines.joined())).batches.first)
    #expect(batch.count == 50)
    #expect(
      batch.originTable
        == [Origin(sourceVersion: "9.0", device: "name:iPhone, hardware:iPhone10,1")])
  }

  @Test("what a person typed in is a source of its own", arguments: ["1", "true", "YES", "0", ""])
  func userEntered(value: String) throws {
    let entry = "<MetadataEntry key=\"HKWasUserEntered\" value=\"\(value)\"/>"
    let reading = try Reading(export(record(children: entry) + record() + record(children: entry)))
    let isTyped = ["1", "true", "YES"].contains(value)
    #expect(reading.batches.map(\.source.isUserEntered).contains(true) == isTyped)
    #expect(reading.batches.count == (isTyped ? 2 : 1))
    #expect(reading.records.count { $0.metadata.entries.first?.key == "HKWasUserEntered" } == 2)
  }

  @Test("metadata are kept in order, equal ones once")
  func metadata() throws {
    let twice = "<MetadataEntry key=\"a\" value=\"1\"/>\n<MetadataEntry key='a' value='&#10;2'/>"
    let text = export(record(children: twice) + record() + record(children: " " + twice + "\n "))
    let batch = try #require(try Reading(text).batches.first)
    let entries = [Metadata.Entry(key: "a", value: "1"), Metadata.Entry(key: "a", value: "\n2")]
    #expect(batch.metadataTable == [Metadata(), Metadata(entries)])
    #expect(batch.metadata == [1, 0, 1])
  }

  @Test("units that are unknown or of another dimension are named and counted")
  func units() throws {
    let summary = try Reading(
      export(
        record(unit: "furlong") + record(unit: "furlong") + record(unit: "km") + record(unit: nil)
          + record(unit: "") + record())
    ).summary
    let count = try #require(summary.types["HKQuantityTypeIdentifierStepCount"])
    #expect(
      count.skipped == [.unknownUnit("furlong"): 2, .incompatibleUnit("km"): 1, .missingUnit: 2])
    #expect(count.read == 6)
    #expect(count.delivered == 1)
  }

  @Test("a type that the catalogue does not know takes the unit of its first record")
  func unknownQuantity() throws {
    let type = "HKQuantityTypeIdentifierFromTheFuture"
    let reading = try Reading(
      export(
        record(type: type, unit: "furlong") + record(type: type, unit: "km", value: "3")
          + record(type: type, unit: "m", value: "4") + record(type: type, unit: "kg")))
    let batch = try #require(reading.batches.first)
    #expect(batch.type.identifier == type)
    #expect(batch.type.canonicalUnit.map { "\($0)" } == "km")
    #expect(batch.type.style == .discreteArithmetic)
    #expect(batch.values == [3, 4])
    #expect(reading.summary.skipped == [.unknownUnit("furlong"): 1, .incompatibleUnit("kg"): 1])
  }

  @Test("values that are missing or no numbers")
  func values() throws {
    let summary = try Reading(
      export(
        record(value: nil) + record(value: "") + record(value: "many") + record(value: "1e999"))
    ).summary
    #expect(summary.skipped == [.missingValue: 2, .invalidValue: 2])
  }

  @Test("categories: constants, numbers, unknown names and none")
  func categories() throws {
    let type = "HKCategoryTypeIdentifierSleepAnalysis"
    let values = [
      "HKCategoryValueSleepAnalysisInBed", "4", "HKCategoryValueSleepAnalysisDreaming", nil,
      "HKCategoryValueSleepAnalysisDreaming",
    ]
    let reading = try Reading(
      export(values.map { record(type: type, unit: nil, value: $0) }.joined()))
    let batch = try #require(reading.batches.first)
    #expect(batch.type.kind == .category)
    let labels = batch.labels.map { batch.labelTable[Int($0)] }
    #expect(labels == values.map { $0 ?? "" })
    let known = try #require(Catalogue.rawValue(ofCategoryConstant: values[0] ?? ""))
    #expect(batch.values[0] == Double(known))
    #expect(batch.values[1] == 4)
    #expect(batch.values[2] >= 4_294_967_296 && batch.values[2] < 8_589_934_592)
    #expect(batch.values[2] == batch.values[4])
    #expect(batch.values[3] == 0)
  }

  @Test("odd times are counted and kept")
  func times() throws {
    let reading = try Reading(
      export(
        record(start: "2024-05-01 08:00:00 +0100", end: "2024-05-01 07:00:00 +0100")
          + record(start: "1899-12-31 23:59:59 +0000", end: "1899-12-31 23:59:59 +0000")
          + record(start: "9999-12-31 23:59:59 +0000", end: "9999-12-31 23:59:59 +0000")
          + record(start: "yesterday") + record(end: "2024-02-30 08:00:00 +0100")))
    #expect(reading.records.count == 3)
    #expect(reading.summary.negativeDurations == 1)
    #expect(reading.summary.distantDates == 2)
    #expect(reading.summary.skipped == [.invalidDate: 2])
    #expect(reading.summary.utcOffsets == [60: 1, 0: 2])
  }

  @Test("totals of days are counted, where a type adds up")
  func dayTotals() throws {
    let day = (start: "2024-05-01 00:00:00 +0100", end: "2024-05-02 00:00:00 +0100")
    let short = "2024-05-01 22:59:59 +0100"
    let reading = try Reading(
      export(
        record(start: day.start, end: day.end) + record(start: day.start, end: short)
          + record(
            type: "HKQuantityTypeIdentifierRestingHeartRate", unit: "count/min", value: "60",
            start: day.start, end: day.end)))
    #expect(reading.summary.dayTotals == 1)
    #expect(reading.records.count == 3)
  }

  @Test("a record of iOS 8: `source` and compact dates")
  func firstVersion() throws {
    let line =
      "<Record type=\"HKQuantityTypeIdentifierStepCount\" source=\"Phone\" unit=\"count\" "
      + "startDate=\"20140104084300-0800\" endDate=\"20140104084400-0800\" value=\"7\" "
      + "recordCount=\"2\"/>"
    let reading = try Reading(export(line))
    let record = try #require(reading.records.first)
    #expect(record.source == "Phone")
    #expect(record.end - record.start == 60)
    #expect(record.created == RecordColumns.notRecorded)
    #expect(record.metadata == Metadata([.init(key: "recordCount", value: "2")]))
    #expect(reading.summary.unknownAttributes.isEmpty)
  }

  @Test("a row that iOS 8 has summed up is its mean, with its bounds beside it; a sum has no mean")
  func summedUp() throws {
    let heart =
      "<Record type=\"HKQuantityTypeIdentifierHeartRate\" source=\"Band\" unit=\"count/min\" "
      + "startDate=\"20140104084300-0800\" endDate=\"20140104094300-0800\" min=\"58\" "
      + "max=\"121\" average=\"71.5\" recordCount=\"12\"/>"
    let steps = heart.replacing("HeartRate", with: "StepCount").replacing("/min", with: "")
    let reading = try Reading(export(heart + steps))
    let record = try #require(reading.records.first)
    #expect(reading.records.count == 1 && record.value == 71.5)
    #expect(record.metadata.entries.map(\.key) == ["min", "max", "average", "recordCount"])
    #expect(record.metadata.entries.map(\.value) == ["58", "121", "71.5", "12"])
    #expect(reading.summary.means == 1 && reading.summary.skipped == [.missingValue: 1])
    #expect(reading.summary.unknownAttributes.isEmpty)
  }

  @Test("metadata of HealthKit as attributes, as iOS 8 writes them, mark what a person typed in")
  func keysAsAttributes() throws {
    let line =
      "<Record type=\"HKQuantityTypeIdentifierBodyMass\" source=\"Health\" unit=\"kg\" "
      + "startDate=\"20140104084300-0800\" endDate=\"20140104084300-0800\" value=\"71\" "
      + "HKWasUserEntered=\"1\" HKTimeZone=\"Europe/Paris\"/>"
    let reading = try Reading(
      export(line + line.replacing("Entered=\"1\"", with: "Entered=\"0\"")))
    #expect(reading.records.map(\.isUserEntered).sorted { !$0 && $1 } == [false, true])
    #expect(
      reading.records.allSatisfy {
        $0.metadata.entries.map(\.key) == ["HKWasUserEntered", "HKTimeZone"]
      })
    #expect(reading.summary.unknownAttributes.isEmpty)
  }

  @Test("a second root is counted, wherever the text is cut into parts", arguments: [1, 7, 4096])
  func secondRoot(mostAtOnce: Int) throws {
    let once = export(record())
    let reading = try Reading(Array((once + once + once).utf8), mostAtOnce: mostAtOnce)
    #expect(reading.records.count == 1 && reading.summary.otherRoots == 2)
    #expect(reading.summary.cutAt == nil && reading.summary.bytes == once.utf8.count * 3)
    #expect(try Reading(once).summary.otherRoots == 0)
  }

  @Test("records later than the export are counted, once")
  func afterExport() throws {
    let date = "<ExportDate value=\"2024-05-01 10:00:00 +0200\"/>"
    let starts = [
      "2024-05-01 08:00:00 +0000", "2024-05-01 08:00:01 +0000", "2024-06-01 08:00:00 +0000",
      "2300-01-01 08:00:00 +0000", "2024-05-01 07:59:59 +0000",
    ]
    let reading = try Reading(export(date + starts.map { record(start: $0) }.joined()))
    #expect(reading.records.count == 5)
    #expect(reading.summary.afterExport == 3 && reading.summary.distantDates == 1)
    let undated = try Reading(export(starts.map { record(start: $0) }.joined()))
    #expect(undated.summary.afterExport == 0 && undated.summary.distantDates == 1)
  }

  @Test("what stands where it means nothing is counted, and what is unknown is named")
  func otherElements() throws {
    let reading = try Reading(
      export(
        "<MetadataEntry key=\"a\" value=\"b\"/><Workout><Attachment/></Workout>"
          + "<WorkoutPlan><Step/>" + record() + "</WorkoutPlan>"
          + record(children: "<WorkoutEvent/><Novel><Deeper/></Novel>")))
    #expect(reading.records.map(\.isNested).sorted { !$0 && $1 } == [false, true])
    #expect(reading.summary.nestedRecords == 1)
    #expect(
      reading.summary.otherElements == ["MetadataEntry": 1, "Attachment": 1, "WorkoutEvent": 1])
    #expect(
      reading.summary.unknownElements == ["WorkoutPlan": 1, "Step": 1, "Novel": 1, "Deeper": 1])
  }

  @Test("inside of whatever element a record is read, and belongs to those of its format alone")
  func insideOthers() throws {
    let beats =
      "<HeartRateVariabilityMetadataList>"
      + "<InstantaneousBeatsPerMinute bpm=\"60\" time=\"8:00:00.56 AM\"/>"
      + "</HeartRateVariabilityMetadataList>"
    let reading = try Reading(
      export(
        "<Novel>" + record(value: "1") + "<Deeper>" + record(value: "2", children: beats)
          + "</Deeper></Novel>" + "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" "
          + "sourceName=\"Watch\" startDate=\"2024-03-09 15:00:00 -0700\" "
          + "endDate=\"2024-03-09 16:00:00 -0700\"><Novel>" + record(value: "3") + "</Novel>"
          + record(value: "4") + "</Workout>" + record(value: "5")))
    #expect(reading.records.filter(\.isNested).map(\.value).sorted() == [1, 2, 3, 4])
    #expect(reading.records.filter { !$0.isNested }.map(\.value) == [5])
    #expect(reading.summary.nestedRecords == 4 && reading.summary.read == 5)
    #expect(reading.summary.malformedElements == 0)
    #expect(reading.workouts.map { $0.records.map(\.value) } == [[4]])
    #expect(reading.beatLists.count == 1)
  }

  @Test("more records inside of an unknown element than any element has parts leave the next whole")
  func manyInsideOthers() throws {
    let many = String(repeating: record(), count: ElementBuilder.mostParts + 1)
    let reading = try Reading(
      export(
        "<Novel>" + many + "</Novel><Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" "
          + "sourceName=\"Watch\" startDate=\"2024-03-09 15:00:00 -0700\" "
          + "endDate=\"2024-03-09 16:00:00 -0700\"/>"))
    #expect(reading.summary.nestedRecords == ElementBuilder.mostParts + 1)
    #expect(reading.workouts.count == 1)
  }

  @Test("without a type a record counts under no name")
  func noType() throws {
    let reading = try Reading(export(record(type: "") + "<Record/>"))
    #expect(reading.summary.types == ["": TypeCount(read: 2, skipped: [.missingType: 2])])
  }
}
