import ArgumentParser
import Foundation
import HealthExchange
import HealthUnits

extension UnitsCommand {
  /// `hkstats units parse`: explains a unit.
  struct Parse: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Explain a unit: what it measures, its exact size, its spellings.",
      discussion: """
        EXAMPLES:
          hkstats units parse "mL/min·kg"
          hkstats units parse "mmol<180.1558800000541>/L"
          hkstats units parse --dialect ucum "mm[Hg]"
        """)

    @Argument(help: "A unit.")
    var unit: String

    @OptionGroup var dialectOptions: DialectOptions

    func run() throws {
      let unit = try dialectOptions.unit(unit)
      let dimension = unit.dimension
      let names = DimensionName.all.filter { $0.dimension == dimension }.map(\.name)
      let output = TextOutput(.standardOutput)
      let powers = dimension.isScalar ? "none: a plain number" : dimension.description
      let measures = names.contains(powers) ? names : names + [powers]
      try output.line("measures   \(measures.joined(separator: ", "))")
      try output.line("size       \(unit.exactFactorText) in base units (g, m, s, K, A, cd, rad)")
      for dialect in UnitDialect.allCases {
        let (spelling, rules) = Self.spelling(of: unit, in: dialect)
        try output.line("\(dialect.rawValue.padded(to: 9))  \(spelling.printable)")
        for rule in rules { try output.line("           \(rule)") }
      }
      try output.flush()
    }

    /// The spelling of a unit in a dialect, and what differs from the other dialect.
    private static func spelling(
      of unit: UnitExpression, in dialect: UnitDialect
    ) -> (text: String, rules: [String]) {
      guard let mapping = try? UnitMapping(of: unit, to: dialect) else {
        return ("cannot express this unit", [])
      }
      let text = mapping.unit.text(in: dialect)
      var rules: [String] = []
      if !mapping.conversion.isIdentity {
        let one = NumberText.exact(mapping.conversion(1))
        rules.append("a value of 1 is written as \(one)")
      } else if mapping.unit.isCompatible(with: unit),
        mapping.unit.exactFactorText != unit.exactFactorText
      {
        rules.append(
          "values stay, though the size here is \(mapping.unit.exactFactorText)")
      }
      if dialect == .ucum, mapping.unit != unit, text.contains("{") {
        rules.append("the braces hold what UCUM has no unit for")
      }
      return (text, rules)
    }
  }
}
