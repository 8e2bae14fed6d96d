import HealthSamples

/// The data of a copy of a sample besides its times and value; what identifies it, and is compared, is
/// all but its date of creation.
struct Payload: Hashable, Comparable {
  /// The number as recorded.
  let value: Double
  let created: Double
  let label: String
  let metadata: Metadata
  let origin: Origin

  /// Whether this copy is preferred: the earliest recorded creation wins, then the smallest label,
  /// metadata and origin, so that the order of the file does not matter.
  func isPreferred(to other: Self) -> Bool {
    if created != other.created {
      let isRecorded = created != RecordColumns.notRecorded
      let isOtherRecorded = other.created != RecordColumns.notRecorded
      return isRecorded && (!isOtherRecorded || created < other.created)
    }
    return self < other
  }

  static func == (left: Self, right: Self) -> Bool {
    left.value.bitPattern == right.value.bitPattern && left.label == right.label
      && left.origin.recorded == right.origin.recorded && left.metadata == right.metadata
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value.bitPattern)
    hasher.combine(label)
    hasher.combine(origin.recorded)
    hasher.combine(metadata)
  }

  static func < (one: Self, other: Self) -> Bool {
    if one.label != other.label { return one.label.precedes(other.label) }
    for (entry, rival) in zip(one.metadata.entries, other.metadata.entries) where entry != rival {
      if entry.key != rival.key { return entry.key.precedes(rival.key) }
      if entry.value != rival.value { return entry.value.precedes(rival.value) }
      return entry.kind.rawValue < rival.kind.rawValue
    }
    let counts = (one.metadata.entries.count, other.metadata.entries.count)
    if counts.0 != counts.1 { return counts.0 < counts.1 }
    if one.origin.storedVersion != other.origin.storedVersion {
      return one.origin.storedVersion.precedes(other.origin.storedVersion)
    }
    if one.origin.device != other.origin.device {
      return one.origin.device.precedes(other.origin.device)
    }
    return one.value.bitPattern < other.value.bitPattern
  }

  /// The approximate size of the texts in bytes.
  var textBytes: Int {
    metadata.entries.reduce(label.utf8.count + origin.device.utf8.count) {
      $0 + $1.key.utf8.count + $1.value.utf8.count
    }
  }
}

/// The payload of a row: the recorded number, its creation date, and indices into the tables of its
/// chunk.
struct PayloadIndices {
  var value: Double
  var created: Double
  var label: UInt32
  var origin: UInt32
  var metadata: UInt32
}

/// Compares the payloads of rows of an export with those of rows of the store.
///
/// Texts are compared once per pair of tables, not once per row.
struct PayloadComparison {
  private let fresh: RowCursor
  private let stored: RowCursor
  /// From the tables of the export to those of the store; -1 if not in the store.
  private let labels: [Int]
  private let origins: [Int]
  /// From the origins of the store to the first with the same words.
  private let storedOrigins: [Int]
  /// Metadata that have been compared and are equal.
  private var metadata: [UInt32: UInt32] = [0: 0]

  /// Compares the tables of two chunks.
  init(_ fresh: RowCursor, _ stored: RowCursor) {
    self.fresh = fresh
    self.stored = stored
    func indices<Text: Hashable>(_ table: [Text]) -> [Text: Int] {
      Dictionary(zip(table, table.indices), uniquingKeysWith: { first, _ in first })
    }
    let labelIndices = indices(stored.labelTable)
    let storedTable = stored.originTable.map(\.recorded)
    let originIndices = indices(storedTable)
    labels = fresh.labelTable.map { labelIndices[$0] ?? -1 }
    origins = fresh.originTable.map { originIndices[$0.recorded] ?? -1 }
    storedOrigins = storedTable.map { originIndices[$0] ?? -1 }
  }

  /// Whether the tables are those of two cursors.
  func isBetween(_ fresh: RowCursor, _ stored: RowCursor) -> Bool {
    self.fresh === fresh && self.stored === stored
  }

  /// Whether a row of the export and a row of the store have the same payload.
  mutating func areSame(
    _ left: PayloadIndices, _ right: PayloadIndices
  ) throws(Corruption) -> Bool {
    guard left.value.bitPattern == right.value.bitPattern, left.created == right.created,
      labels[Int(left.label)] == Int(right.label),
      origins[Int(left.origin)] == storedOrigins[Int(right.origin)]
    else { return false }
    if metadata[left.metadata] == right.metadata { return true }
    guard try fresh.metadata(Int(left.metadata)) == stored.metadata(Int(right.metadata)) else {
      return false
    }
    metadata[left.metadata] = right.metadata
    return true
  }
}

extension RowCursor {
  /// The payload of a row of the block.
  func payloadIndices(_ row: Int) -> PayloadIndices {
    PayloadIndices(
      value: block.values[row], created: block.created[row], label: block.labels[row],
      origin: block.origins[row], metadata: block.metadata[row])
  }
}

extension String {
  /// The order of Unicode scalars, which depends on no version of Unicode.
  fileprivate func precedes(_ other: String) -> Bool {
    unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }
}

extension Origin {
  /// The origin as recorded.
  fileprivate var recorded: Self {
    Self(
      sourceVersion: sourceVersion, device: device, productType: productType,
      operatingSystem: operatingSystem)
  }
}
