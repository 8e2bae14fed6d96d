import Glibc

/// The properties of a file, a folder or a pipe that identify its format: its kind, its first
/// bytes, the names inside.
///
/// Every format checks the same probe, and the chosen reader continues with the file and the
/// directory that the probe has opened.
package final class FileProbe {
  /// The kind of the path.
  enum Contents {
    /// A pipe, which cannot be probed.
    case pipe
    /// A folder, with the names in it.
    case folder(names: [String])
    case archive(ZipArchive)
    case file(File)
  }

  let path: String
  let contents: Contents
  /// The first bytes of a file; empty for a folder, an archive and a pipe.
  let head: [UInt8]
  /// The names in a folder or an archive, in lower case; otherwise empty.
  let names: [String]

  private static let headBytes = 512
  private static let outlineBytes = 1 << 16
  private static let mostOutlines = 16

  /// Probes a path.
  ///
  /// - Throws: ``ExportError`` if it does not exist or cannot be read
  package init(path: String) throws(ExportError) {
    self.path = path
    var head: [UInt8] = []
    if ExportLocation.isPipe(path) {
      contents = .pipe
    } else if let names = File.names(inFolder: path, limit: TextFile.mostFiles) {
      contents = .folder(names: names)
    } else {
      let file = try File(path: path)
      head = try file.bytes(in: 0..<Self.headBytes)
      contents =
        ZipArchive.isArchive(head) ? .archive(try ZipArchive(file: file)) : .file(file)
    }
    switch contents {
    case .folder(let names): self.names = names.map { $0.lowercased() }
    case .archive(let archive): names = archive.entries.map { $0.name.lowercased() }
    case .pipe, .file: names = []
    }
    if case .file = contents { self.head = head } else { self.head = [] }
  }

  /// Whether a folder or an archive has a name with this suffix.
  func holds(nameEnding suffix: String) -> Bool { names.contains { $0.hasSuffix(suffix) } }

  /// The first byte of a text after white space and a byte order mark.
  var firstCharacter: UInt8? {
    head.first { !$0.isSpace && ![0xEF, 0xBB, 0xBF].contains($0) }
  }

  /// The outermost keys of a JSON file, or of each of the first JSON files in a folder or an
  /// archive.
  lazy var outlines: [JSONOutline] = {
    if case .file = contents, firstCharacter != UInt8(ascii: "{") { return [] }
    guard let files = try? TextFile.all(in: self, ending: ".json") else { return [] }
    return files.prefix(Self.mostOutlines).compactMap { file in
      guard let source = try? file.open(),
        let head = try? PeekedBytes(source, count: Self.outlineBytes).head
      else { return nil }
      return JSONOutline(head: head)
    }
  }()
}

/// The outermost keys in the first bytes of a JSON file.
struct JSONOutline {
  /// The keys so far.
  private(set) var keys: Set<String> = []
  /// Whether the object continues after the parsed bytes.
  private(set) var isOpen = true

  /// Parses the first bytes of a file, which may be all.
  init(head: [UInt8]) {
    guard var json = try? JSONReader(source: HeadBytes(head)), (try? json.enterObject()) == true
    else {
      isOpen = false
      return
    }
    while let key = try? json.nextKey() {
      keys.insert(key)
      guard (try? json.skipValue()) != nil else { break }
    }
    isOpen = json.damagedAt != nil
  }

  /// Whether the object has a key, or may have it.
  func mayHave(_ key: String) -> Bool { keys.contains(key) || isOpen }
}

/// Bytes in memory.
private final class HeadBytes: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var byteCount: Int { bytes.count }
  var endedEarly: Bool { false }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}
