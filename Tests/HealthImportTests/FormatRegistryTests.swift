import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("The registry of formats")
struct FormatRegistryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A second JSON format: `{"beats": […], …}`.
  private struct BeatsReader: FormatReader {
    static let written = ImportFormat.simpleHealthExport
    static let programName = "Beats"
    static let contentName = "JSON"

    static func recognises(_ probe: FileProbe) -> Bool {
      probe.outlines.contains { $0.keys.contains("beats") }
    }

    var format: ImportFormat { Self.written }
    var exported: Double? { nil }
    var byteCount = 0
    var bytesRead = 0
    var summary = ExportSummary()

    init(_ probe: FileProbe, isConcurrent: Bool) {}
    mutating func next() -> ImportBatch? { nil }
  }

  /// A bare file, a folder with it and an archive with it.
  private func forms(_ text: String, _ name: String) throws -> [String] {
    let inFolder = try folder.write(text, to: "folder-\(name)/\(name).json")
    let archive = ZipWriter([.init("inner/\(name).json", text)]).bytes
    return [
      inFolder, folder.path + "/folder-\(name)", try folder.write(archive, to: "\(name).zip"),
    ]
  }

  @Test("A second JSON format joins with one line, and takes no file of the first")
  func secondJSON() throws {
    let registry = FormatRegistry([
      ImportReader.self, BeatsReader.self, HealthAutoExportReader.self,
    ])
    let long = String(repeating: "1,", count: 100_000) + "1"
    for text in [#"{"beats": [1, 2], "data": 3}"#, #"{"beats": [\#(long)]}"#] {
      for path in try forms(text, "beats") {
        let probe = try FileProbe(path: path)
        #expect(registry.format(of: probe).programName == BeatsReader.programName)
        let reader = try AnyExportReader(probe, among: registry, isConcurrent: false)
        #expect(reader.format == BeatsReader.written)
      }
    }
    for text in [#"{"data": {"metrics": []}}"#, #"{"notes": [\#(long)], "data": {}}"#] {
      for path in try forms(text, "metrics") {
        let probe = try FileProbe(path: path)
        #expect(registry.format(of: probe).programName == HealthAutoExportReader.programName)
        let reader = try AnyExportReader(probe, among: registry, isConcurrent: false)
        #expect(reader.format == .healthAutoExport)
      }
    }
  }

  @Test("A JSON file without data is of no format, with an error that says so")
  func otherJSON() throws {
    let reasons: [ExportError.Reason] = [.otherFormat(.json), .noExportInside, .notAnExport]
    for (path, reason) in zip(try forms(#"{"other": [1, {"data": 2}]}"#, "other"), reasons) {
      let error = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
      #expect(error?.reason == reason && error?.path == path)
    }
  }

  @Test(
    "What people take for an export is refused by its name, whatever that of the file",
    arguments: [
      ("%PDF-1.7\n", ExportError.Reason.otherFormat(.pdf)), ("SQLite format 3\0x", .notAnExport),
      ("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">", .otherFormat(.gpx)),
      ("<ClinicalDocument xmlns=\"urn:hl7-org:v3\">", .otherFormat(.clinicalDocument)),
      ("<TrainingCenterDatabase>", .otherFormat(.tcx)), ("<!DOCTYPE html>", .otherFormat(.webPage)),
      ("<plist/>", .otherFormat(.xml)), ("[1, 2]", .otherFormat(.json)),
      ("{\"a\": 1}", .otherFormat(.json)),
      ("\u{E}\u{10}..6789.FIT", .otherFormat(.fit)), ("some words", .notAnExport),
      ("a,b\n1,2\n", .missingColumns(["type", "startDate", "value"])),
      ("type;date\nx;y\n", .missingColumns(["value"])),
      (
        "Date/Time,Step Count (count)\n2024-03-09 10:00:00,5\n",
        .otherFormat(.healthAutoExportTable)
      ),
    ])
  func refusals(text: String, reason: ExportError.Reason) throws {
    for name in ["export.zip", "export.xml", "file"] {
      let path = try folder.write(text, to: name)
      let error = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
      if text.hasPrefix("SQLite") {
        #expect(error?.reason == .otherFormat(.database) || error?.reason == .damagedArchive)
      } else {
        #expect(error?.reason == reason && error?.path == path)
      }
    }
  }

  @Test("Archives of other programs are refused by their names")
  func otherArchives() throws {
    for (entry, format) in [
      ("xl/workbook.xml", ExportError.OtherFormat.spreadsheet),
      ("Takeout/Fitbit/steps.json", .takeout),
    ] {
      let path = try folder.write(ZipWriter([.init(entry, "<x/>")]).bytes, to: "a.zip")
      let error = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
      #expect(error?.reason == .otherFormat(format))
    }
    for format in ExportError.OtherFormat.allCases {
      let text = ExportError(.otherFormat(format), path: "a").description
      #expect(text.hasPrefix("a: is not an export but ") && text.hasSuffix("."))
    }
  }

  /// A folder of downloads without an export.
  private func downloads(_ name: String) throws -> String {
    for (file, text) in [
      ("notes.csv", "day,what\n1,2\n"), ("settings.json", "{\"data\": 1}"), ("a.xml", "<gpx/>"),
      ("photo.jpg", "\u{FF}\u{D8}"), ("things.db", "SQLite format 3\0"), ("cut.gz", "\u{1F}"),
      ("health.db", String(decoding: OwnFile.sealedMark, as: UTF8.self)),
      ("inner/b.csv", "c,d\n"),
    ] {
      _ = try folder.write(text, to: "\(name)/\(file)")
    }
    let archive = ZipWriter([.init("words.txt", "words")]).bytes
    _ = try folder.write(archive, to: "\(name)/words.zip")
    return "\(folder.path)/\(name)"
  }

  private static let candidates: [(name: String, bytes: [UInt8])] = [
    ("export.zip", ZipWriter([.init("apple_health_export/export.xml", export(record()))]).bytes),
    ("export.xml", Array(export(record()).utf8)),
    ("apple_health_export/Export.xml", Array(export(record()).utf8)),
    (
      "auto.json",
      Array(
        #"""
        {"data":{"metrics":[{"name":"step_count","units":"count","data":[
        {"date":"2024-03-09 15:04:05 -0700","qty":92}]}]}}
        """#.utf8)
    ),
    (
      "steps.csv",
      Array("type,startDate,unit,value\nStepCount,2024-03-09 15:04:05 -0700,count,92\n".utf8)
    ),
  ]

  @Test("The one export in a folder is read, among whatever other files", arguments: 0..<5)
  func oneInFolder(place: Int) throws {
    let path = try downloads("downloads")
    let empty = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
    #expect(empty?.reason == .noExportInside && empty?.path == path)
    let (name, bytes) = Self.candidates[place]
    _ = try folder.write(bytes, to: "downloads/\(name)")
    var reader = try AnyExportReader(path: path)
    guard case .records(let rows)? = try reader.next() else {
      Issue.record("no records")
      return
    }
    #expect(rows.values == [92])
    while try reader.next() != nil {}
    #expect(reader.summary.read == 1)
    #expect(reader.summary.files.contains { $0.hasPrefix(name) })
  }

  @Test("Several exports in a folder are refused by their names", arguments: 0..<5, 0..<5)
  func severalInFolder(one: Int, other: Int) throws {
    // Several xml are one export and others beside it.
    guard one < other, (one, other) != (1, 2) else { return }
    let path = try downloads("downloads")
    for place in [one, other] {
      _ = try folder.write(
        Self.candidates[place].bytes, to: "downloads/\(Self.candidates[place].name)")
    }
    let error = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
    guard case .severalExports(let names)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(names) == [Self.candidates[one].name, Self.candidates[other].name])
  }

  @Test("A damaged export in a folder without another is the error")
  func damagedInFolder() throws {
    _ = try folder.write(Self.candidates[0].bytes.dropLast(30), to: "some/export.zip")
    let error = #expect(throws: ExportError.self) {
      _ = try AnyExportReader(path: folder.path + "/some")
    }
    #expect(error?.reason == .truncatedArchive && error?.path.hasSuffix("/export.zip") == true)
  }

  @Test(
    "Each file is recognised by its own format alone",
    arguments: [
      ("<?xml version=\"1.0\"?><HealthData></HealthData>", ImportFormat.appleHealth),
      ("{\"data\": {}}", .healthAutoExport), ("type,startDate,value\n", .simpleHealthExport),
      ("SQLite format 3\0", .healthConnect),
    ])
  func alone(text: String, format: ImportFormat) throws {
    let probe = try FileProbe(path: try folder.write(text, to: "file"))
    let readers: [FormatRegistry.Format] = [
      ImportReader.self, HealthConnectReader.self, HealthAutoExportReader.self,
      SimpleHealthExportReader.self,
    ]
    #expect(readers.filter { $0.recognises(probe) }.map { $0.written } == [format])
  }

  @Test("Every format has a reader")
  func complete() {
    for format in ImportFormat.allCases {
      #expect(FormatRegistry.standard.format(writtenAs: format)?.written == format)
    }
  }
}
