public import HealthSamples

extension StatisticsError: CodedError {
  /// What was requested of which type, why it is impossible, and what to do.
  public var description: String {
    switch reason {
    case .notAvailable(let statistic, let style):
      let known = style.map { style in
        Statistic.named.filter { $0.isAvailable(for: style) }.map(\.rawValue)
          + (Statistic.median.isAvailable(for: style) ? ["p0 to p100"] : [])
          + (Statistic.timeMedian.isAvailable(for: style) ? ["timeP0 to timeP100"] : [])
      }
      return
        "\(statistic.rawValue) does not fit \(type.name), which is "
        + "\(style?.rawValue ?? "no quantity"); it has: \((known ?? []).joined(separator: ", "))."
    case .notExact(let statistic, let style):
      let known = Statistic.named.filter { $0.isExactlyAvailable(for: style) }.map(\.rawValue)
      return
        "The \(statistic.rawValue) of \(type.name), which is \(style.rawValue), cannot be correctly "
        + "rounded; these can: \(known.joined(separator: ", "))."
    case .notSharedByTime:
      return
        "The amounts of \(type.name) come rounded from merging, so their sums cannot be exact. Ask "
        + "for compensated ones, or merge by another policy."
    case .needsMerging(let sources):
      return
        "\(sources) sources have recorded \(type.name), and may have counted the same things. Merge "
        + "them first, or take SegmentColumns(whole:) to count every sample of each."
    case .holdOutOfRange:
      return "The hold time of \(type.name) is negative or no number. Give 0 seconds or more."
    case .tooManyParts:
      return
        "Long samples of \(type.name) overlap too many short intervals. Ask for longer intervals, or a "
        + "shorter period."
    case .tooManyExactParts:
      return
        "Long samples of \(type.name) overlap too many short intervals for exact sums of their shares. "
        + "Ask for longer intervals, or a shorter period."
    }
  }
}
