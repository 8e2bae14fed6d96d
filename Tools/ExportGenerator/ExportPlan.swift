import Foundation

/// Everything that decides the text of an export.
struct ExportPlan {
  let person: Person
  /// How often devices record, 1 being as often as real ones.
  var density: Double
  /// Decides the memory addresses in device descriptions.
  let deviceSeed: UInt64
  let offset: UTCOffset
  let version: ExportVersion
  let preference: RecordUnit.Preference
  let language: Language
  /// The export of the same phone that this one comes after, if there is one.
  var earlier: EarlierExport?
  /// What happens beside what the profile tells.
  var additions: Set<Addition> = []

  /// The days of the export.
  var timeline: Timeline { person.timeline }

  /// What is recorded, in the order of the export.
  var streams: [RecordStream] {
    var streams = person.profile.streams
    if additions.contains(.foods) { streams = RecordStream.withDiary(streams) }
    if additions.contains(.cycles) { streams += RecordStream.cycles }
    return streams
  }

  /// The day that is not over when the export is made, if there is one.
  var unfinishedDay: Int? { additions.contains(.unfinished) ? timeline.count - 1 : nil }

  /// When the export was made: the morning after its last day, or that of an unfinished one.
  var exported: Int { exported(afterDays: timeline.count) }

  /// What iOS was on the phone on a day, which decides what it recorded.
  func version(ofDay day: Int) -> ExportVersion {
    if let earlier, day < earlier.days { return min(earlier.version, version) }
    return version
  }

  private func exported(afterDays days: Int) -> Int {
    additions.contains(.unfinished)
      ? timeline.instant(day: days - 1, second: 10 * 3_600 + 37 * 60)
      : timeline.midnights[days] + 9 * 3_600
  }

  /// The plan of an export that the same phone makes some days later; without `offset` it has that
  /// of the zone.
  func later(
    byDays count: Int, from version: ExportVersion, zone: TimeZone, _ offset: UTCOffset?
  ) -> ExportPlan {
    let timeline = timeline.extended(byDays: count, zone: zone)
    return ExportPlan(
      person: Person(
        seed: person.seed, timeline: timeline, profile: person.profile, span: person.span),
      density: density, deviceSeed: deviceSeed,
      offset: offset ?? timeline.lastOffset(in: zone), version: self.version,
      preference: preference, language: language,
      earlier: EarlierExport(days: self.timeline.count, version: version), additions: additions)
  }
}

/// An export that the same phone made before.
struct EarlierExport {
  /// The number of its days.
  let days: Int
  let version: ExportVersion
}

extension ExportPlan {
  /// How many of a thousand records are there twice.
  private static var copiesPerThousand: Double { 4 }
  /// One of how many old records the person deleted between the exports.
  private static var rowsForOneDeleted: UInt64 { 400 }

  /// The rows of a stream on a day, in the order in which the export has them.
  func rows(of stream: RecordStream, on day: DayPlan) -> [Row] {
    guard let earlier, day.index < earlier.days else {
      return rows(of: stream, on: day, seenAt: exported)
    }
    var rows = rows(of: stream, on: day, seenAt: exported)
    if !stream.isPartOfCorrelation {
      rows.removeAll { $0.mark(stream.key) % Self.rowsForOneDeleted == 0 }
    }
    if stream.isCondensed, day.index < earlier.days / 3 { rows = rows.condensed() }
    return rows
  }

  /// The rows that the earlier export had of a stream on a day.
  func earlierRows(of stream: RecordStream, on day: DayPlan) -> [Row] {
    guard let earlier, day.index < earlier.days else { return [] }
    return rows(of: stream, on: day, seenAt: exported(afterDays: earlier.days))
  }

  private func rows(of stream: RecordStream, on day: DayPlan, seenAt now: Int) -> [Row] {
    guard stream.since <= version(ofDay: day.index) else { return [] }
    var recorder = DayRecorder(
      day: day, density: density, hasSleepStages: version(ofDay: day.index).hasSleepStages,
      chance: Chance(seed: person.seed, stream: stream.key, day: day.index))
    stream.model.addRows(&recorder)
    if additions.contains(.watches), version(ofDay: day.index).hasDevices {
      TwoWatches(day: day, span: person.span)?.write(&recorder.rows, of: stream)
    }
    recorder.finish(copiesPerThousand: Self.copiesPerThousand, reversed: stream.isReversed)
    var rows = recorder.rows
    rows.removeAll { $0.created > now }
    if additions.contains(.unfinished) { rows.removeAll { $0.end > now } }
    return rows
  }
}

extension ExportPlan {
  /// About how many bytes the main file will have, judged by some of its days.
  func estimatedCount(days: Int = 365) throws(OutputError) -> Int {
    let step = max(1, timeline.count / days)
    let sampled = Array(stride(from: step / 2, to: timeline.count, by: step))
    var writer = ExportWriter(plan: self, sink: CountingSink(), detail: .counts)
    try writer.writeElements(ofDays: sampled)
    let share = Double(timeline.count) / Double(max(1, sampled.count))
    return Int(Double(writer.finish().count) * share)
  }

  /// How often devices may record: from hardly ever to every second.
  static let densities = 0.01...100.0

  /// The same plan with the density at which the export has about `count` bytes, or nothing when
  /// none of ``densities`` gives so many.
  func scaled(toBytes count: Int) throws(OutputError) -> ExportPlan? {
    var plan = self
    var before: (density: Double, missing: Double)?
    var best: (plan: ExportPlan, missing: Double)?
    for _ in 0..<8 {
      let estimate = Double(try plan.estimatedCount())
      let missing = Double(count) - estimate
      if abs(missing) < best?.missing ?? .infinity { best = (plan, abs(missing)) }
      if abs(missing) < 0.002 * Double(count) { break }
      let density = plan.density
      // Part of an export does not depend on the density, so the secant through two of them is
      // right where their ratio is not.
      let next =
        before.map { density - missing * (density - $0.density) / (missing - $0.missing) }
        ?? density * Double(count) / estimate
      guard next.isFinite else { break }
      before = (density, missing)
      let bounds = Self.densities.clamped(to: density / 10...density * 10)
      plan.density = min(max(next, bounds.lowerBound), bounds.upperBound)
    }
    return best.flatMap { $0.missing < 0.01 * Double(count) ? $0.plan : nil }
  }
}
