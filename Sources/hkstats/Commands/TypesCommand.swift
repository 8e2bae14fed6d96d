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
      var listing = Listing([
        .init("type"), .init("count", "samples", isNumber: true), .init("share", isNumber: true),
        .init("first"), .init("last"), .init("unit"),
      ])
      for summary in types {
        let identifier = summary.type.identifier
        listing.rows.append([
          .name(identifier, short: TypeName.short(identifier)), .count(summary.count),
          .share(Double(summary.count) / Double(total)), .instant(summary.firstStart, zone),
          .instant(summary.lastEnd, zone), summary.recordedUnit.map { .text($0) } ?? .none,
        ])
      }
      return listing
    } show: {
      try list.write($0)
    }
  }
}
