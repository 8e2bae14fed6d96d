import Foundation

/// The ticks of an axis: multiples of 1, 2, 2.5 or 5 times a power of ten.
struct Axis {
  /// The numbers at the ticks, ascending.
  let ticks: [Double]
  /// How many digits after the point a label needs, so that it is never rounder than the step.
  let digits: Int
  /// From the least to the greatest number of the axis.
  let range: ClosedRange<Double>

  /// Chooses ticks for numbers.
  ///
  /// - Parameters:
  ///   - values: the least and the greatest number
  ///   - count: about how many ticks
  ///   - includesZero: whether the axis begins at zero, as bars need
  ///   - endsAtTicks: whether the axis ends at ticks, else at the numbers with some room
  init(
    _ values: ClosedRange<Double>, count: Int = 4, includesZero: Bool, endsAtTicks: Bool = true
  ) {
    let low = includesZero ? min(0, values.lowerBound) : values.lowerBound
    let high = includesZero ? max(0, values.upperBound) : values.upperBound
    let span = high > low ? high - low : max(abs(high), 1)
    let rough = span / Double(max(1, count))
    let steps = Step.near(rough)
    func ends(_ step: Step) -> (first: Double, last: Double) {
      (
        (low / step.size + (endsAtTicks ? 1e-9 : -1e-9)).rounded(endsAtTicks ? .down : .up),
        (high / step.size + (endsAtTicks ? -1e-9 : 1e-9)).rounded(endsAtTicks ? .up : .down)
      )
    }
    // An axis that ends at ticks ends at those nearest to the numbers, then with the fewest digits.
    func cost(_ step: Step) -> (Double, Int, Double) {
      let (first, last) = ends(step)
      // Sizes that differ by rounding alone are equal.
      let size = ((last - first) * step.size / span * 1e6).rounded()
      return (size, step.digits, abs(last - first - Double(count)))
    }
    let fitting = steps.filter { step in
      let (first, last) = ends(step)
      return Double(count - 1)...Double(count + 2) ~= last - first
    }
    let usual = steps.first { $0.size >= rough * (1 - 1e-9) } ?? steps[0]
    let chosen = endsAtTicks ? fitting.min { cost($0) < cost($1) } ?? usual : usual
    let step = chosen.size
    digits = chosen.digits
    let (first, last) = ends(chosen)
    ticks =
      last >= first && last - first < 100
      ? stride(from: first, through: last, by: 1).map { $0 * step } : [low]
    let room = endsAtTicks ? 0 : span * 0.06
    let (bottom, top) =
      endsAtTicks
      ? (first * step, max(last, first + 1) * step)
      : (includesZero ? low : low - room, high > low ? high + room : low + span)
    range = bottom...max(top, bottom.nextUp)
  }
}

extension Axis {
  /// A distance of ticks, and how many digits after the point its multiples have.
  private struct Step {
    let size: Double
    let digits: Int

    /// The steps of 1, 2, 2.5 and 5 around a size, ascending.
    static func near(_ size: Double) -> [Step] {
      let exponent = Int(floor(log10(size)))
      return (exponent - 1...exponent + 1).flatMap { exponent in
        [1, 2, 2.5, 5].map { factor in
          Step(
            size: factor * pow(10, Double(exponent)),
            digits: max(0, -exponent + (factor == 2.5 ? 1 : 0)))
        }
      }
    }
  }

  /// An axis of hours from zero up to at least some, of two to five whole steps.
  init(hours most: Double) {
    let steps = [1.0, 2, 3, 4, 6, 12, 24, 48]
    func count(_ step: Double) -> Double { max(2, (most / step - 1e-9).rounded(.up)) }
    let step =
      steps.filter { count($0) <= 5 }
      .min { ($0 * count($0), count($1)) < ($1 * count($1), count($0)) } ?? 48
    ticks = (0...Int(min(count(step), 5))).map { Double($0) * step }
    digits = 0
    range = 0...step * count(step)
  }

  /// The hours of a clock at which ticks stand, in minutes, for a range of minutes: every two, or every
  /// one, three, six or twelve.
  static func hours(_ range: ClosedRange<Double>) -> [Double] {
    let span = range.upperBound - range.lowerBound
    let step = [60, 120, 180, 360, 720].first { span / $0 <= 8 } ?? 1440.0
    return stride(
      from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step
    ).map { $0 }
  }
}
