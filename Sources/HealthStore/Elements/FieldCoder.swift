/// Goes along the fields of an element, in one of three ways: writes them, reads them, or lists what
/// is compared.
///
/// One description of the fields serves all three, so they cannot differ.
struct FieldCoder {
  /// One field, for comparison.
  enum Field: Equatable {
    case text(String)
    case number(Double)
    case missing
  }

  private enum Way {
    case writing
    case reading(ByteReader)
    case listing
  }

  /// The form of the bytes that is written; a later one is refused.
  private static let version: UInt8 = 2
  /// The form in which every text stands whole.
  private static let plainVersion: UInt8 = 1
  private var way: Way
  private var writer = ByteWriter()
  private var texts = ElementTexts()
  private var hasPlainTexts = false
  /// The fields that are compared, as far as they were listed.
  private(set) var fields: [Field] = []
  /// Whether every number was finite and the columns of each series had one length.
  private(set) var isSound = true

  private init(_ way: Way) { self.way = way }

  /// Writes what `code` goes along.
  static func bytes(
    _ code: (inout FieldCoder) throws(SegmentDamage) -> Void
  ) throws(SegmentDamage) -> [UInt8] {
    var coder = FieldCoder(.writing)
    coder.writer.append(version)
    try code(&coder)
    guard coder.isSound else { throw SegmentDamage() }
    coder.writer.seal()
    return coder.writer.bytes
  }

  /// Reads `bytes` into what `code` goes along.
  static func read(
    _ bytes: [UInt8], _ code: (inout FieldCoder) throws(SegmentDamage) -> Void
  ) throws(SegmentDamage) {
    var reader = try ByteReader(sealed: bytes)
    let version = try reader.byte()
    guard version == Self.version || version == plainVersion else { throw SegmentDamage() }
    var coder = FieldCoder(.reading(reader))
    coder.hasPlainTexts = version == plainVersion
    try code(&coder)
    guard case .reading(let rest) = coder.way, rest.isAtEnd, coder.isSound else {
      throw SegmentDamage()
    }
  }

  /// Lists what is compared of what `code` goes along.
  static func fields(
    _ code: (inout FieldCoder) throws(SegmentDamage) -> Void
  ) throws(SegmentDamage) -> [Field] {
    var coder = FieldCoder(.listing)
    try code(&coder)
    return coder.fields
  }

  // MARK: Fields

  mutating func text(_ text: inout String, isCompared: Bool = true) throws(SegmentDamage) {
    switch way {
    case .writing: texts.append(text, to: &writer)
    case .listing: if isCompared { fields.append(.text(text)) }
    case .reading(var reader):
      text = try hasPlainTexts ? reader.text() : texts.read(from: &reader)
      way = .reading(reader)
    }
  }

  mutating func integer(_ number: inout Int, isCompared: Bool = true) throws(SegmentDamage) {
    switch way {
    case .writing: writer.append(signed: Int64(number))
    case .listing: if isCompared { fields.append(.number(Double(number))) }
    case .reading(var reader):
      number = Int(try reader.signed())
      way = .reading(reader)
    }
  }

  mutating func number(_ number: inout Double, isCompared: Bool = true) throws(SegmentDamage) {
    switch way {
    case .writing:
      isSound = isSound && number.isFinite
      writer.append(decimal: number)
    case .listing: if isCompared { fields.append(.number(number)) }
    case .reading(var reader):
      number = try reader.decimal()
      way = .reading(reader)
    }
  }

  /// A number that may be missing.
  mutating func number(_ number: inout Double?) throws(SegmentDamage) {
    var isThere = number == nil ? 0 : 1
    if case .listing = way {
      fields.append(number.map { .number($0) } ?? .missing)
      return
    }
    try integer(&isThere)
    guard isThere == 1 else {
      number = nil
      return
    }
    var value = number ?? 0
    try self.number(&value)
    number = value
  }

  /// A truth that may be missing.
  mutating func truth(_ truth: inout Bool?) throws(SegmentDamage) {
    var number = truth.map { $0 ? 2 : 1 } ?? 0
    try integer(&number)
    truth = number == 0 ? nil : number == 2
  }

  mutating func bytes(_ bytes: inout [UInt8]) throws(SegmentDamage) {
    switch way {
    case .writing:
      writer.append(variable: UInt64(bytes.count))
      writer.bytes += bytes
    case .listing: fields.append(.text(String(decoding: bytes, as: UTF8.self)))
    case .reading(var reader):
      let count = try reader.count()
      let start = try reader.skip(count)
      bytes = Array(reader.bytes[start..<start + count])
      way = .reading(reader)
    }
  }

  /// A list of things, each with fields of its own; `blank` is what one is read into.
  mutating func list<Item>(
    _ items: inout [Item], blank: Item,
    _ code: (inout Item, inout FieldCoder) throws(SegmentDamage) -> Void
  ) throws(SegmentDamage) {
    guard case .reading(var reader) = way else {
      var count = items.count
      try integer(&count)
      for index in items.indices { try code(&items[index], &self) }
      return
    }
    let count = Int(try reader.signed())
    // Every thing takes a byte at least, so the bytes that are left bound what is allocated.
    guard count >= 0, count <= reader.end - reader.position else { throw SegmentDamage() }
    way = .reading(reader)
    items = []
    for _ in 0..<count {
      var item = blank
      try code(&item, &self)
      items.append(item)
    }
  }

  /// Columns of one length.
  mutating func series(_ columns: inout [[Double]]) throws(SegmentDamage) {
    switch way {
    case .writing:
      isSound =
        isSound
        && columns.allSatisfy {
          $0.count == columns.first?.count && $0.count <= NumberSeries.mostNumbers
            && $0.allSatisfy(\.isFinite)
        }
      for column in columns { NumberSeries.append(column, to: &writer) }
    case .listing: for column in columns { fields += column.map { .number($0) } }
    case .reading(var reader):
      for index in columns.indices { columns[index] = try NumberSeries.read(from: &reader) }
      isSound = isSound && columns.allSatisfy { $0.count == columns.first?.count }
      way = .reading(reader)
    }
  }
}

extension Array where Element == FieldCoder.Field {
  /// Whether two elements say the same: equal texts, and numbers that agree to the printed digits
  /// in any unit.
  func agree(with others: Self) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { left, right in
        guard case .number(let left) = left, case .number(let right) = right else {
          return left == right
        }
        let scale = Swift.max(left.magnitude, right.magnitude)
        return left == right || (left - right).magnitude <= StreamMerge.tolerance * scale
      }
  }
}

extension ByteWriter {
  /// A number in few bytes when it is a short decimal, bit for bit in any case.
  fileprivate mutating func append(decimal number: Double) {
    let exponent = ScaledDecimals.exponents.first { ScaledDecimals.holds(number, exponent: $0) }
    guard let exponent else {
      append(ByteReader.raw)
      append(number.bitPattern)
      return
    }
    append(UInt8(exponent))
    append(signed: ScaledDecimals.scaled(number, exponent: exponent))
  }
}

extension ByteReader {
  /// Marks a number that stands as it is.
  fileprivate static let raw: UInt8 = 0xFF

  fileprivate mutating func decimal() throws(SegmentDamage) -> Double {
    let exponent = try byte()
    if exponent == Self.raw {
      let number = Double(bitPattern: try number())
      guard number.isFinite else { throw SegmentDamage() }
      return number
    }
    guard ScaledDecimals.exponents.contains(Int(exponent)) else { throw SegmentDamage() }
    return ScaledDecimals.unscaled(try signed(), exponent: Int(exponent))
  }
}

extension ScaledDecimals {
  /// One value × 10^`exponent`, which it must hold.
  fileprivate static func scaled(_ value: Double, exponent: Int) -> Int64 {
    var number: Int64 = 0
    withUnsafePointer(to: value) { value in
      withUnsafeMutablePointer(to: &number) { number in
        _ = scale(
          UnsafeBufferPointer(start: value, count: 1), by: exponent,
          into: UnsafeMutableBufferPointer(start: number, count: 1))
      }
    }
    return number
  }

  /// The double of one integer.
  fileprivate static func unscaled(_ number: Int64, exponent: Int) -> Double {
    var value = 0.0
    withUnsafePointer(to: number) { number in
      withUnsafeMutablePointer(to: &value) { value in
        unscale(
          UnsafeBufferPointer(start: number, count: 1), by: exponent,
          into: UnsafeMutableBufferPointer(start: value, count: 1))
      }
    }
    return value
  }
}
