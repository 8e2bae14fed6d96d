import Foundation
import HealthSamples

/// The numbers behind the figures, for the script: JSON of columns, compressed, as base64.
struct Payload {
  private var tables: [(id: String, table: PageTable)] = []
  private var measures: [PayloadMeasure] = []
  private var reasons: [(measure: String, reasons: DayReasons)] = []

  /// Adds a table.
  ///
  /// - Returns: its id
  mutating func add(_ table: PageTable) -> String {
    let id = "t\(tables.count)"
    tables.append((id, table))
    return id
  }

  /// Adds a measure of the explorer.
  mutating func add(_ measure: PayloadMeasure) { measures.append(measure) }

  /// Adds the reasons behind the days of a measure.
  mutating func add(_ reasons: DayReasons, of measure: String) {
    self.reasons.append((measure, reasons))
  }

  /// The table of an id.
  subscript(id: String) -> PageTable? { tables.first { $0.id == id }?.table }

  /// The text of the block of the page; `nil` if it is too large to compress.
  func block(_ head: [(String, JSONText)]) -> String? {
    var json = JSONText.Writer()
    json.object { json in
      for (name, value) in head { json.member(name, value) }
      json.member("tables") { json in
        json.object { json in
          for (id, table) in tables { json.member(id) { table.write(to: &$0) } }
        }
      }
      json.member("measures") { json in
        json.array(measures) { $0.write(to: &$1) }
      }
      json.member("reasons") { json in
        json.object { json in
          for (measure, reasons) in reasons { json.member(measure) { reasons.write(to: &$0) } }
        }
      }
    }
    return Gzip.compressed(json.bytes).map { Data($0).base64EncodedString() }
  }
}

/// A measure of the explorer: its tables by the length of intervals.
struct PayloadMeasure {
  let measure: ReportMeasure
  /// The ids of tables.
  var tables: [(row: PageTable.Row, id: String)] = []
  /// 5th percentile, median and 95th of the days of the last year, as shown.
  var typical: [Int?]?
  /// The limits between fifths of the days of the last year, as shown.
  var fifths: [Int?]?

  func write(to json: inout JSONText.Writer) {
    json.object { json in
      json.member("id", .text(measure.id))
      json.member("name", .text(measure.name))
      json.member("family", .text(measure.family.rawValue))
      json.member("unit", .text(measure.unit))
      measure.form.write(to: &json)
      json.member("sum", .flag(measure.isSum))
      json.member("tables") { json in
        json.object { json in
          for (row, id) in tables { json.member(row.rawValue, .text(id)) }
        }
      }
      if let typical { json.member("typical", .numbers(typical)) }
      if let fifths { json.member("fifths", .numbers(fifths)) }
    }
  }
}

/// Why the days of a measure have their numbers: what each source counted, and what was masked.
struct DayReasons {
  /// The question.
  let ask: Ask
  /// The days.
  let starts: [String]
  let form: PageTable.Form
  let sources: [String]
  let total: [Int?]
  /// The sums without merging.
  let raw: [Int?]
  /// By source, then day.
  let counted: [[Int?]]
  let masked: [[Int?]]

  /// The same as a table of days: together, what each source counted and what of it was masked, and the
  /// sum without merging.
  func table(of measure: ReportMeasure, _ words: Words) -> PageTable {
    func column(_ stat: String, _ name: String, _ values: [Int?]) -> PageTable.Column {
      PageTable.Column(stat: stat, name: name, unit: measure.unit, form: form, values: values)
    }
    func columns(_ stat: String, _ pattern: String, _ values: [[Int?]]) -> [PageTable.Column] {
      zip(sources, values).filter { $1.contains { ($0 ?? 0) != 0 } }
        .map { column(stat, TextPattern.filled(pattern, $0), $1) }
    }
    return PageTable(
      ask: ask, row: .day, head: words.table.day, starts: starts,
      columns: [column("total", words.why.together, total)]
        + columns("counted", words.why.counted, counted)
        + columns("masked", words.why.masked, masked) + [column("raw", words.why.rawSum, raw)])
  }

  func write(to json: inout JSONText.Writer) {
    json.object { json in
      json.member("ask", .text(ask.text))
      json.starts(starts, .day)
      form.write(to: &json)
      json.member("sources", .texts(sources))
      json.member("total", .numbers(total))
      json.member("raw", .numbers(raw))
      json.member("counted") { $0.array(counted) { $1.write(.numbers($0)) } }
      json.member("masked") { $0.array(masked) { $1.write(.numbers($0)) } }
    }
  }
}

extension PageTable.Form {
  /// Writes the members of a column that say how its numbers are shown.
  func write(to json: inout JSONText.Writer) {
    let (name, digits) =
      switch self {
      case .number(let digits): ("number", digits)
      case .percent(let digits): ("percent", digits)
      case .duration: ("duration", 0)
      case .clock: ("clock", 0)
      }
    json.member("form", .text(name))
    json.member("digits", .number(digits))
  }
}

extension JSONText.Writer {
  /// Writes the members that say when rows begin, which are counted on from the first.
  fileprivate mutating func starts(_ starts: [String], _ row: PageTable.Row) {
    member("start", .text(starts.first ?? ""))
    member("n", .number(starts.count))
    let jumps = PageTable.jumps(of: starts, row)
    guard !jumps.isEmpty else { return }
    member("jumps") {
      $0.array(jumps) { $1.write(.numbers([$0.row, $0.days])) }
    }
  }
}

extension PageTable {
  fileprivate func write(to json: inout JSONText.Writer) {
    json.object { json in
      json.member("ask", .text(ask.text))
      json.member("by", .text(row.rawValue))
      json.member("rows", .text(head))
      if row == .row {
        json.member("at", .texts(starts))
      } else {
        json.starts(starts, row)
      }
      if !offsets.isEmpty {
        json.member("offsets") {
          $0.array(offsets) { $1.write(.numbers([$0.row, $0.seconds])) }
        }
      }
      if !places.isEmpty { json.member("x", .numbers(places)) }
      json.member("columns") { $0.array(columns) { $0.write(to: &$1) } }
      if !notes.isEmpty {
        json.member("notes") { json in
          json.object { json in
            for (row, note) in notes.sorted(by: { $0.key < $1.key }) {
              json.member("\(row)", .text(note))
            }
          }
        }
      }
      if !partial.isEmpty { json.member("partial", .numbers(partial)) }
    }
  }
}

extension PageTable.Column {
  fileprivate func write(to json: inout JSONText.Writer) {
    json.object { json in
      json.member("stat", .text(stat))
      json.member("name", .text(name))
      if !unit.isEmpty { json.member("unit", .text(unit)) }
      if let texts {
        json.member("form", .text("text"))
        json.member("values", .texts(texts))
      } else {
        form.write(to: &json)
        json.member("values", .numbers(values))
      }
    }
  }
}
