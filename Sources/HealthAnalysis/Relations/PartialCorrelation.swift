/// How much two columns go together beyond what others explain.
///
/// ```swift
/// let relation = try PartialCorrelation(steps, sleep, given: [isWeekend, temperature])
/// relation.coefficient
/// ```
///
/// The coefficient is that of the residuals of both columns after a linear model of the others
/// (Fisher, *Metron* 3, 1924, 329–332); with Spearman's method of their ranks. It equals
/// −*p*₁₂/√(*p*₁₁*p*₂₂) with *p* the inverse of the matrix of all correlations. Rows are taken as
/// independent. Going together is not cause, also not with every column that comes to mind given.
public struct PartialCorrelation: Sendable, Hashable {
  /// The coefficient with its *p*-value and interval; *k* given columns take *k* from its effective
  /// count: *t* has *n* − 2 − *k* degrees of freedom and Fisher's interval 1/√(*n* − 3 − *k*).
  public let correlation: Correlation
  /// The number of columns that were given.
  public let givenCount: Int

  /// The coefficient, from −1 to 1.
  public var coefficient: Double { correlation.coefficient }
  /// The number of rows.
  public var count: Int { correlation.count }
  /// The probability of a coefficient at least as far from 0 without a relation.
  public var pValue: Double { correlation.pValue }

  /// The partial correlation of two columns.
  ///
  /// - Parameters:
  ///   - x: a column
  ///   - y: another
  ///   - given: what is held fixed
  ///   - method: whether values or ranks are compared
  /// - Throws: `AnalysisError` for columns of different lengths, fewer than 4 rows more than given
  ///   columns, a number that is not finite, a column that does not vary, or one that the given ones
  ///   explain: `collinear` names `x`, `y` or the number of the given one, counted from 1
  /// - Complexity: O(*n*·*k*² + *nk* log *n*)
  public init(
    _ x: [Double], _ y: [Double], given: [[Double]],
    method: Correlation.Method = .spearman
  ) throws(AnalysisError) {
    let columns = [x, y] + given
    if let other = columns.first(where: { $0.count != x.count }) {
      throw AnalysisError(.lengthsDiffer(x: x.count, y: other.count))
    }
    guard x.count >= given.count + 4 else {
      throw AnalysisError(.tooFewPoints(count: x.count, needed: given.count + 4))
    }
    var compared: [[Double]] = []
    for column in columns {
      if let row = column.firstIndex(where: { !$0.isFinite }) {
        throw AnalysisError(.notFinite, row: row)
      }
      let scaled = ScaledColumn(method == .spearman ? column.averageRanks : column)
      guard !scaled.isZero else { throw AnalysisError(.constant) }
      compared.append(scaled.values)
    }
    var design = Design(rowCount: x.count)
    for (index, column) in compared.dropFirst(2).enumerated() {
      try design.add("given column \(index + 1)", column)
    }
    let left = try Self.rest(of: compared[0], named: "x", beside: design)
    let right = try Self.rest(of: compared[1], named: "y", beside: design)
    guard let coefficient = PairedColumn.coefficient(left, right) else {
      throw AnalysisError(.constant)
    }
    givenCount = given.count
    correlation = Correlation(
      method: method, coefficient: coefficient, count: x.count,
      effectiveCount: Double(x.count - given.count))
  }

  /// What the given columns leave of another one, scaled.
  fileprivate static func rest(
    of column: [Double], named name: String, beside design: Design
  ) throws(AnalysisError) -> [Double] {
    let rest = try LinearModel(design, response: column).residuals
    let mean = column.compensatedSum / Double(column.count)
    // Less than rounding could leave.
    guard rest.norm > 1e-12 * column.lazy.map({ $0 - mean }).norm else {
      throw AnalysisError(.collinear(column: name))
    }
    return ScaledColumn(rest).values
  }
}

extension RegularSeries {
  /// What other series leave of this one: the residuals that ``PartialCorrelation`` correlates, on the
  /// rows that all of them have.
  ///
  /// The correlation of two such rests, which were made with the same rows, is the partial correlation.
  ///
  /// - Parameters:
  ///   - given: what is held fixed, with as many rows
  ///   - method: whether values or ranks are explained
  /// - Returns: the residuals in any unit; the other rows are missing
  /// - Throws: `AnalysisError` for series of different lengths, fewer than 4 rows more than given series,
  ///   a series that does not vary, or one that the others explain
  /// - Complexity: O(*n*·*k*² + *nk* log *n*)
  public func rest(
    given: [RegularSeries], method: Correlation.Method = .spearman
  ) throws(AnalysisError) -> RegularSeries {
    let series = [self] + given
    if let other = series.first(where: { $0.count != count }) {
      throw AnalysisError(.lengthsDiffer(x: count, y: other.count))
    }
    let rows = presentRows.filter { row in given.allSatisfy { $0.isPresent[row] } }
    guard rows.count >= given.count + 4 else {
      throw AnalysisError(.tooFewPoints(count: rows.count, needed: given.count + 4))
    }
    var compared: [[Double]] = []
    for series in series {
      let column = rows.map { series.values[$0] }
      let scaled = ScaledColumn(method == .spearman ? column.averageRanks : column)
      guard !scaled.isZero else { throw AnalysisError(.constant) }
      compared.append(scaled.values)
    }
    var design = Design(rowCount: rows.count)
    for (index, column) in compared.dropFirst().enumerated() {
      try design.add("given column \(index + 1)", column)
    }
    let rests = try PartialCorrelation.rest(of: compared[0], named: "x", beside: design)
    var values = [Double?](repeating: nil, count: count)
    for (row, rest) in zip(rows, rests) { values[row] = rest }
    return try RegularSeries(values)
  }
}
