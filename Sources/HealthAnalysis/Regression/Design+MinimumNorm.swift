extension Design {
  /// The shortest coefficients with the smallest sum of squared residuals, for columns of any rank,
  /// by the singular values of the matrix (LAPACK's `dgelsd`).
  ///
  /// Columns are used as they are: the shortest vector depends on their units.
  ///
  /// - Returns: the coefficients, and the singular values, largest first; those below 16·n·2^-52 of
  ///   the largest count as zero, and `rank` counts the others
  /// - Throws: `AnalysisError` as for a `LinearModel`, except for columns that depend on others
  /// - Complexity: O(*n*·*p*²)
  public func minimumNormSolution(
    for response: [Double]
  ) throws(AnalysisError) -> (coefficients: [Double], singularValues: [Double], rank: Int) {
    guard response.count == rowCount else {
      throw AnalysisError(.lengthsDiffer(x: rowCount, y: response.count))
    }
    if let row = response.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    guard columnCount > 0, rowCount >= columnCount else {
      throw AnalysisError(.tooFewPoints(count: rowCount, needed: max(1, columnCount)))
    }
    let constant = hasIntercept ? [Array(repeating: 1.0, count: rowCount)] : []
    var matrix = Matrix(columns: constant + columns)
    var solution = response
    let (values, rank) = try LAPACK.solveMinimumNorm(
      &matrix, &solution, tolerance: 16 * Double(rowCount) * Double.ulpOfOne)
    let coefficients = Array(solution[..<columnCount])
    guard (coefficients + values).allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    return (coefficients, values, rank)
  }
}
