/// The columns that explain a response: the matrix of a linear model, with names.
///
/// ```swift
/// var design = Design(rowCount: sleep.count)
/// try design.add("exercise", exercise)
/// try design.add("weekend", isWeekend.map { $0 ? 1 : 0 })
/// let model = try LinearModel(design, response: sleep)
/// ```
public struct Design: Sendable, Hashable {
  /// The number of rows.
  public let rowCount: Int
  /// Whether the first column is a constant 1.
  public let hasIntercept: Bool
  /// The names of the columns, the intercept's first.
  public private(set) var names: [String]
  /// The columns, without the intercept's.
  private(set) var columns: [[Double]] = []

  /// Makes a design without columns, or with an intercept alone.
  public init(rowCount: Int, hasIntercept: Bool = true) {
    self.rowCount = rowCount
    self.hasIntercept = hasIntercept
    names = hasIntercept ? ["intercept"] : []
  }

  /// Adds a column.
  ///
  /// - Throws: `AnalysisError` for another length, or a value that is not finite
  /// - Complexity: O(rows)
  public mutating func add(_ name: String, _ values: [Double]) throws(AnalysisError) {
    guard values.count == rowCount else {
      throw AnalysisError(.lengthsDiffer(x: values.count, y: rowCount))
    }
    if let row = values.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    names.append(name)
    columns.append(values)
  }

  /// The number of columns.
  public var columnCount: Int { names.count }
}
