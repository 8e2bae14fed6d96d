/// The exports at a path, one after another: mostly one, several where the files of a folder or an
/// archive tell one time differently.
///
/// ```swift
/// var exports = try ExportSequence(path: path)
/// while var reader = try exports.next() {
///   while let batch = try reader.next() { … }
/// }
/// ```
package struct ExportSequence {
  private let opened: FormatRegistry.Opened
  /// The files of each export; one empty list for what was opened as a whole.
  private var exports: [[TextFile]]
  private var nextExport = 0

  /// For how many rows there is memory to compare files: some dozen MB.
  private static let room = 1 << 20

  /// Opens a path, and compares its files where each may be an export of its own.
  ///
  /// - Parameters:
  ///   - path: a file, a folder or a pipe
  ///   - isConcurrent: whether readers may use additional threads; the result does not depend on it
  ///   - proceeding: whether to go on comparing; if not, there is no export
  /// - Throws: ``ExportError`` if the path is unreadable
  package init(
    path: String, isConcurrent: Bool = true, proceeding: () -> Bool = { true }
  ) throws(ExportError) {
    opened = try AnyExportReader(path: path, isConcurrent: isConcurrent).opened
    exports = [[]]
    let files = opened.reader.files
    guard files.count > 1 else { return }
    var told: [ToldFile] = []
    var room = Self.room
    var isStopped = false
    func goesOn() -> Bool {
      isStopped = isStopped || !proceeding()
      return !isStopped
    }
    for file in files where !isStopped {
      guard let reader = try opened.reader.reader(of: [file]) else { return }
      told.append(try ToldFile(reading: reader, room: &room, proceeding: goesOn))
    }
    guard goesOn() else {
      exports = []
      return
    }
    let separate = SeparateExports.exports(among: told)
    if separate.count > 1 { exports = separate.map { $0.sorted().map { files[$0] } } }
  }

  /// The number of exports.
  package var count: Int { exports.count }
  /// The size of the data of all of them in bytes; 0 when unknown.
  package var byteCount: Int { opened.reader.byteCount }
  /// Whether there is no further export.
  package var isAtEnd: Bool { nextExport == exports.count }

  /// The next export; `nil` after the last one.
  ///
  /// - Throws: ``ExportError`` if a file cannot be read
  package mutating func next() throws(ExportError) -> AnyExportReader? {
    guard !isAtEnd else { return nil }
    let files = exports[nextExport]
    nextExport += 1
    guard let reader = files.isEmpty ? opened.reader : try opened.reader.reader(of: files) else {
      return nil
    }
    return AnyExportReader(FormatRegistry.Opened(reader: reader, file: opened.file))
  }
}
