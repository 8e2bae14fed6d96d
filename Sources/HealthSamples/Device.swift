/// A device with the eight fields of `HKDevice`, and its text as exports write it.
///
/// ```swift
/// let device = Device("name:Apple Watch, model:Watch, hardware:Watch6,1")
/// device?.hardwareVersion  // "Watch6,1"
/// ```
///
/// Values may contain commas. A value that contains what looks like the next field is written with
/// a backslash after that comma, so that every device has a text that reads back.
public struct Device: Sendable, Hashable {
  /// The fields, in the order of the text.
  public enum Field: String, Sendable, Hashable, Codable, CaseIterable {
    /// The name that the user gave.
    case name
    /// Who made the device.
    case manufacturer
    /// The model, such as `Watch`.
    case model
    /// The hardware version, such as `Watch6,1`.
    case hardwareVersion = "hardware"
    /// The firmware version.
    case firmwareVersion = "firmware"
    /// The software version.
    case softwareVersion = "software"
    /// An identifier that only the writing app understands.
    case localIdentifier
    /// The device identifier of its UDI.
    case udiDeviceIdentifier = "UDI"
    /// When the device was first seen: exports since iOS 17 write it, `HKDevice` does not have it.
    case creationDate = "creation date"
  }

  private var values: [Field: String]

  /// Makes a device; a field that is `nil` is not known.
  public init(
    name: String? = nil, manufacturer: String? = nil, model: String? = nil,
    hardwareVersion: String? = nil, firmwareVersion: String? = nil, softwareVersion: String? = nil,
    localIdentifier: String? = nil, udiDeviceIdentifier: String? = nil
  ) {
    values = [:]
    self[.name] = name
    self[.manufacturer] = manufacturer
    self[.model] = model
    self[.hardwareVersion] = hardwareVersion
    self[.firmwareVersion] = firmwareVersion
    self[.softwareVersion] = softwareVersion
    self[.localIdentifier] = localIdentifier
    self[.udiDeviceIdentifier] = udiDeviceIdentifier
  }

  /// The value of a field; `nil` when not known.
  public subscript(field: Field) -> String? {
    get { values[field] }
    set { values[field] = newValue }
  }

  /// The name that the user gave.
  public var name: String? { self[.name] }
  /// Who made the device.
  public var manufacturer: String? { self[.manufacturer] }
  /// The model, such as `Watch`.
  public var model: String? { self[.model] }
  /// The hardware version, such as `Watch6,1`.
  public var hardwareVersion: String? { self[.hardwareVersion] }
  /// The firmware version.
  public var firmwareVersion: String? { self[.firmwareVersion] }
  /// The software version.
  public var softwareVersion: String? { self[.softwareVersion] }
  /// An identifier that only the writing app understands.
  public var localIdentifier: String? { self[.localIdentifier] }
  /// The device identifier of its UDI.
  public var udiDeviceIdentifier: String? { self[.udiDeviceIdentifier] }
}

extension Device: LosslessStringConvertible {
  /// Parses a description as ``Origin/device`` has it, or with the envelope of an export.
  ///
  /// `nil` for a text without fields, with something before them, or with fields that repeat or are
  /// in another order than exports write: such a text is kept as it is.
  ///
  /// - Complexity: O(*n*)
  public init?(_ description: String) {
    let text = Self.withoutEnvelope(description)
    let fields = Self.fields(in: text)
    guard let first = fields.first, text.hasPrefix(first.field.rawValue + ":") else { return nil }
    let order = fields.map { Self.order[$0.field] ?? 0 }
    guard zip(order, order.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    values = Dictionary(fields.map { ($0.field, $0.value) }) { first, _ in first }
  }

  private static let order = Dictionary(
    Field.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

  /// The text of the known fields as ``Origin/device`` has it.
  public var description: String {
    Field.allCases.compactMap { field in
      self[field].map { "\(field.rawValue):\(Self.escaped($0))" }
    }.joined(separator: ", ")
  }
}

extension Device {
  private static let opening = "<<HKDevice: 0x"

  /// A device text without the memory address, which changes within one file, and without the
  /// delimiters if it is complete.
  package static func withoutEnvelope(_ text: String) -> String {
    guard text.hasPrefix(opening) else { return text }
    var fields = text.dropFirst(opening.count).drop { $0.isASCII && $0.isHexDigit }
    guard fields.hasPrefix(">") else { return opening + fields }
    fields.removeFirst()
    if fields.hasPrefix(", ") { fields.removeFirst(2) }
    if fields.hasSuffix(">") { fields.removeLast() }
    return String(fields)
  }

  /// The fields that a text names, in its order, whatever stands between or before them.
  ///
  /// - Complexity: O(*n*)
  package static func fields(in text: String) -> [(field: Field, value: String)] {
    var fields: [(field: Field, start: String.Index, end: String.Index)] = []
    func begin(_ field: Field, at index: String.Index) {
      let start = text.utf8.index(index, offsetBy: field.rawValue.utf8.count + 1)
      fields.append((field, start, text.endIndex))
    }
    if let field = field(at: text.startIndex, of: text) { begin(field, at: text.startIndex) }
    forEachSeparator(of: text) { comma, backslashes, name, field in
      guard backslashes == 0 else { return }
      if !fields.isEmpty { fields[fields.count - 1].end = comma }
      begin(field, at: name)
    }
    return fields.map { ($0.field, unescaped(String(text[$0.start..<$0.end]))) }
  }

  /// The value of a field that a text names; a text without fields is a name.
  ///
  /// - Complexity: O(*n*)
  package static func value(of field: Field, in text: String) -> String? {
    let fields = fields(in: text)
    if fields.isEmpty { return field == .name && !text.isEmpty ? text : nil }
    return fields.first { $0.field == field }?.value
  }

  /// The field whose name and colon stand at an index.
  private static func field(at index: String.Index, of text: String) -> Field? {
    Field.allCases.first { text.utf8[index...].starts(with: ($0.rawValue + ":").utf8) }
  }

  /// Visits each comma that a field follows: after any backslashes and a space.
  private static func forEachSeparator(
    of text: String, _ body: (String.Index, Int, String.Index, Field) -> Void
  ) {
    let bytes = text.utf8
    var index = bytes.startIndex
    while let comma = bytes[index...].firstIndex(of: UInt8(ascii: ",")) {
      index = bytes.index(after: comma)
      var backslashes = 0
      while index < bytes.endIndex, bytes[index] == UInt8(ascii: "\\") {
        backslashes += 1
        index = bytes.index(after: index)
      }
      guard index < bytes.endIndex, bytes[index] == UInt8(ascii: " ") else { continue }
      let name = bytes.index(after: index)
      if let field = field(at: name, of: text) { body(comma, backslashes, name, field) }
    }
  }

  /// A value with a further backslash after each comma that a field seems to follow.
  private static func escaped(_ value: String) -> String {
    edited(value) { "," + String(repeating: "\\", count: $0 + 1) }
  }

  private static func unescaped(_ value: String) -> String {
    edited(value) { "," + String(repeating: "\\", count: max(0, $0 - 1)) }
  }

  private static func edited(_ value: String, _ separator: (Int) -> String) -> String {
    var edited = ""
    var done = value.startIndex
    forEachSeparator(of: value) { comma, backslashes, _, _ in
      edited += value[done..<comma] + separator(backslashes)
      done = value.utf8.index(comma, offsetBy: 1 + backslashes)
    }
    return edited + value[done...]
  }
}
