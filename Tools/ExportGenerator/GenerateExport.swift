package import ArgumentParser
import Foundation

/// Writes a made-up Apple Health export.
package struct GenerateExport: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "generate-export",
    abstract: "Writes a made-up Apple Health export, the same one for the same options.",
    discussion: """
      The samples depend on --profile, --seed, --years, --until, --zone, --density, --size and --with \
      alone. The UTC offset, the device addresses, the language, the units and the version change \
      how they are written, as they do between two exports of one phone; a version also leaves out \
      what it did not know.

      EXAMPLES
        generate-export --out sample.zip
        generate-export --out folder --profile iphone --dtd 8 --truth truth.json
        generate-export --out big.xml --size 1GB
        generate-export --out first.zip --years 1
        generate-export --out second.zip --years 1 --later 30 --utc-offset +0200 --device-seed 8
        generate-export --out export.zip --with foods,watches,unfinished --truth truth.json
        generate-export --out export.zip --with cycles,medications,moods --auto-export doses.json
      """)

  @Option(
    help: """
      What to write: an archive when its name ends in .zip, the main file alone when in .xml, else a \
      folder.
      """)
  var out: String

  @Option(help: "Whose phone it is.")
  var profile = Profile.watch

  @Option(help: "Decides the samples.")
  var seed: UInt64 = 1

  @Option(help: "How many years (default: 2, or what --size asks for, at most 12).")
  var years: Double?

  @Option(help: "The day after the last one.")
  var until = "2026-11-01"

  @Option(help: "About how long the XML is to be, such as 100MB, 1GB or 2GiB.")
  var size: ByteCount?

  @Option(help: "How often devices record, 1 being as often as real ones.")
  var density = 1.0

  @Option(help: "The offset of every date, such as +0100 (default: that of the zone at the end).")
  var utcOffset: UTCOffset?

  @Option(help: "Decides the memory addresses in device descriptions.")
  var deviceSeed: UInt64 = 7

  @Option(help: "The version of the format; ios8 and 12 are not well-formed.")
  var dtd = ExportVersion.version13

  @Option(
    help: """
      Makes the later of two exports of one phone, so many days after the one that the other options \
      tell: some of its records are coalesced or gone, some workouts have other numbers.
      """)
  var later: Int?

  @Option(help: "The version of the earlier export (default: that of --dtd).")
  var earlierDtd: ExportVersion?

  @Option(
    help: """
      What happens beside what the profile tells, with commas between: a diary with several foods of \
      one minute, a new watch of the same name beside the old one, an export on the morning of its \
      last day, menstrual cycles, doses of medications, states of mind.
      """)
  var with: Additions?

  @Option(
    help: """
      A file as the app Health Auto Export writes it, for medications and moods: exports of the \
      Health app have neither.
      """)
  var autoExport: String?

  @Option(help: "Where the person lives.")
  var zone = "Europe/Paris"

  @Option(help: "The language and region of the phone.")
  var language = Language.all[0]

  @Option(help: "The units of the person's choice.")
  var units = RecordUnit.Preference.metric

  @Option(help: "A file for what the export holds: counts, sums by day, every workout and route.")
  var truth: String?

  private static let mostYears = 100.0
  private static let mostYearsForSize = 12.0
  private static let defaultYears = 2.0
  private static let daysOfYear = 365.25
  private static let mostLater = 1...3_650

  package init() {}

  package func run() throws {
    let plan = try plan()
    // A write beyond a limit of file sizes fails like one to a full disk, with a sentence.
    signal(SIGXFSZ, SIG_IGN)
    do {
      var result = try ExportFiles(plan: plan, detail: truth == nil ? .counts : .days)
        .write(to: out)
      if let autoExport { try AutoExportFile(plan: plan).write(to: autoExport, truth: &result) }
      if let truth { try OutputFile(path: truth).write(try result.json()) }
    } catch let error as OutputError {
      FileHandle.standardError.write(Data("generate-export: \(error)\n".utf8))
      throw ExitCode(Self.inputOutput)
    }
  }

  /// The exit code of `sysexits.h` for a file that cannot be written.
  private static let inputOutput: Int32 = 74

  private func plan() throws -> ExportPlan {
    guard let zone = TimeZone(identifier: zone) else {
      throw ValidationError("There is no time zone “\(zone)”.")
    }
    guard let until = CivilDate(until) else {
      throw ValidationError("--until takes a day such as 2026-11-01, not “\(until)”.")
    }
    guard ExportPlan.densities.contains(density) else {
      throw ValidationError("--density takes a number from 0.01 to 100.")
    }
    if let later, !Self.mostLater.contains(later) {
      throw ValidationError("--later takes a number of days from 1 to 3650.")
    }
    if earlierDtd != nil, later == nil {
      throw ValidationError("--earlier-dtd belongs to --later.")
    }
    guard (autoExport == nil) == additions.isDisjoint(with: Addition.ofAutoExport) else {
      throw ValidationError("--auto-export belongs to --with medications or moods, and they to it.")
    }
    let years = years ?? Self.defaultYears
    guard years * Self.daysOfYear >= 1, years <= Self.mostYears else {
      throw ValidationError("--years takes a number from 0.003 to 100.")
    }
    var plan = self.plan(days: Int(years * Self.daysOfYear), until: until, zone: zone)
    if let size {
      let scaled = try self.plan(ofBytes: size.count, like: plan, until: until, zone: zone)
      guard let scaled else {
        throw ValidationError("No density gives so many bytes in so many years.")
      }
      plan = scaled
    }
    return later.map { plan.later(byDays: $0, from: earlierDtd ?? dtd, zone: zone, utcOffset) }
      ?? plan
  }

  private var additions: Set<Addition> { with?.all ?? [] }

  private func plan(
    ofBytes count: Int, like plan: ExportPlan, until: CivilDate, zone: TimeZone
  ) throws -> ExportPlan? {
    if years != nil { return try plan.scaled(toBytes: count) }
    let bytesOfDay = Double(try plan.estimatedCount()) / Double(plan.timeline.count)
    let days = min(Double(count) / bytesOfDay, Self.mostYearsForSize * Self.daysOfYear)
    return try self.plan(days: max(1, Int(days)), until: until, zone: zone)
      .scaled(toBytes: count)
  }

  private func plan(days: Int, until: CivilDate, zone: TimeZone) -> ExportPlan {
    let timeline = Timeline(days: days, until: until, zone: zone)
    return ExportPlan(
      person: Person(seed: seed, timeline: timeline, profile: profile, span: timeline.count),
      density: density, deviceSeed: deviceSeed,
      offset: utcOffset ?? timeline.lastOffset(in: zone), version: dtd, preference: units,
      language: language, additions: additions)
  }
}

extension UTCOffset: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

extension Profile: ExpressibleByArgument {}
extension RecordUnit.Preference: ExpressibleByArgument {}

extension ExportVersion: ExpressibleByArgument {
  init?(argument: String) {
    guard let index = Self.names.firstIndex(of: argument) else { return nil }
    self.init(rawValue: index)
  }

  var defaultValueDescription: String { name }
  static var allValueStrings: [String] { names }
}

extension Language: ExpressibleByArgument {
  init?(argument: String) {
    guard let language = Self.all.first(where: { $0.identifier == argument }) else { return nil }
    self = language
  }

  var defaultValueDescription: String { identifier }
  static var allValueStrings: [String] { all.map(\.identifier) }
}

/// A number of bytes, such as `100MB`.
struct ByteCount: ExpressibleByArgument {
  let count: Int

  private static let units: KeyValuePairs<String, Double> = [
    "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30, "kB": 1e3, "MB": 1e6, "GB": 1e9,
  ]

  /// Reads a number and its unit; from a megabyte to a hundred gigabytes.
  init?(argument: String) {
    let unit = Self.units.first { argument.hasSuffix($0.key) }
    let digits = argument.dropLast(unit?.key.count ?? 0)
    guard let number = Double(digits) else { return nil }
    let count = number * (unit?.value ?? 1)
    guard (1e6...1e11).contains(count) else { return nil }
    self.count = Int(count)
  }
}
