import Foundation
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

/// Published equations between units, against which a table of units is held.
private struct Relation: Sendable {
  /// One unit is this many of the other.
  let unit: UnitExpression
  let factor: ExactRatio
  let other: UnitExpression
  let source: String

  func holds(in table: UnitTable) -> Bool {
    table.exactRatio(of: unit.terms, to: other.terms) == factor
  }
}

@Suite struct TableMutationTests {
  /// Every equation of the published tables.
  private static func relations() throws -> [Relation] {
    var relations: [Relation] = []
    for row in try References.table("units/hk_parse_valid.tsv") {
      relations.append(
        Relation(
          unit: try UnitExpression(row["unit"] ?? ""),
          factor: try #require(ratio(row["factor_to_g_m_s_K_A"] ?? "")), other: .null,
          source: "hk_parse_valid"))
    }
    for row in try References.table("units/conformance.tsv")
    where row["profile"] == "conv" && row["value"] == "1" && row["from"]?.isEmpty == false {
      relations.append(
        Relation(
          unit: try UnitExpression(row["from"] ?? "").withConventionalColumns,
          factor: try #require(ratio(row["expected_exact"] ?? "")),
          other: try UnitExpression(row["to"] ?? "").withConventionalColumns, source: "conv"))
    }
    // A unit that no other defines is one of its own dimension.
    for row in try References.table("catalogue/units.tsv")
    where row["hk_base"] == row["symbol"] && ["-", "mol"].contains(row["si_base"]) {
      relations.append(
        Relation(
          unit: try UnitExpression(row["symbol"] ?? ""), factor: .one, other: .null,
          source: "units"))
    }
    // A slope is the tangent of an angle, whose own unit is the radian.
    relations.append(
      Relation(
        unit: try UnitExpression("%[slope]", dialect: .ucum), factor: .one,
        other: try UnitExpression("rad", dialect: .ucum), source: "%[slope]"))
    let text = String(
      decoding: try References.contents("ucum/ucum-essence-2.2.xml"), as: UTF8.self)
    let elements = UnitXML.elements(of: text)
    for (index, element) in elements.enumerated() where element.name == "unit" {
      let code = element.attributes["Code"] ?? ""
      let parts = elements[index...].dropFirst().prefix { $0.name != "unit" }
      guard !["[pi]", "%[slope]", "Cel"].contains(code),
        let definition = parts.first(where: { $0.name == "function" })
          ?? parts.first(where: { $0.name == "value" })
      else { continue }
      let base = definition.attributes["Unit"] ?? ""
      relations.append(
        Relation(
          unit: try UnitExpression(code, dialect: .ucum),
          factor: try #require(ExactRatio(decimal: definition.attributes["value"] ?? "")),
          other: base == "1" ? .null : try UnitExpression(base, dialect: .ucum), source: code))
    }
    return relations
  }

  private static func ratio(_ text: String) -> ExactRatio? {
    let parts = text.split(separator: "/").compactMap { ExactRatio(decimal: $0) }
    return parts.count == 2 ? parts[0] / parts[1] : parts.first
  }

  @Test("the table of units satisfies every published equation")
  func standard() throws {
    let relations = try Self.relations()
    #expect(relations.count > 500)
    for relation in relations {
      #expect(relation.holds(in: .standard), "\(relation.unit) \(relation.source)")
    }
  }

  /// Twenty factors in a normal run, all of them when the environment says so.
  @Test("a factor that is off by one part in 10^12 breaks a published equation")
  func mutated() throws {
    let relations = try Self.relations()
    let definitions = UnitTable.standard.definitions
    // The degree of a scale and a base unit are factors as well; a mole's is in its text.
    let places = definitions.indices.filter { place in
      switch definitions[place].scale {
      case .number, .annotation, .molarMass: false
      case .linear, .shifted, .level: definitions[place].factor.exponentOfPi == 0 || place > 3
      }
    }
    var random = SplitMix64(seed: 12)
    let isComplete = ProcessInfo.processInfo.environment["HKSTATS_UNIT_CASES"] != nil
    let chosen = isComplete ? places : Array(places.shuffled(using: &random).prefix(20))
    for place in chosen {
      var changed = definitions
      let factor = changed[place].factor
      changed[place] = changed[place].with(
        factor: factor * ExactFactor(1_000_000_000_001, tens: -12))
      let table = UnitTable(definitions: changed)
      let name = definitions[place].ucum ?? definitions[place].healthKit ?? ""
      #expect(relations.contains { !$0.holds(in: table) }, "\(name)")
    }
  }
}
