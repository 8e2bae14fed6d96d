import Foundation
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Exports through a pipe")
struct PipeTests {
  private let folder: TemporaryFolder
  private let pipe: String

  init() throws {
    folder = try TemporaryFolder()
    pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
  }

  /// Writes into the pipe from a thread of its own, in pieces, as far as somebody reads.
  private func feed(_ bytes: [UInt8], piece: Int = 5000) {
    let path = pipe
    Thread {
      // Whoever stops reading must not end the process.
      signal(SIGPIPE, SIG_IGN)
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      var place = 0
      while place < bytes.count {
        let written = bytes[place..<min(place + piece, bytes.count)].withUnsafeBytes {
          write(descriptor, $0.baseAddress, $0.count)
        }
        if written <= 0 { break }
        place += written
      }
      close(descriptor)
    }.start()
  }

  @Test(
    "the text is read as from a file, packed or not", arguments: [false, true], [false, true])
  func text(isPacked: Bool, isConcurrent: Bool) throws {
    var source = RandomExport(seed: 21)
    let text = source.document(1000)
    feed(isPacked ? GzipMember(text).bytes : text)
    let reading = try Reading(path: pipe, isConcurrent: isConcurrent)
    let bare = try Reading(text)
    #expect(reading.records == bare.records)
    #expect(reading.summary.bytes == text.count)
    #expect(reading.summary.cutAt == nil)
  }

  @Test("a writer that goes away leaves a text that was cut")
  func cut() throws {
    let text = Array(HealthImportTests.export(record() + record() + record()).utf8)
    feed(Array(text.dropLast(40)))
    let reading = try Reading(path: pipe)
    #expect(reading.summary.cutAt == text.count - 40)
    #expect(reading.records.count >= 2)
  }

  @Test(
    "what must be read from behind, and what is no export, is refused",
    arguments: [
      ("PK\u{3}\u{4}and more", ExportError.Reason.notSeekable), ("SQLite format 3\0", .notSeekable),
      ("{\"data\":{}}", .notSeekable), ("<plist/>", .notAnExport), ("", .empty),
    ])
  func refused(text: String, reason: ExportError.Reason) throws {
    feed(Array(text.utf8))
    let error = #expect(throws: ExportError.self) { try Reading(path: pipe) }
    #expect(error?.reason == reason)
  }

  @Test("more than is allowed is not taken", arguments: [false, true])
  func limit(isPacked: Bool) throws {
    let text = Array(
      HealthImportTests.export(String(repeating: " ", count: 3_000_000)).utf8)
    feed(isPacked ? GzipMember(text).bytes : text)
    let error = #expect(throws: ExportError.self) {
      try Reading(path: pipe, limits: ImportLimits(textBytes: 2_000_000))
    }
    #expect(error?.reason == .tooLarge(limit: 2_000_000))
  }

  @Test("a reader that waits for a writer gives up when it is told to")
  func stopped() throws {
    // Made to be stopped from another thread.
    nonisolated(unsafe) let source = try PipeBytes(path: pipe, limit: .max)
    Thread {
      usleep(50_000)
      source.stop()
    }.start()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
    defer { buffer.deallocate() }
    let error = #expect(throws: ExportError.self) { try source.read(into: buffer) }
    #expect(error?.reason == .notReadable(errno: EINTR))
  }
}
