/// Reads separated text line by line (RFC 4180), with any separator.
///
/// A first line `sep=;` names the separator, which is a comma else. Fields may stand in quotes, with
/// quotes doubled and line breaks inside; a lost quote ends at ``longestField``.
struct SeparatedText {
  private let source: any ByteSource
  private var buffer: [UInt8]
  private var position = 0
  private var count = 0
  private var isAtEnd = false
  private var separator = UInt8(ascii: ",")
  private var isFirstLine = true
  /// How many bytes have been read from the source.
  private(set) var bytesRead = 0

  private static let blockBytes = 1 << 16
  /// The longest field that is kept, in bytes; the rest of a longer one is left out.
  static let longestField = 1 << 16
  /// So many fields of a line are kept.
  static let mostFields = 256

  /// Reads from the beginning of a source.
  init(source: any ByteSource) {
    self.source = source
    buffer = [UInt8](repeating: 0, count: Self.blockBytes)
  }

  /// The fields of the next line that is not empty; `nil` at the end.
  mutating func next() throws(ExportError) -> [String]? {
    while let bytes = try line() {
      var fields = bytes
      if isFirstLine {
        isFirstLine = false
        if fields[0].starts(with: [0xEF, 0xBB, 0xBF]) { fields[0].removeFirst(3) }
        if let stated = Self.separator(in: fields) {
          separator = stated
          continue
        }
      }
      if fields.count == 1, fields[0].isEmpty { continue }
      return fields.map { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }

  /// What a line `sep=,` says; its own comma has cut it.
  private static func separator(in fields: [[UInt8]]) -> UInt8? {
    guard fields[0].starts(with: Array("sep=".utf8)) else { return nil }
    return fields[0].count > 4 ? fields[0][4] : fields.count > 1 ? UInt8(ascii: ",") : nil
  }

  private mutating func line() throws(ExportError) -> [[UInt8]]? {
    guard var byte = try byte() else { return nil }
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    while true {
      if isQuoted {
        if byte == .quote {
          guard let following = try self.byte() else { return fields }
          byte = following
          if byte != .quote {
            isQuoted = false
            continue
          }
        }
        Self.append(byte, to: &fields)
      } else if byte == .lineFeed {
        return fields
      } else if byte == separator {
        if fields.count < Self.mostFields { fields.append([]) }
      } else if byte == .quote, fields.last?.isEmpty == true {
        isQuoted = true
      } else if byte != 0x0D {
        Self.append(byte, to: &fields)
      }
      guard let following = try self.byte() else { return fields }
      byte = following
    }
  }

  private static func append(_ byte: UInt8, to fields: inout [[UInt8]]) {
    guard fields[fields.count - 1].count < longestField else { return }
    fields[fields.count - 1].append(byte)
  }

  private mutating func byte() throws(ExportError) -> UInt8? {
    if position == count {
      if isAtEnd { return nil }
      try refill()
      if count == 0 { return nil }
    }
    defer { position += 1 }
    return buffer[position]
  }

  private mutating func refill() throws(ExportError) {
    var outcome: Result<Int, ExportError> = .success(0)
    let source = source
    buffer.withUnsafeMutableBytes { bytes in
      do throws(ExportError) { outcome = .success(try source.read(into: bytes)) } catch {
        outcome = .failure(error)
      }
    }
    count = try outcome.get()
    position = 0
    bytesRead += count
    isAtEnd = count == 0
  }
}
