import Foundation
import GRDB
public import HealthSamples

extension SampleStore {
  /// The number of elements of each kind in the store.
  public func elementCounts() throws(StoreError) -> [ElementKind: Int] {
    guard reader == nil else { return try visibleElementCounts() }
    return try read { database in
      for kind in ElementKind.allCases { try check(.elements(kind), in: database) }
      var counts: [ElementKind: Int] = [:]
      let rows = try Row.fetchAll(
        database, sql: "SELECT kind, count(*) FROM elements GROUP BY kind")
      for row in rows {
        guard let kind = ElementKind(storedText: try row.decode(atIndex: 0)) else {
          throw Corruption()
        }
        counts[kind] = try row.decode(atIndex: 1)
      }
      return counts
    }
  }

  /// The same for an app, which may not see some.
  private func visibleElementCounts() throws(StoreError) -> [ElementKind: Int] {
    var counts: [ElementKind: Int] = [:]
    do {
      for kind in ElementKind.allCases {
        try forEachElement(of: kind) { _ in
          counts[kind, default: 0] += 1
          return true
        }
      }
    } catch {
      throw StoreError(error, path: path)
    }
    return counts
  }

  /// Workouts that end at or after the lower bound of `range` and start before its upper one, by
  /// start, end and activity.
  ///
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*) for the workouts of the store; only those in range are decoded. The same
  ///   is true for the other kinds.
  public func workouts(in range: Range<Double>? = nil) throws(StoreError) -> Workouts {
    try elements(in: range)
  }

  /// Routes of workouts, as ``workouts(in:)``.
  public func routes(in range: Range<Double>? = nil) throws(StoreError) -> Routes {
    try elements(in: range)
  }

  /// Correlations, as ``workouts(in:)``.
  public func correlations(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> Correlations {
    try elements(in: range)
  }

  /// Activity rings of the days in a range of days since 2001-01-01, by day.
  public func activitySummaries(
    inDays days: Range<Int>? = nil
  ) throws(StoreError) -> ActivitySummaries {
    var columns: ActivitySummaries = try elements(in: nil)
    if let days { columns.rows = columns.rows.filter { days.contains($0.day) } }
    return columns
  }

  /// Heart beats of heart rate variabilities, as ``workouts(in:)``.
  public func beatLists(in range: Range<Double>? = nil) throws(StoreError) -> BeatLists {
    try elements(in: range)
  }

  /// Electrocardiograms, as ``workouts(in:)``.
  public func electrocardiograms(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> Electrocardiograms {
    try elements(in: range)
  }

  /// Hearing tests, as ``workouts(in:)``.
  public func audiograms(in range: Range<Double>? = nil) throws(StoreError) -> Audiograms {
    try elements(in: range)
  }

  /// Prescriptions of glasses and contact lenses that were valid in a range, as ``workouts(in:)``.
  public func visionPrescriptions(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> VisionPrescriptions {
    try elements(in: range)
  }

  /// Documents of health care providers by date of receipt, as ``workouts(in:)``.
  public func clinicalRecords(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> ClinicalRecords {
    try elements(in: range)
  }

  /// Objects that apps saved and that no export has, as ``workouts(in:)``.
  public func savedObjects(in range: Range<Double>? = nil) throws(StoreError) -> SavedObjects {
    try elements(in: range)
  }

  /// The characteristics of the person in the last export, by the identifiers of their types.
  public func characteristics() throws(StoreError) -> Characteristics {
    try elements(in: nil)
  }

  /// Visits the elements of a kind, by start, end and name.
  ///
  /// All come from one snapshot of the store, and only one is in memory at a time.
  ///
  /// - Parameters:
  ///   - kind: the kind
  ///   - range: as for ``workouts(in:)``; days are treated as those of UTC
  ///   - isNewestFirst: whether the order is reversed
  ///   - body: gets columns of one row; returns whether to continue. An error that it throws ends
  ///     the iteration and is rethrown
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n*) for the elements of the kind; only those in range are decoded
  public func forEachElement(
    of kind: ElementKind, in range: Range<Double>? = nil, isNewestFirst: Bool = false,
    _ body: (ImportBatch) throws -> Bool
  ) throws {
    try readHandingOver { database in
      try check(.elements(kind), in: database)
      let permission = try permission(in: database)
      let contents = try database.elementContents(
        of: kind, in: range, isNewestFirst: isNewestFirst, among: selection, for: permission)
      while let content = try contents.next() {
        try watch?.check()
        let batch = try ImportBatch(
          kind, content: content.bytes, for: permission.forElement(content.serial))
        guard let batch else { continue }
        guard try Self.handOver({ try body(batch) }) else { return }
      }
    }
  }

  private func elements<Columns: StoredElement>(
    in range: Range<Double>?
  ) throws(StoreError) -> Columns {
    try read { database in
      try check(.elements(Columns.kind), in: database)
      let permission = try permission(in: database)
      let contents = try database.elementContents(
        of: Columns.kind, in: range, among: selection, for: permission)
      var columns = Columns()
      while let content = try contents.next() {
        try watch?.check()
        let one = try Columns.one(content.bytes, for: permission.forElement(content.serial))
        columns.rows += one?.rows ?? []
      }
      return columns
    }
  }
}

/// Reads the elements of a kind in order of time, one at a time.
package final class ElementReader {
  private let snapshot: StoreSnapshot
  private let kind: ElementKind
  /// The serials of the elements that are still to read, the next one last.
  private var serials: [Int64]

  /// Begins to read; the order is that of ``SampleStore/forEachElement(of:in:isNewestFirst:_:)``.
  ///
  /// - Throws: ``StoreError``
  package init(
    of kind: ElementKind, in range: Range<Double>?, isNewestFirst: Bool,
    from snapshot: StoreSnapshot
  ) throws(StoreError) {
    self.snapshot = snapshot
    self.kind = kind
    serials = try snapshot.read { store, database in
      try store.check(.elements(kind), in: database)
      let contents = try database.elementContents(
        of: kind, in: range, isNewestFirst: !isNewestFirst, among: store.selection,
        for: store.permission(in: database), withContents: false)
      var serials: [Int64] = []
      while let content = try contents.next() { serials.append(content.serial) }
      return serials
    }
  }

  /// Visits the next elements, each as columns of one row, until a body returns false or there are
  /// no more.
  ///
  /// - Returns: whether there may be more
  /// - Throws: ``StoreError``
  package func next(_ body: (ImportBatch) -> Bool) throws(StoreError) -> Bool {
    try snapshot.read { store, database in
      let permission = try store.permission(in: database)
      while let serial = serials.popLast() {
        try store.watch?.check()
        let bytes = try Data.fetchOne(
          database.cachedStatement(sql: "SELECT content FROM elements WHERE id = ?"),
          arguments: [serial])
        guard let bytes else { throw Corruption() }
        let batch = try ImportBatch(
          kind, content: ValueOwner.element(serial).released([UInt8](bytes)),
          for: permission.forElement(serial))
        if let batch, !body(batch) { return true }
      }
      return false
    }
  }
}

extension SampleStore {
  /// The serial of the last element that the reader sees; 0 without any.
  func lastVisibleElement() throws(StoreError) -> Int64 {
    try read { database in
      let permission = try permission(in: database)
      let visible = ElementKind.allCases.map { kind in
        "kind = '\(kind.storedText)' AND \(permission.condition(elements: kind))"
      }
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, kind, content FROM elements NOT INDEXED
          WHERE \(visible.joined(separator: " OR ")) ORDER BY id DESC
          """)
      while let row = try rows.next() {
        guard let kind = ElementKind(storedText: try row.decode(atIndex: 1)) else {
          throw Corruption()
        }
        let id = try row.decode(Int64.self, atIndex: 0)
        let content = ValueOwner.element(id)
          .released([UInt8](try row.decode(Data.self, atIndex: 2)))
        if try ImportBatch(kind, content: content, for: permission.forElement(id)) != nil {
          return id
        }
      }
      return 0
    }
  }
}

extension Database {
  /// The serials and stored contents of the elements of a kind, in the order of time.
  ///
  /// Those without a source are in every selection. Contents are empty if they are not wanted.
  fileprivate func elementContents(
    of kind: ElementKind, in range: Range<Double>?, isNewestFirst: Bool = false,
    among selection: SourceSelection, for permission: ReadPermission, withContents: Bool = true
  ) throws -> some Cursor<(serial: Int64, bytes: [UInt8])> {
    let chosen = try selection.isEverything ? nil : sourceIdentifiers(among: selection)
    let condition = chosen.map { identifiers in
      "AND (source IS NULL OR source IN (\(identifiers.map(String.init).joined(separator: ", "))))"
    }
    let order = ["start", "end", "elements.name", "matchingName", "isUserEntered", "elements.id"]
      .map { isNewestFirst ? $0 + " DESC" : $0 }.joined(separator: ", ")
    return try Row.fetchCursor(
      self,
      sql: """
        SELECT elements.id, \(withContents ? "content" : "x''")
        FROM elements LEFT JOIN sources ON sources.id = elements.source
        WHERE kind = ? AND start < ? AND max(start, end) >= ? \(condition ?? "")
          AND \(permission.condition(elements: kind))
        ORDER BY \(order)
        """,
      arguments: [
        kind.storedText, range?.upperBound ?? .infinity, range?.lowerBound ?? -.infinity,
      ]
    ).map { row in
      let serial = try row.decode(Int64.self, atIndex: 0)
      let bytes = [UInt8](try row.decode(Data.self, atIndex: 1))
      return (serial, ValueOwner.element(serial).released(bytes))
    }
  }
}

extension Database {
  /// The ids of the selected sources.
  private func sourceIdentifiers(among selection: SourceSelection) throws -> [Int64] {
    try sources().filter { selection.contains($0.value) }.map(\.key)
  }
}
