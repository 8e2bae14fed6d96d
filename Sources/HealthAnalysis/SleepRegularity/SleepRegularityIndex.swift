/// How alike the sleep of neighbouring days is: the sleep regularity index.
///
/// SRI = −100 + 200/(*M*(*N* − 1)) · Σ *s*, where *s* counts the *M* epochs a day of *N* days at which
/// the state, asleep or awake, is that of 24 hours before (Phillips, Clerx, O'Brien, Sano, Barger,
/// Picard, Lockley, Klerman and Czeisler, *Scientific Reports* 7:3216, 2017). It is 100 when every day
/// is the same, 0 when the states are independent and each as likely, and can be negative.
///
/// ```swift
/// let index = try SleepRegularityIndex(days: [
///   [true, true, false, false], [true, false, false, false], [true, true, false, true],
/// ])
/// index.value  // 25
/// ```
///
/// An epoch counts with the day before only where both states are known: *M*(*N* − 1) is the number
/// of these comparisons. Days of different length, where clocks change, are compared from their
/// start as far as the shorter one goes.
public struct SleepRegularityIndex: Sendable, Hashable {
  /// SRI, from −100 to 100.
  public let value: Double
  /// How many epochs could be compared with the day before.
  public let comparedCount: Int
  /// How many of them have the same state.
  public let agreeingCount: Int
  /// How many pairs of neighbouring days have an epoch to compare.
  public let dayPairCount: Int

  /// The index of days of epochs.
  ///
  /// - Parameter days: neighbouring days in order, each with the states of its epochs from the start
  ///   of the day: whether asleep; `nil` where it is not known
  /// - Throws: `AnalysisError` when there are fewer than two days, or no epoch can be compared
  /// - Complexity: O(epochs)
  public init(days: [[Bool?]]) throws(AnalysisError) {
    guard days.count >= 2 else { throw AnalysisError(.tooFewPoints(count: days.count, needed: 2)) }
    var tally = Tally()
    for (day, next) in zip(days, days.dropFirst()) { tally.compare(day, next) }
    try self.init(tally)
  }

  /// Gathers comparisons.
  struct Tally {
    var compared = 0
    var agreeing = 0
    var dayPairs = 0

    /// Compares two neighbouring days as far as the shorter one goes.
    mutating func compare(_ day: [Bool?], _ next: [Bool?]) {
      let before = compared
      for epoch in 0..<min(day.count, next.count) {
        guard let first = day[epoch], let second = next[epoch] else { continue }
        compared += 1
        if first == second { agreeing += 1 }
      }
      if compared > before { dayPairs += 1 }
    }
  }

  init(_ tally: Tally) throws(AnalysisError) {
    guard tally.compared > 0 else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    comparedCount = tally.compared
    agreeingCount = tally.agreeing
    dayPairCount = tally.dayPairs
    // 100·(agreeing − differing)/compared: whole numbers until the division.
    let difference = 2 * tally.agreeing - tally.compared
    value = 100 * Double(difference) / Double(tally.compared)
  }
}
