import Foundation
import GRDB
public import HealthSamples

extension SampleStore {
  /// How many elements of each kind the store has.
  public func elementCounts() throws(StoreError) -> [ElementKind: Int] {
    try read { database in
      var counts: [ElementKind: Int] = [:]
      let rows = try Row.fetchAll(
        database, sql: "SELECT kind, count(*) FROM elements GROUP BY kind")
      for row in rows {
        guard let kind = ElementKind(storedText: try row.decode(atIndex: 0)) else {
          throw SegmentDamage()
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
  /// - Complexity: O(*n*) for the workouts of the store; only those in range are decoded. The
  ///   same holds for the other kinds.
  public func workouts(in range: Range<Double>? = nil) throws(StoreError) -> WorkoutColumns {
    try elements(in: range)
  }

  /// Routes of workouts, as ``workouts(in:)``.
  public func routes(in range: Range<Double>? = nil) throws(StoreError) -> RouteColumns {
    try elements(in: range)
  }

  /// Correlations, as ``workouts(in:)``.
  public func correlations(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> CorrelationColumns {
    try elements(in: range)
  }

  /// Activity rings of the days in a range of days since 2001-01-01, by day.
  public func activitySummaries(
    inDays days: Range<Int>? = nil
  ) throws(StoreError) -> ActivitySummaryColumns {
    var columns: ActivitySummaryColumns = try elements(in: nil)
    if let days { columns.rows = columns.rows.filter { days.contains($0.day) } }
    return columns
  }

  /// Single beats behind heart rate variabilities, as ``workouts(in:)``.
  public func beatLists(in range: Range<Double>? = nil) throws(StoreError) -> BeatListColumns {
    try elements(in: range)
  }

  /// Electrocardiograms, as ``workouts(in:)``.
  public func electrocardiograms(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> ElectrocardiogramColumns {
    try elements(in: range)
  }

  /// Hearing tests, as ``workouts(in:)``.
  public func audiograms(in range: Range<Double>? = nil) throws(StoreError) -> AudiogramColumns {
    try elements(in: range)
  }

  /// Prescriptions of glasses and contact lenses that were valid in a range, as ``workouts(in:)``.
  public func visionPrescriptions(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> VisionPrescriptionColumns {
    try elements(in: range)
  }

  /// Documents of a clinic by the date of their receipt, as ``workouts(in:)``.
  public func clinicalRecords(
    in range: Range<Double>? = nil
  ) throws(StoreError) -> ClinicalRecordColumns {
    try elements(in: range)
  }

  /// What the last export tells of the person, by the identifiers of its types.
  public func characteristics() throws(StoreError) -> Characteristics {
    try elements(in: nil)
  }

  private func elements<Columns: StoredElement>(
    in range: Range<Double>?
  ) throws(StoreError) -> Columns {
    try read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT content FROM elements LEFT JOIN sources ON sources.id = elements.source
          WHERE kind = ? AND start < ? AND max(start, stop) >= ?
          ORDER BY start, stop, elements.name, matchingName, isUserEntered, elements.id
          """,
        arguments: [
          Columns.kind.storedText, range?.upperBound ?? .infinity, range?.lowerBound ?? -.infinity,
        ])
      var columns = Columns()
      while let row = try rows.next() {
        columns.rows.append(try Columns.decode([UInt8](row.decode(Data.self, atIndex: 0))))
      }
      return columns
    }
  }
}
