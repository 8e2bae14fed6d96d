import Foundation
import HealthExchange

/// The messages of a descriptor: its lines, in memory that does not grow with them.
struct MessageLines {
  /// The most bytes of a line.
  static let longest = 1 << 20

  enum Line {
    case message([UInt8])
    /// The line has more bytes than ``longest``; it was skipped.
    case oversized
  }

  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var unread = 0..<0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line, or `nil` at the end; the last one need not end with a line feed.
  mutating func next() throws(Failure) -> Line? {
    var line: [UInt8] = []
    var isOversized = false
    var isEmpty = true
    while true {
      if unread.isEmpty, try !fill() {
        return isEmpty ? nil : isOversized ? .oversized : .message(line)
      }
      isEmpty = false
      let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n"))
      let piece = unread.lowerBound..<(end ?? unread.upperBound)
      if line.count + piece.count > Self.longest {
        isOversized = true
        line = []
      }
      if !isOversized { line += buffer[piece] }
      unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
      if end != nil { return isOversized ? .oversized : .message(line) }
    }
  }

  /// Reads more; `false` at the end.
  private mutating func fill() throws(Failure) -> Bool {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(
          "Standard input cannot be read: \(String(cString: strerror(errno))).", .inputOutput)
      }
      unread = 0..<count
      return count > 0
    }
  }
}
