import Foundation
import HealthExchange
import HealthMerge
import HealthQuery
import HealthStatistics

/// The answer of `stats --explain` for people: a line an interval, in which what each source
/// contributed adds up to the sum, also as it is rounded.
struct ExplanationTable {
  let answer: StatisticsAnswer
  let interval: CalendarInterval?

  var page: AnswerView.Page {
    let labels = answer.labels(of: interval)
    let names = answer.contributions.map(\.source.shortName)
    var table = Table(
      columns: [.words(labels.title)] + names.map(Table.Column.numbers)
        + [.numbers("sum"), .numbers("masked"), .words("by whom")])
    let decimals = decimals
    for (row, name) in labels.texts.enumerated() {
      table.add([name] + cells(row, decimals: decimals))
    }
    return AnswerView.Page(
      table: table,
      notes: StatisticsCaptions.notes(of: answer) + ["What the sources counted adds up to the sum."]
    )
  }

  private var scale: Double { StatisticsCaptions.scale(answer.unit) }

  private var decimals: Int {
    let sums = answer.intervals[raw: .sum] ?? answer.contributions.flatMap(\.sums)
    return NumberText.decimals(for: sums.lazy.map { $0 * scale })
  }

  private func cells(_ row: Int, decimals: Int) -> [String] {
    let known = answer.contributions.indices.filter { answer.contributions[$0].hasData[row] }
    let sums = known.map { answer.contributions[$0].sums[row] * scale }
    // Sums that are cut to whole numbers are not those of their parts.
    let isCut = answer.policy.truncates(answer.type)
    let total = isCut ? answer.intervals[raw: .sum].map { $0[row] * scale } : nil
    let rounded = Self.rounded(sums, to: total, decimals: decimals)
    var parts = answer.contributions.map { _ in "–" }
    for (place, value) in zip(known, rounded.parts) {
      parts[place] = NumberText.rounded(value, decimals: decimals)
    }
    guard answer.intervals.hasData[row] else { return parts + ["–", "–"] }
    let masked = known.reduce(0) { $0 + answer.contributions[$1].masked[row] } * scale
    return parts + [
      NumberText.rounded(rounded.sum, decimals: decimals),
      masked == 0 ? "–" : NumberText.rounded(masked, decimals: decimals),
      by(row, decimals: decimals),
    ]
  }

  /// Who masked how much of whom.
  private func by(_ row: Int, decimals: Int) -> String {
    answer.contributions.flatMap { contribution in
      contribution.maskedBy.filter { $0.amounts[row] != 0 }.map { masked in
        let amount = NumberText.rounded(masked.amounts[row] * scale, decimals: decimals)
        let name = contribution.source.shortName
        return masked.source == contribution.source
          ? "\(name): \(amount) by itself" : "\(name): \(amount) by \(masked.source.shortName)"
      }
    }.joined(separator: "; ")
  }

  /// The parts rounded so that they add up to a total, or else to their rounded sum: the largest
  /// remainders go up.
  static func rounded(
    _ parts: [Double], to total: Double? = nil, decimals: Int
  ) -> (parts: [Double], sum: Double) {
    let factor = pow(10, Double(decimals))
    let scaled = parts.map { $0 * factor }
    let sum = (total.map { $0 * factor } ?? scaled.reduce(0, +)).rounded()
    guard sum.isFinite, abs(sum) < 0x1p52, scaled.allSatisfy({ abs($0) < 0x1p52 }) else {
      return (parts, parts.reduce(0, +))
    }
    var whole = scaled.map { $0.rounded(.down) }
    let missing = Int(sum - whole.reduce(0, +))
    let byRemainder = scaled.indices.sorted {
      (scaled[$0] - whole[$0], $1) > (scaled[$1] - whole[$1], $0)
    }
    for place in byRemainder.prefix(max(0, missing)) { whole[place] += 1 }
    return (whole.map { $0 / factor }, sum / factor)
  }
}
