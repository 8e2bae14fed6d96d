import HealthAnswers
import HealthExchange
import HealthSamples
import HealthStore

/// The types of a store, as a table.
///
/// ```json
/// {"timezone": "Europe/Paris"}
/// ```
enum TypeTable {
  enum Member: String, RequestMember { case timezone, zones }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let members = try QuestionKeys<Member>(json: json)
    let zones = try RequestedPart(members, in: store).zones
    let types = try store.typeRows()
    try store.endWatching()
    return FoundTable(.types(types, in: zones))
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
  enum Member: String, RequestMember {
    case type, timezone, zones

    var own: MemberFacts? { self == .type ? .types : nil }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`, or `CatalogueError` for an unknown type
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let members = try QuestionKeys<Member>(json: json)
    let zones = try RequestedPart(members, in: store).zones
    let types = try members.sampleTypes(.type, in: store)
    let answer = try store.sourcesAnswer(of: types)
    try store.endWatching()
    return FoundTable(
      .sources(answer, of: types, in: zones),
      trailing: answer.isRanked
        ? [.init("unmatched", .array(answer.unmatchedNames.map(JSON.string)))] : [])
  }
}
