/// Reads separated text line by line (RFC 4180), with any separator, in UTF-8 or UTF-16.
///
/// A first line `sep=;` names the separator; else it is the one that the first line has most of.
/// Fields may stand in quotes, with quotes doubled and line breaks inside; a lost quote ends at
/// ``longestField``. A line may end with CR, LF or both.
struct SeparatedText {
  private let source: any ByteSource
  private var buffer: [UInt8]
  private var position = 0
  private var count = 0
  private var isAtEnd = false
  private(set) var separator = UInt8(ascii: ",")
  private var isFirstLine = true
  private var endedWithReturn = false
  /// How many bytes have been read from the source.
  private(set) var bytesRead = 0

  private static let blockBytes = 1 << 16
  /// The longest field that is kept, in bytes; the rest of a longer one is left out.
  static let longestField = 1 << 16
  /// So many fields of a line are kept.
  static let mostFields = 256

  /// Reads from the beginning of a source.
  init(source: any ByteSource) {
    self.source = DecodedText(source: source)
    buffer = [UInt8](repeating: 0, count: Self.blockBytes)
  }

  /// The fields of the next line that is not empty; `nil` at the end.
  mutating func next() throws(ExportError) -> [String]? {
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

  /// What a first line `sep=;` says, or what a line of names has most of outside of quotes.
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
    guard var byte = try byte() else { return nil }
    // A line feed behind a carriage return ends no further line.
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
        Self.append(byte, to: &fields)
      } else if byte == .lineFeed || byte == 0x0D {
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

  /// Adds a byte, but no zero: texts end there where databases keep them.
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
