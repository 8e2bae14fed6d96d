import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthStore

/// The time zones of days.
struct ZoneOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The zone whose days count, such as Europe/Paris; or recorded, for the zones that the samples name one after another. Else what hkstats zones set says, else the offsets with which dates of Health Auto Export and Health Connect are written, else that of this machine.",
      valueName: "zone"),
    completion: .askedZones)
  var timezone: String?

  @Option(
    help: ArgumentHelp(
      "A list of the zones lived in, one a line: a date, and the zone from then on. hkstats zones prints one.",
      valueName: "file"),
    completion: .file())
  var timezoneFile: String?

  func validate() throws {
    if timezone != nil, timezoneFile != nil {
      throw ValidationError("Give either --timezone or --timezone-file.")
    }
  }

  /// Whether neither the query nor the store has a zone.
  func isAssumed(in store: SampleStore) throws -> Bool {
    try timezone == nil && timezoneFile == nil && store.defaultZone() == nil
  }

  /// The zones: as requested, as set in the store, or else those of its dates or of the machine.
  func zones(in store: SampleStore) throws -> ZoneTimeline {
    if timezone == "recorded", timezoneFile == nil { return try Self.recordedZones(in: store) }
    if let zones = try requestedZones() { return zones }
    guard let timezone = try store.defaultZone() else { return try store.assumedZones() }
    guard timezone == "recorded" else { return ZoneTimeline(try .named(timezone)) }
    return try Self.recordedZones(in: store)
  }

  /// The zones as requested, without those of samples; `nil` where none are.
  func requestedZones() throws -> ZoneTimeline? {
    if let timezoneFile {
      let bytes = try BoundedInput.bytes(
        of: FileHandle(forReadingAtPath: timezoneFile), named: timezoneFile,
        limit: Self.largestFile, kind: "list of zones")
      return try ZoneTimeline(text: String(decoding: bytes, as: UTF8.self))
    }
    guard let timezone, timezone != "recorded" else { return nil }
    return ZoneTimeline(try .named(timezone))
  }

  /// The zones of samples; unknown ones are listed on stderr.
  static func recordedZones(in store: SampleStore) throws -> ZoneTimeline {
    let recorded = try store.recordedZones()
    let unknown = recorded.unknownZones
    if !unknown.isEmpty {
      let names = unknown.prefix(3).map(\.printable).joined(separator: ", ")
      StandardError.note(
        "samples name \(AmountText.count(unknown.count, "time zone")) that this machine does not "
          + "know, and count without: \(names)\(unknown.count > 3 ? ", …" : "").")
    }
    return try ZoneTimeline(recorded: recorded)
  }

  /// More than anyone's journeys.
  private static let largestFile = 1 << 20
}
