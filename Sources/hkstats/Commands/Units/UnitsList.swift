import ArgumentParser
import HealthUnits

extension UnitsCommand {
  /// `hkstats units list`: the units there are, by what they measure.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List units by what they measure.",
      discussion: """
        Prefixed units (km, mcg, mmol …) exist as well where the list says so.

        EXAMPLES:
          hkstats units list
          hkstats units list energy
          hkstats units list kcal
        """)

    @Argument(
      help: "What the units measure, such as energy; or a unit, for those that convert to it.")
    var dimension: String?

    @OptionGroup var dialectOptions: DialectOptions
    @OptionGroup var display: DisplayOptions

    func run() throws {
      let wanted = try dimension.map(dimension(named:))
      let dialect = dialectOptions.dialect
      var table = Table(columns: [
        .words("measures"), .words("unit"), .words("prefixes"), .words("exact size in base units"),
      ])
      for definition in UnitTable.standard.definitions {
        guard definition.isSpelled, let name = definition.name(in: dialect),
          let unit = try? UnitExpression(name, dialect: dialect),
          wanted == nil || unit.dimension == wanted
        else { continue }
        let measures = DimensionName.all.first { $0.dimension == unit.dimension }?.name
        table.add([
          measures ?? unit.dimension.description, name,
          definition.takesPrefix(in: dialect) ? "yes" : "",
          unit.exactFactorText,
        ])
      }
      let output = StandardOutput()
      for line in table.lines(style: display.style) { try output.line(line) }
      try output.flush()
    }

    private func dimension(named text: String) throws(Failure) -> UnitDimension {
      if let named = DimensionName.all.first(where: { $0.name == text.lowercased() }) {
        return named.dimension
      }
      if let unit = try? UnitExpression(text, dialect: dialectOptions.dialect) {
        return unit.dimension
      }
      let names = DimensionName.all.map(\.name).joined(separator: ", ")
      throw Failure("\(text.printable) is neither a unit nor one of: \(names).", .usage)
    }
  }
}

/// What people call a dimension.
struct DimensionName {
  let name: String
  let dimension: UnitDimension

  /// Each name with a unit that has the dimension, in the order of a list for people.
  static let all: [DimensionName] = [
    ("number", "count"), ("mass", "g"), ("length", "m"), ("time", "s"), ("temperature", "K"),
    ("energy", "J"), ("power", "W"), ("pressure", "Pa"), ("volume", "L"), ("speed", "m/s"),
    ("frequency", "Hz"), ("angle", "rad"), ("amount", "mol"), ("current", "A"),
    ("voltage", "V"), ("conductance", "S"), ("illuminance", "lx"), ("luminance", "cd/m^2"),
    ("sound", "dBASPL"), ("hearing", "dBHL"), ("international", "IU"),
    ("effort", "appleEffortScore"), ("prism", "D"),
  ].compactMap { name, unit in
    (try? UnitExpression(unit)).map { DimensionName(name: name, dimension: $0.dimension) }
  }
}
