import _HealthNumerics

extension RegularSeries {
  /// How regular and how fragmented days are (see ``RestAndActivity``).
  ///
  /// Row 0 begins at the start of a day, in most cases midnight, and each day has as many rows as
  /// the others: where clocks change, use local hours, with a gap for the one that is missing and one
  /// row for the two that have the same name. A gap is left out of means and differences, and
  /// nothing is filled. A last day that is not whole counts as far as it goes. A week or more is
  /// usual.
  ///
  /// - Parameters:
  ///   - rowsPerDay: a multiple of 24; IS and IV depend on it, so that only results of equal steps
  ///     can be compared
  ///   - leastHours: the length of the quietest spell, from 1 to 23 hours
  ///   - mostHours: the length of the most active spell, from 1 to 23 hours
  /// - Returns: the measures, the mean day and its spells
  /// - Throws: `AnalysisError` when there are fewer rows than two days, when all values are equal,
  ///   when a time of day has no value on any day, when no two neighbours are there, or when a
  ///   parameter is outside of its range
  /// - Complexity: O(rows + hours · rows a day)
  public func restAndActivity(
    rowsPerDay: Int = 24, leastHours: Int = 5, mostHours: Int = 10
  ) throws(AnalysisError) -> RestAndActivity {
    guard rowsPerDay > 0, rowsPerDay.isMultiple(of: 24) else {
      throw AnalysisError(.parameter(name: "number of rows a day", range: "a multiple of 24"))
    }
    for hours in [leastHours, mostHours] {
      guard (1...23).contains(hours) else {
        throw AnalysisError(.parameter(name: "length of a spell", range: "from 1 to 23 hours"))
      }
    }
    guard rowsPerDay <= count / 2 else {
      throw AnalysisError(
        .spanTooShort(rows: count, needed: rowsPerDay.multipliedClamped(by: 2)))
    }
    let rows = presentRows
    guard let first = rows.first else { throw AnalysisError(.tooFewPoints(count: 0, needed: 2)) }
    guard rows.contains(where: { values[$0] != values[first] }) else {
      throw AnalysisError(.constant)
    }

    // All values scaled by a power of two, as they are for the mean day (so that zeros stay zeros),
    // and about their mean for the variances.
    let plain = ScaledColumn(presentValues, isCentred: false)
    let column = ScaledColumn(presentValues)
    let rest = column.values.compensatedSum / Double(presentCount)
    var scaled = [Double?](repeating: nil, count: count)
    var centred = scaled
    for (index, row) in rows.enumerated() {
      scaled[row] = plain.values[index]
      centred[row] = column.values[index] - rest
    }
    let means = try MeanDay(of: scaled, rowsPerDay: rowsPerDay)
    let day = try MeanDay(of: centred, rowsPerDay: rowsPerDay)
    let variation = centred.lazy.compactMap { $0.map { $0 * $0 } }.compensatedSum
    let between = zip(day.counts, day.means).map { Double($0) * $1 * $1 }.compensatedSum
    var steps = CompensatedSum()
    var pairCount = 0
    for row in 1..<count {
      guard let value = centred[row], let last = centred[row - 1] else { continue }
      steps.add((value - last) * (value - last))
      pairCount += 1
    }
    guard pairCount > 0 else { throw AnalysisError(.tooFewPoints(count: 1, needed: 2)) }

    let rowsPerHour = rowsPerDay / 24
    let spell = { (hours: Int, isBetter: (Double, Double) -> Bool) in
      let found = means.spell(of: hours * rowsPerHour, isBetter)
      return RestAndActivity.Spell(
        mean: found.mean.scaled(by: plain.exponent),
        onset: Double(found.row) / Double(rowsPerHour), hours: hours)
    }
    let least = spell(leastHours, <)
    let most = spell(mostHours, >)
    let meanDay = means.means.map { $0.scaled(by: plain.exponent) }
    guard (meanDay + [least.mean, most.mean]).allSatisfy(\.isFinite) else {
      throw AnalysisError(.overflow)
    }
    let isSigned = meanDay.contains { $0 < 0 }
    // Halves, which do not overflow.
    let total = most.mean / 2 + least.mean / 2
    return RestAndActivity(
      interdailyStability: min(1, between / variation),
      intradailyVariability: steps.result / Double(pairCount) / variation * Double(presentCount),
      leastActive: least, mostActive: most,
      relativeAmplitude: isSigned || total <= 0
        ? nil : max(0, min(1, (most.mean / 2 - least.mean / 2) / total)),
      meanDay: meanDay, presentCount: presentCount, pairCount: pairCount)
  }
}

extension Int {
  /// The product, or the largest number when it is beyond.
  fileprivate func multipliedClamped(by factor: Int) -> Int {
    let (product, isBeyond) = multipliedReportingOverflow(by: factor)
    return isBeyond ? .max : product
  }
}

/// The mean of each row of a day.
private struct MeanDay {
  let means: [Double]
  let counts: [Int]

  init(of values: [Double?], rowsPerDay: Int) throws(AnalysisError) {
    var sums = [CompensatedSum](repeating: CompensatedSum(), count: rowsPerDay)
    var counts = [Int](repeating: 0, count: rowsPerDay)
    for (row, value) in values.enumerated() {
      guard let value else { continue }
      sums[row % rowsPerDay].add(value)
      counts[row % rowsPerDay] += 1
    }
    if let empty = counts.firstIndex(of: 0) {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 1), row: empty)
    }
    self.counts = counts
    means = zip(sums, counts).map { $0.mean(count: $1) }
  }

  /// The first run of `length` rows, around the end of the day, whose mean is better than any other.
  func spell(of length: Int, _ isBetter: (Double, Double) -> Bool) -> (mean: Double, row: Int) {
    var best = (mean: 0.0, row: -1)
    for row in means.indices {
      var sum = CompensatedSum()
      for step in 0..<length { sum.add(means[(row + step) % means.count]) }
      let mean = sum.mean(count: length)
      if best.row < 0 || isBetter(mean, best.mean) { best = (mean, row) }
    }
    return best
  }
}
