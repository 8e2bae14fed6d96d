import Foundation

extension ExportPlan {
  /// A plan for tests: short, and in a zone whose clocks change in it.
  static func sample(
    seed: UInt64 = 1, days: Int = 9, offset: String = "+0100", deviceSeed: UInt64 = 7,
    version: ExportVersion = .version13, preference: RecordUnit.Preference = .metric,
    density: Double = 1, profile: Profile = .watch, language: Language = Language.all[0],
    additions: Set<Addition> = []
  ) throws -> ExportPlan {
    guard let zone = TimeZone(identifier: "Europe/Paris"), let until = CivilDate("2026-11-01"),
      let offset = UTCOffset(offset)
    else { throw CocoaError(.formatting) }
    return ExportPlan(
      person: Person(
        seed: seed, timeline: Timeline(days: days, until: until, zone: zone), profile: profile,
        span: days),
      density: density, deviceSeed: deviceSeed, offset: offset, version: version,
      preference: preference, language: language, additions: additions)
  }

  /// The export that the same phone makes some days later.
  func laterSample(days: Int, from version: ExportVersion, offset: String) throws -> ExportPlan {
    guard let zone = TimeZone(identifier: timeline.zoneName), let offset = UTCOffset(offset) else {
      throw CocoaError(.formatting)
    }
    return later(byDays: days, from: version, zone: zone, offset)
  }
}
