/// Walks over JSON text (RFC 8259) from a source, one value at a time, in memory that does not grow
/// with the text.
///
/// Damage of the frame ends the walk: ``damagedAt`` says where, and everything after it reads as the
/// end. Damage inside an element is no more than one element lost.
struct JSONReader: ~Copyable {
  private var window: Window
  private var place: UnsafePointer<UInt8>
  private var tape = JSONTape()
  /// Where the text stops to be JSON; `nil` while it does not.
  private(set) var damagedAt: Int?

  /// An element of an array.
  enum Element {
    case value(JSONValue)
    /// It is no JSON, nested too deeply, or has more parts than any real one.
    case malformed
    /// It is longer than the limit.
    case oversized
  }

  /// Begins at the first byte of a source; no element longer than `limit` bytes is read.
  init(
    source: any ByteSource, limit: Int = ExportLimits.standard.elementBytes
  ) throws(ExportError) {
    window = Window(
      reader: BlockReader(source, limit: limit, isAhead: false), limit: limit)
    place = window.start
    for mark: Unicode.Scalar in ["\u{EF}", "\u{BB}", "\u{BF}"] {
      guard try skip(mark) else { break }
    }
  }

  /// How many bytes have been walked over.
  var position: Int { window.offset + (place - window.start) }

  /// Goes to the first member of an object that begins here.
  mutating func enterObject() throws(ExportError) -> Bool { try enter("{") }

  /// Goes to the first element of an array that begins here; goes over anything else.
  mutating func enterArray() throws(ExportError) -> Bool {
    if try skip("[") { return true }
    try skipValue()
    return false
  }

  /// The key of the next member, its value next; `nil` behind the last one.
  mutating func nextKey() throws(ExportError) -> String? {
    _ = try skip(",")
    if try skip("}") { return nil }
    guard let key = try string() else { return nil }
    if try skip(":") { return key }
    _ = broken(at: position)
    return nil
  }

  /// Whether another element of an array follows; goes to it, or behind the array.
  mutating func nextElement() throws(ExportError) -> Bool {
    _ = try skip(",")
    if try skip("]") { return false }
    if try nextByte() != nil { return true }
    _ = broken(at: position)
    return false
  }

  /// Goes over a value.
  mutating func skipValue() throws(ExportError) { _ = try walk(isKept: false) }

  /// Goes over a value that is kept; `nil` when the text ends inside it.
  mutating func element() throws(ExportError) -> Element? {
    switch try walk(isKept: true) {
    case .kept(let length):
      defer { place += length }
      // Values that somebody still holds keep their memory.
      if !isKnownUniquelyReferenced(&tape) { tape = JSONTape() }
      return tape.read(Bytes(start: place, count: length)).map(Element.value) ?? .malformed
    case .passed: return .oversized
    case .broken: return nil
    }
  }

  /// The string that begins here; empty when it is longer than any name.
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

  /// Reads on to the end of the source, which may check there what it has given.
  mutating func finish() throws(ExportError) {
    repeat { place = window.end } while try window.refill(keepingFrom: place) == .more
  }

  private enum Walked {
    /// The value stands in memory from `place` on, as a whole.
    case kept(length: Int)
    case passed
    case broken
  }

  /// Goes to the end of a value; one that is kept stays in memory unless it is too long.
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

  /// The next byte that is no space; `nil` at the end of the text and behind damage.
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

/// Finds the end of a JSON value, stretch by stretch.
///
/// It counts brackets and knows strings, no more: what stands inside is checked by who reads it.
struct JSONWalk {
  /// Whether the value has ended.
  private(set) var isAtEnd = false
  /// Whether no value begins where it should.
  private(set) var isBroken = false
  private var depth = 0
  private var isInString = false
  private var isInEscape = false
  private var isInWord = false

  /// Whether the value is over when the text is: a number does not say where it ends.
  var mayEndHere: Bool { isInWord && depth == 0 }

  /// Goes on in the text; the place behind the value, or `end` when it goes on.
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
