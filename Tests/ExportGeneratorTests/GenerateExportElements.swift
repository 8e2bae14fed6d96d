import Foundation

@testable import ExportGenerator

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

  init?(line: Substring.UTF8View) {
    let body = line.drop { $0 == UInt8(ascii: " ") }
    guard body.first == UInt8(ascii: "<"), body.dropFirst().first != UInt8(ascii: "/") else {
      return nil
    }
    depth = line.count - body.count
    let ends = [" ", ">", "/"].map { UInt8(ascii: $0) }
    name = Substring(body.dropFirst().prefix { !ends.contains($0) })
    var attributes: [Substring: Substring] = [:]
    // Between quotes stand, in turn, ` name=` and a value.
    let parts = body.dropFirst(name.utf8.count + 1)
      .split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    for place in stride(from: 0, to: parts.count - 1, by: 2) {
      attributes[Substring(parts[place].dropFirst().dropLast())] = Substring(parts[place + 1])
    }
    self.attributes = attributes
  }

  subscript(attribute: Substring) -> String { String(attributes[attribute] ?? "") }
}

/// An export in memory, and what its writer says that it holds.
struct GeneratedExport {
  let text: String
  let truth: Truth

  init(_ plan: ExportPlan, detail: Truth.Detail = .counts) throws {
    var writer = ExportWriter(plan: plan, sink: MemorySink(), detail: detail)
    try writer.writeDocument()
    truth = writer.truth
    text = String(decoding: writer.finish().bytes, as: UTF8.self)
  }

  /// Every element behind the document type, in order; found anew each time.
  var elements: [ExportElement] {
    text.utf8.split(separator: UInt8(ascii: "\n"))
      .drop { !$0.starts(with: "<HealthData ".utf8) }
      .compactMap(ExportElement.init)
  }
}

extension [ExportElement] {
  /// Records at top level.
  var records: [ExportElement] { filter { $0.name == "Record" && $0.depth == 1 } }
}
