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

  /// From the first row with a value to the last; empty without any. - Complexity: O(*n*)
  public var presentSpan: Range<Int> {
    guard let first = isPresent.firstIndex(of: true), let last = isPresent.lastIndex(of: true)
    else { return 0..<0 }
    return first..<last + 1
  }

  /// The series that a method makes of the rows from the first value to the last, with the empty rows
  /// around them.
  ///
  /// - Throws: the errors of the method
  /// - Complexity: O(*n*) and that of the method, which gives as many rows as it is given
  package func onPresentSpan(
    _ method: (RegularSeries) throws(AnalysisError) -> RegularSeries
  ) throws(AnalysisError) -> RegularSeries {
    let span = presentSpan
    let result = try method(try RegularSeries(span.map { self[$0] }))
    return try RegularSeries(
      values.indices.map { row in
        span.contains(row) ? result[row - span.lowerBound] : nil
      })
  }

  /// The values that are there, in order. - Complexity: O(*n*)
  public var presentValues: [Double] { presentRows.map { values[$0] } }
}
