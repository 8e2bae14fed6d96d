#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether days are missing on some weekdays more often than on others: Pearson's test of χ².
///
/// ```swift
/// let test = try series.missingByWeekday(firstWeekday: 0)
/// test.days.missing  // how many of each weekday are missing
/// test.pValue   // how often chance alone would part them at least so unevenly
/// ```
///
/// With *n* days, *M* of them missing, and *m* of the *k* days of a weekday missing, χ² is
/// Σ(*m* − *kM*/*n*)²/(*kM*/*n* · (1 − *M*/*n*)) over the weekdays (K. Pearson, *Philosophical Magazine* 50,
/// 1900, 157–175): the statistic of the table of missing and present days by weekday, with six degrees of
/// freedom. Where it finds something, a mean over days leans towards the weekdays that are there.
public struct MissingByWeekday: Sendable, Hashable {
  /// The days.
  public let days: MissingDays
  /// χ².
  public let statistic: Double
  /// The probability of a χ² at least as large, if every day could be missing as well as any other.
  ///
  /// It is that of the distribution of χ² with six degrees of freedom where at least 5 missing and 5
  /// present days are expected of each weekday (W. G. Cochran, *Biometrics* 10, 1954, 417–451), else the
  /// share of all ways to choose as many days that have such a χ² (``isExact``). Days missing in a row
  /// make it too large rather than too small: such a run meets several weekdays.
  public let pValue: Double
  /// Whether the probability counts all ways to choose days.
  public let isExact: Bool

  /// Tests days.
  ///
  /// - Parameter days: how many there are, and how many of them are missing
  /// - Throws: `AnalysisError` when none of them or all are missing
  /// - Complexity: some 10⁷ steps at most where all ways to choose days are counted
  public init(of days: MissingDays) throws(AnalysisError) {
    let (count, gaps) = (days.count, days.missingCount)
    guard gaps > 0, gaps < count else { throw AnalysisError(.constant) }
    let share = Double(gaps) / Double(count)
    let statistic = zip(days.missing, days.all).map { missing, days in
      let expected = Double(days) * share
      return (Double(missing) - expected) * (Double(missing) - expected)
        / (expected * (1 - share))
    }.compensatedSum
    isExact = Double(days.all.min() ?? 0) * min(share, 1 - share) < 5
    pValue =
      isExact
      ? WeekdayChoices(days: days.all, missing: days.missing).probability
      : Self.sixDegrees(statistic)
    (self.days, self.statistic) = (days, statistic)
  }
}

/// The days between the first and the last day with a value, by weekday: the place in the arrays is the
/// number of the weekday.
public struct MissingDays: Sendable, Hashable {
  /// How many days there are.
  public let all: [Int]
  /// How many of them have no value.
  public let missing: [Int]

  /// How many days there are, of all weekdays.
  public var count: Int { all.reduce(0, +) }
  /// How many of them have no value.
  public var missingCount: Int { missing.reduce(0, +) }
  /// The share of missing days, by weekday.
  public var shares: [Double] { zip(missing, all).map { Double($0) / Double($1) } }
}

extension RegularSeries {
  /// The test whether rows without a value, one row a day, lie on some weekdays more often.
  ///
  /// - Parameter firstWeekday: the number of the weekday of the first row, from 0 to 6, in any numbering
  /// - Returns: the test
  /// - Throws: `AnalysisError` for fewer than 14 days between the first and the last one with a value, when
  ///   none of them or all are missing, or for a number that is no weekday
  /// - Complexity: O(*n*); exact probabilities some 10⁷ steps at most
  public func missingByWeekday(firstWeekday: Int) throws(AnalysisError) -> MissingByWeekday {
    try MissingByWeekday(of: missingDays(firstWeekday: firstWeekday))
  }

  /// The rows without a value, one row a day, by weekday.
  ///
  /// The days between the first and the last day with a value count, without these two: what lies before
  /// and after them is no gap, and they could not be missing.
  ///
  /// - Parameter firstWeekday: the number of the weekday of the first row, from 0 to 6, in any numbering
  /// - Returns: the days
  /// - Throws: `AnalysisError` for fewer than 14 days between the first and the last one with a value, or
  ///   for a number that is no weekday
  /// - Complexity: O(*n*)
  public func missingDays(firstWeekday: Int) throws(AnalysisError) -> MissingDays {
    guard (0..<7).contains(firstWeekday) else {
      throw AnalysisError(.parameter(name: "first weekday", range: "from 0 to 6"))
    }
    let span = presentSpan
    guard span.count >= 16 else {
      throw AnalysisError(.spanTooShort(rows: max(0, span.count - 2), needed: 14))
    }
    var days = [Int](repeating: 0, count: 7)
    var missing = days
    for row in span.dropFirst().dropLast() {
      let weekday = (firstWeekday + row % 7) % 7
      days[weekday] += 1
      if !isPresent[row] { missing[weekday] += 1 }
    }
    return MissingDays(all: days, missing: missing)
  }
}

extension MissingByWeekday {
  /// *P(χ² > x)* with six degrees of freedom: e^(−x/2)(1 + x/2 + (x/2)²/2) (Abramowitz and Stegun
  /// 26.4.21).
  static func sixDegrees(_ x: Double) -> Double {
    let half = x / 2
    return exp(-half) * (1 + half * (1 + half / 2))
  }
}

/// All ways to choose a number of days of a row of days, by the squares of how many each weekday has.
///
/// A row of days has *k* or *k* + 1 of each weekday. With fixed numbers of days χ² grows with Σ*m*²/*k*, so
/// that it is enough to count the ways by Σ*m*² over the weekdays of each of both kinds.
private struct WeekdayChoices {
  /// The share of the ways whose χ² is at least that of the days.
  let probability: Double

  /// How many days were chosen of some weekdays, and the sum of the squares.
  private struct Sums: Hashable {
    var chosen = 0
    var squares = 0
  }

  init(days: [Int], missing: [Int]) {
    let total = days.reduce(0, +)
    // The rarer kind of days has as many ways, and smaller numbers.
    let gaps = missing.reduce(0, +)
    let rare = 2 * gaps <= total ? missing : zip(days, missing).map { $0 - $1 }
    let chosen = rare.reduce(0, +)
    let short = days.min() ?? 0
    let weekdays = days.indices
    let kinds = [short, short + 1].map { length in weekdays.filter { days[$0] == length } }
    func squares(_ kind: [Int]) -> Int { kind.reduce(0) { $0 + rare[$1] * rare[$1] } }
    let observed = squares(kinds[0]) * (short + 1) + squares(kinds[1]) * short

    let first = Self.ways(weekdays: kinds[0].count, length: short, most: chosen)
    let second = Self.ways(weekdays: kinds[1].count, length: short + 1, most: chosen)
    var rest = [[(squares: Int, ways: Double)]](repeating: [], count: chosen + 1)
    for (sums, ways) in second { rest[sums.chosen].append((sums.squares, ways)) }
    var (all, uneven) = (0.0, 0.0)
    for (sums, ways) in first {
      for other in rest[chosen - sums.chosen] {
        let both = ways * other.ways
        all += both
        if sums.squares * (short + 1) + other.squares * short >= observed { uneven += both }
      }
    }
    probability = min(1, uneven / all)
  }

  /// The ways to choose days of some weekdays that have `length` days each.
  ///
  /// They are in order, so that sums of them are the same each time.
  private static func ways(weekdays: Int, length: Int, most: Int) -> [(sums: Sums, ways: Double)] {
    var binomials = [1.0]
    for chosen in 0..<min(length, most) {
      binomials.append(binomials[chosen] * Double(length - chosen) / Double(chosen + 1))
    }
    var found = [(sums: Sums(), ways: 1.0)]
    for _ in 0..<weekdays {
      var next: [Sums: Double] = [:]
      for (sums, ways) in found {
        for chosen in 0...min(binomials.count - 1, most - sums.chosen) {
          let key = Sums(
            chosen: sums.chosen + chosen, squares: sums.squares + chosen * chosen)
          next[key, default: 0] += ways * binomials[chosen]
        }
      }
      found = next.map { ($0, $1) }.sorted {
        ($0.sums.chosen, $0.sums.squares) < ($1.sums.chosen, $1.sums.squares)
      }
    }
    return found
  }
}
