public import Foundation
import HealthMerge
public import HealthQuery
import HealthStatistics

extension Question: Codable {
  /// The members of the JSON form.
  package enum Member: String, CaseIterable {
    case type, by, from, to, anchor, timezone, zones, stat, per, clip, during, merge, prefer, source
    case exclude, style, hold, bySource, explain, exact, unit
    case group, rolling, top, least, above, below, streaks, gaps, spread, compare
  }

  /// Reads the JSON form.
  ///
  /// - Throws: `QueryError`, which names the member
  public init(json: Data) throws(QueryError) {
    self = try JSONDecoder().question(from: json)
  }

  /// Decodes the JSON form; a member that is left out or null has its default.
  ///
  /// - Throws: `QueryError`
  public init(from decoder: any Decoder) throws { try self.init(decoder, besides: []) }

  /// Decodes the JSON form, which may have other members.
  package init(_ decoder: any Decoder, besides others: [String]) throws {
    try self.init(members: try QuestionKeys<Member>(decoder, besides: others))
  }

  /// Reads the members of a question, which may be among others and may lack types.
  init(members: QuestionKeys<Member>, needsTypes: Bool = true) throws {
    let shared = try TypeQuestion.Shared(
      statistics: members.statistics(.stat), unit: members.text(.unit),
      policy: members.word(.merge, QuestionWords.policy), preferred: members.texts(.prefer))
    types = try members.types(.type, shared, isNeeded: needsTypes)
    interval = try members.word(.by, QuestionWords.interval)
    (from, to) = (try members.text(.from), try members.text(.to))
    (anchor, timeZone) = (try members.text(.anchor), try members.text(.timezone))
    zones = try members.zones(.zones)
    average = try members.word(.per, QuestionWords.average)
    clips = try members.truth(.clip)
    during = try members.word(.during) { try QuestionWords.word(.sampleTime, $0) }
    (onlySources, excludedSources) = (try members.texts(.source), try members.texts(.exclude))
    style = try members.word(.style, QuestionWords.style)
    hold = try members.seconds(.hold)
    (separatesSources, explains) = (try members.truth(.bySource), try members.truth(.explain))
    isExact = try members.truth(.exact)
    derivation = try .of(
      group: members.word(.group, QuestionWords.group), rolling: members.count(.rolling),
      top: members.count(.top), least: members.truth(.least), above: members.number(.above),
      below: members.number(.below), streaks: members.truth(.streaks),
      gaps: members.truth(.gaps), spread: members.truth(.spread),
      compare: members.word(.compare, QuestionWords.comparison))
    guard timeZone == nil || zones == nil else {
      throw QueryError(.membersExclude("timezone", "zones"))
    }
  }

  /// Encodes the JSON form, without members that have their default.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: AnyKey.self)
    try encode(to: &members)
  }

  /// Encodes the members into an object that may have others.
  func encode(to members: inout KeyedEncodingContainer<AnyKey>) throws {
    func put(_ value: (some Encodable)?, _ member: Member) throws {
      if let value { try members.encode(value, forKey: AnyKey(member.rawValue)) }
    }
    func put(_ texts: [String], _ member: Member) throws {
      if !texts.isEmpty { try members.encode(texts, forKey: AnyKey(member.rawValue)) }
    }
    func put(_ truth: Bool, _ member: Member) throws {
      if truth { try members.encode(truth, forKey: AnyKey(member.rawValue)) }
    }
    if !types.isEmpty { try members.encode(types, forKey: AnyKey(Member.type.rawValue)) }
    try put(interval?.text, .by)
    try put(from, .from)
    try put(to, .to)
    try put(anchor, .anchor)
    try put(timeZone, .timezone)
    try put(zones.map(CodedZones.init), .zones)
    try put(average?.rawValue, .per)
    try put(clips, .clip)
    try put(during?.rawValue, .during)
    try put(onlySources, .source)
    try put(excludedSources, .exclude)
    try put(style?.text, .style)
    try put(hold, .hold)
    try put(separatesSources, .bySource)
    try put(explains, .explain)
    try put(isExact, .exact)
    switch derivation {
    case .group(let group): try put(group.rawValue, .group)
    case .rolling(let width): try put(width, .rolling)
    case .top(let count, let least):
      try put(count, .top)
      try put(least, .least)
    case .bounded(let bounds):
      try put(bounds.lower, .above)
      try put(bounds.upper, .below)
      try put(bounds.findsStreaks, .streaks)
    case .gaps: try put(true, .gaps)
    case .spread: try put(true, .spread)
    case .compared(let other): try put(other.rawValue, .compare)
    case nil: break
    }
  }
}

extension TypeQuestion: Codable {
  /// The members of the object that gives one type what only it needs; each is one of a question, too.
  package enum Member: String, CaseIterable {
    case type, stat, unit, merge, prefer
  }

  /// What the question gives for all types.
  struct Shared {
    let statistics: [Statistic]?
    let unit: String?
    let policy: MergePolicy?
    let preferred: [String]
  }

  mutating func take(_ shared: Shared) {
    statistics = statistics ?? shared.statistics
    unit = unit ?? shared.unit
    if let merge = shared.policy, policy == .healthKit { policy = merge }
    if preferredSources.isEmpty { preferredSources = shared.preferred }
  }

  /// Decodes a text such as `heartRate.max`, or an object with what only this type needs.
  ///
  /// - Throws: `QueryError`
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      try self.init(text)
      return
    }
    let members = try QuestionKeys<Member>(decoder)
    guard let text = try members.text(.type) else { throw QueryError(.missingMember("type")) }
    try self.init(text)
    statistics = try members.statistics(.stat)
    if let unit = try members.text(.unit) { self.unit = unit }
    policy = try members.word(.merge, QuestionWords.policy) ?? .healthKit
    preferredSources = try members.texts(.prefer)
  }

  /// Encodes a text where the name says all, else an object.
  public func encode(to encoder: any Encoder) throws {
    guard statistics != nil || unit != nil || policy != .healthKit || !preferredSources.isEmpty
    else {
      var text = encoder.singleValueContainer()
      return try text.encode(label)
    }
    var members = encoder.container(keyedBy: AnyKey.self)
    try members.encode(label, forKey: AnyKey(Member.type.rawValue))
    try members.encodeIfPresent(
      statistics.map { $0.map(\.rawValue) }, forKey: AnyKey(Member.stat.rawValue))
    try members.encodeIfPresent(unit, forKey: AnyKey(Member.unit.rawValue))
    if policy != .healthKit {
      try members.encode(policy.rawValue, forKey: AnyKey(Member.merge.rawValue))
    }
    if !preferredSources.isEmpty {
      try members.encode(preferredSources, forKey: AnyKey(Member.prefer.rawValue))
    }
  }
}

/// The zones of a traveller: `[{"from": null, "zone": "Europe/Paris"}, …]`, as answers have them.
struct CodedZones: Codable {
  private struct Entry: Codable {
    let from: String?
    let zone: String
  }

  private let entries: [Entry]

  init(_ timeline: ZoneTimeline) {
    entries =
      [Entry(from: nil, zone: timeline.first.name)]
      + timeline.changes.map {
        Entry(from: LocalTime($0.instant, in: $0.zone).isoText, zone: $0.zone.name)
      }
  }

  init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

  func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }

  /// - Throws: `QueryError`, in which a line is an entry
  var timeline: ZoneTimeline {
    get throws(QueryError) {
      try ZoneTimeline(
        text: entries.map { entry in
          let words = [entry.from ?? "", entry.zone]
          return words.joined(separator: " ").replacing("\n", with: " ").replacing("#", with: "?")
        }.joined(separator: "\n"))
    }
  }
}
