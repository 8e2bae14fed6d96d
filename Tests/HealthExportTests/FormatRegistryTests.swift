import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthExport

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
    mutating func next() -> ExportBatch? { nil }
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
      ExportReader.self, BeatsReader.self, HealthAutoExportReader.self,
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
    for path in try forms(#"{"other": [1, {"data": 2}]}"#, "other") {
      let error = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
      #expect(error?.reason == .notAnExport && error?.path == path)
    }
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
      ExportReader.self, HealthConnectReader.self, HealthAutoExportReader.self,
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
