import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthUnits

extension UnitsCommand {
  /// `hkstats units list`: lists units by the quantity that they measure.
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
    @OptionGroup var form: FormatOptions<ListFormat>

    func run() throws {
      let wanted = try dimension.map(dimension(named:))
      let dialect = dialectOptions.dialect
      let products = DimensionName.products.compactMap { try? UnitExpression($0) }
      let units = (UnitExpression.named(in: dialect) + products).filter {
        wanted == nil || $0.dimension == wanted
      }
      let rows = DimensionName.groups(of: units).flatMap { name, units in
        units.map { (name: name, unit: $0) }
      }
      let answer = AnswerRows(rows)
      let table = AnswerTable(
        "units", list: "units", count: answer.count, zones: ZoneTimeline(.gmt),
        head: [.init("dialect", .string(dialect.rawValue))],
        [
          answer.word("measures", \.name), answer.text("unit") { $0.unit.text(in: dialect) },
          answer.truth("prefixes", about: "whether it takes one, as in kilo") {
            $0.unit.takesPrefix(in: dialect)
          },
          answer.text("size", about: "exact, in base units", \.unit.exactFactorText),
        ])
      try form.write(AnswerView(table, titles: ["size": "exact size in base units"], naming: [:]))
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
