import Dispatch
import HealthSamples

/// Reads the files beside the text, several at a time when asked to, and gives what they say in
/// their order.
struct SideFileReader {
  /// How many files are read together, and how many bytes of them; a longer one is read alone.
  private static let filesTogether = 16
  private static let bytesTogether = 1 << 22

  private let files: SideFiles
  private let isConcurrent: Bool
  /// How many bytes were read.
  private var bytes = 0
  /// How many files could not be read, or say nothing.
  private(set) var missing = 0
  /// The first of them, each once.
  private(set) var unread: [UnreadFile] = []
  private var unreadPaths: Set<String> = []
  /// Files that are too long or damaged: an export that names one very often waits for it once.
  private var unreadable: Set<String> = []

  init(_ files: SideFiles, isConcurrent: Bool) {
    self.files = files
    self.isConcurrent = isConcurrent
  }

  private struct Named {
    var path: String
    /// `nil` for a file that is not read.
    var source: (any ByteSource)?
    var isThere: Bool
  }

  /// The relative paths of the files in a folder, sorted.
  func paths(in folder: SideFiles.Folder) -> [String] { files.paths(in: folder) }

  /// Reads the first of `paths`, as many as may be in memory together.
  ///
  /// - Parameters:
  ///   - paths: the files as the export names them; an empty one names none
  ///   - folder: where they must lie
  ///   - limit: the longest file that is read
  ///   - understand: what a file says; `nil` when it says nothing
  /// - Returns: for each of the paths that were read what the file says; `nil`, and counted, when it
  ///   cannot be read
  mutating func read<Value>(
    _ paths: some Sequence<String>, in folder: SideFiles.Folder, limit: Int,
    _ understand: @escaping @Sendable (_ text: [UInt8], _ path: String) -> Value?
  ) -> [Value?] {
    var named: [Named] = []
    var wanted = 0
    let mayRead = bytes < ExportLimits.allSideFileBytes
    for path in paths {
      // One file that cannot be read is no reason to lose the others.
      var source: (any ByteSource)?
      var isThere = true
      if mayRead, !unreadable.contains(path) {
        do throws(ExportError) {
          source = try files.source(of: path, in: folder)
          isThere = source != nil
        } catch {
          source = nil
        }
      }
      let length = source?.byteCount ?? 0
      let isTooLong = length > limit
      if !named.isEmpty, !isTooLong, wanted + length > Self.bytesTogether { break }
      named.append(Named(path: path, source: isTooLong ? nil : source, isThere: isThere))
      wanted += isTooLong ? 0 : length
      if named.count == Self.filesTogether { break }
    }
    bytes += wanted

    // Each call reads one of the files and writes one of the places.
    nonisolated(unsafe) let value = { (index: Int) -> Value? in
      guard let text = try? named[index].source?.allBytes(limit: limit) else { return nil }
      return understand(text, named[index].path)
    }
    var values = [Value?](repeating: nil, count: named.count)
    values.withUnsafeMutableBufferPointer { values in
      nonisolated(unsafe) let values = values
      if isConcurrent {
        DispatchQueue.concurrentPerform(iterations: values.count) { values[$0] = value($0) }
      } else {
        for index in values.indices { values[index] = value(index) }
      }
    }
    for (value, file) in zip(values, named) where value == nil && !file.path.isEmpty {
      missing += 1
      if file.isThere { unreadable.insert(file.path) }
      if unread.count < UnreadFile.mostNamed, unreadPaths.insert(file.path).inserted {
        unread.append(
          UnreadFile(kind: folder.kind, path: file.path, isUnreadable: file.isThere))
      }
    }
    return values
  }
}
