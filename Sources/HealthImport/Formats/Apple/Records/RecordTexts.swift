import HealthSamples

/// The repeated texts of records, each decoded once and numbered.
///
/// All are dropped when they take too much memory, so that an export whose texts never repeat needs
/// no more than any other. Pending rows must be delivered before that.
struct RecordTexts {
  /// The longest name of a source, in bytes; names are compared by characters, which is slow.
  static let longestSource = 1 << 16

  /// The number of a text, and how many of its characters were removed or replaced.
  typealias Numbered = (index: UInt32, replaced: Int)

  /// A constant of a category.
  struct Constant {
    var label: UInt32
    var value: Double
    var replaced: Int
  }

  /// The contents of a record.
  struct Children {
    var metadata: UInt32 = 0
    var isUserEntered = false
    var replaced = 0
    /// Whether there is a list of beats, which is in ``RecordScanner/beats``.
    var hasBeats = false
    /// Whether parsing the same bytes again would change no count.
    var isRepeatable = true
  }

  /// The meaning of a unit for a type.
  enum Unit {
    case label(UInt32, replaced: Int)
    case refused(SkipReason)
  }

  /// Names of sources.
  private(set) var sources: [String] = []
  /// Versions and devices.
  private(set) var origins: [Origin] = []
  /// Units and constants.
  private(set) var labels: [String] = []
  /// Metadata; the first is empty.
  private(set) var metadata: [Metadata] = [Metadata()]

  private var sourceTable = ByteTable()
  private var sourceReplaced: [Int] = []
  private var originTable = ByteTable()
  private var originReplaced: [Int] = []
  private var labelNumbers: [String: UInt32] = [:]
  private var metadataNumbers: [Metadata: UInt32] = [Metadata(): 0]
  private var metadataBytes = 0
  private var unitTable = ByteTable()
  private var units: [Unit] = []
  private var constantTable = ByteTable()
  private var constants: [Constant] = []
  private var childrenTable = ByteTable()
  private var children: [Children] = []
  private var streamTable = ByteTable()
  private var key: [UInt8] = []

  /// The approximate memory of the texts.
  var byteCount: Int {
    2
      * (sourceTable.byteCount + originTable.byteCount + unitTable.byteCount
        + constantTable.byteCount + childrenTable.byteCount + streamTable.byteCount)
      + metadataBytes
  }

  /// The number of a source's name.
  mutating func source(_ name: Bytes) -> Numbered {
    let (index, isNew) = sourceTable.index(of: name)
    if isNew {
      let (text, replaced) = TextDecoder.text(name)
      sources.append(text)
      sourceReplaced.append(replaced)
    }
    return (UInt32(index), sourceReplaced[index])
  }

  /// The number of a version and a device; the address in the device is ignored.
  mutating func origin(version: Bytes?, device: Bytes?) -> Numbered {
    // The length of the version is first, so that the key is unambiguous.
    setKey(version?.count ?? 0)
    let versionStart = key.count
    if let version { key += version }
    let deviceStart = key.count
    if let device {
      let address = DeviceText.address(in: device)
      key += device[..<address.lowerBound]
      key += device[address.upperBound...]
    }
    let (index, isNew) = key.withUnsafeBufferPointer { originTable.index(of: $0) }
    if isNew {
      let version = key.withUnsafeBufferPointer {
        TextDecoder.text(Bytes(rebasing: $0[versionStart..<deviceStart]))
      }
      let device = key.withUnsafeBufferPointer {
        TextDecoder.text(Bytes(rebasing: $0[deviceStart...]))
      }
      origins.append(
        Origin(
          sourceVersion: version.text, device: Device.withoutEnvelope(device.text)))
      originReplaced.append(version.replaced + device.replaced)
    }
    return (UInt32(index), originReplaced[index])
  }

  /// The meaning of `unit` for a type.
  mutating func unit(_ unit: Bytes, type: Int, of types: inout RecordTypes) -> Unit {
    guard unit.count <= RecordTypes.longestName else { return .refused(.nameTooLong) }
    setKey(type)
    key += unit
    let (index, isNew) = key.withUnsafeBufferPointer { unitTable.index(of: $0) }
    if isNew {
      let (written, replaced) = TextDecoder.text(unit)
      let text = types.unit(written, type: type)
      if let objection = types.objection(toUnit: text, type: type) {
        units.append(.refused(objection))
      } else {
        units.append(.label(label(text), replaced: replaced))
      }
    }
    return units[index]
  }

  /// The constant `name`; `nil` if there are too many.
  ///
  /// One that is not in the catalogue gets its own number, the same in every export.
  mutating func constant(_ name: Bytes, of types: inout RecordTypes) -> Constant? {
    if let index = constantTable.existingIndex(of: name) { return constants[index] }
    let (text, replaced) = TextDecoder.text(name)
    guard types.admits(text) else { return nil }
    let constant = Constant(
      label: label(text), value: Self.value(ofConstant: text), replaced: replaced)
    _ = constantTable.index(of: name)
    constants.append(constant)
    return constant
  }

  /// The contents of a record, if the same bytes have been read before.
  func knownChildren(_ text: Bytes) -> Children? {
    childrenTable.existingIndex(of: text).map { children[$0] }
  }

  /// Stores the contents of a record.
  mutating func remember(_ value: Children, for text: Bytes) {
    if childrenTable.index(of: text).isNew { children.append(value) }
  }

  /// The number of metadata.
  mutating func metadata(_ value: Metadata) -> UInt32 {
    if let number = metadataNumbers[value] { return number }
    let number = UInt32(metadata.count)
    metadata.append(value)
    metadataNumbers[value] = number
    metadataBytes += value.entries.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.utf8.count }
    return number
  }

  /// The number of the stream of a type and a source; `nil` if there are too many.
  mutating func stream(
    type: Int, source: UInt32, isUserEntered: Bool, isNested: Bool, of types: inout RecordTypes
  ) -> (index: Int, isNew: Bool)? {
    setKey(type)
    withUnsafeBytes(of: source.littleEndian) { key += $0 }
    key.append((isUserEntered ? 1 : 0) | (isNested ? 2 : 0))
    if let index = key.withUnsafeBufferPointer({ streamTable.existingIndex(of: $0) }) {
      return (index, false)
    }
    guard types.admits("\(type) \(sources[Int(source)])") else { return nil }
    return key.withUnsafeBufferPointer { streamTable.index(of: $0) }
  }

  private mutating func label(_ text: String) -> UInt32 {
    if let number = labelNumbers[text] { return number }
    let number = UInt32(labels.count)
    labels.append(text)
    labelNumbers[text] = number
    return number
  }

  private mutating func setKey(_ number: Int) {
    key.removeAll(keepingCapacity: true)
    withUnsafeBytes(of: UInt32(number).littleEndian) { key += $0 }
  }

  private static func value(ofConstant name: String) -> Double {
    if name.isEmpty { return 0 }
    if let value = Catalogue.rawValue(ofCategoryConstant: name) { return Double(value) }
    var text = name
    if let number = text.withUTF8({ NumberScanner.number($0) }) { return number }
    // FNV-1a, 32 bits (RFC 9923), above all raw values of enumerations.
    let hash = name.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return 4_294_967_296 + Double(hash)
  }
}
