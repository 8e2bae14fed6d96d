package import HealthUnits

/// The common name of a dimension.
package struct DimensionName {
  package let name: String
  package let dimension: UnitDimension

  /// Each name with a unit of the dimension, in display order.
  package static let all: [DimensionName] = [
    ("number", "count"), ("mass", "g"), ("length", "m"), ("time", "s"), ("temperature", "K"),
    ("energy", "J"), ("power", "W"), ("pressure", "Pa"), ("volume", "L"), ("speed", "m/s"),
    ("frequency", "Hz"), ("angle", "rad"), ("amount", "mol"), ("current", "A"),
    ("voltage", "V"), ("conductance", "S"), ("illuminance", "lx"), ("luminance", "cd/m^2"),
    ("sound", "dBASPL"), ("hearing", "dBHL"), ("international", "IU"),
    ("effort", "appleEffortScore"), ("prism", "D"),
  ].compactMap { name, unit in
    (try? UnitExpression(unit)).map { DimensionName(name: name, dimension: $0.dimension) }
  }

  /// Units that have no name of their own, of dimensions that have.
  package static let products = [
    "m/s", "km/hr", "mi/hr", "ft/s", "cm/s", "m/min", "count/min", "count/s",
  ]

  /// The common name of a dimension, otherwise its powers.
  package static func name(of dimension: UnitDimension) -> String {
    all.first { $0.dimension == dimension }?.name ?? dimension.description
  }

  /// Units by dimension: the named dimensions first, each group in the given order.
  package static func groups(
    of units: [UnitExpression]
  ) -> [(name: String, units: [UnitExpression])] {
    let groups = Dictionary(grouping: units) { name(of: $0.dimension) }
    let named = all.map(\.name)
    let others = groups.keys.filter { !named.contains($0) }.sorted()
    return (named + others).compactMap { name in groups[name].map { (name, $0) } }
  }
}
