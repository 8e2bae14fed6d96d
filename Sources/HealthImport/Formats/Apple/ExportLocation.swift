import Glibc

/// The location of the text of an export: a file, possibly compressed, a pipe, an archive or a
/// folder.
///
/// Apple localises the name of the XML file and archives garble it, so names are unreliable: every
/// XML file is checked for an element `HealthData`, the largest first.
struct ExportLocation {
  /// The text, from its start.
  let source: any ByteSource
  /// The entry or the file in the folder that was chosen; `nil` for a single file.
  let entry: String?
  /// Other entries or files that are also exports.
  let others: [String]
  /// The other files of the export.
  let sideFiles: SideFiles
  /// Whether the text is a plain file; otherwise it must be unpacked or waited for.
  let isPlain: Bool

  /// The number of bytes that are searched; the longest known document type ends at byte 7,124.
  private static let sniffedBytes = 1 << 20
  /// The number of bytes that identify a compression format.
  private static let magicBytes = 16
  private static let mostCandidates = 64
  private static let deepestFolder = 4
  private static let mostFiles = 1 << 16

  /// Finds the export in a probed path.
  ///
  /// - Parameters:
  ///   - probe: a file, a folder or a pipe
  ///   - limit: the most bytes of a source without a stated length
  /// - Throws: ``ExportError`` if there is no export at the path
  init(_ probe: FileProbe, limit: Int) throws(ExportError) {
    switch probe.contents {
    case .folder: try self.init(folder: probe.path)
    case .pipe: try self.init(pipe: probe.path, limit: limit)
    case .archive(let archive): try self.init(archive: archive, path: probe.path, limit: limit)
    case .file(let file): try self.init(file: file, limit: limit)
    }
  }

  /// Whether a path is a pipe.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  private init(
    source: any ByteSource, entry: String?, others: [String] = [], sideFiles: SideFiles,
    isPlain: Bool = false
  ) {
    self.others = others
    self.isPlain = isPlain
    self.source = source
    self.entry = entry
    self.sideFiles = sideFiles
  }

  private init(file: File, limit: Int) throws(ExportError) {
    guard file.byteCount > 0 else { throw ExportError(.empty, path: file.path) }
    let head = try file.bytes(in: 0..<Self.magicBytes)
    if let text = try Self.text(in: StoredBytes(file: file), head, path: file.path, limit: limit) {
      self.init(
        source: text, entry: nil, sideFiles: SideFiles(text: file.path),
        isPlain: !GunzippedBytes.isPacked(head))
    } else if let archive = try? ZipArchive(file: file), !archive.entries.isEmpty {
      // Other data precedes the archive, such as mail headers.
      self = try Self(archive: archive, path: file.path, limit: limit)
    } else {
      throw ExportError(.notAnExport, path: file.path)
    }
  }

  private init(pipe path: String, limit: Int) throws(ExportError) {
    let bytes = try PeekedBytes(PipeBytes(path: path, limit: limit), count: Self.magicBytes)
    if bytes.head.isEmpty { throw ExportError(.empty, path: path) }
    if ZipArchive.isArchive(bytes.head) || bytes.head.first == UInt8(ascii: "{")
      || bytes.head.starts(with: Array("SQLite".utf8))
    {
      throw ExportError(.notSeekable, path: path)
    }
    guard let text = try Self.text(in: bytes, bytes.head, path: path, limit: limit) else {
      throw ExportError(.notAnExport, path: path)
    }
    self.init(source: text, entry: nil, sideFiles: SideFiles())
  }

  /// The text in `source`, which starts with `head`, unpacked if necessary; `nil` if it is not an
  /// export.
  private static func text(
    in source: any ByteSource, _ head: [UInt8], path: String, limit: Int
  ) throws(ExportError) -> PeekedBytes? {
    if let packing = ExportError.Packing.allCases.first(where: { head.starts(with: $0.magic) }) {
      throw ExportError(.unsupportedPacking(packing), path: path)
    }
    let isPacked = GunzippedBytes.isPacked(head)
    let text = isPacked ? GunzippedBytes(source, path: path, limit: limit) : source
    let peeked = try PeekedBytes(text, count: Self.sniffedBytes)
    return isExport(peeked.head) ? peeked : nil
  }

  private init(archive: ZipArchive, path: String, limit: Int) throws(ExportError) {
    let candidates = archive.entries.filter { Self.isCandidate($0.name) }
      .sorted { ($1.byteCount, $0.name) < ($0.byteCount, $1.name) }
    var firstFailure: ExportError?
    var found: [(entry: String, text: PeekedBytes)] = []
    for entry in candidates.prefix(Self.mostCandidates) {
      do throws(ExportError) {
        let text = try PeekedBytes(
          try archive.bytes(of: entry, limit: limit), count: Self.sniffedBytes)
        // Only the names of the others are needed.
        if Self.isExport(text.head) { found.append((entry.name, found.first?.text ?? text)) }
      } catch {
        firstFailure = firstFailure ?? error
      }
    }
    guard let first = found.first else {
      throw firstFailure ?? ExportError(.noExportInside, path: path)
    }
    self.init(
      source: first.text, entry: first.entry, others: found.dropFirst().map(\.entry),
      sideFiles: SideFiles(archive: archive, text: first.entry))
  }

  private init(folder: String) throws(ExportError) {
    var names: [String] = []
    try Self.collect(in: folder, prefix: "", depth: 0, into: &names)
    var files: [(name: String, file: File)] = []
    for name in names.prefix(Self.mostCandidates) {
      files.append((name, try File(path: folder + "/" + name)))
    }
    files.sort { ($1.file.byteCount, $0.name) < ($0.file.byteCount, $1.name) }
    var found: [(entry: String, text: PeekedBytes)] = []
    for (name, file) in files {
      let text = try PeekedBytes(StoredBytes(file: file), count: Self.sniffedBytes)
      if Self.isExport(text.head) { found.append((name, found.first?.text ?? text)) }
    }
    guard let first = found.first else { throw ExportError(.noExportInside, path: folder) }
    self.init(
      source: first.text, entry: first.entry, others: found.dropFirst().map(\.entry),
      sideFiles: SideFiles(text: folder + "/" + first.entry), isPlain: true)
  }

  /// Adds the candidates in a folder; links are not followed.
  private static func collect(
    in folder: String, prefix: String, depth: Int, into names: inout [String]
  ) throws(ExportError) {
    guard let entries = File.names(inFolder: folder + "/" + prefix, limit: mostFiles) else {
      throw ExportError(.notReadable(errno: errno), path: folder, entry: prefix)
    }
    for name in entries {
      var status = stat()
      guard lstat(folder + "/" + prefix + name, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR, depth < deepestFolder {
        try collect(in: folder, prefix: prefix + name + "/", depth: depth + 1, into: &names)
      } else if status.st_mode & S_IFMT == S_IFREG, isCandidate(prefix + name) {
        names.append(prefix + name)
      }
    }
  }

  /// Whether a file may be the export by its name: an XML file that is neither the clinical
  /// document nor an extra file of macOS.
  private static func isCandidate(_ name: String) -> Bool {
    let name = name.lowercased()
    let file = name.split(separator: "/").last ?? ""
    return name.hasSuffix(".xml") && !name.hasSuffix("_cda.xml") && !file.hasPrefix("._")
      && !name.split(separator: "/").contains("__macosx")
  }

  private static func isExport(_ head: [UInt8]) -> Bool {
    (head + Array(repeating: 0, count: TextBlock.padding)).withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      var prolog = Prolog()
      if case .root = prolog.step(start, before: start + head.count) { return true }
      return prolog.declaresExport
    }
  }
}

extension ExportError.Packing {
  /// The first bytes of files in this compression format.
  fileprivate var magic: [UInt8] {
    switch self {
    case .bzip2: Array("BZh".utf8)
    case .lz4: [0x04, 0x22, 0x4D, 0x18]
    case .rar: Array("Rar!".utf8)
    case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
    }
  }
}
