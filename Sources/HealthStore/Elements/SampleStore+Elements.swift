import Foundation
import GRDB
public import HealthSamples

extension SampleStore {
  /// The number of elements of each kind in the store.
  public func elementCounts() throws(StoreError) -> [ElementKind: Int] {
    try read { database in
      var counts: [ElementKind: Int] = [:]
      for kind in ElementKind.allCases {
        try check(.elements(kind), in: database)
        guard reader != nil else { continue }
        let elements = try visibleElements(of: kind, from: database)
        while try elements.next() != nil { counts[kind, default: 0] += 1 }
      }
      guard reader == nil else { return counts }
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
  public func correlations(in range: Range<Double>? = nil) throws(StoreError) -> Correlations {
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
      let elements = try visibleElements(
        of: kind, in: range, isNewestFirst: isNewestFirst, from: database)
      while let (_, element) = try elements.next() {
        guard try Self.handOver({ try body(element.batch) }) else { return }
      }
    }
  }

  private func elements<Columns: StoredElement>(
    in range: Range<Double>?
  ) throws(StoreError) -> Columns {
    try read { database in
      let elements = try visibleElements(of: Columns.kind, in: range, from: database)
      var columns = Columns()
      while let (_, element) = try elements.next() {
        columns.rows += (element as? Columns)?.rows ?? []
      }
      return columns
    }
  }

  /// Elements with their serials, without what the reader may not see; the parameters are those of
  /// ``elementRows(_:of:in:where:_:by:isNewestFirst:from:)``.
  func visibleElements(
    of kind: ElementKind, in range: Range<Double>? = nil, where condition: String = "TRUE",
    _ arguments: StatementArguments = [], by order: [String]? = nil, isNewestFirst: Bool = false,
    from database: Database
  ) throws -> some Cursor<(serial: Int64, element: any StoredElement)> {
    let permission = try permission(in: database)
    return try elementRows(
      "elements.id, content", of: kind, in: range, where: condition, arguments, by: order,
      isNewestFirst: isNewestFirst, from: database
    ).compactMap { row in
      try self.watch?.check()
      let serial = try row.decode(Int64.self, atIndex: 0)
      let content = ValueOwner.element(serial)
        .untagged([UInt8](try row.decode(Data.self, atIndex: 1)))
      return try kind.columns.one(content, for: permission.forElement(serial))
        .map { (serial, $0) }
    }
  }

  /// The stored rows of elements of which the reader may see something.
  ///
  /// They come by start, end and name unless another order is given. Those without a source are in
  /// every selection.
  fileprivate func elementRows(
    _ columns: String, of kind: ElementKind, in range: Range<Double>?,
    where condition: String = "TRUE", _ arguments: StatementArguments = [],
    by order: [String]? = nil, isNewestFirst: Bool, from database: Database
  ) throws -> some Cursor<Row> {
    try check(.elements(kind), in: database)
    let sources = try selection.isEverything ? [:] : database.sources()
    let chosen = sources.filter { selection.contains($0.value) }.keys.map(String.init)
    let isSelected =
      selection.isEverything
      ? "TRUE" : "(source IS NULL OR source IN (\(chosen.joined(separator: ", "))))"
    let inTime = ["start", "end", "elements.name", "matchingName", "isUserEntered", "elements.id"]
    let order = (order ?? inTime).map { isNewestFirst ? $0 + " DESC" : $0 }
    return try Row.fetchCursor(
      database,
      sql: """
        SELECT \(columns) FROM elements LEFT JOIN sources ON sources.id = elements.source
        WHERE kind = ? AND \(SampleTime.elementIsInRange) AND \(condition) AND \(isSelected)
          AND \(permission(in: database).condition(elements: kind))
        ORDER BY \(order.joined(separator: ", "))
        """,
      arguments: [
        kind.storedText, range?.upperBound ?? .infinity, range?.lowerBound ?? -.infinity,
      ] + arguments)
  }

  /// The serial of the last element that the reader sees; 0 without any.
  func lastVisibleElement() throws(StoreError) -> Int64 {
    try read { database in
      let permission = try permission(in: database)
      let visible = ElementKind.allCases.map { kind in
        "kind = '\(kind.storedText)' AND \(permission.condition(elements: kind))"
      }
      let serials = try Int64.fetchCursor(
        database,
        sql: """
          SELECT id FROM elements NOT INDEXED
          WHERE \(visible.joined(separator: " OR ")) ORDER BY id DESC
          """)
      return try serials.first { serial in
        let element = try database.elementContent(withSerial: serial)
        return try element.flatMap {
          try $0.kind.columns.one($0.content, for: permission.forElement(serial))
        } != nil
      } ?? 0
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
      let rows = try store.elementRows(
        "elements.id", of: kind, in: range, isNewestFirst: !isNewestFirst, from: database)
      return try Array(rows.map { try $0.decode(atIndex: 0) })
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
        let batch = try ImportBatch(
          kind, content: database.elementContent(serial, isHidden: false),
          for: permission.forElement(serial))
        if let batch, !body(batch) { return true }
      }
      return false
    }
  }
}
