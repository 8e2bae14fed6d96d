package import HealthAnswers
package import HealthQuery
package import HealthSamples
import HealthStore

// What a store has: its types, and who measured them.

extension AnswerTable {
  /// The types of a store.
  package static func types(_ types: [TypeRow], in zones: ZoneTimeline) -> AnswerTable {
    let rows = AnswerRows(types)
    return AnswerTable(
      "types", list: "types", count: rows.count, zones: zones, head: HeadMember.zones(zones),
      [
        rows.word("type", about: "the identifier of the type", \.summary.type.identifier),
        rows.count("count", about: "how many samples", \.summary.count),
        rows.number("share", unit: "1", about: "of all samples", \.share),
        rows.instant("first", about: "the first start", \.summary.firstStart),
        rows.instant("last", about: "the last end", \.summary.lastEnd),
        rows.word("unit", about: "in which people are shown it; null of categories", \.unit),
      ])
  }

  /// The sources of one type with their ranks, or of several types, or of all.
  ///
  /// - Parameters:
  ///   - answer: the sources
  ///   - types: the types that were asked for
  ///   - zones: the zones of instants
  /// - Returns: the table
  package static func sources(
    _ answer: SourcesAnswer, of types: [SampleType], in zones: ZoneTimeline
  ) -> AnswerTable {
    let rows = AnswerRows(answer.rows)
    let ranks: [AnswerColumn] = [
      .counts("rank", about: "from 1, the highest", .read { $0 + 1 }),
      rows.count(
        "preferred", about: "the place in the order that is set; null of others", \.preference),
    ]
    let names = [
      rows.word("source", about: "the name of the source", \.source.description),
      rows.word("kind", about: "watch, phone, by hand, other", \.kind),
      rows.word("device", about: "null where the samples name none", \.deviceName),
    ]
    let numbers = [rows.count("types", about: "how many types it has", \.typeCount)]
    let data = [
      rows.count("count", about: "how many samples", \.count),
      rows.number("share", unit: "1", about: "of all samples", \.share),
      rows.instant("first", about: "the first start", \.firstStart),
      rows.instant("last", about: "the last end", \.lastEnd),
    ]
    let type = types.prefix(answer.isRanked ? 1 : 0).map {
      HeadMember("type", .string($0.identifier))
    }
    return AnswerTable(
      "sources", list: "sources", count: rows.count, zones: zones,
      head: type + HeadMember.zones(zones),
      (answer.isRanked ? ranks : []) + names + (answer.isRanked ? [] : numbers) + data)
  }
}
