/// Reads delimiter-separated text line by line (RFC 4180), with any separator, in UTF-8 or UTF-16.
///
/// A first line `sep=;` sets the separator; otherwise it is the most frequent one in the first
/// line. Fields may be quoted, with doubled quotes and line breaks inside; a missing closing quote
/// ends at ``longestField``. A line may end with CR, LF or both.
package struct SeparatedText {
  private let source: any ByteSource
  private var buffer: [UInt8]
  private var position = 0
  private var count = 0
  private var isAtEnd = false
  private(set) var separator = UInt8(ascii: ",")
  private var isFirstLine = true
  private var endedWithReturn = false
  /// The number of bytes read from the source.
  private(set) var bytesRead = 0

  private static let blockBytes = 1 << 16
  /// The number of the line on which the last fields begin, from 1.
  package private(set) var lineNumber = 0
  private var endedLines = 0

  /// The longest field, in bytes; longer ones are truncated.
  static let longestField = 1 << 16
  /// The most fields of a line.
  static let mostFields = 256

  /// Reads bytes in memory.
  package init(_ bytes: [UInt8]) { self.init(source: HeldBytes(bytes)) }

  /// Reads from the start of a source.
  init(source: any ByteSource) {
    self.source = DecodedText(source: source)
    buffer = [UInt8](repeating: 0, count: Self.blockBytes)
  }

  /// The fields of the next non-empty line; `nil` at the end.
  package mutating func next() throws(ExportError) -> [String]? {
    if isFirstLine {
      isFirstLine = false
      try refill()
      let head = buffer[..<count]
      separator = Self.separator(of: head.prefix { $0 != .lineFeed && $0 != 0x0D })
      if head.starts(with: Array("sep=".utf8)) { _ = try line() }
    }
    while let fields = try line() {
      if fields.count == 1, fields[0].isEmpty { continue }
      return fields.map { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }

  /// The separator of a first line `sep=;`, or the most frequent one of a header outside quotes.
  private static func separator(of line: ArraySlice<UInt8>) -> UInt8 {
    if line.starts(with: Array("sep=".utf8)) {
      return line.dropFirst(4).first ?? UInt8(ascii: ",")
    }
    let plain = line.split(separator: .quote, omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.flatMap(\.element)
    let candidates: [UInt8] = [
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"),
    ]
    let counts = candidates.map { candidate in plain.count { $0 == candidate } }
    let most = counts.max() ?? 0
    return zip(candidates, counts).first { $1 == most }?.0 ?? UInt8(ascii: ",")
  }

  private mutating func line() throws(ExportError) -> [[UInt8]]? {
    lineNumber = endedLines + 1
    guard var byte = try byte() else { return nil }
    // A line feed after a carriage return does not end another line.
    if endedWithReturn, byte == .lineFeed {
      endedWithReturn = false
      guard let following = try self.byte() else { return nil }
      byte = following
    }
    endedWithReturn = false
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
        if byte == .lineFeed { endedLines += 1 }
        Self.append(byte, to: &fields)
      } else if byte == .lineFeed || byte == 0x0D {
        endedLines += 1
        endedWithReturn = byte == 0x0D
        return fields
      } else if byte == separator {
        if fields.count < Self.mostFields { fields.append([]) }
      } else if byte == .quote, fields.last?.isEmpty == true {
        isQuoted = true
      } else {
        Self.append(byte, to: &fields)
      }
      guard let following = try self.byte() else { return fields }
      byte = following
    }
  }

  /// Adds a byte unless it is zero, because databases end texts there.
  private static func append(_ byte: UInt8, to fields: inout [[UInt8]]) {
    guard byte != 0, fields[fields.count - 1].count < longestField else { return }
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
    count = try source.readPart(of: &buffer, from: 0)
    position = 0
    bytesRead += count
    isAtEnd = count == 0
  }
}

/// Bytes in memory.
private final class HeldBytes: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var byteCount: Int { bytes.count }
  var endedEarly: Bool { false }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}
