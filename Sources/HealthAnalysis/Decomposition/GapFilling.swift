/// Values for the missing rows of a series with a season, for a decomposition alone.
///
/// 1. Where all rows of one period around a row are there, the row differs from their mean by some
///    amount.
/// 2. The median of these differences at each place of the period is its season; 0 where there is
///    none.
/// 3. A missing row lies on the line between its neighbours without their season, or at the height
///    of the only neighbour, and gets its own season.
///
/// A line plus a season is restored exactly but for rounding.
enum GapFilling {
  /// The number of missing rows of the longest gap, and its first row.
  static func longestGap(_ isPresent: [Bool]) -> (rows: Int, first: Int) {
    var longest = (rows: 0, first: 0)
    var length = 0
    for row in isPresent.indices {
      length = isPresent[row] ? 0 : length + 1
      if length > longest.rows { longest = (length, row - length + 1) }
    }
    return longest
  }

  /// Fills the missing rows. - Complexity: O(*n* log *n*)
  static func filled(_ values: [Double], _ isPresent: [Bool], period: Int) -> [Double] {
    guard isPresent.contains(false) else { return values }
    let season = season(values, isPresent, period: period)
    var result = values
    var last: Int?
    for row in values.indices where isPresent[row] {
      let height = values[row] - season[row % period]
      let before = last ?? -1
      let start = last.map { values[$0] - season[$0 % period] } ?? height
      for missing in before + 1..<row {
        let share = Double(missing - before) / Double(row - before)
        result[missing] = start + (height - start) * share + season[missing % period]
      }
      last = row
    }
    guard let last else { return result }
    for missing in last + 1..<max(last + 1, values.count) {
      result[missing] = values[last] - season[last % period] + season[missing % period]
    }
    return result
  }

  /// The median difference from the mean of a period, at each place.
  private static func season(_ values: [Double], _ isPresent: [Bool], period: Int) -> [Double] {
    let means = values.movingMeans(window: period)
    var missing = [0]
    for isThere in isPresent { missing.append((missing.last ?? 0) + (isThere ? 0 : 1)) }
    var differences = [[Double]](repeating: [], count: period)
    let half = period / 2
    for row in half..<max(half, means.count + half) {
      let first = row - half
      guard missing[first + period] == missing[first] else { continue }
      differences[row % period].append(values[row] - means[first])
    }
    return differences.map { $0.median ?? 0 }
  }
}
