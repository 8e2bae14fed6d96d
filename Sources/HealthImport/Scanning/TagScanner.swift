/// Parses one tag, from `<` to `>`.
///
/// The scanner is as lenient as possible. It accepts attributes in any order, in double or single
/// quotes, with any white space around; a word without a value is an attribute without one. A line
/// break followed by `<` inside a value means that a quote is missing.
struct TagScanner: ~Copyable {
  /// One attribute of the tag.
  struct Attribute {
    /// The name, as written.
    var name: Bytes
    /// The raw value between its quotes; without a base address if there is none.
    var value: Bytes
  }

  /// The markup at a `<`.
  enum Tag {
    /// A start tag, or an empty element if closed.
    case start(name: Bytes, isClosed: Bool, next: UnsafePointer<UInt8>)
    /// An end tag.
    case end(name: Bytes, next: UnsafePointer<UInt8>)
    /// A comment, an instruction or other markup, including `terminator`.
    case markup(terminator: StaticString, next: UnsafePointer<UInt8>)
    /// Not a tag.
    case malformed
    /// The text in memory ends inside the tag.
    case incomplete
  }

  /// The most attributes; further ones are skipped.
  static let mostAttributes = 64

  private let storage: UnsafeMutablePointer<Attribute>
  private var count = 0

  init() { storage = .allocate(capacity: Self.mostAttributes) }
  deinit { storage.deallocate() }

  /// The attributes of the last start tag.
  var attributes: UnsafeBufferPointer<Attribute> {
    UnsafeBufferPointer(start: storage, count: count)
  }

  /// The first value of the attribute `name`.
  func value(_ name: StaticString) -> Bytes? {
    attributes.first { $0.name.equals(name) && $0.value.baseAddress != nil }?.value
  }

  /// Parses the tag at `place`, where there is a `<`.
  mutating func scan(
    _ place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Tag {
    count = 0
    let first = place + 1
    guard first < end else { return .incomplete }
    switch first.pointee {
    case UInt8(ascii: "!"): return markup(place, before: end)
    case UInt8(ascii: "?"): return .markup(terminator: "?>", next: first + 1)
    case .slash:
      let nameEnd = wordEnd(first + 1, before: end)
      let close = spaceEnd(nameEnd, before: end)
      guard close < end else { return .incomplete }
      guard close.pointee == .greater else { return .malformed }
      return .end(name: Bytes(from: first + 1, to: nameEnd), next: close + 1)
    default: return start(first, before: end)
    }
  }

  private func markup(
    _ place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Tag {
    for (opening, terminator) in [("<!--", "-->"), ("<![CDATA[", "]]>")] as [Markup] {
      let length = min(opening.utf8CodeUnitCount, end - place)
      if memoryIsEqual(place, opening, length) {
        return length < opening.utf8CodeUnitCount
          ? .incomplete : .markup(terminator: terminator, next: place + length)
      }
    }
    return .markup(terminator: ">", next: place + 2)
  }

  private typealias Markup = (opening: StaticString, terminator: StaticString)

  private func memoryIsEqual(
    _ place: UnsafePointer<UInt8>, _ literal: StaticString, _ count: Int
  ) -> Bool {
    (0..<count).allSatisfy { place[$0] == literal.utf8Start[$0] }
  }

  private mutating func start(
    _ first: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Tag {
    var place = wordEnd(first, before: end)
    let name = Bytes(from: first, to: place)
    if name.isEmpty { return place < end ? .malformed : .incomplete }
    while true {
      place = spaceEnd(place, before: end)
      guard place < end else { return .incomplete }
      if place.pointee == .greater { return .start(name: name, isClosed: false, next: place + 1) }
      if place.pointee == .slash {
        guard place + 1 < end else { return .incomplete }
        guard place[1] == .greater else { return .malformed }
        return .start(name: name, isClosed: true, next: place + 2)
      }

      let wordStart = place
      place = wordEnd(place, before: end)
      let word = Bytes(from: wordStart, to: place)
      place = spaceEnd(place, before: end)
      guard place < end else { return .incomplete }
      if word.isEmpty { return .malformed }
      guard place.pointee == .equals else {
        keep(Attribute(name: word, value: Bytes(start: nil, count: 0)))
        continue
      }
      place = spaceEnd(place + 1, before: end)
      guard place < end else { return .incomplete }
      let quote = place.pointee
      guard quote == .quote || quote == .apostrophe else { return .malformed }
      let close = (place + 1).first(quote, before: end)
      if lostQuote(place + 1, before: close ?? end) { return .malformed }
      guard let close else { return .incomplete }
      keep(Attribute(name: word, value: Bytes(from: place + 1, to: close)))
      place = close + 1
    }
  }

  @inline(__always)
  private mutating func keep(_ attribute: Attribute) {
    guard count < Self.mostAttributes else { return }
    (storage + count).initialize(to: attribute)
    count += 1
  }

  @inline(__always)
  private func spaceEnd(
    _ place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var place = place
    while place < end, place.pointee.isSpace { place += 1 }
    return place
  }

  /// The end of a name: white space or a syntax character.
  @inline(__always)
  private func wordEnd(
    _ place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var place = place
    while place < end {
      switch place.pointee {
      case 0x20, 0x09, 0x0A, 0x0D, .equals, .slash, .greater, .less, .quote, .apostrophe:
        return place
      default: place += 1
      }
    }
    return place
  }

  @inline(__always)
  private func lostQuote(
    _ value: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Bool {
    guard let lineBreak = value.first(.lineFeed, before: end) else { return false }
    return lineBreak.first(.less, before: end) != nil
  }
}
