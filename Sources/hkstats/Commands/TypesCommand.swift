import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthSamples
import HealthStore

/// `hkstats types`: lists the types of the store.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "What is there: each type, its count, dates and unit.",
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
      let types = try opened.store.typeRows()
      return Report(
        head: HeadMember.zones(zone), list: "types", count: types.count, zones: zone,
        columns: [
          .init("type") { row in
            let name = types[row].summary.type.identifier
            return .name(name, short: TypeName.short(name))
          },
          .shown("name") { .text(TypeName.title(types[$0].summary.type.identifier)) },
          .init("count", "samples", isNumber: true) { .count(types[$0].summary.count) },
          .init("share", isNumber: true) { .share(types[$0].share) },
          .init("first") { .instant(types[$0].summary.firstStart) },
          .init("last") { .instant(types[$0].summary.lastEnd) },
          .init("unit") { row in
            types[row].unit.map { .name($0, short: TypeName.unit($0, of: types[row].summary.type)) }
              ?? .none
          },
        ])
    } show: {
      try list.form.write($0)
    }
  }
}
