import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthExport

@Suite("Hostile texts end, in little memory")
struct HostileTextTests {
  private let limits = ExportLimits(elementBytes: 1 << 14)

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

  @Test("texts that never repeat are forgotten, their rows are not")
  func forgetting() throws {
    let lines = (0..<3000).map {
      record(
        source: "source \($0)", value: "\($0)",
        children: "<MetadataEntry key=\"id\" value=\"\($0)\"/>")
    }
    let reading = try Reading(
      Array(export(lines.joined()).utf8), limits: ExportLimits(rememberedBytes: 20_000))
    #expect(reading.records.count == 3000)
    for record in reading.records {
      #expect(record.source == "source \(Int(record.value))")
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
