/// Values at equal distances in time, some of which may be missing: one row an interval.
///
/// ```swift
/// let series = try RegularSeries([61, nil, 63, 62])
/// series.presentCount  // 3
/// ```
///
/// A missing row is empty, which is not zero: ``values`` holds 0 there without meaning. Every number
/// is finite.
public struct RegularSeries: Sendable, Hashable {
  /// One value a row; 0 without meaning where ``isPresent`` is false.
  public let values: [Double]
  /// Whether a row has a value.
  public let isPresent: [Bool]
  /// How many rows have a value.
  public let presentCount: Int

  /// Makes a series without gaps.
  ///
  /// - Throws: `AnalysisError` with the row of a value that is not finite
  public init(_ values: [Double]) throws(AnalysisError) {
    if let row = values.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    self.values = values
    isPresent = Array(repeating: true, count: values.count)
    presentCount = values.count
  }

  /// Makes a series; `nil` is a row without a value.
  ///
  /// - Throws: `AnalysisError` with the row of a value that is not finite
  public init(_ values: [Double?]) throws(AnalysisError) {
    if let row = values.firstIndex(where: { $0.map { !$0.isFinite } ?? false }) {
      throw AnalysisError(.notFinite, row: row)
    }
    self.values = values.map { $0 ?? 0 }
    isPresent = values.map { $0 != nil }
    presentCount = isPresent.count(where: \.self)
  }

  /// The number of rows, with the missing ones.
  public var count: Int { values.count }

  /// A row's value; `nil` where it is missing.
  public subscript(row: Int) -> Double? { isPresent[row] ? values[row] : nil }

  /// The rows that have a value, in order. - Complexity: O(*n*)
  public var presentRows: [Int] { values.indices.filter { isPresent[$0] } }

  /// The values that are there, in order. - Complexity: O(*n*)
  public var presentValues: [Double] { presentRows.map { values[$0] } }
}
