import Dispatch
import HealthSamples

/// Reads the other files of an export, optionally several at a time, and returns their contents in
/// order.
struct SideFileReader {
  /// The most files that are read together, and their most bytes; a longer one is read alone.
  private static let filesTogether = 16
  private static let bytesTogether = 1 << 22

  private let files: SideFiles
  private let isConcurrent: Bool
  /// The number of bytes read.
  private var bytes = 0
  /// The files that were not read, each once.
  private(set) var unread: [UnreadFile] = []
  private var counts: [UnreadFile.Reason: Int] = [:]
  /// The files that were not read, by path: a repeated reference to one costs no time.
  private var unreadPaths: Set<String> = []
  /// The files that exist and were referenced.
  private var named: Set<String> = []

  /// The most files that are listed as not read, and the longest stored path of each.
  private static let mostUnread = 1 << 14
  private static let longestPath = 1024

  init(_ files: SideFiles, isConcurrent: Bool) {
    self.files = files
    self.isConcurrent = isConcurrent
  }

  /// The relative paths of the files in a folder, sorted.
  func paths(in folder: SideFiles.Folder) -> [String] { files.paths(in: folder) }

  /// The number of files that were not read for a reason.
  func count(_ reason: UnreadFile.Reason) -> Int { counts[reason] ?? 0 }

  /// Records the files that are not referenced by the export.
  mutating func noteUnnamed() {
    for folder in [SideFiles.Folder.routes, .clinicalRecords] {
      for path in files.paths(in: folder) where !named.contains(path) {
        note(path, in: folder, .unnamed)
      }
    }
  }

  private mutating func note(
    _ path: String, in folder: SideFiles.Folder, _ reason: UnreadFile.Reason, line: Int? = nil
  ) {
    let path = path.utf8.count <= Self.longestPath ? path : path.prefix(Self.longestPath / 4) + "…"
    if unreadPaths.contains(path) { return }
    counts[reason, default: 0] += 1
    guard unread.count < Self.mostUnread else { return }
    unreadPaths.insert(path)
    unread.append(UnreadFile(path: path, kind: folder.kind, reason: reason, line: line))
  }

  /// Reads the first of `paths`, as many as may be in memory together.
  ///
  /// - Parameters:
  ///   - paths: the files as referenced by the export; an empty one is no file
  ///   - folder: the required folder
  ///   - limit: the longest file
  ///   - understand: parses a file
  /// - Returns: for each of the read paths the parsed contents; `nil`, and counted, if it is
  ///   unreadable
  mutating func read<Value: Sendable>(
    _ paths: some Sequence<String>, in folder: SideFiles.Folder, limit: Int,
    _ understand: @escaping @Sendable (_ text: [UInt8], _ path: String) -> SideFileContents<Value>
  ) -> [Value?] {
    var asked: [(path: String, source: (any ByteSource)?, exists: Bool)] = []
    var wanted = 0
    let mayRead = bytes < ImportLimits.allSideFileBytes
    for path in paths {
      // An unreadable file does not affect the others.
      let isTried = mayRead && !unreadPaths.contains(path)
      var source: (any ByteSource)?
      var exists = true
      if isTried {
        do throws(ExportError) {
          source = try files.source(of: path, in: folder)
          exists = source != nil
        } catch {}
      }
      if exists, let path = SideFiles.relative(path) { named.insert(path) }
      let length = source?.byteCount ?? 0
      let isTooLong = length > limit
      if !asked.isEmpty, !isTooLong, wanted + length > Self.bytesTogether { break }
      asked.append((path, isTooLong ? nil : source, exists))
      wanted += isTooLong ? 0 : length
      if asked.count == Self.filesTogether { break }
    }
    bytes += wanted

    // Each call reads one of the files and writes one of the results.
    nonisolated(unsafe) let value = { (index: Int) -> SideFileContents<Value> in
      guard let text = try? asked[index].source?.allBytes(limit: limit) else {
        return .unreadable(line: nil)
      }
      return understand(text, asked[index].path)
    }
    var values = [SideFileContents<Value>](repeating: .unreadable(line: nil), count: asked.count)
    values.withUnsafeMutableBufferPointer { values in
      nonisolated(unsafe) let values = values
      if isConcurrent {
        DispatchQueue.concurrentPerform(iterations: values.count) { values[$0] = value($0) }
      } else {
        for index in values.indices { values[index] = value(index) }
      }
    }
    for (value, file) in zip(values, asked) where !file.path.isEmpty {
      guard case .unreadable(let line) = value else { continue }
      let isOther = file.exists && !folder.mayName(file.path)
      let reason: UnreadFile.Reason =
        isOther ? .unnamed : file.exists ? .unreadable : .missing
      note(file.path, in: folder, reason, line: reason == .unreadable ? line : nil)
    }
    return values.map(\.value)
  }
}
