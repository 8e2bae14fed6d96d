/// A pull parser of JSON text (RFC 8259) from a source, in memory that does not grow with the text.
///
/// Damage of the outer structure ends parsing: ``damagedAt`` is the offset, and everything after it
/// reads as the end. Damage inside an element only loses that element.
struct JSONReader: ~Copyable {
  private var window: Window
  private var place: UnsafePointer<UInt8>
  private var tape = JSONTape()
  /// The offset where the text is not valid JSON; `nil` so far.
  private(set) var damagedAt: Int?

  /// An element of an array.
  enum Element {
    case value(JSONValue)
    /// Invalid JSON, nested too deeply, or with more parts than any real one.
    case malformed
    /// It is longer than the limit.
    case oversized
  }

  /// Starts at the first byte of a source; elements longer than `limit` bytes are not read.
  init(
    source: any ByteSource, limit: Int = ImportLimits.standard.elementBytes
  ) throws(ExportError) {
    window = Window(
      reader: BlockReader(source, limit: limit, isAhead: false), limit: limit)
    place = window.start
    for mark: Unicode.Scalar in ["\u{EF}", "\u{BB}", "\u{BF}"] {
      guard try skip(mark) else { break }
    }
  }

  /// The number of bytes parsed.
  var position: Int { window.offset + (place - window.start) }

  /// Moves to the first member of an object that starts here.
  mutating func enterObject() throws(ExportError) -> Bool { try enter("{") }

  /// Moves to the first element of an array that starts here; skips any other value.
  mutating func enterArray() throws(ExportError) -> Bool {
    if try skip("[") { return true }
    try skipValue()
    return false
  }

  /// The key of the next member, whose value follows; `nil` after the last one.
  mutating func nextKey() throws(ExportError) -> String? {
    _ = try skip(",")
    if try skip("}") { return nil }
    guard let key = try string() else { return nil }
    if try skip(":") { return key }
    _ = broken(at: position)
    return nil
  }

  /// Whether there is another element of an array; moves to it, or after the array.
  mutating func nextElement() throws(ExportError) -> Bool {
    _ = try skip(",")
    if try skip("]") { return false }
    if try nextByte() != nil { return true }
    _ = broken(at: position)
    return false
  }

  /// Skips a value.
  mutating func skipValue() throws(ExportError) { _ = try walk(isKept: false) }

  /// Reads a value into memory; `nil` if the text ends inside it.
  mutating func element() throws(ExportError) -> Element? {
    switch try walk(isKept: true) {
    case .kept(let length):
      defer { place += length }
      // Values that are still referenced keep their memory.
      if !isKnownUniquelyReferenced(&tape) { tape = JSONTape() }
      return tape.read(Bytes(start: place, count: length)).map(Element.value) ?? .malformed
    case .passed: return .oversized
    case .broken: return nil
    }
  }

  /// The string that starts here; empty if it is longer than any name.
  mutating func string() throws(ExportError) -> String? {
    guard try nextByte() == .quote else {
      _ = broken(at: position)
      return nil
    }
    guard let element = try element() else { return nil }
    guard case .value(let value) = element, let text = value.text,
      text.utf8.count <= RecordTypes.longestName
    else { return "" }
    return text
  }

  /// Reads to the end of the source, where it may verify a checksum.
  mutating func finish() throws(ExportError) {
    repeat { place = window.end } while try window.refill(keepingFrom: place) == .more
  }

  private enum Walked {
    /// The whole value is in memory from `place` on.
    case kept(length: Int)
    case passed
    case broken
  }

  /// Moves to the end of a value; one that is kept stays in memory unless it is too long.
  private mutating func walk(isKept: Bool) throws(ExportError) -> Walked {
    guard try nextByte() != nil else { return broken(at: position) }
    let start = position
    var isKept = isKept
    var walk = JSONWalk()
    var end = place
    while true {
      end = walk.advance(from: end, to: window.end)
      if walk.isBroken { return broken(at: start) }
      if !walk.isAtEnd {
        if !isKept { place = end }
        let length = end - place
        switch try window.refill(keepingFrom: place) {
        case .more:
          place = window.start
          end = place + length
          continue
        case .full:
          isKept = false
          continue
        case .atEnd: if !walk.mayEndHere { return broken(at: start) }
        }
      }
      if isKept { return .kept(length: end - place) }
      place = end
      return .passed
    }
  }

  private mutating func broken(at offset: Int) -> Walked {
    damagedAt = damagedAt ?? offset
    return .broken
  }

  /// The next byte that is not white space; `nil` at the end of the text and after damage.
  private mutating func nextByte() throws(ExportError) -> UInt8? {
    if damagedAt != nil { return nil }
    while true {
      while place < window.end {
        if !place.pointee.isSpace { return place.pointee }
        place += 1
      }
      guard try window.refill(keepingFrom: place) == .more else { return nil }
      place = window.start
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) throws(ExportError) -> Bool {
    guard let byte = try nextByte(), UInt32(byte) == character.value else { return false }
    place += 1
    return true
  }

  private mutating func enter(_ character: Unicode.Scalar) throws(ExportError) -> Bool {
    if try skip(character) { return true }
    _ = broken(at: position)
    return false
  }
}

/// Finds the end of a JSON value, incrementally.
///
/// It only counts brackets and recognises strings: the contents are checked by the caller.
struct JSONWalk {
  /// Whether the end of the value has been reached.
  private(set) var isAtEnd = false
  /// Whether no value starts here.
  private(set) var isBroken = false
  private var depth = 0
  private var isInString = false
  private var isInEscape = false
  private var isInWord = false

  /// Whether the value ends with the text: a number has no terminator.
  var mayEndHere: Bool { isInWord && depth == 0 }

  /// Continues in the text; returns the position after the value, or `end` if it continues.
  mutating func advance(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var place = start
    while place < end {
      if isInString {
        place = passString(from: place, to: end)
      } else if isInWord {
        while place < end, place.pointee.isJSONWord { place += 1 }
        if place == end { break }
        isInWord = false
      } else {
        passMark(place.pointee)
        if isBroken { break }
        if !isInWord { place += 1 }
      }
      if depth == 0, !isInString, !isInWord {
        isAtEnd = true
        break
      }
    }
    return place
  }

  private mutating func passMark(_ byte: UInt8) {
    switch byte {
    case .quote: isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      isBroken = depth < 0
    default:
      isInWord = byte.isJSONWord
      isBroken = depth == 0 && !isInWord
    }
  }

  private mutating func passString(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var place = start
    if isInEscape {
      isInEscape = false
      return place + 1
    }
    while place < end, place.pointee != .quote, place.pointee != UInt8(ascii: "\\") { place += 1 }
    guard place < end else { return place }
    isInString = place.pointee != .quote
    isInEscape = isInString
    return place + 1
  }
}
