import ArgumentParser
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
      let output = StandardOutput()
      let powers = dimension.isScalar ? "none: a plain number" : dimension.description
      try output.line("measures   \((names + [powers]).joined(separator: ", "))")
      try output.line("size       \(unit.exactFactorText) in base units (g, m, s, K, A, cd, rad)")
      for dialect in UnitDialect.allCases {
        try output.line("\(dialect.rawValue.padded(to: 9))  \(unit.text(in: dialect))")
      }
      try output.flush()
    }
  }
}
