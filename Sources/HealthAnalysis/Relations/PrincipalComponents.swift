/// A few new columns that hold most of what many have in common.
///
/// ```swift
/// let components = try PrincipalComponents([steps, exercise, sleep], names: names)
/// components.shares        // of the variation, largest first
/// components.loadings[0]   // the weight of each column in the first component
/// ```
///
/// The components are the eigenvectors of the matrix of Pearson's correlations (Pearson,
/// *Philosophical Magazine* 2, 1901, 559–572; Hotelling, *Journal of Educational Psychology* 24,
/// 1933), by LAPACK's `dsyevd`. Each column is standardised with *n* − 1, over the rows where every
/// column has a value.
public struct PrincipalComponents: Sendable, Hashable {
  /// The names of the columns.
  public let names: [String]
  /// The rows that were used: those where every column has a value.
  public let rows: [Int]
  /// The mean of each column over these rows.
  public let means: [Double]
  /// The standard deviation of each column over these rows, with *n* − 1.
  public let standardDeviations: [Double]
  /// The variance of each component, largest first; they add up to the number of columns.
  public let variances: [Double]
  /// The weights of the columns in each component, of length 1: Σ*w*² = 1.
  ///
  /// The sign of a component means nothing. Here the weight farthest from 0 is positive; of equal
  /// ones the first.
  public let loadings: [[Double]]
  /// The value of each component in each of ``rows``: Σ*w*·(*x* − mean)/deviation.
  public let scores: [[Double]]

  /// The part of the variation that each component holds; they add up to 1.
  public var shares: [Double] { variances.map { $0 / Double(names.count) } }

  /// The components of columns.
  ///
  /// - Parameters:
  ///   - series: at least two columns with as many rows each
  ///   - names: a name for each; 1, 2, … when `nil`
  ///   - leastRows: how many complete rows it needs, and at least two more than there are columns;
  ///     six weeks of days unless given
  /// - Throws: `AnalysisError` for columns of different lengths, too few complete rows, a column that
  ///   does not vary in them, or when LAPACKE is not installed
  /// - Complexity: O(*n*·*k*² + *k*³)
  public init(
    _ series: [RegularSeries], names: [String]? = nil, leastRows: Int = 42
  ) throws(AnalysisError) {
    guard series.count >= 2 else {
      throw AnalysisError(.parameter(name: "number of series", range: "at least 2"))
    }
    let names = names ?? series.indices.map { "\($0 + 1)" }
    guard names.count == series.count else {
      throw AnalysisError(.lengthsDiffer(x: series.count, y: names.count))
    }
    if let other = series.first(where: { $0.count != series[0].count }) {
      throw AnalysisError(.lengthsDiffer(x: series[0].count, y: other.count))
    }
    let rows = (0..<series[0].count).filter { row in series.allSatisfy { $0.isPresent[row] } }
    let needed = max(leastRows, series.count + 2)
    guard rows.count >= needed else {
      throw AnalysisError(.tooFewPoints(count: rows.count, needed: needed))
    }
    var columns: [StandardColumn] = []
    for series in series {
      columns.append(try StandardColumn(rows.map { series.values[$0] }))
    }

    var matrix = Matrix(rowCount: columns.count, columnCount: columns.count)
    for left in columns.indices {
      matrix[left, left] = 1
      for right in 0..<left {
        let products = zip(columns[left].values, columns[right].values).map { $0 * $1 }
        matrix[left, right] = products.compensatedSum / Double(rows.count - 1)
        matrix[right, left] = matrix[left, right]
      }
    }
    let ascending = try LAPACK.decomposeSymmetric(&matrix)
    variances = ascending.reversed().map { max(0, $0) }
    loadings = (0..<columns.count).reversed().map { component in
      let weights = Array(matrix.column(component))
      var largest = 0
      // Rounding must not choose between equal weights.
      for index in weights.indices
      where weights[index].magnitude > weights[largest].magnitude * (1 + 1e-9) { largest = index }
      return weights[largest] < 0 ? weights.map { -$0 } : weights
    }
    scores = loadings.map { weights in
      rows.indices.map { row in
        zip(weights, columns).map { $0 * $1.values[row] }.compensatedSum
      }
    }
    self.names = names
    self.rows = rows
    means = columns.map(\.mean)
    standardDeviations = columns.map(\.deviation)
  }
}

/// A column with mean 0 and standard deviation 1.
private struct StandardColumn {
  let values: [Double]
  let mean, deviation: Double

  /// Standardises a column of at least two values; one that does not vary is an error.
  init(_ column: [Double]) throws(AnalysisError) {
    let scaled = ScaledColumn(column)
    guard !scaled.isZero else { throw AnalysisError(.constant) }
    let count = Double(column.count)
    let centre = scaled.values.compensatedSum / count
    let differences = scaled.values.map { $0 - centre }
    let spread =
      (differences.map { $0 * $0 }.compensatedSum / (count - 1)).squareRoot()
    values = differences.map { $0 / spread }
    mean = (scaled.centre + centre).scaled(by: scaled.exponent)
    deviation = spread.scaled(by: scaled.exponent)
    guard mean.isFinite, deviation.isFinite else { throw AnalysisError(.overflow) }
  }
}
