/// Converts a text from UTF-16 with a byte order mark to UTF-8; UTF-8 passes through.
final class DecodedText: ByteSource {
  private let source: any ByteSource
  private var input: [UInt8]
  private var inputCount = 0
  private var output: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The byte order; `nil` for a text that is already UTF-8.
  private var isBigEndian: Bool?
  private var isAtStart = true
  /// The first half of a surrogate pair.
  private var highSurrogate: UInt16?

  private static let blockBytes = 1 << 16

  init(source: any ByteSource) {
    self.source = source
    input = [UInt8](repeating: 0, count: Self.blockBytes)
  }

  var byteCount: Int { source.byteCount }
  var endedEarly: Bool { source.endedEarly }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    while position == output.count {
      if isAtEnd { return 0 }
      try refill()
    }
    let count = min(buffer.count, output.count - position)
    buffer.copyBytes(from: output[position..<position + count])
    position += count
    return count
  }

  private func refill() throws(ExportError) {
    let read = try source.readPart(of: &input, from: inputCount)
    isAtEnd = read == 0
    inputCount += read
    if isAtStart, inputCount < 3, !isAtEnd { return }
    output.removeAll(keepingCapacity: true)
    position = 0
    var start = 0
    if isAtStart {
      isAtStart = false
      let marks: [(bytes: [UInt8], isBigEndian: Bool?)] = [
        ([0xFF, 0xFE], false), ([0xFE, 0xFF], true), ([0xEF, 0xBB, 0xBF], nil),
      ]
      let head = input[..<inputCount]
      if let mark = marks.first(where: { head.starts(with: $0.bytes) }) {
        isBigEndian = mark.isBigEndian
        start = mark.bytes.count
      }
    }
    guard let isBigEndian else {
      output += input[start..<inputCount]
      inputCount = 0
      return
    }
    while start + 1 < inputCount {
      let (first, second) = (UInt16(input[start]), UInt16(input[start + 1]))
      append(isBigEndian ? first << 8 | second : second << 8 | first)
      start += 2
    }
    input[0] = start < inputCount ? input[start] : 0
    inputCount = start < inputCount ? 1 : 0
  }

  private func append(_ unit: UInt16) {
    if UTF16.isLeadSurrogate(unit) {
      highSurrogate = unit
      return
    }
    let units = (highSurrogate.map { [$0] } ?? []) + [unit]
    highSurrogate = nil
    output += Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
