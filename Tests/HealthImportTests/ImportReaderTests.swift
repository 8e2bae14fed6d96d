import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("What is no export is refused, and why")
struct RefusalTests {
  @Test(
    "by its content",
    arguments: [
      ("", ExportError.Reason.empty), ("\u{FF}\u{D8}JPEG", .notAnExport),
      ("<plist/>", .notAnExport),
      ("PK\u{3}\u{4}", .truncatedArchive), ("<HealthDat", .notAnExport),
    ])
  func content(text: String, reason: ExportError.Reason) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "file.xml")
    let error = #expect(throws: ExportError.self) { try Reading(path: path) }
    #expect(error?.reason == reason)
    #expect(error?.path == path)
  }

  @Test("by what is at the path")
  func path() throws {
    let folder = try TemporaryFolder()
    func reason(_ path: String) -> ExportError.Reason? {
      #expect(throws: ExportError.self) { try Reading(path: path) }?.reason
    }
    #expect(reason(folder.path + "/nothing.zip") == .notFound)
    #expect(reason("") == .notFound)
    #expect(reason(folder.path) == .noExportInside)
    #expect(reason("/dev/null") == .notAFile)
    let file = try folder.write("x", to: "file")
    #expect(reason(file + "/export.xml") == .notReadable(errno: ENOTDIR))
  }
}

@Suite("The small exports made for testing")
struct SharedExportTests {
  private func read(_ name: String) throws -> Reading {
    let folder = try TemporaryFolder()
    return try Reading(path: folder.write([UInt8](References.export(name)), to: "export.xml"))
  }

  @Test(
    "each gives its record, as the control does",
    arguments: [
      ("ok_v13", "Sam’s Apple\u{A0}Watch", 0), ("v12_malformed", "Sam’s Apple\u{A0}Watch", 0),
      ("ctrl_x0b", "Sam’s AppleWatch", 1), ("charref_ctrl", "Sam’s AppleWatch", 1),
      ("bad_utf8", "Sam’s Apple\u{FFFD}Watch", 1), ("unesc_amp", "Sam & Co Apple\u{A0}Watch", 0),
    ])
  func record(name: String, source: String, replaced: Int) throws {
    let reading = try read(name)
    let record = try #require(reading.records.first)
    #expect(reading.records.count == 1)
    #expect(record.type == "HKQuantityTypeIdentifierStepCount")
    #expect(record.source == source)
    #expect(record.label == "count")
    #expect(record.value == 92)
    #expect(record.end - record.start == 240)
    #expect(record.created - record.end == 48)
    #expect(
      record.device
        == "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch5,4, software:9.0"
    )
    #expect(DeviceKind(device: record.device, sourceName: "") == .watch)
    #expect(reading.summary.replacedCharacters == replaced)
    #expect(reading.summary.elements == [.characteristics: TypeCount(read: 1)])
    #expect(reading.summary.utcOffsets == [-420: 1])
    #expect(reading.summary.cutAt == nil)
  }

  @Test("a second startDate is no endDate")
  func duplicate() throws {
    let summary = try read("dup_attr").summary
    #expect(summary.duplicateAttributes == 1)
    #expect(summary.skipped == [.invalidDate: 1])
  }

  @Test("a file without its end gives what is complete, and where it ends")
  func cut() throws {
    let reading = try read("trunc")
    #expect(reading.records.isEmpty)
    #expect(try reading.summary.cutAt == References.export("trunc").count)
  }
}
