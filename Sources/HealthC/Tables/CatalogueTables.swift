import HealthAnswers
import HealthExchange
import HealthSamples
import HealthStore

// Columns have the names of the csv of `hkstats types` and `hkstats sources`, and its numbers.

/// The types of a store, as a table.
///
/// ```json
/// {"timezone": "Europe/Paris"}
/// ```
enum TypeTable {
  enum Member: String, CaseIterable { case timezone, zones }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`
  static func answer(json: String, in store: SampleStore) throws -> Table {
    let members = try Members<Member>(json: json)
    let zones = try RequestedPart(members, in: store).zones
    let types = try store.typeRows()
    try store.endWatching()
    let data = types.map(\.summary)
    return Table(
      "types",
      [
        .words("type", data.map(\.type.identifier)),
        .integers("count", data.map(\.count)),
        .reals("share", unit: "1", types.map(\.share)),
        .instants("first", data.map(\.firstStart), in: zones),
        .instants("last", data.map(\.lastEnd), in: zones),
        .words("unit", types.map(\.unit)),
      ], count: types.count, head: JSON.object(zones.members).text)
  }
}

/// Who measured, and for one type whose measurement counts, as a table.
///
/// ```json
/// {"type": "steps"}
/// ```
///
/// The sources of one type have the columns `rank` and `preferred`, the highest rank first. Those of
/// several types, or of all, have the column `types` instead.
enum SourceTable {
  enum Member: String, CaseIterable { case type, timezone, zones }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`, or `CatalogueError` for an unknown type
  static func answer(json: String, in store: SampleStore) throws -> Table {
    let members = try Members<Member>(json: json)
    let zones = try RequestedPart(members, in: store).zones
    let types = try members.sampleTypes(.type, in: store)
    let answer = try store.sourcesAnswer(of: types)
    try store.endWatching()
    let rows = answer.rows
    var head: [JSON.Member] = []
    var columns: [Column] = []
    if answer.isRanked {
      head = types.prefix(1).map { .init("type", .string($0.identifier)) }
      columns = [
        .integers("rank", rows.indices.map { $0 + 1 }),
        .integers("preferred", rows.map(\.preference)),
      ]
    }
    head += zones.members
    if answer.isRanked {
      head.append(.init("unmatched", .array(answer.unmatchedNames.map(JSON.string))))
    }
    columns += [
      .words("source", rows.map(\.source.description)), .words("kind", rows.map(\.kind)),
      .words("device", rows.map(\.deviceName)),
    ]
    if !answer.isRanked { columns.append(.integers("types", rows.map(\.typeCount))) }
    columns += [
      .integers("count", rows.map(\.count)), .reals("share", unit: "1", rows.map(\.share)),
      .instants("first", rows.map(\.firstStart), in: zones),
      .instants("last", rows.map(\.lastEnd), in: zones),
    ]
    return Table("sources", columns, count: rows.count, head: JSON.object(head).text)
  }
}
