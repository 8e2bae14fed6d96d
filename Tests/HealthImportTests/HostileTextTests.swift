import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Hostile texts end, in little memory")
struct HostileTextTests {
  private let limits = ImportLimits(elementBytes: 1 << 14)

  @Test("an attribute longer than an element may be: skipped, and the next record is read")
  func longAttribute() throws {
    let long = record(source: String(repeating: "x", count: 300_000))
    let reading = try Reading(Array(export(long + record()).utf8), limits: limits)
    #expect(reading.records.count == 1)
    #expect(reading.summary.oversizedElements == 1)
  }

  @Test("nesting without end is counted, not followed")
  func nesting() throws {
    let deep = String(repeating: "<a>", count: 40_000)
    let text = export(deep + String(repeating: "</a>", count: 40_000) + record())
    let reading = try Reading(Array(text.utf8), limits: limits)
    #expect(reading.records.count == 1)
    #expect(reading.summary.unknownElements == ["a": 40_000])
    let open = try Reading(Array(export("<Record>" + deep).utf8), limits: limits)
    #expect(open.records.isEmpty)
  }

  @Test(
    "what never closes takes no more than linear time",
    arguments: [
      "<!--", "<![CDATA[", "<?", "<a b='", "<Record><!--", "<Record a=\"1\">", "<Record><x>", "<",
      "</", "</a ", "<a b=\"<a c='",
    ])
  func unclosed(piece: String) throws {
    let text = export(record()).replacingEnd(with: String(repeating: piece, count: 20_000))
    let reading = try Reading(Array(text.utf8), limits: limits)
    #expect(reading.records.count == 1)
    #expect(reading.summary.cutAt == text.utf8.count)
  }

  @Test("a lost quote costs one record, a lost end tag none but its own")
  func resynchronisation() throws {
    let lines = (0..<5).map { record(value: "\($0)") }
    var damaged = lines
    damaged[1] = String(damaged[1].replacing("sourceName=\"", with: "sourceName='"))
    #expect(try Reading(export(damaged.joined())).records.map(\.value) == [0, 2, 3, 4])
    damaged = lines
    damaged[1] = String(damaged[1].replacing("/>", with: ">"))
    #expect(try Reading(export(damaged.joined())).records.map(\.value) == [0, 1, 2, 3, 4])
    let text = export("<Workout>" + lines[0] + "<Workout>" + lines[1] + "</Workout>" + lines[2])
    let reading = try Reading(text)
    #expect(reading.records.filter { !$0.isNested }.map(\.value) == [2])
    #expect(reading.records.filter(\.isNested).map(\.value).sorted() == [0, 1])
    #expect(reading.summary.malformedElements == 1)
  }

  @Test("endless different names are counted, the rest of them together")
  func names() throws {
    let elements = (0..<2000).map { "<n\($0)/>" }.joined()
    let types = (0..<5000).map { record(type: "HKCategoryTypeIdentifier\($0)", unit: nil) }.joined()
    let summary = try Reading(export(elements + types)).summary
    #expect(summary.unknownElements.values.reduce(0, +) == 2000)
    #expect(summary.unknownElements.count < 300)
    #expect(summary.types.count < 4200)
    #expect(summary.read == 5000)
    #expect(try #require(summary.skipped[.tooManyTypes]) > 500)
  }

  @Test("endless different units are counted, the rest of them together")
  func units() throws {
    let count = 10_000
    let lines = (0..<count).map { record(unit: "nothing\($0)") }
    let reading = try Reading(export(record() + lines.joined() + record()))
    let summary = reading.summary
    #expect(reading.records.count == 2)
    #expect(summary.read == count + 2)
    #expect(summary.skipped.values.reduce(0, +) == count)
    #expect(summary.skipped.count < 300)
    #expect(try #require(summary.skipped[.tooManyNames]) > count / 2)
  }

  @Test("endless different constants and sources are counted, the rest of them together")
  func constants() throws {
    let count = 70_000
    let constants = (0..<count).map {
      record(type: "HKCategoryTypeIdentifierSleepAnalysis", unit: nil, value: "v\($0)")
    }
    let sources = (0..<count).map { record(source: "app \($0)") }
    for lines in [constants, sources] {
      let reading = try Reading(export(lines.joined() + lines[0]))
      let skipped = try #require(reading.summary.skipped[.tooManyNames])
      #expect(skipped > 1000 && reading.summary.skipped.count == 1)
      #expect(reading.records.count + skipped == count + 1)
      // What is known already is read on.
      #expect(
        reading.records.count { $0.label == "v0" || $0.source == "app 0" } == 2)
    }
  }

  @Test("a name of a source that is longer than any is skipped, its neighbours are not")
  func longSource() throws {
    let long = record(source: String(repeating: "é", count: 100_000))
    let reading = try Reading(export(record() + long + record(value: "7")))
    #expect(reading.records.map(\.value) == [92, 7])
    #expect(reading.summary.skipped == [.nameTooLong: 1])
  }

  @Test("a million attributes are read over, those in front count")
  func manyAttributes() throws {
    let more = (0..<100_000).map { " a\($0)=\"1\"" }.joined()
    let reading = try Reading(export(record(more: more) + record(value: "7")))
    #expect(reading.records.map(\.value).contains(7))
    #expect(reading.summary.unknownAttributes.values.reduce(0, +) < TagScanner.mostAttributes)
  }

  @Test(
    "entities are never declared, never opened and never put in",
    arguments: ["&a;", "&file;", "&a;&a;", "%a;", "&#0;", "&#x110000;", "&#xD800;", "&;"])
  func entities(name: String) throws {
    let declared = """
      <?xml version="1.0"?><!DOCTYPE HealthData [<!ENTITY a "ha"><!ENTITY a "&a;&a;&a;">
      <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % a SYSTEM "file:///etc/passwd"> %a; ]>

      """
    let reading = try Reading(declared + export(record(source: "x\(name)y")))
    let source = try #require(reading.records.first?.source)
    #expect(source == (name.hasPrefix("&#") ? "xy" : "x\(name)y"))
  }

  @Test(
    "a root in a comment, an instruction or a quoted text before or behind the export is none",
    arguments: [
      ("<!-- ", " -->"), ("<!DOCTYPE HealthData [<!-- ", " -->]>"), ("<?x ", "?>"),
      ("<!DOCTYPE HealthData [<!ENTITY a '", "'>]>"),
      ("<!DOCTYPE HealthData SYSTEM '", "' [<!ELEMENT HealthData EMPTY>]>"),
      ("<![CDATA[", "]]>"), ("<!DOCTYPE HealthData [<?x ", "?><!ENTITY a \"'\">]>"),
    ])
  func hiddenRoots(before: String, after: String) throws {
    let hidden = export(record(value: "1000")).replacing("<?xml version=\"1.0\"?>", with: "")
      .replacing("&", with: "")
    let trap = before + hidden + after
    for isOpen in [false, true] {
      let part = isOpen ? hidden.replacing("</HealthData>", with: "") : hidden
      let text = before + part + after + export(record(value: "7"))
      for mostAtOnce in [1, 7, 1000] {
        let reading = try Reading(Array(text.utf8), mostAtOnce: mostAtOnce)
        #expect(reading.records.map(\.value) == [7])
        #expect(reading.summary.cutAt == nil && reading.summary.otherRoots == 0)
      }
    }
    let behind = try Reading(export(record(value: "7")) + trap)
    #expect(behind.records.map(\.value) == [7] && behind.summary.otherRoots == 0)
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "<gpx>" + trap.replacing("DOCTYPE HealthData", with: "DOCTYPE g"),
      to: "a.xml")
    #expect(throws: ExportError.self) { try Reading(path: file) }
  }

  @Test(
    "texts that are no UTF-8 text, no text at all or end lines in other ways",
    arguments: [("\r", 2), ("\r\n", 2), ("\n", 2), ("\0", 0), ("\u{FEFF}", 2), ("\u{B}", 0)])
  func lineEnds(separator: String, count: Int) throws {
    let text = export(record() + record(value: "7")).replacing("\n", with: separator)
    let reading = try Reading("\u{FEFF}" + text)
    #expect(reading.records.count >= count)
    #expect(reading.summary.cutAt == nil)
  }

  @Test("UTF-16 is refused, not misread")
  func wideText() throws {
    let folder = try TemporaryFolder()
    for isBigEndian in [true, false] {
      let bytes = export(record()).utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
        return isBigEndian ? bytes : bytes.reversed()
      }
      let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
      let path = try folder.write(mark + bytes, to: "wide.xml")
      let error = #expect(throws: ExportError.self) { try Reading(path: path) }
      #expect(error?.reason == .notAnExport)
    }
  }

  @Test(
    "numbers out of range are skipped and counted",
    arguments: [
      "1e400", "-1e400", "nan", "inf", "-infinity", "0x1p3", "1,5", "1.5.5", "1e", "--1", "٣", "",
      " 1", "1 ", "1_000", "1e99999999999999999999",
    ])
  func oddNumbers(value: String) throws {
    let reading = try Reading(export(record(value: value) + record()))
    #expect(reading.records.map(\.value) == [92])
    #expect(reading.summary.skipped.values.reduce(0, +) == 1)
  }

  @Test("numbers too small for a double are zero", arguments: ["1e-400", "-1e-400", "1e-99999"])
  func tinyNumbers(value: String) throws {
    #expect(try Reading(export(record(value: value))).records.map(\.value) == [0])
  }

  @Test(
    "dates at the edges of the calendar",
    arguments: [
      ("0001-01-01 00:00:00 +0000", -63_113_904_000.0),
      ("9999-12-31 23:59:59 +0000", 252_423_993_599), ("2016-12-31 23:59:60 +0000", 504_921_600),
      ("2001-01-01 00:00:00 +1400", -50_400), ("2001-01-01 00:00:00 -1400", 50_400),
      ("2000-02-29 00:00:00 +0000", -26_524_800),
    ])
  func extremeDates(text: String, instant: Double) throws {
    let reading = try Reading(export(record(start: text, end: text)))
    #expect(reading.records.map(\.start) == [instant])
    #expect(reading.summary.distantDates == (abs(instant) > 1e10 ? 1 : 0))
  }

  @Test(
    "dates that are none",
    arguments: [
      "10000-01-01 00:00:00 +0000", "2001-01-01 00:00:00 +9999", "2001-01-01 00:00:00 -2460",
      "2001-02-29 00:00:00 +0000", "1900-02-29 00:00:00 +0000", "2001-13-01 00:00:00 +0000",
      "2001-01-01 24:00:00 +0000", "2001-01-01 00:60:00 +0000", "2001-01-01 00:00:61 +0000",
      "-001-01-01 00:00:00 +0000", "2001-01-01T00:00:00 +0000", "2001-01-01 00:00:00 +14:00", "",
      "2001-01-01 00:00:00", "20010101000000+000",
    ])
  func noDates(text: String) throws {
    let reading = try Reading(export(record(start: text) + record()))
    #expect(reading.records.count == 1)
    #expect(reading.summary.skipped == [.invalidDate: 1])
  }

  @Test(
    "dates before the year 1 are refused and counted, whatever holds them",
    arguments: ["0000-01-01 00:00:00 +0000", "0000-12-31 23:59:59 -2359", "00000101000000+0000"])
  func yearZero(text: String) throws {
    let facts = "sourceName=\"W\" startDate=\"\(text)\" endDate=\"2024-01-01 00:00:00 +0000\""
    let elements =
      "<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" \(facts)/>"
      + "<Correlation type=\"HKCorrelationTypeIdentifierFood\" \(facts)/>"
      + "<ActivitySummary dateComponents=\"0000-03-01\"/>"
    let reading = try Reading(
      export(
        record(start: text, end: text) + record(end: text) + record() + record() + elements))
    #expect(reading.records.count == 2)
    #expect(reading.summary.skipped == [.dateOutOfRange: 2])
    for kind in [ElementKind.workout, .correlation, .activitySummary] {
      #expect(reading.summary.elements[kind]?.skipped == [.dateOutOfRange: 1])
    }
  }

  @Test("texts that never repeat are forgotten, their rows are not")
  func forgetting() throws {
    let lines = (0..<3000).map {
      record(
        source: "source", value: "\($0)",
        children: "<MetadataEntry key=\"id\" value=\"\($0)\"/>")
    }
    let reading = try Reading(
      Array(export(lines.joined()).utf8), limits: ImportLimits(rememberedBytes: 20_000))
    #expect(reading.records.count == 3000)
    for record in reading.records {
      #expect(record.metadata.entries.first?.value == "\(Int(record.value))")
    }
    #expect(reading.batches.allSatisfy { $0.metadataTable.count < 200 })
  }

  @Test(
    "empty and odd roots",
    arguments: [
      "<HealthData/>", "<HealthData></HealthData>", "<!DOCTYPE HealthData [<!ENTITY a \"&a;&a;\">",
      "<HealthDataX/><HealthData>", "<HealthData", "<HealthData a='", "<HealthData x",
    ])
  func roots(text: String) throws {
    let reading = try Reading(text)
    #expect(reading.records.isEmpty)
    #expect(
      (reading.summary.cutAt == nil) == (text.hasSuffix("/HealthData>") || text == "<HealthData/>"))
  }
}

extension String {
  /// An export of which the end tag is replaced.
  fileprivate func replacingEnd(with text: String) -> String {
    String(replacing("</HealthData>\n", with: text))
  }
}
