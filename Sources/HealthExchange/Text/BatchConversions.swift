import Foundation
package import HealthUnits

/// Converts the lines of `units convert --batch`; each pair of units is parsed once.
package struct BatchConversions {
  private enum Found {
    case conversion(UnitConversion)
    case error(String)
  }

  private let dialect: UnitDialect
  private var found: [ArraySlice<UInt8>: Found] = [:]

  package init(dialect: UnitDialect) { self.dialect = dialect }

  /// The number, or `error<TAB>offset<TAB>message`.
  package mutating func answer(to line: [UInt8]) -> String {
    let fields = line.split(separator: Self.tab, maxSplits: 1, omittingEmptySubsequences: false)
    guard fields.count == 2 else { return Self.error("-", "not value<TAB>from<TAB>to") }
    switch conversion(of: fields[1]) {
    case .error(let text): return text
    case .conversion(let conversion):
      guard let value = Self.number(String(decoding: fields[0], as: UTF8.self)) else {
        return Self.error("-", "not a number")
      }
      let result = conversion(value)
      return result.isFinite
        ? NumberText.exact(result) : Self.error("-", "the result is beyond the largest number")
    }
  }

  /// A finite number in decimal digits.
  package static func number(_ text: some StringProtocol) -> Double? {
    guard let value = Double(text), value.isFinite,
      text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return nil }
    return value
  }

  private static let tab = UInt8(ascii: "\t")

  private mutating func conversion(of pair: ArraySlice<UInt8>) -> Found {
    if let known = found[pair] { return known }
    // Bounded, so that a stream of new units does not fill the memory.
    if found.count >= 4096 { found.removeAll(keepingCapacity: true) }
    let result = makeConversion(of: pair)
    found[pair] = result
    return result
  }

  private func makeConversion(of pair: ArraySlice<UInt8>) -> Found {
    let trimmed = pair.last == UInt8(ascii: "\r") ? pair.dropLast() : pair
    let fields = trimmed.split(separator: Self.tab, omittingEmptySubsequences: false)
    guard fields.count == 2 else { return .error(Self.error("-", "not value<TAB>from<TAB>to")) }
    var units: [UnitExpression] = []
    for field in fields {
      do throws(UnitError) {
        units.append(try UnitExpression(utf8: Array(field), dialect: dialect))
      } catch {
        return .error(Self.error(String(error.offset), UnitSentence.text(error)))
      }
    }
    do throws(UnitError) {
      return .conversion(try UnitConversion(from: units[0], to: units[1]))
    } catch {
      let names = fields.map { String(decoding: $0, as: UTF8.self) }
      return .error(Self.error("-", UnitSentence.text(error, from: names[0], to: names[1])))
    }
  }

  private static func error(_ offset: String, _ message: String) -> String {
    "error\t\(offset)\t\(message.printable)"
  }
}

/// The raw lines of standard input: offsets in errors count their bytes.
package struct InputLines: Sequence, IteratorProtocol {
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  package init() {}

  /// The next line without its line feed; nil at the end.
  package mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        return line
      }
      searched = bytes.count
      guard !isAtEnd else {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
      }
      fill()
    }
  }

  private mutating func fill() {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let count = block.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
      bytes += block[..<count]
    } else if count == 0 || errno != EINTR {
      isAtEnd = true
    }
  }
}
