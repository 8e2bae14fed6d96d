// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

import CHKStats
import HealthAnswers
import HealthExchange
import HealthQuery

/// What can be asked; see hkstats.h.
@c @implementation public func hkstats_describe(
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let place = try place(json, "json")
    func list(_ entries: [(name: String, members: [JSON])]) -> JSON {
      .array(
        entries.map {
          .object([.init("name", .string($0.name)), .init("members", .array($0.members))])
        })
    }
    let description = JSON.object([
      .init("tables", list(AskedTable.allCases.map { ($0.rawValue, $0.members) })),
      .init(
        "functions",
        list([
          ("hkstats_import", ImportRequest.Member.description),
          ("hkstats_merge", MergeRequest.Member.description),
        ])),
      .init("analyses", .array(try AnalysisMethod.all.map { try $0.init().description })),
    ])
    place.pointee = try copied(description.text)
  }
}

extension AnalysisParameters {
  /// What the library says of the method; where a type or intervals change its lists, both.
  fileprivate var description: JSON {
    get throws(QueryError) {
      func lists(of types: [String] = [], by interval: CalendarInterval? = nil) throws(QueryError)
        -> JSON
      {
        let plan = AnalysisPlan(method, of: try Question(types: types, by: interval))
        return .array(plan.lists.map(JSON.string))
      }
      let usual = try lists()
      let others: [JSON.Member] = [
        .init("listsOfTypes", try lists(of: ["steps"])),
        .init("listsOfIntervals", try lists(by: CalendarInterval(.week))),
      ]
      return .object(
        [
          .init("name", .string(Self.name)), .init("about", .string(Self.about)),
          .init("takesTypes", .bool(method.takesTypes)), .init("lists", usual),
        ] + others.filter { $0.value != usual } + [
          .init("parameters", .array(Self.facts.map(\.json)))
        ])
    }
  }
}
