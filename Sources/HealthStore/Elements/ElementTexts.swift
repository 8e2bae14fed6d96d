/// The texts of one element on their way into bytes or back: one that stands there already is
/// named by its number, and the beginnings that most identifiers share take a byte.
struct ElementTexts {
  /// What the lowest two bits before a text say.
  private enum Form: UInt64 {
    case whole = 0
    /// The number of an earlier text follows, and nothing else.
    case repeated = 1
    /// A byte names one of ``beginnings``.
    case begun = 2
  }

  /// They are known by their places, so none is ever moved or taken away.
  private static let beginnings = [
    "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier",
    "HKWorkoutActivityType", "HKWorkoutEventType", "HKMetadataKey", "HKDataTypeIdentifier",
  ]
  /// Shorter texts take no more room than a number.
  private static let shortest = 3

  private var texts: [String] = []
  private var places: [String: Int] = [:]

  /// Appends a text, bit for bit.
  mutating func append(_ text: String, to writer: inout ByteWriter) {
    let utf8 = text.utf8
    if utf8.count >= Self.shortest {
      // Texts that are equal for a reader may differ in their bytes.
      if let place = places[text], texts[place].utf8.elementsEqual(utf8) {
        writer.append(variable: UInt64(place) << 2 | Form.repeated.rawValue)
        return
      }
      places[text] = texts.count
      texts.append(text)
    }
    let beginning = Self.beginnings.firstIndex { utf8.starts(with: $0.utf8) }
    let rest = utf8.dropFirst(beginning.map { Self.beginnings[$0].utf8.count } ?? 0)
    let form = beginning == nil ? Form.whole : .begun
    writer.append(variable: UInt64(rest.count) << 2 | form.rawValue)
    if let beginning { writer.append(UInt8(beginning)) }
    writer.bytes.append(contentsOf: rest)
  }

  /// Reads the next text.
  mutating func read(from reader: inout ByteReader) throws(SegmentDamage) -> String {
    let head = try reader.variable()
    let number = head >> 2
    guard let form = Form(rawValue: head & 3), number <= UInt64(reader.bytes.count) else {
      throw SegmentDamage()
    }
    if form == .repeated {
      guard number < UInt64(texts.count) else { throw SegmentDamage() }
      return texts[Int(number)]
    }
    var text = ""
    if form == .begun {
      let beginning = Int(try reader.byte())
      guard beginning < Self.beginnings.count else { throw SegmentDamage() }
      text = Self.beginnings[beginning]
    }
    let start = try reader.skip(Int(number))
    text += String(decoding: reader.bytes[start..<start + Int(number)], as: UTF8.self)
    if text.utf8.count >= Self.shortest { texts.append(text) }
    return text
  }
}
