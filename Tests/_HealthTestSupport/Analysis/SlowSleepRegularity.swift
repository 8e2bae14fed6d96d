import Foundation

/// The sleep regularity index, word for word.
public enum SlowSleepRegularity {
  /// −100 + 200·(agreeing/compared); `nil` when nothing can be compared.
  public static func index(days: [[Bool?]]) -> Double? {
    var agreements: [Double] = []
    for day in days.indices.dropLast() {
      for epoch in days[day].indices where epoch < days[day + 1].count {
        if let one = days[day][epoch], let other = days[day + 1][epoch] {
          agreements.append(one == other ? 1 : 0)
        }
      }
    }
    guard !agreements.isEmpty else { return nil }
    return -100 + 200 * agreements.reduce(0, +) / Double(agreements.count)
  }

  /// The states of days, each epoch asked for on its own.
  public static func days(
    spans: [(start: Double, end: Double)], boundaries: [Double], epoch: Double, emptyIsAwake: Bool
  ) -> [[Bool?]] {
    boundaries.indices.dropLast().map { day in
      var states: [Bool?] = []
      var number = 1.0
      while number * epoch <= boundaries[day + 1] - boundaries[day] {
        let instant = boundaries[day] + (number - 1) * epoch
        states.append(spans.contains { $0.start <= instant && instant < $0.end })
        number += 1
      }
      return emptyIsAwake || states.contains(true) ? states : states.map { _ in nil }
    }
  }

  /// The direction, length and deviation of the sum of unit vectors, in hours of 24.
  public static func circular(_ hours: [Double]) -> (
    mean: Double, length: Double, deviation: Double
  ) {
    let x = hours.map { cos($0 * .pi / 12) }.reduce(0, +) / Double(hours.count)
    let y = hours.map { sin($0 * .pi / 12) }.reduce(0, +) / Double(hours.count)
    let length = (x * x + y * y).squareRoot()
    let angle = atan2(y, x) * 12 / .pi
    return (
      angle < 0 ? angle + 24 : angle, length, (-2 * log(min(1, length))).squareRoot() * 12 / .pi
    )
  }
}
