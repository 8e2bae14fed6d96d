import Foundation

@testable import generate_export

/// A sink that keeps the text.
struct MemorySink: TextSink {
  var bytes: [UInt8] = []
  mutating func write(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
}

/// One element of an export, read by splitting its line: slow, and plain to see.
struct ExportElement {
  let depth: Int
  let name: Substring
  let attributes: [Substring: Substring]

  init?(line: Substring) {
    let body = line.drop { $0 == " " }
    guard body.hasPrefix("<"), !body.hasPrefix("</") else { return nil }
    depth = line.count - body.count
    name = body.dropFirst().prefix { $0 != " " && $0 != ">" && $0 != "/" }
    var attributes: [Substring: Substring] = [:]
    var rest = body.dropFirst(name.count + 1)
    while let equals = rest.range(of: "=\"") {
      let key = rest[..<equals.lowerBound].drop { $0 == " " }
      let value = rest[equals.upperBound...].prefix { $0 != "\"" }
      attributes[key] = value
      rest = rest[value.endIndex...].dropFirst()
    }
    self.attributes = attributes
  }

  subscript(attribute: Substring) -> String { String(attributes[attribute] ?? "") }
}

/// An export in memory, and what its writer says that it holds.
struct GeneratedExport {
  let text: String
  let truth: Truth
  let elements: [ExportElement]

  init(_ plan: ExportPlan) throws {
    var writer = ExportWriter(plan: plan, sink: MemorySink())
    try writer.writeDocument()
    truth = writer.truth
    let text = String(decoding: writer.finish().bytes, as: UTF8.self)
    let body = text.range(of: "<HealthData").map { text[$0.lowerBound...] } ?? ""
    self.text = text
    elements = body.split(separator: "\n").compactMap(ExportElement.init)
  }

  /// Records at top level.
  var records: [ExportElement] { elements.filter { $0.name == "Record" && $0.depth == 1 } }
}

extension ExportPlan {
  /// A plan for tests: short, and in a zone whose clocks change in it.
  static func sample(
    seed: UInt64 = 1, days: Int = 9, offset: String = "+0100", deviceSeed: UInt64 = 7,
    documentType: DocumentType = .version13, preference: RecordUnit.Preference = .metric,
    density: Double = 1
  ) throws -> ExportPlan {
    guard let zone = TimeZone(identifier: "Europe/Paris"), let until = CivilDate("2026-11-01"),
      let offset = UTCOffset(offset)
    else { throw CocoaError(.formatting) }
    return ExportPlan(
      person: Person(seed: seed, timeline: Timeline(days: days, until: until, zone: zone)),
      density: density, deviceSeed: deviceSeed, offset: offset, documentType: documentType,
      preference: preference)
  }
}
