import ArgumentParser
import Foundation

/// Writes a made-up Apple Health export.
@main
struct GenerateExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-export",
    abstract: "Writes a made-up Apple Health export, the same one for the same options.",
    discussion: """
      The samples depend on --seed, --years, --until, --zone, --density and --size alone. The \
      UTC offset, the device addresses and the units only change how they are written, as they \
      do between two exports of one phone.

      EXAMPLES
        generate-export --out sample.zip
        generate-export --out big.xml --size 1GB
        generate-export --out later.zip --utc-offset +0200 --device-seed 8 --units imperial
      """)

  @Option(help: "The file to write: an archive when its name ends in .zip, else bare XML.")
  var out: String

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

  @Option(help: "The version of the document type; 12 is not well-formed.")
  var dtd = DocumentType.version13

  @Option(help: "Where the person lives.")
  var zone = "Europe/Paris"

  @Option(help: "The units of the person's choice.")
  var units = RecordUnit.Preference.metric

  @Option(help: "A file for what the export holds: counts by type, steps by day.")
  var truth: String?

  private static let mostYears = 100.0
  private static let mostYearsForSize = 12.0
  private static let defaultYears = 2.0
  private static let daysOfYear = 365.25

  func run() throws {
    let plan = try plan()
    var result: Truth
    if out.lowercased().hasSuffix(".zip") {
      result = try writeArchive(plan)
    } else {
      var writer = ExportWriter(plan: plan, sink: PlainSink(file: try OutputFile(path: out)))
      try writer.writeDocument()
      result = writer.truth
    }
    if let truth {
      let file = try OutputFile(path: truth)
      try file.write([UInt8](result.json.utf8))
    }
  }

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
    let years = years ?? Self.defaultYears
    guard years * Self.daysOfYear >= 1, years <= Self.mostYears else {
      throw ValidationError("--years takes a number from 0.003 to 100.")
    }
    let plan = self.plan(days: Int(years * Self.daysOfYear), until: until, zone: zone)
    guard let size else { return plan }
    let scaled = try self.plan(ofBytes: size.count, like: plan, until: until, zone: zone)
    guard let scaled else {
      throw ValidationError("No density gives so many bytes in so many years.")
    }
    return scaled
  }

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
    let end = Date(timeIntervalSince1970: Double(timeline.midnights.last ?? 0))
    return ExportPlan(
      person: Person(seed: seed, timeline: timeline), density: density, deviceSeed: deviceSeed,
      offset: utcOffset ?? UTCOffset(seconds: zone.secondsFromGMT(for: end)), documentType: dtd,
      preference: units)
  }

  private func writeArchive(_ plan: ExportPlan) throws -> Truth {
    let zip = try ZipWriter(path: out, wallClock: plan.exported + plan.offset.seconds)
    let isLarge = try plan.estimatedCount(days: 60) > 3_500_000_000
    var writer = ExportWriter(
      plan: plan, sink: try zip.begin("apple_health_export/export.xml", isLarge: isLarge))
    try writer.writeDocument()
    let truth = writer.truth
    try zip.end(writer.finish())
    try zip.add("apple_health_export/export_cda.xml", contents: [UInt8](clinicalDocument.utf8))
    try zip.finish()
    return truth
  }

  /// An export's other file, here without a single observation.
  private var clinicalDocument: String {
    """
    <?xml version="1.0"?>
    <ClinicalDocument xmlns="urn:hl7-org:v3">
     <realmCode code="US"/>
     <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
     <title>Health Data Export</title>
    </ClinicalDocument>

    """
  }
}

extension UTCOffset: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

extension DocumentType: ExpressibleByArgument {}
extension RecordUnit.Preference: ExpressibleByArgument {}

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
