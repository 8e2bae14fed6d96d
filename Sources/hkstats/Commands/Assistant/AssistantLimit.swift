import HealthExchange

/// What an answer to an assistant has at most.
enum AssistantLimit {
  static let rows = 1_000
  static let bytes = 256 * 1_024

  private static let advice =
    "Nothing was cut: ask for longer intervals (by), a shorter period (from, to) or fewer types."

  static let tooLong = Failure(
    "The answer has more than \(AmountText.bytes(bytes)). \(advice)", .usage)

  static func check(_ count: Int) throws {
    guard count > rows else { return }
    throw Failure(
      "The answer has \(NumberText.grouped(count)) rows, which are more than "
        + "\(NumberText.grouped(rows)). \(advice)", .usage)
  }
}
