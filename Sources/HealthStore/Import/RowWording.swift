import HealthSamples

/// What a row says beside its place: the number as recorded, when it was made, and places in the
/// tables of its segment.
struct RowWords {
  var value: Double
  var created: Double
  var label: UInt32
  var origin: UInt32
  var metadata: UInt32
}

/// Tells whether rows of an export and rows of the store say the same in the same words.
///
/// Texts are compared once for each pair of tables, not once a row.
struct RowWording {
  private let fresh: RowCursor
  private let stored: RowCursor
  /// From the tables of the export to those of the store; -1 for what the store does not have.
  private let labels: [Int]
  private let origins: [Int]
  /// From the origins of the store to the first that is equal but for its telling.
  private let storedOrigins: [Int]
  /// Metadata that were compared and are the same.
  private var metadata: [UInt32: UInt32] = [0: 0]

  /// Compares the tables of two segments.
  init(_ fresh: RowCursor, _ stored: RowCursor) {
    self.fresh = fresh
    self.stored = stored
    func places<Text: Hashable>(_ table: [Text]) -> [Text: Int] {
      Dictionary(zip(table, table.indices), uniquingKeysWith: { first, _ in first })
    }
    let labelPlaces = places(stored.labelTable)
    let storedTable = stored.originTable.map(\.untold)
    let originPlaces = places(storedTable)
    labels = fresh.labelTable.map { labelPlaces[$0] ?? -1 }
    origins = fresh.originTable.map { originPlaces[$0.untold] ?? -1 }
    storedOrigins = storedTable.map { originPlaces[$0] ?? -1 }
  }

  /// Whether the tables are those of two cursors.
  func isBetween(_ fresh: RowCursor, _ stored: RowCursor) -> Bool {
    self.fresh === fresh && self.stored === stored
  }

  /// Whether a row of the export and a row of the store have the same words.
  mutating func areSame(
    _ left: RowWords, _ right: RowWords
  ) throws(SegmentDamage) -> Bool {
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
  /// What a row of the block says.
  func words(_ row: Int) -> RowWords {
    RowWords(
      value: block.values[row], created: block.created[row], label: block.labels[row],
      origin: block.origins[row], metadata: block.metadata[row])
  }
}

extension CandidateRow {
  /// What the row says.
  var words: RowWords {
    RowWords(value: value, created: created, label: label, origin: origin, metadata: metadata)
  }
}

extension Origin {
  /// The origin without its telling.
  fileprivate var untold: Self {
    var origin = self
    origin.telling = TellingTable.ofSegment
    return origin
  }
}
