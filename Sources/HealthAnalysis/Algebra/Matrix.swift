/// A matrix of doubles, stored column by column, as LAPACK reads it.
///
/// ```swift
/// let matrix = Matrix(columns: [[1, 2], [3, 4], [5, 6]])
/// matrix[0, 2]  // 5
/// ```
public struct Matrix: Sendable, Hashable {
  /// The number of rows.
  public let rowCount: Int
  /// The number of columns.
  public let columnCount: Int
  /// The elements: all rows of the first column, then those of the next.
  var elements: [Double]

  /// A matrix of one number.
  ///
  /// - Precondition: neither count is negative.
  public init(rowCount: Int, columnCount: Int, repeating element: Double = 0) {
    precondition(rowCount >= 0 && columnCount >= 0, "a matrix has no negative size")
    self.rowCount = rowCount
    self.columnCount = columnCount
    elements = Array(repeating: element, count: rowCount * columnCount)
  }

  /// A matrix by its columns.
  ///
  /// - Precondition: they have the same length.
  public init(columns: [[Double]]) {
    rowCount = columns.first?.count ?? 0
    columnCount = columns.count
    precondition(
      columns.allSatisfy { [rowCount] in $0.count == rowCount },
      "the columns of a matrix have the same length")
    elements = columns.flatMap(\.self)
  }

  /// An element, both indices counted from 0.
  public subscript(row: Int, column: Int) -> Double {
    get {
      precondition((0..<rowCount).contains(row), "a row outside of the matrix")
      return elements[column * rowCount + row]
    }
    set {
      precondition((0..<rowCount).contains(row), "a row outside of the matrix")
      elements[column * rowCount + row] = newValue
    }
  }

  /// A column. - Complexity: O(1)
  public func column(_ column: Int) -> ArraySlice<Double> {
    elements[column * rowCount..<(column + 1) * rowCount]
  }

  /// The numbers from the upper left to the lower right. - Complexity: O(*n*)
  public var diagonal: [Double] {
    (0..<min(rowCount, columnCount)).map { self[$0, $0] }
  }

  /// The product with a vector. - Complexity: O(rows · columns)
  ///
  /// - Precondition: the vector has as many elements as the matrix has columns.
  public func product(with vector: [Double]) -> [Double] {
    precondition(vector.count == columnCount, "a factor has an element for each column")
    var result = [Double](repeating: 0, count: rowCount)
    for (column, factor) in vector.enumerated() {
      let start = column * rowCount
      for row in 0..<rowCount { result[row] += elements[start + row] * factor }
    }
    return result
  }
}
