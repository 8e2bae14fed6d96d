import HealthLedger
import HealthSamples

/// Visits the fields of an element in one of three modes: encodes them, decodes them, or lists the
/// compared ones.
///
/// One description of the fields serves all three, so they cannot differ.
struct FieldCoder {
  /// One field, for comparison.
  enum Field: Equatable {
    case text(String)
    case number(Double)
    case missing
  }

  private enum Mode { case writing, reading, listing }

  /// The format version; others are refused.
  private static let version: UInt8 = 3
  private let mode: Mode
  private var reader = ByteReader()
  private var writer = ByteWriter()
  private var texts = ElementTexts()
  /// The compared fields, when listing.
  private(set) var fields: [Field] = []
  /// Whether all numbers are finite and the columns of each series have the same length.
  private(set) var isSound = true

  private init(_ mode: Mode) { self.mode = mode }

  /// Encodes the fields that `code` visits.
  static func bytes(
    _ code: (inout FieldCoder) throws(Corruption) -> Void
  ) throws(Corruption) -> [UInt8] {
    var coder = FieldCoder(.writing)
    coder.writer.append(version)
    try code(&coder)
    guard coder.isSound else { throw Corruption() }
    coder.writer.appendChecksum()
    return coder.writer.bytes
  }

  /// Decodes `bytes` into the fields that `code` visits.
  static func read(
    _ bytes: [UInt8], _ code: (inout FieldCoder) throws(Corruption) -> Void
  ) throws(Corruption) {
    var coder = FieldCoder(.reading)
    coder.reader = try ByteReader(checked: bytes)
    guard try coder.reader.byte() == version else { throw Corruption() }
    try code(&coder)
    guard coder.reader.isAtEnd, coder.isSound else { throw Corruption() }
  }

  /// Lists the compared fields that `code` visits.
  static func fields(
    _ code: (inout FieldCoder) throws(Corruption) -> Void
  ) throws(Corruption) -> [Field] {
    var coder = FieldCoder(.listing)
    try code(&coder)
    return coder.fields
  }

  // MARK: Fields

  mutating func text(_ text: inout String, isCompared: Bool = true) throws(Corruption) {
    switch mode {
    case .writing: texts.append(text, to: &writer)
    case .listing: if isCompared { fields.append(.text(text)) }
    case .reading: text = try texts.read(from: &reader)
    }
  }

  mutating func integer(_ number: inout Int, isCompared: Bool = true) throws(Corruption) {
    switch mode {
    case .writing: writer.append(signed: Int64(number))
    case .listing: if isCompared { fields.append(.number(Double(number))) }
    case .reading: number = Int(try reader.signed())
    }
  }

  mutating func number(_ number: inout Double, isCompared: Bool = true) throws(Corruption) {
    switch mode {
    case .writing:
      isSound = isSound && number.isFinite
      writer.append(decimal: number)
    case .listing: if isCompared { fields.append(.number(number)) }
    case .reading: number = try reader.decimal()
    }
  }

  /// An optional number.
  mutating func number(_ number: inout Double?) throws(Corruption) {
    var isThere = number == nil ? 0 : 1
    if case .listing = mode {
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

  /// An optional Boolean.
  mutating func truth(_ truth: inout Bool?) throws(Corruption) {
    var number = truth.map { $0 ? 2 : 1 } ?? 0
    try integer(&number)
    truth = number == 0 ? nil : number == 2
  }

  mutating func bytes(_ bytes: inout [UInt8]) throws(Corruption) {
    switch mode {
    case .writing:
      writer.append(variable: UInt64(bytes.count))
      writer.bytes += bytes
    case .listing: fields.append(.text(String(decoding: bytes, as: UTF8.self)))
    case .reading:
      let count = try reader.count()
      let start = try reader.skip(count)
      bytes = Array(reader.bytes[start..<start + count])
    }
  }

  /// A list of items with fields; `blank` is the initial value for decoding.
  mutating func list<Item>(
    _ items: inout [Item], blank: Item,
    _ code: (inout Item, inout FieldCoder) throws(Corruption) -> Void
  ) throws(Corruption) {
    var count = items.count
    try integer(&count)
    guard mode == .reading else {
      for index in items.indices { try code(&items[index], &self) }
      return
    }
    // Every item has at least one byte, so the remaining bytes limit allocations.
    guard (0...reader.end - reader.position).contains(count) else { throw Corruption() }
    items = []
    for _ in 0..<count {
      var item = blank
      try code(&item, &self)
      items.append(item)
    }
  }

  /// Whole numbers after all other fields: none are no byte, as in rows of earlier versions.
  mutating func last(_ numbers: inout [Int]) throws(Corruption) {
    let isMissing = numbers.isEmpty
    try last(&numbers, isMissing: isMissing) { numbers, coder throws(Corruption) in
      try coder.list(&numbers, blank: 0) { number, coder throws(Corruption) in
        try coder.integer(&number)
      }
    }
  }

  /// What stands after all other fields: no byte where it is missing, as in rows of earlier versions.
  mutating func last<Value>(
    _ value: inout Value, isMissing: Bool,
    _ code: (inout Value, inout FieldCoder) throws(Corruption) -> Void
  ) throws(Corruption) {
    switch mode {
    case .reading where reader.isAtEnd: break
    case .writing where isMissing, .listing where isMissing: break
    default: try code(&value, &self)
    }
  }

  /// Columns of the same length.
  mutating func series(_ columns: inout [[Double]]) throws(Corruption) {
    switch mode {
    case .writing:
      isSound =
        isSound
        && columns.allSatisfy {
          $0.count <= NumberSeries.mostNumbers && $0.allSatisfy(\.isFinite)
        }
      for column in columns { NumberSeries.append(column, to: &writer) }
    case .listing: for column in columns { fields += column.map { .number($0) } }
    case .reading:
      for index in columns.indices { columns[index] = try NumberSeries.read(from: &reader) }
    }
    isSound = isSound && columns.allSatisfy { $0.count == columns.first?.count }
  }
}

extension Array where Element == FieldCoder.Field {
  /// Whether two elements are equal: equal texts, and numbers that agree to the printed digits in
  /// any unit.
  func agree(with others: Self) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { left, right in
        guard case .number(let left) = left, case .number(let right) = right else {
          return left == right
        }
        let scale = Swift.max(left.magnitude, right.magnitude)
        return left == right || (left - right).magnitude <= ValueAgreement.tolerance * scale
      }
  }
}

extension ByteWriter {
  /// A number in few bytes if it is a short decimal; always exact.
  fileprivate mutating func append(decimal number: Double) {
    let exponent = ScaledDecimals.exponents.first { ScaledDecimals.holds(number, exponent: $0) }
    guard let exponent else {
      append(RawDoubles.mark)
      append(number.bitPattern)
      return
    }
    append(UInt8(exponent))
    append(signed: ScaledDecimals.scaled(number, exponent: exponent))
  }
}

extension ByteReader {
  fileprivate mutating func decimal() throws(Corruption) -> Double {
    let exponent = try byte()
    if exponent == RawDoubles.mark {
      let number = Double(bitPattern: try number())
      guard number.isFinite else { throw Corruption() }
      return number
    }
    guard ScaledDecimals.exponents.contains(Int(exponent)) else { throw Corruption() }
    return ScaledDecimals.unscaled(try signed(), exponent: Int(exponent))
  }
}

extension FieldCoder {
  /// A source; its spelling may differ between exports, so only the key compares it.
  mutating func source(_ source: inout Source) throws(Corruption) {
    var name = source.name
    var bundleIdentifier = source.bundleIdentifier
    var isUserEntered = source.isUserEntered ? 1 : 0
    try text(&name, isCompared: false)
    try text(&bundleIdentifier, isCompared: false)
    try integer(&isUserEntered, isCompared: false)
    source = Source(
      name: name, bundleIdentifier: bundleIdentifier, isUserEntered: isUserEntered != 0)
  }

  /// Source and dates of an element.
  ///
  /// Versions, devices and creation dates are stored but not compared.
  mutating func facts(_ facts: inout ElementFacts) throws(Corruption) {
    try source(&facts.source)
    var version = facts.origin.storedVersion
    var device = facts.origin.device
    try text(&version, isCompared: false)
    try text(&device, isCompared: false)
    facts.origin = Origin(storedVersion: version, device: device)
    try created(&facts.created)
    try number(&facts.start, isCompared: false)
    try number(&facts.end, isCompared: false)
    try metadata(&facts.metadata)
  }

  private mutating func created(_ created: inout Double) throws(Corruption) {
    var isRecorded = created == RecordColumns.notRecorded ? 0 : 1
    try integer(&isRecorded, isCompared: false)
    var date = isRecorded == 1 && created.isFinite ? created : 0
    try number(&date, isCompared: false)
    created = isRecorded == 1 ? date : RecordColumns.notRecorded
  }

  mutating func metadata(_ metadata: inout Metadata) throws(Corruption) {
    let blank = Metadata.Entry(key: "", value: "")
    try list(&metadata.entries, blank: blank) { entry, coder throws(Corruption) in
      var key = entry.key
      var value = entry.value
      try coder.text(&key)
      try coder.text(&value)
      var number = Int(entry.kind.rawValue)
      try coder.integer(&number, isCompared: false)
      guard let kind = UInt8(exactly: number).flatMap(Metadata.Entry.Kind.init) else {
        throw Corruption()
      }
      entry = Metadata.Entry(key: key, value: value, kind: kind)
    }
  }

  mutating func links(_ links: inout [RecordLink]) throws(Corruption) {
    try list(&links, blank: RecordLink.blank) { link, coder throws(Corruption) in
      try coder.link(&link)
    }
  }

  /// A link; the recorded unit may differ between exports.
  mutating func link(_ link: inout RecordLink) throws(Corruption) {
    try text(&link.type)
    try source(&link.source)
    try number(&link.start)
    try number(&link.end)
    try number(&link.value)
    try text(&link.label, isCompared: false)
  }
}

extension RecordLink {
  static let blank = RecordLink(
    type: "", source: Source(name: ""), start: 0, end: 0, value: 0, label: "")
}
