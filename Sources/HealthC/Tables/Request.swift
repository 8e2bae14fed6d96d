import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// A member of what a function is asked for, which the library describes.
protocol RequestMember: RawRepresentable, CaseIterable, Sendable where RawValue == String {
  /// What the member is where it is not the one of this name of a question about intervals.
  var own: MemberFacts? { get }
}

extension RequestMember {
  var own: MemberFacts? { nil }

  /// What the member is.
  var facts: MemberFacts {
    own ?? Question.Member(rawValue: rawValue)?.facts ?? MemberFacts(.text, "")
  }

  /// What the library says of all members.
  static var description: [JSON] { allCases.map { $0.facts.json(named: $0.rawValue) } }
}

extension MemberFacts {
  static let types = MemberFacts(.texts, "The type, or several.")
  static let order = MemberFacts(
    oneOf: SampleRequest.Order.allCases.map(\.rawValue), "By time, or the newest first.")
  static let limit = MemberFacts(.count, "No more than so many.")
  static let times = MemberFacts(
    oneOf: TimeForm.allCases.map(\.rawValue),
    "The form of times: timestamp, or seconds since 2001-01-01 UTC as float64.")
}

/// The members of a question in its JSON form, of which each function has its own.
private struct Request<Member: RawRepresentable & CaseIterable>: Decodable
where Member.RawValue == String {
  let members: QuestionKeys<Member>

  init(from decoder: any Decoder) throws { members = try QuestionKeys(decoder) }
}

extension QuestionKeys {
  /// Reads an object.
  ///
  /// - Throws: `QueryError`, which names the member
  init(json: String) throws(QueryError) {
    let request: Request<Member> = try JSONDecoder().question(from: Data(json.utf8))
    self = request.members
  }
}

extension QuestionKeys {
  /// The types of a member: names, or texts of several with commas between; none where it is left out.
  ///
  /// - Throws: `QueryError`, or `CatalogueError` for a name that neither HealthKit nor the store has
  func sampleTypes(_ member: Member, in store: SampleStore) throws -> [SampleType] {
    let names = try texts(member)
    guard !names.isEmpty else { return [] }
    let stored = try store.types().map(\.type)
    return try names.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { try Catalogue.type(named: String($0), besides: stored) }
  }
}

extension Decoder {
  /// A member that only a table has, beside those of the question; `nil` where it is left out.
  ///
  /// - Throws: `QueryError`, which names the member
  func member<Value: Decodable>(_ name: String, _ form: QueryError.MemberForm) throws -> Value? {
    do {
      return try container(keyedBy: AnyKey.self).decodeIfPresent(Value.self, forKey: AnyKey(name))
    } catch {
      throw QueryError(.wrongMember(name, form))
    }
  }
}

/// How a table gives times.
enum TimeForm: String, CaseIterable {
  /// Instants in microseconds, in a zone.
  case timestamp
  /// Seconds since 2001-01-01 UTC, as the engine has them.
  case seconds

  /// A column of times.
  func field(_ name: String, in zones: ZoneTimeline) -> Field {
    switch self {
    case .timestamp: .instant(name, in: zones)
    case .seconds: .real(name, unit: "s", [Fact("epoch", "2001-01-01T00:00:00Z")])
    }
  }

  /// The values of a column of times.
  func values(_ instants: [Double], known: [Bool]? = nil) -> ColumnValues {
    switch self {
    case .timestamp: .instants(instants, known: known)
    case .seconds: .reals(instants, known: known)
    }
  }

  /// The values of a column of times of which some are not known.
  func values(_ instants: [Double?]) -> ColumnValues {
    self == .timestamp ? .instants(instants) : .reals(instants)
  }
}

extension Field {
  /// A column of instants, shown in the zone of an answer; in UTC where a traveller has several.
  static func instant(_ name: String, in zones: ZoneTimeline) -> Field {
    Field(name, .instant(zone: zones.arrowZone))
  }
}

extension ZoneTimeline {
  /// The zone as Arrow's readers know it: an identifier, or an offset such as `+05:30`.
  var arrowZone: String {
    guard changes.isEmpty else { return "UTC" }
    let name = identifier
    // Foundation's name of a fixed offset: GMT+0530.
    guard name.hasPrefix("GMT"), name.count == 8 else { return name }
    return name.dropFirst(3).prefix(3) + ":" + name.suffix(2)
  }
}

/// The period, zones and sources of a question, in one place for all that have them.
struct RequestedPart {
  let store: SampleStore
  /// The edges.
  let asked: QueryPeriod
  let period: StoredPeriod

  /// Reads `from`, `to`, `timezone`, `zones`, `source` and `exclude`, those of them that a question has.
  init<Member>(_ members: QuestionKeys<Member>, in store: SampleStore) throws {
    func text(_ name: String) throws -> String? {
      try Member(rawValue: name).flatMap { try members.text($0) }
    }
    func texts(_ name: String) throws -> [String] {
      try Member(rawValue: name).map { try members.texts($0) } ?? []
    }
    var question = try Question(types: [])
    question.timeZone = try text("timezone")
    question.zones = try Member(rawValue: "zones").flatMap { try members.zones($0) }
    guard question.timeZone == nil || question.zones == nil else {
      throw QueryError(.membersExclude("timezone", "zones"))
    }
    (question.onlySources, question.excludedSources) = (try texts("source"), try texts("exclude"))
    self.store = try store.choosingSources(of: question)
    let zones = try store.zones(of: question)
    asked = try QueryPeriod(from: text("from"), to: text("to"), in: zones, now: store.now.instant)
    period = StoredPeriod(range: try asked.range, zones: zones)
  }

  var zones: ZoneTimeline { period.zones }
}
