import HealthUnits
import Testing
import _HealthTestSupport

@Suite struct ConformanceTests {
  /// Rows of the published table, by kind and profile.
  private static func rows(kind: String, profile: String) throws -> [Row] {
    try References.table("units/conformance.tsv")
      .filter { $0["kind"] == kind && $0["profile"] == profile }.map(Row.init)
  }

  @Test(
    "a published conversion comes out at its published bits", arguments: ["hk", "conv", "ucum"])
  func conversions(profile: String) throws {
    let rows = try Self.rows(kind: "convert", profile: profile)
    #expect(!rows.isEmpty)
    for row in rows {
      let conversion = try UnitConversion(
        from: row.unit("from", profile: profile), to: row.unit("to", profile: profile))
      let value = try #require(Double(row["value"]))
      let bits = try #require(UInt64(row["expected_bits"], radix: 16))
      let expected = Double(bitPattern: bits)
      let result = conversion(value)
      if row["tol"].hasPrefix("abs:") {
        let scale = max(1, max(value.magnitude, expected.magnitude) / 512)
        #expect(abs(result - expected) <= 5.7e-14 * scale, "\(row.id)")
      } else {
        // The expected level is that of the decimal text, of which the double is half an ulp off.
        let isLevel = row["expected_exact"] == "irrational"
        let reach = abs(conversion(value.nextUp) - conversion(value.nextDown)) / 4
        let tolerance = isLevel ? 2 * expected.ulp + reach : 0
        #expect(abs(result - expected) <= tolerance, "\(row.id) \(result)")
      }
    }
  }

  @Test("units of different dimensions are refused")
  func dimensions() throws {
    for row in try Self.rows(kind: "dimension", profile: "hk") {
      let (from, to) = (try UnitExpression(row["from"]), try UnitExpression(row["to"]))
      #expect(!from.isCompatible(with: to), "\(row.id)")
      let error = #expect(throws: UnitError.self, "\(row.id)") {
        try UnitConversion(from: from, to: to)
      }
      #expect(
        error?.reason == .incompatible(from: from.dimension, to: to.dimension), "\(row.id)")
    }
  }

  /// Proposed suggestions that would change a value who follows them: a prefix or a power less.
  private static let ofAnotherSize: Set<String> = [
    "mIU/L", "m^1.5", "mdegC", "kmin", "k%", "kcount", "mmH20",
  ]

  @Test("a wrong text names its byte and the published suggestion")
  func errors() throws {
    for row in try Self.rows(kind: "parse", profile: "hk") {
      let error = #expect(throws: UnitError.self, "\(row.id)") {
        try UnitExpression(row["from"])
      }
      #expect("offset=\(error?.offset ?? -1)" == row["tol"], "\(row.id) \(row["from"])")
      if let suggestion = row.suggestion {
        guard !Self.ofAnotherSize.contains(row["from"]) else {
          #expect(error?.suggestion == nil, "\(row["from"])")
          continue
        }
        #expect(error?.suggestion == suggestion, "\(row.id) \(row["from"])")
      }
      if let suggestion = error?.suggestion { _ = try UnitExpression(suggestion) }
    }
  }
}

/// One line of the conformance table.
private struct Row {
  let cells: [String: String]

  init(_ cells: [String: String]) { self.cells = cells }

  /// The unit of a column under a profile.
  func unit(_ column: String, profile: String) throws -> UnitExpression {
    let code = self["ucum_" + column]
    if profile == "ucum" || (profile == "conv" && self[column].isEmpty) {
      return try UnitExpression(code, dialect: .ucum)
    }
    let unit = try UnitExpression(self[column])
    return profile == "conv" ? unit.withConventionalColumns : unit
  }

  subscript(column: String) -> String { cells[column] ?? "" }

  var id: String { self["id"] }

  /// The text between `suggest: ` and the full stop that ends it.
  var suggestion: String? {
    let note = self["note"]
    guard note.hasPrefix("suggest: ") else { return nil }
    let text = note.dropFirst("suggest: ".count)
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    let suggestion = text[..<end]
    return String(suggestion.hasSuffix(".") ? suggestion.dropLast() : suggestion)
  }
}
