import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// The members of a question in its JSON form, of which each function has its own.
private struct Request<Member: RawRepresentable & CaseIterable>: Decodable
where Member.RawValue == String {
  let members: Members<Member>

  init(from decoder: any Decoder) throws { members = try Members(decoder) }
}

extension Members {
  /// Reads an object; one without members for `nil`.
  ///
  /// - Throws: `QueryError`, which names the member
  init(json: String?) throws(QueryError) {
    do {
      let data = Data((json ?? "{}").utf8)
      self = try JSONDecoder().decode(Request<Member>.self, from: data).members
    } catch let error as QueryError {
      throw error
    } catch {
      throw QueryError(.notJSON)
    }
  }
}

extension Members {
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
  let period: StoredPeriod

  /// Reads the members that the caller names.
  init(
    from: String? = nil, to: String? = nil, timeZone: String?, zones: ZoneTimeline?,
    only: [String] = [], excluding: [String] = [], in store: SampleStore
  ) throws {
    guard timeZone == nil || zones == nil else {
      throw QueryError(.membersExclude("timezone", "zones"))
    }
    var question = try Question(types: [])
    (question.timeZone, question.zones) = (timeZone, zones)
    (question.onlySources, question.excludedSources) = (only, excluding)
    self.store = try store.choosingSources(of: question)
    period = try StoredPeriod(from: from, to: to, in: store.zones(of: question))
  }

  var zones: ZoneTimeline { period.zones }
}
