import CISAL
import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Archives and folders")
struct ArchiveTests {
  private let folder: TemporaryFolder
  private let text: String

  init() throws {
    folder = try TemporaryFolder()
    var source = RandomExport(seed: 11)
    text = String(decoding: source.document(2000), as: UTF8.self)
  }

  private func read(_ entries: [ZipWriter.Entry], isLong: Bool = false) throws -> Reading {
    let archive = ZipWriter(entries, comment: "PK\u{5}\u{6} a comment", isLong: isLong)
    return try Reading(path: try folder.write(archive.bytes, to: "export.zip"))
  }

  private func expectWhole(_ reading: Reading) throws {
    let bare = try Reading(text)
    #expect(reading.records == bare.records)
    // Of the files beside the text the scanner alone knows nothing, and here there are none.
    var expected = bare.summary
    expected.files = reading.summary.files
    expected.missingFiles = reading.summary.missingFiles
    expected.unnamedFiles = reading.summary.unnamedFiles
    expected.unreadFiles = reading.summary.unreadFiles
    // The scanner gives routes as they are written.
    expected.leftOutLocations = reading.summary.leftOutLocations
    #expect(reading.summary == expected)
    #expect(expected.missingFiles <= bare.routes.count + bare.clinicalRecords.count)
  }

  @Test("Files that no element names, and a second export, are named instead of left out silently")
  func notRead() throws {
    let small = String(text.prefix(text.count / 2)) + "</HealthData>"
    let reading = try read([
      ZipWriter.Entry("a/export.xml", text), ZipWriter.Entry("b/export.xml", small),
      ZipWriter.Entry("a/workout-routes/lost.gpx", "<gpx/>"),
      ZipWriter.Entry("a/electrocardiograms/ecg.csv", "no signal"),
      ZipWriter.Entry("a/electrocardiograms/notes.csv", "day,pulse\n1,60\n"),
      ZipWriter.Entry("b/workout-routes/other.gpx", "<gpx/>"),
    ])
    let summary = reading.summary
    #expect(summary.files == ["a/export.xml"] && summary.otherExports == ["b/export.xml"])
    #expect(summary.unnamedFiles == 2 && summary.unreadableFiles == 1)
    let named = summary.unreadFiles.filter { $0.reason != .missing }
    #expect(
      named.map(\.path) == [
        "workout-routes/lost.gpx", "electrocardiograms/ecg.csv", "electrocardiograms/notes.csv",
      ])
    #expect(named.map(\.kind) == [.route, .electrocardiogram, .electrocardiogram])
    #expect(named.map(\.reason) == [.unnamed, .unreadable, .unnamed])
    #expect(summary.missingFiles == summary.unreadFiles.count - 3)
  }

  @Test("an archive as Apple writes it: deflated, with descriptors, beside a clinical document")
  func apple() throws {
    let reading = try read([
      ZipWriter.Entry("apple_health_export/export_cda.xml", text + text),
      ZipWriter.Entry("apple_health_export/workout-routes/route.gpx", "<gpx/>"),
      ZipWriter.Entry("apple_health_export/export.xml", text),
    ])
    try expectWhole(reading)
  }

  @Test(
    "whatever the name of the file",
    arguments: [
      "apple_health_export/导出.xml", "σ»╝σç║.xml", "apple_health_export/Export.XML", "exportar.xml",
    ])
  func localisedNames(name: String) throws {
    try expectWhole(
      try read([
        ZipWriter.Entry("__MACOSX/apple_health_export/._export.xml", text + text),
        ZipWriter.Entry("other.xml", "<plist>" + String(repeating: " ", count: 300_000)),
        ZipWriter.Entry(name, text),
      ]))
  }

  @Test("a name that is no UTF-8")
  func brokenName() throws {
    var entry = ZipWriter.Entry("", text)
    entry.name = [0xFF, 0xFE, 0x93] + Array(".xml".utf8)
    try expectWhole(try read([entry]))
  }

  @Test("stored entries, sizes in the header, and 64-bit sizes", arguments: [0, 8], [false, true])
  func variants(method: Int, isLong: Bool) throws {
    var entry = ZipWriter.Entry("export.xml", text)
    entry.method = method
    entry.isLong = isLong
    entry.hasDescriptor = isLong
    try expectWhole(try read([ZipWriter.Entry("a.txt", "x"), entry], isLong: isLong))
  }

  @Test("data that end too early give what is complete and where they end", arguments: [0, 8])
  func missing(method: Int) throws {
    var entry = ZipWriter.Entry("export.xml", text)
    entry.method = method
    entry.missing = 500
    let reading = try read([entry])
    #expect(try #require(reading.summary.cutAt) < text.utf8.count)
    #expect(reading.records.count > 500)
    #expect(try Reading(text).records.count > reading.records.count)
  }

  private func reason(_ bytes: [UInt8], _ limits: ImportLimits = .standard) throws -> ExportError? {
    let path = try folder.write(bytes, to: "file")
    return #expect(throws: ExportError.self) { try Reading(path: path, limits: limits) }
  }

  @Test("an archive cut anywhere says that its end is missing")
  func cut() throws {
    let archive = ZipWriter([ZipWriter.Entry("export.xml", export(record()))]).bytes
    for length in stride(from: 4, to: archive.count, by: 3) {
      #expect(try reason(Array(archive[..<length]))?.reason == .truncatedArchive)
    }
  }

  @Test("a wrong checksum is an error", arguments: [0, 8])
  func checksum(method: Int) throws {
    var entry = ZipWriter.Entry("export.xml", text)
    entry.method = method
    entry.checksumError = 1
    let error = try reason(ZipWriter([entry]).bytes)
    #expect(error?.reason == .checksumMismatch)
    #expect(error?.entry == "export.xml")
  }

  @Test("after an error a reader gives nothing more")
  func afterError() throws {
    var entry = ZipWriter.Entry("export.xml", text + String(repeating: " ", count: 1_200_000))
    entry.checksumError = 1
    let path = try folder.write(ZipWriter([entry]).bytes, to: "export.zip")
    var reader = try ImportReader(path: path)
    var hasFailed = false
    do { while try reader.next() != nil {} } catch { hasFailed = true }
    #expect(hasFailed)
    #expect(try reader.next() == nil)
  }

  @Test("other compressions and encryption are named")
  func unsupported() throws {
    var entry = ZipWriter.Entry("export.xml", text)
    entry.method = 93
    #expect(
      try reason(ZipWriter([entry]).bytes)?.reason == .unsupportedCompression(method: 93))
    entry.method = 0
    entry.isEncrypted = true
    #expect(try reason(ZipWriter([entry]).bytes)?.reason == .encrypted)
  }

  @Test("an archive without an export says so")
  func noExport() throws {
    let entries = [
      ZipWriter.Entry("a.txt", text), ZipWriter.Entry("export_cda.xml", text),
      ZipWriter.Entry("b.xml", "<plist/>"),
    ]
    #expect(try reason(ZipWriter(entries).bytes)?.reason == .noExportInside)
    #expect(try reason(ZipWriter([]).bytes)?.reason == .noExportInside)
  }

  @Test("a text longer than the limit, stated or not, is refused")
  func bomb() throws {
    let bomb = export(String(repeating: " ", count: 1_200_000))
    var entry = ZipWriter.Entry("export.xml", bomb)
    let limits = ImportLimits(textBytes: 100_000)
    #expect(try reason(ZipWriter([entry]).bytes, limits)?.reason == .tooLarge(limit: 100_000))
    entry.statedLength = 90_000
    #expect(try reason(ZipWriter([entry]).bytes, limits)?.reason == .damagedArchive)
    entry.isLong = true
    entry.statedLength = .max
    #expect(try reason(ZipWriter([entry]).bytes, limits)?.reason == .tooLarge(limit: 100_000))
  }

  @Test("with something before it or behind it an archive is still one", arguments: [false, true])
  func surrounded(isLong: Bool) throws {
    let entry = ZipWriter.Entry("apple_health_export/export.xml", text)
    let archive = ZipWriter([entry], isLong: isLong).bytes
    let junk = Array("Content-Type: application/zip\n\n".utf8)
    try expectWhole(try Reading(path: try folder.write(junk + archive, to: "before")))
    try expectWhole(try Reading(path: try folder.write(archive + junk, to: "behind")))
    #expect(try reason(junk + archive.dropLast(30))?.reason == .notAnExport)
  }

  @Test("an archive of more than 4 GiB, most of it a hole")
  func farAway() throws {
    let origin = 5 << 30
    let entry = ZipWriter.Entry("export.xml", text)
    var long = entry
    long.isLong = true
    let archive = ZipWriter([long], isLong: true, origin: UInt64(origin)).bytes
    let path = try folder.write(Array("PK\u{3}\u{4}".utf8), to: "far.zip")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(origin))
    try file.write(contentsOf: archive)
    try file.close()
    try expectWhole(try Reading(path: path))
  }

  @Test("more than 4 GiB of text, of whose length the archive kept the low 32 bits")
  func lostBits() throws {
    let piece = [UInt8](repeating: 0x20, count: 1 << 25)
    let packed = ZipWriter.deflate(piece, isLast: false)
    let count = (1 << 32) / piece.count
    var entry = ZipWriter.Entry("export.xml", "")
    var checksum: UInt32 = 0
    for _ in 0..<count { checksum = crc32_gzip_refl(checksum, piece, UInt64(piece.count)) }
    let end = Array(export(record()).utf8)
    checksum = crc32_gzip_refl(checksum, end, UInt64(end.count))
    var data: [UInt8] = []
    for _ in 0..<count { data += packed }
    entry.packed = (data + ZipWriter.deflate(end), checksum)
    entry.statedLength = UInt64(end.count)

    let path = try folder.write(ZipWriter([entry]).bytes, to: "long.zip")
    let archive = try ZipArchive(file: try File(path: path))
    let stated = try #require(archive.entries.first)
    func length(limit: Int) throws(ExportError) -> Int {
      let source = try archive.bytes(of: stated, limit: limit)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
      defer { buffer.deallocate() }
      var length = 0
      while case let count = try source.read(into: buffer), count > 0 { length += count }
      return length
    }
    #expect(try length(limit: .max) == 1 << 32 + end.count)
    let error = #expect(throws: ExportError.self) { try length(limit: 1 << 24) }
    #expect(error?.reason == .tooLarge(limit: 1 << 24))
  }

  @Test("of entries with one name the first counts; names that lead elsewhere name nothing")
  func names() throws {
    let workout = """
      <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W" \
      startDate="2024-03-09 10:00:00 +0000" endDate="2024-03-09 11:00:00 +0000"><WorkoutRoute \
      sourceName="W" startDate="2024-03-09 10:00:00 +0000" endDate="2024-03-09 11:00:00 +0000">\
      <FileReference path="PATH"/></WorkoutRoute></Workout>
      """
    func place(_ latitude: Int) -> String {
      "<gpx><trkpt lat=\"\(latitude)\" lon=\"2\"><time>2024-03-09T10:00:01Z</time></trkpt></gpx>"
    }
    func latitudes(_ path: String, _ names: String...) throws -> [Double] {
      let export = export(workout.replacing("PATH", with: path))
      var entries = [ZipWriter.Entry("apple_health_export/export.xml", export)]
      for (index, name) in names.enumerated() {
        entries.append(ZipWriter.Entry(name, place(index + 1)))
      }
      return try read(entries).routes.flatMap(\.locations.latitudes)
    }
    let name = "apple_health_export/workout-routes/route.gpx"
    #expect(try latitudes("/workout-routes/route.gpx", name) == [1])
    #expect(try latitudes("workout-routes/route.gpx", name, name) == [1])
    #expect(try latitudes("/workout-routes/route.gpx", "/" + name) == [])
    #expect(try latitudes("/workout-routes/route.gpx", "workout-routes/route.gpx") == [])
    #expect(
      try latitudes(
        "/workout-routes/../secret.gpx", "apple_health_export/workout-routes/../secret.gpx",
        "apple_health_export/secret.gpx") == [])
    #expect(try latitudes("/workout-routes/a/route.gpx", name) == [])
  }

  @Test("an archive in an archive is not opened, and a link in one is only its text")
  func nested() throws {
    let inner = ZipWriter([ZipWriter.Entry("export.xml", text)]).bytes
    var entry = ZipWriter.Entry("export.zip", "")
    entry.content = inner
    #expect(try reason(ZipWriter([entry]).bytes)?.reason == .noExportInside)
    entry.name = Array("export.xml".utf8)
    #expect(try reason(ZipWriter([entry]).bytes)?.reason == .noExportInside)
    let link = ZipWriter.Entry("export.xml", try folder.write(text, to: "outside.xml"))
    #expect(try reason(ZipWriter([link]).bytes)?.reason == .noExportInside)
  }

  @Test("archives with any byte changed end in an error or a reading", arguments: 0..<4)
  func damage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var entry = ZipWriter.Entry("apple_health_export/export.xml", export(record() + record()))
    entry.isLong = seed % 2 == 1
    let archive = ZipWriter([entry], isLong: seed % 2 == 1).bytes
    let whole = try Reading(export(record() + record())).records
    for place in archive.indices where place % 4 == seed {
      var bytes = archive
      bytes[place] = UInt8.random(in: 0...255, using: &random)
      let path = try folder.write(bytes, to: "damaged")
      do { #expect(try Reading(path: path).records == whole) } catch is ExportError {}
    }
  }

  @Test("a folder, with the export in it or below, links not followed")
  func folders() throws {
    _ = try folder.write(text + text, to: "apple_health_export/export_cda.xml")
    _ = try folder.write("<gpx>" + text, to: "apple_health_export/workout-routes/route.gpx")
    _ = try folder.write("<plist/>", to: "Info.xml")
    let path = try folder.write(text, to: "apple_health_export/eksport.xml")
    try expectWhole(try Reading(path: folder.path))
    try expectWhole(try Reading(path: folder.path + "/apple_health_export/"))
    try expectWhole(try Reading(path: path))
    let reader = try ImportReader(path: folder.path)
    #expect(reader.entry == "apple_health_export/eksport.xml")
    #expect(reader.byteCount == text.utf8.count)
  }
}
