import HealthSamples

/// A place among the rows of one segment, which moves forwards.
final class RowCursor {
  /// The columns of the block that the cursor stands in.
  let block = RowBlock()
  /// The values of ``block`` in the canonical unit.
  let canonical: UnsafeMutableBufferPointer<Double>
  /// The row of the block.
  private(set) var row = 0
  /// The rows of the block; 0 at the end of the segment.
  private(set) var rowCount = 0

  /// From the tables of the segment to those of the gatherer that takes its rows.
  var map: TableMap?
  /// How the tellings of the rows change when they are taken over, if they do.
  var retelling: Retelling?
  let originTable: [Origin]

  private var core: CoreReader
  private var detail: DetailReader
  private let meanings: [LabelMeaning]

  /// Stands on the first row.
  ///
  /// Rows without a telling of their own have `telling`; where there is none, no row has any.
  init(
    core: [UInt8], detail: [UInt8], telling: UInt32? = nil, meanings: inout LabelMeanings
  ) throws(SegmentDamage) {
    self.core = try CoreReader(core)
    self.detail = try DetailReader(detail)
    originTable = self.detail.originTable.map { origin in
      var origin = origin
      if telling == nil || origin.telling == TellingTable.ofSegment {
        origin.telling = telling ?? TellingTable.ofSegment
      }
      return origin
    }
    guard self.core.count == self.detail.count else { throw SegmentDamage() }
    var resolved: [LabelMeaning] = []
    for label in self.core.labelTable {
      guard let meaning = meanings.meaning(of: label) else { throw SegmentDamage() }
      resolved.append(meaning)
    }
    self.meanings = resolved
    canonical = resolved.areCanonical ? block.values : block.canonical
    try readBlock()
  }

  var isAtEnd: Bool { rowCount == 0 }
  var count: Int { core.count }
  var labelTable: [String] { core.labelTable }
  /// The telling of a row of the block.
  func telling(_ row: Int) -> UInt32 { originTable[Int(block.origins[row])].telling }
  func metadata(_ place: Int) throws(SegmentDamage) -> Metadata { try detail.metadata(place) }

  /// The map into the tables of `owner`; the cursor gives it away so that nobody shares it.
  func takeMap(for owner: TableOwner) -> TableMap {
    defer { map = nil }
    if let map, map.owner === owner { return map }
    return TableMap(
      labels: labelTable.count, origins: originTable.count, metadata: detail.metadataCount,
      owner: owner)
  }

  /// Where the row stands, which must not be past the end.
  var key: RowKey { key(row) }

  func key(_ row: Int) -> RowKey {
    RowKey(start: block.starts[row], end: block.ends[row], canonical: canonical[row])
  }

  /// Moves to the next row.
  func advance() throws(SegmentDamage) {
    row &+= 1
    if row == rowCount { try readBlock() }
  }

  /// Moves to a row of the same block, or to its end.
  func move(to row: Int) { self.row = row }

  /// Moves to the first row of the next block.
  func advanceBlock() throws(SegmentDamage) { try readBlock() }

  private func readBlock() throws(SegmentDamage) {
    row = 0
    rowCount = try core.next(into: block)
    guard try detail.next(into: block) == rowCount else { throw SegmentDamage() }
    if !meanings.areCanonical {
      let rows = 0..<rowCount
      let converted = LabelMeaning.convert(
        Array(block.values[rows]), labels: block.labels[rows].lazy.map(Int.init),
        meanings: meanings)
      for row in rows { block.canonical[row] = converted[row] }
    }
  }
}

/// One sample of an export, its copies put together.
struct CandidateRow {
  var key: RowKey
  var value: Double
  var created: Double
  var label: UInt32
  var origin: UInt32
  var metadata: UInt32
  /// How many copies the export held.
  var copies: Int
  /// How many records inside other elements repeat it.
  var repeating: Int
  /// Whose tables the places are in.
  var cursor: RowCursor

  /// The row that a cursor stands on.
  init(_ cursor: RowCursor) {
    let block = cursor.block
    let row = cursor.row
    key = cursor.key
    value = block.values[row]
    created = block.created[row]
    label = block.labels[row]
    origin = block.origins[row]
    metadata = block.metadata[row]
    copies = Int(block.copies[row])
    repeating = copies == 0 ? 1 : 0
    self.cursor = cursor
  }

  /// Takes in a copy; what is kept of both does not depend on which came first.
  mutating func absorb(_ copy: Self) throws(SegmentDamage) {
    let copies = copies + copy.copies
    let repeating = repeating + copy.repeating
    if try copy.wording.isPreferred(to: wording) { self = copy }
    self.copies = copies
    self.repeating = repeating
  }

  /// Makes a record that only stands inside other elements one of its own.
  mutating func standForItself() {
    guard copies == 0 else { return }
    copies = 1
    repeating -= 1
  }

  private var wording: CopyWording {
    get throws(SegmentDamage) {
      CopyWording(
        created: created, label: cursor.labelTable[Int(label)],
        metadata: try cursor.metadata(Int(metadata)), origin: cursor.originTable[Int(origin)])
    }
  }
}
