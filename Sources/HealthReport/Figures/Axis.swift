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
    let power = pow(10, floor(log10(rough)))
    let factor = [1, 2, 2.5, 5, 10].first { $0 * power >= rough * (1 - 1e-9) } ?? 10
    let step = factor * power
    let exponent = Int(floor(log10(rough)))
    digits = max(0, -exponent + (factor == 2.5 ? 1 : factor == 10 ? -1 : 0))
    let first = (low / step + (endsAtTicks ? 1e-9 : -1e-9))
      .rounded(endsAtTicks ? .down : .up)
    let last = (high / step + (endsAtTicks ? -1e-9 : 1e-9)).rounded(endsAtTicks ? .up : .down)
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
