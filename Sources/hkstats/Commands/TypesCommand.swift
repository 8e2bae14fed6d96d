import ArgumentParser
import HealthSamples
import HealthStore

/// `hkstats types`: lists the types of the store.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "What is there: every type with its count, dates and unit.",
    discussion: """
      EXAMPLES:
        hkstats types
        hkstats types --export export.zip --format csv
      """)

  @OptionGroup var query: QueryOptions
  @OptionGroup var list: ListOptions

  func run() throws {
    try query.ask { opened in
      let zone = try list.zone.zones(in: opened.store)
      let types = try opened.store.types()
        .sorted { ($1.count, $0.type.identifier) < ($0.count, $1.type.identifier) }
      let total = max(1, types.reduce(0) { $0 + $1.count })
      return Report(
        head: Report.Member.zones(zone), list: "types", count: types.count, zones: zone,
        columns: [
          .init("type") {
            .name(types[$0].type.identifier, short: TypeName.short(types[$0].type.identifier))
          },
          .init("count", "samples", isNumber: true) { .count(types[$0].count) },
          .init("share", isNumber: true) { .share(Double(types[$0].count) / Double(total)) },
          .init("first") { .instant(types[$0].firstStart) },
          .init("last") { .instant(types[$0].lastEnd) },
          .init("unit") { row in
            let type = types[row].type
            return types[row].recordedUnit
              .map { .text(type.printedUnit(type.shownUnit(recordedIn: $0))) } ?? .none
          },
        ])
    } show: {
      try list.form.write($0)
    }
  }
}
