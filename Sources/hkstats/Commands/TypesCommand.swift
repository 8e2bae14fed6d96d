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
      let types = try opened.store.typeRows()
      let table = AnswerTable.types(types, in: try list.zone.zones(in: opened.store))
      return AnswerView(
        table,
        showing: [
          .init("type") { TypeName.short(types[$0].summary.type.identifier) },
          .init("name") { TypeName.title(types[$0].summary.type.identifier) },
          table.shown("count", "samples"), table.shown("share"), table.shown("first"),
          table.shown("last"),
          .init("unit") { row in
            types[row].unit.map { TypeName.unit($0, of: types[row].summary.type) }
          },
        ])
    } show: {
      try list.form.write($0)
    }
  }
}
