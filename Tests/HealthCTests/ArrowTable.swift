import CHKStats
import Foundation
import HealthStore
import Testing

@testable import HealthC

/// A table as a reader of Arrow gets it through the functions of hkstats.h.
struct ArrowTable {
  /// A code other than 0, where and why, and its sentence.
  struct Refusal: Error, Equatable {
    let code: Int32
    let place: String?
    let reason: String
    let sentence: String

    init(_ code: Int32, _ error: UnsafeMutablePointer<CChar>?) throws {
      let bytes = Data(try #require(error.map { String(cString: $0) }).utf8)
      let facts = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      self.code = code
      place = facts["where"] as? String
      reason = try #require(facts["reason"] as? String)
      sentence = try #require(facts["message"] as? String)
      #expect(facts["code"] as? Int == Int(code))
    }
  }

  struct Field: Equatable {
    let name: String
    let format: String
    let unit: String?
    /// The keys of json that lead to its values, with points between.
    var key: String?
    let children: [Field]

    /// Names and formats, which no data may change.
    var shape: String {
      name + ":" + format + (children.isEmpty ? "" : "(\(children.map(\.shape)))")
    }
  }

  indirect enum Cell: Equatable {
    case none
    case real(Double)
    case integer(Int)
    case truth(Bool)
    /// Microseconds since 1970.
    case instant(Int)
    /// Days since 1970.
    case day(Int)
    case text(String)
    /// Rows of cells.
    case list([[Cell]])
  }

  let fields: [Field]
  let info: [String: Any]
  private let columns: [[Cell]]

  /// The rules of the answer.
  var head: [String: Any] { info["answer"] as? [String: Any] ?? [:] }
  var names: [String] { fields.map(\.name) }
  var shape: [String] { fields.map(\.shape) }
  var count: Int { columns.first?.count ?? 0 }

  /// The cells of each column.
  var allCells: [[Cell]] { columns }

  /// The cells of a column.
  subscript(name: String) -> [Cell] {
    get throws { columns[try #require(names.firstIndex(of: name), "no column \(name)")] }
  }

  /// Asks a store.
  ///
  /// - Throws: ``Refusal``
  init(_ name: String, _ json: String?, of store: SampleStore) throws {
    var error: UnsafeMutablePointer<CChar>?
    func check(_ code: Int32) throws {
      defer {
        hkstats_free(error)
        error = nil
      }
      guard code != 0 else { return }
      throw try Refusal(code, error)
    }
    let handle = Handle.stores.open(store)
    defer { _ = hkstats_store_close(handle, nil) }
    var table: OpaquePointer?
    try check(hkstats_ask(handle, name, json, nil, nil, &table, &error))
    defer { _ = hkstats_table_close(table, nil) }
    var text: UnsafeMutablePointer<CChar>?
    try check(hkstats_table_info(table, &text, &error))
    defer { hkstats_free(text) }
    let bytes = Data(try #require(text.map { String(cString: $0) }).utf8)
    info = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    var stream = ArrowArrayStream()
    try check(hkstats_table_stream(table, &stream, &error))
    defer { stream.release(&stream) }
    var schema = ArrowSchema()
    try #require(stream.get_schema(&stream, &schema) == 0)
    defer { schema.release(&schema) }
    fields = Field(schema).children
    var columns = [[Cell]](repeating: [], count: fields.count)
    while true {
      var batch = ArrowArray()
      try #require(stream.get_next(&stream, &batch) == 0)
      guard batch.release != nil else { break }
      defer { batch.release(&batch) }
      try #require(Int(batch.n_children) == fields.count)
      for (place, field) in fields.enumerated() {
        let child = try #require(batch.children[place]).pointee
        try #require(child.length == batch.length)
        columns[place] += try Self.cells(field, child)
      }
    }
    self.columns = columns
    var rows: Int64 = 0
    try check(hkstats_table_rows(table, &rows, &error))
    try #require(rows == -1 || Int(rows) == columns.first?.count)
  }

  private static func cells(_ field: Field, _ array: ArrowArray) throws -> [Cell] {
    let count = Int(array.length)
    let validity = array.buffers[0]?.assumingMemoryBound(to: UInt8.self)
    func isKnown(_ row: Int) -> Bool {
      validity.map { $0[row / 8] >> (row % 8) & 1 == 1 } ?? true
    }
    func column<Value>(_: Value.Type, _ place: Int = 1) throws -> UnsafePointer<Value> {
      try #require(array.buffers[place]).assumingMemoryBound(to: Value.self)
    }
    func rows(_ cell: (Int) throws -> Cell) throws -> [Cell] {
      let cells = try (0..<count).map { isKnown($0) ? try cell($0) : .none }
      try #require(cells.count { $0 == .none } == Int(array.null_count))
      return cells
    }
    switch field.format {
    case "g":
      let values = try column(Double.self)
      return try rows { .real(values[$0]) }
    case "l":
      let values = try column(Int64.self)
      return try rows { .integer(Int(values[$0])) }
    case "b":
      let bits = try column(UInt8.self)
      return try rows { .truth(bits[$0 / 8] >> ($0 % 8) & 1 == 1) }
    case "tdD":
      let days = try column(Int32.self)
      return try rows { .day(Int(days[$0])) }
    case "i":
      let words = try cells(
        Field(name: "", format: "u", unit: nil, children: []),
        try #require(array.dictionary).pointee)
      let codes = try column(Int32.self)
      return try rows { words[Int(codes[$0])] }
    case "u":
      let offsets = try column(Int32.self)
      let bytes = try column(UInt8.self, 2)
      return try rows { row in
        let range = Int(offsets[row])..<Int(offsets[row + 1])
        return .text(
          String(
            decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count),
            as: UTF8.self))
      }
    case "+l":
      let offsets = try column(Int32.self)
      let item = try #require(array.children[0]).pointee
      let parts = try field.children[0].children.enumerated().map { place, part in
        try cells(part, try #require(item.children[place]).pointee)
      }
      return try rows { row in
        .list((Int(offsets[row])..<Int(offsets[row + 1])).map { item in parts.map { $0[item] } })
      }
    default:
      try #require(field.format.hasPrefix("tsu:"), "\(field.format) is known")
      let instants = try column(Int64.self)
      return try rows { .instant(Int(instants[$0])) }
    }
  }
}

extension ArrowTable.Field {
  fileprivate init(_ schema: ArrowSchema) {
    name = String(cString: schema.name)
    format = String(cString: schema.format)
    children = (0..<Int(schema.n_children)).compactMap { place in
      schema.children[place].map { Self($0.pointee) }
    }
    let facts = Self.facts(schema.metadata)
    (unit, key) = (facts["unit"], facts["key"])
  }

  private static func facts(_ metadata: UnsafePointer<CChar>?) -> [String: String] {
    guard var place = metadata.map(UnsafeRawPointer.init) else { return [:] }
    func number() -> Int {
      defer { place += 4 }
      return Int(place.loadUnaligned(as: Int32.self))
    }
    func text() -> String {
      let count = number()
      defer { place += count }
      return String(decoding: UnsafeRawBufferPointer(start: place, count: count), as: UTF8.self)
    }
    var facts: [String: String] = [:]
    for _ in 0..<number() {
      let key = text()
      facts[key] = text()
    }
    return facts
  }
}

extension ArrowTable.Cell {
  /// Seconds since 2001-01-01 UTC.
  static func moment(_ instant: Double?) -> Self {
    instant.map { .instant(Int((($0 + 978_307_200) * 1e6).rounded())) } ?? .none
  }

  static func number(_ number: Double?) -> Self { number.map { .real($0) } ?? .none }
  static func whole(_ number: Int?) -> Self { number.map { .integer($0) } ?? .none }
  static func word(_ text: String?) -> Self { text.map { .text($0) } ?? .none }
}
