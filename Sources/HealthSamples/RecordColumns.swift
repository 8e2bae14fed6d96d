/// Records of one type and one source as an export wrote them, for import and export.
///
/// Values are in the unit in which they were recorded, together with the text of that unit; inside
/// ``SampleColumns`` they are in the canonical unit. Rows may be in any order. Repeated items
/// (unit, origin, metadata) are stored once in a table of the batch, and rows have an index.
///
/// ```swift
/// var steps = RecordColumns(type: SampleType(.stepCount), source: Source(name: "Watch"))
/// try steps.append(start: 0, end: 600, value: 80, label: "count")
/// ```
public struct RecordColumns: Sendable {
  /// The type of every record.
  public let type: SampleType
  /// The source of every record.
  public let source: Source

  /// Start instants, in seconds since 2001-01-01 UTC.
  public package(set) var starts: [Double] = []
  /// End instants as recorded; one before its start is kept as it is.
  public package(set) var ends: [Double] = []
  /// When the record was created, or ``notRecorded``.
  package var created: [Double] = []
  /// Finite values in the recorded unit; for a category type the raw value of the constant.
  public package(set) var values: [Double] = []
  /// Index into ``labelTable``.
  public package(set) var labels: [UInt16] = []
  /// Index into ``originTable``.
  public package(set) var origins: [UInt32] = []
  /// Index into ``metadataTable``; the entry at 0 is empty.
  public package(set) var metadata: [UInt32] = []
  /// How many equal copies of the record one export has; 0 for a record inside another element,
  /// which repeats a top-level one if there is one.
  public package(set) var copies: [UInt32] = []
  /// The serial of each row in the store that it was read from; empty for rows from elsewhere.
  ///
  /// A serial identifies a sample for life; see `SampleStore.uuids(of:)`.
  public package(set) var serials: [Int64] = []

  /// The unit text of a quantity, or the constant's name of a category.
  public package(set) var labelTable: [String] = []
  /// Versions and devices.
  public package(set) var originTable: [Origin] = []
  /// Metadata entries; the first is empty.
  public package(set) var metadataTable: [Metadata] = [Metadata()]
  private var labelPlaces = EntryPlaces<String>()
  private var originPlaces = EntryPlaces<Origin>()
  private var metadataPlaces = EntryPlaces<Metadata>()

  /// The creation date of a record that has none.
  package static let notRecorded = -Double.infinity

  /// The number of records. - Complexity: O(1)
  public var count: Int { starts.count }

  /// Makes an empty batch.
  public init(type: SampleType, source: Source) {
    self.type = type
    self.source = source
  }
}

extension RecordColumns {
  /// Appends a record.
  ///
  /// - Parameters:
  ///   - start: when it starts, in seconds since 2001-01-01 UTC
  ///   - end: when it ends
  ///   - value: the number in the recorded unit; for a category type the raw value of the constant
  ///   - label: the unit text of a quantity, the constant's name of a category
  ///   - creation: when it was created; `nil` when not known
  ///   - origin: the version of the app, and the device
  ///   - entries: metadata
  /// - Throws: ``ColumnError`` for a number that is not finite, and for more labels than a batch
  ///   can have
  /// - Complexity: O(1)
  public mutating func append(
    start: Double, end: Double, value: Double, label: String, creation: Double? = nil,
    origin: Origin = Origin(), metadata entries: Metadata = Metadata()
  ) throws(ColumnError) {
    guard start.isFinite, end.isFinite, value.isFinite, creation?.isFinite ?? true else {
      throw ColumnError(.rowNotFinite, index: count)
    }
    guard
      let label = UInt16(
        exactly: labelPlaces.index(of: label, in: &labelTable, near: labels.last))
    else {
      labelTable.removeLast()
      throw ColumnError(.tooManyLabels, index: count)
    }
    labels.append(label)
    origins.append(UInt32(originPlaces.index(of: origin, in: &originTable, near: origins.last)))
    metadata.append(
      UInt32(metadataPlaces.index(of: entries, in: &metadataTable, near: metadata.last)))
    starts.append(start)
    ends.append(end)
    created.append(creation ?? Self.notRecorded)
    values.append(value)
    copies.append(1)
  }

  /// When a record was created, in seconds since 2001-01-01 UTC; `nil` when not recorded.
  public func creation(row: Int) -> Double? {
    created[row] == Self.notRecorded ? nil : created[row]
  }

  /// Checks that the columns have the same length and the indices of rows are valid.
  ///
  /// - Throws: ``ColumnError`` with the first row that is wrong
  /// - Complexity: O(*n*)
  public func check() throws(ColumnError) {
    let lengths = [
      starts.count, ends.count, created.count, values.count, labels.count, origins.count,
      metadata.count, copies.count,
    ]
    guard lengths.allSatisfy({ $0 == count }) else { throw ColumnError(.lengthsDiffer(lengths)) }
    guard metadataTable.first?.isEmpty == true else {
      throw ColumnError(.noSuchEntry(table: "table of metadata"))
    }
    for row in 0..<count {
      guard starts[row].isFinite, ends[row].isFinite, values[row].isFinite,
        created[row].isFinite || created[row] == Self.notRecorded
      else { throw ColumnError(.rowNotFinite, index: row) }
      guard Int(labels[row]) < labelTable.count else {
        throw ColumnError(.noSuchEntry(table: "table of labels"), index: row)
      }
      guard Int(origins[row]) < originTable.count else {
        throw ColumnError(.noSuchEntry(table: "table of origins"), index: row)
      }
      guard Int(metadata[row]) < metadataTable.count else {
        throw ColumnError(.noSuchEntry(table: "table of metadata"), index: row)
      }
    }
  }
}

extension RecordColumns {
  /// The same rows of another source.
  package init(_ rows: RecordColumns, source: Source) {
    self.init(type: rows.type, source: source)
    (starts, ends, created, values) = (rows.starts, rows.ends, rows.created, rows.values)
    (labels, origins, metadata) = (rows.labels, rows.origins, rows.metadata)
    (copies, serials) = (rows.copies, rows.serials)
    (labelTable, originTable, metadataTable) = (
      rows.labelTable, rows.originTable, rows.metadataTable
    )
  }

  /// The rows at `places`, in that order, with the entries of the tables that they use.
  ///
  /// - Complexity: O(places + entries)
  package func selecting(_ places: [Int]) -> RecordColumns {
    var rows = RecordColumns(type: type, source: source)
    rows.starts = places.map { starts[$0] }
    rows.ends = places.map { ends[$0] }
    rows.created = places.map { created[$0] }
    rows.values = places.map { values[$0] }
    rows.copies = places.map { copies[$0] }
    if !serials.isEmpty { rows.serials = places.map { serials[$0] } }
    var used = IndexRemap(count: labelTable.count)
    rows.labels = places.map { UInt16(used.compact(Int(labels[$0]))) }
    rows.labelTable = used.used.map { labelTable[$0] }
    used = IndexRemap(count: originTable.count)
    rows.origins = places.map { used.compact(Int(origins[$0])) }
    rows.originTable = used.used.map { originTable[$0] }
    used = IndexRemap(count: metadataTable.count)
    _ = used.compact(0)
    rows.metadata = places.map { used.compact(Int(metadata[$0])) }
    rows.metadataTable = used.used.map { metadataTable[$0] }
    return rows
  }
}

/// Where a table has its entries.
private struct EntryPlaces<Entry: Hashable & Sendable>: Sendable {
  private var places: [Entry: Int] = [:]
  /// How many entries of the table are in ``places``, and the last of them.
  private var known: (count: Int, last: Entry?) = (0, nil)

  /// A table of up to this number of entries is searched linearly.
  private static var few: Int { 8 }

  /// The index of an entry, which is appended if the table does not have it.
  mutating func index(
    of entry: Entry, in table: inout [Entry], near last: (some BinaryInteger)?
  ) -> Int {
    if let last, table[Int(last)] == entry { return Int(last) }
    if table.count <= Self.few {
      if let index = table.firstIndex(of: entry) { return index }
    } else {
      // Others may have set the table since.
      if known.count > table.count || known.count > 0 && table[known.count - 1] != known.last {
        (places, known) = ([:], (0, nil))
      }
      for index in known.count..<table.count where places[table[index]] == nil {
        places[table[index]] = index
      }
      let index = places.place(of: entry, next: table.count)
      if index == table.count { table.append(entry) }
      known = (table.count, table.last)
      return index
    }
    table.append(entry)
    return table.count - 1
  }
}

extension Dictionary {
  /// The place of an entry, which is the next one if it is new: it is hashed once.
  @inlinable
  package mutating func place(of entry: Key, next: Value) -> Value {
    func value(_ place: inout Value) -> Value { place }
    return value(&self[entry, default: next])
  }
}

/// The metadata entries of one record, in the order of the file; keys may repeat.
public struct Metadata: Sendable, Hashable {
  /// Keys and values, as written.
  public var entries: [Entry]

  /// One `MetadataEntry`.
  public struct Entry: Sendable, Hashable {
    /// The key, as written.
    public let key: String
    /// The value, as written, or the text of ``typed``.
    public let value: String
    /// How the text of the value is read.
    public let kind: Kind

    /// Makes an entry from texts.
    public init(key: String, value: String, kind: Kind = .exported) {
      self.key = key
      self.value = value
      self.kind = kind
    }
  }

  /// Makes metadata from entries.
  public init(_ entries: [Entry] = []) { self.entries = entries }
  /// Whether there is no entry.
  public var isEmpty: Bool { entries.isEmpty }
}
