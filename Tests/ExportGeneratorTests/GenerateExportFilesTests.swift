import Foundation
import Testing
import _HealthTestSupport

@testable import ExportGenerator

@Suite("The files of a generated export")
struct GenerateExportFilesTests {
  private static func sample(_ language: String = "en_US") throws -> ExportPlan {
    let language = try #require(Language.all.first { $0.identifier == language })
    return try .sample(days: 23, version: .version14, density: 0.02, language: language)
  }

  private func folder(_ plan: ExportPlan, in scratch: TemporaryFolder) throws -> (URL, Truth) {
    let truth = try ExportFiles(plan: plan, detail: .counts).write(to: scratch.path("folder"))
    return (scratch.url("folder/apple_health_export"), truth)
  }

  private func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  @Test("Every route that a workout names is a file, and each file has its points")
  func routes() throws {
    let scratch = try TemporaryFolder()
    let (top, truth) = try folder(Self.sample(), in: scratch)
    let main = GenerateExportParser(try text(top.appendingPathComponent("export.xml")))
    let names = main.attributes(of: "FileReference").map { $0["path"] ?? "" }
    #expect(names == truth.routes.map(\.path) && !names.isEmpty)
    #expect(Set(names).count == names.count)
    #expect(truth.workouts.flatMap(\.routes) == names)
    let formatter = ISO8601DateFormatter()
    for route in truth.routes {
      let gpx = try text(top.appendingPathComponent(route.path))
      let parser = GenerateExportParser(gpx)
      #expect(parser.isWellFormed && parser.elements["trkpt"] == route.points)
      let times = try gpx.split(separator: "<time>").dropFirst(2).map {
        try #require(formatter.date(from: String($0.prefix { $0 != "<" })))
      }
      #expect(times.count == route.points && times == times.sorted())
      #expect(times.first?.timeIntervalSince1970 == Double(route.start))
    }
    #expect(
      truth.workouts.reduce(0) { $0 + $1.points } == truth.routes.reduce(0) { $0 + $1.points })
  }

  @Test("A route is named by the clock at its end")
  func routeNames() throws {
    let plan = try Self.sample()
    let zone = try #require(TimeZone(identifier: "Europe/Paris"))
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = zone
    formatter.amSymbol = "am"
    formatter.pmSymbol = "pm"
    formatter.dateFormat = "'/workout-routes/route_'yyyy-MM-dd_h.mma'.gpx'"
    for index in 0..<plan.timeline.count {
      for part in plan.workouts(of: plan.person.plan(ofDay: index)).flatMap(\.routedParts) {
        let end = Date(timeIntervalSince1970: Double(part.range.upperBound))
        #expect(plan.path(ofRoute: part) == formatter.string(from: end))
      }
    }
  }

  @Test(
    "Electrocardiograms have their voltages, with the marks of the language",
    arguments: [("en_US", "."), ("en_FR", ","), ("de_DE", ",")])
  func electrocardiograms(language: String, mark: String) throws {
    let scratch = try TemporaryFolder()
    let (top, truth) = try folder(Self.sample(language), in: scratch)
    #expect(!truth.electrocardiograms.isEmpty)
    for known in truth.electrocardiograms {
      let csv = try text(top.appendingPathComponent(known.path))
      let lines = csv.split(separator: "\n", omittingEmptySubsequences: false)
      let start = try #require(lines.firstIndex { $0.hasSuffix(",µV") }) + 2
      let numbers = lines[start...].dropLast().map { Double($0.replacing(mark, with: ".")) }
      #expect(numbers.count == known.voltages && !numbers.contains(nil))
      #expect(lines[start...].dropLast().allSatisfy { $0.contains(mark) })
      let sum = numbers.compactMap(\.self).reduce(0, +)
      #expect(abs(sum - known.sum) < 1e-6 * Double(known.voltages))
      #expect(csv.contains("Geburtstag") == (language == "de_DE"))
      #expect(csv.contains("\u{A0}Hertz") == (language == "de_DE"))
    }
  }

  @Test("Clinical records are where the main file says")
  func clinicalRecords() throws {
    let scratch = try TemporaryFolder()
    let (top, truth) = try folder(Self.sample(), in: scratch)
    #expect(!truth.clinicalRecords.isEmpty)
    for record in truth.clinicalRecords {
      let data = try Data(contentsOf: top.appendingPathComponent(record.path))
      let resource = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(resource["resourceType"] as? String == record.type)
      #expect(resource["id"] as? String == record.identifier)
    }
  }

  @Test("The main file has the name of the language, and beats the clock of the language")
  func languages() throws {
    for language in Language.all {
      let scratch = try TemporaryFolder()
      let (top, truth) = try folder(
        .sample(days: 2, density: 0.02, language: language), in: scratch)
      #expect(truth.mainFile == language.mainFile)
      let main = try text(top.appendingPathComponent(language.mainFile))
      let time = try #require(main.range(of: " time=\"").map { main[$0.upperBound...] })
        .prefix { $0 != "\"" }
      #expect((time.hasSuffix("AM") || time.hasSuffix("PM")) == language.hasTwelveHours)
      #expect(time.utf8.contains(language.decimalMark), "\(time)")
    }
  }

  @Test("An archive has the files of the folder, with what is known of them behind their data")
  func archive() throws {
    let scratch = try TemporaryFolder()
    let plan = try Self.sample()
    let (top, _) = try folder(plan, in: scratch)
    _ = try ExportFiles(plan: plan, detail: .counts).write(to: scratch.path("export.zip"))
    let entries = try ZipDirectory(Data(contentsOf: scratch.url("export.zip"))).entries
    let files = try #require(
      FileManager.default.enumerator(atPath: top.path)?.allObjects as? [String]
    )
    .filter { $0.contains(".") }
    #expect(Set(entries.map(\.name)) == Set(files.map { "apple_health_export/" + $0 }))
    for entry in entries {
      #expect(entry.localFlags & 8 != 0 && entry.localCount == 0 && entry.localChecksum == 0)
      let file = top.deletingLastPathComponent().appendingPathComponent(entry.name)
      #expect(try Data(contentsOf: file).count == entry.count)
    }
  }

  @Test("The same options give the same archive")
  func determinism() throws {
    let scratch = try TemporaryFolder()
    for name in ["one.zip", "two.zip"] {
      _ = try ExportFiles(plan: Self.sample(), detail: .counts).write(to: scratch.path(name))
    }
    #expect(
      try Data(contentsOf: scratch.url("one.zip")) == Data(contentsOf: scratch.url("two.zip")))
  }
}

/// The central directory of a zip archive below 4 GiB, and what the local headers say.
struct ZipDirectory {
  struct Entry {
    let name: String
    let count: Int
    let localFlags: Int
    let localChecksum: Int
    let localCount: Int
  }

  let entries: [Entry]

  init(_ data: Data) {
    let bytes = [UInt8](data)
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    var place = number(bytes.count - 6, 4)
    entries = (0..<number(bytes.count - 12, 2)).map { _ in
      let local = number(place + 42, 4)
      let name = number(place + 28, 2)
      defer { place += 46 + name + number(place + 30, 2) + number(place + 32, 2) }
      return Entry(
        name: String(decoding: bytes[(place + 46)..<(place + 46 + name)], as: UTF8.self),
        count: number(place + 24, 4), localFlags: number(local + 6, 2),
        localChecksum: number(local + 14, 4), localCount: number(local + 22, 4))
    }
  }
}
