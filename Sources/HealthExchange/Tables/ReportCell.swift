package import HealthQuery
package import HealthSamples

/// A value: exact in csv and json, rounded in tables.
package enum ReportCell {
  /// Empty in csv, null in json.
  case none
  /// Empty in csv, no member in json.
  case absent
  case text(String)
  /// An identifier, with a short name for tables.
  case name(String, short: String)
  case count(Int)
  case number(Double)
  /// A value in a unit: spoken in tables, as stored in csv and json.
  case quantity(Double, SpokenUnit)
  /// A share of a whole, 0 to 1.
  case share(Double)
  case truth(Bool)
  /// Seconds since 2001-01-01 UTC.
  case instant(Double)
  case json(JSON)
}

extension ReportCell {
  /// The value as tables show it.
  package func forPeople(_ offsets: inout OffsetCache) -> String {
    switch self {
    case .none, .absent: "–"
    case .text(let text), .name(_, let text): text
    case .count(let count): NumberText.grouped(count)
    case .number(let number): NumberText.rounded(number)
    case .quantity(let number, let unit): unit.number(number)
    case .share(let share): NumberText.rounded(share * 100, decimals: 1) + " %"
    case .truth(let truth): truth ? Speech.current.head("yes") : ""
    case .instant(let instant): LocalTime(instant, in: &offsets).dateText
    case .json(let json): json.text
    }
  }

  func append(
    to bytes: inout [UInt8], as csv: CommaSeparated, _ offsets: inout OffsetCache
  ) {
    switch self {
    case .none, .absent: break
    case .text(let text), .name(let text, _): csv.append(text, to: &bytes)
    case .count(let count): bytes.append(integer: count)
    case .number(let number), .share(let number), .quantity(let number, _):
      csv.append(number, to: &bytes)
    case .truth(let truth): bytes.append(text: truth ? "true" : "false")
    case .instant(let instant): LocalTime(instant, in: &offsets).append(isoTo: &bytes)
    case .json(let json): json.append(to: &bytes, as: csv)
    }
  }

  func append(jsonTo bytes: inout [UInt8], _ offsets: inout OffsetCache) {
    switch self {
    case .none, .absent: bytes.append(text: "null")
    case .text(let text), .name(let text, _): JSON.append(text, to: &bytes)
    case .count(let count): bytes.append(integer: count)
    case .number(let number), .share(let number), .quantity(let number, _):
      JSON.append(number, to: &bytes)
    case .truth(let truth): bytes.append(text: truth ? "true" : "false")
    case .instant(let instant):
      bytes.append(mark: "\"")
      LocalTime(instant, in: &offsets).append(isoTo: &bytes)
      bytes.append(mark: "\"")
    case .json(let json): json.append(to: &bytes)
    }
  }
}

extension JSON {
  /// Appends the value as a csv field: a string without quotes, nothing for null.
  package func append(to bytes: inout [UInt8], as csv: CommaSeparated) {
    switch self {
    case .null: break
    case .number(let number): csv.append(number, to: &bytes)
    case .string(let text): csv.append(text, to: &bytes)
    default: csv.append(text, to: &bytes)
    }
  }
}
