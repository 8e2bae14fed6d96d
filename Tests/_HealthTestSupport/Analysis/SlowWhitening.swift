#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Innovations of an autoregressive model, with the equations of Yule and Walker solved anew for each
/// order by elimination.
public struct SlowWhitening: Sendable {
  public let coefficients: [Double]
  public let innovations: [Double?]

  /// Whitens a column that is not constant.
  public init(_ column: [Double?], mostLags: Int) {
    let present = column.compactMap(\.self)
    let mean = present.reduce(0, +) / Double(present.count)
    let centred = column.map { $0.map { $0 - mean } }
    let rows = column.indices.filter { column[$0] != nil }
    let span = (rows.last ?? 0) - (rows.first ?? 0) + 1
    let covariances = (0...mostLags).map { lag -> Double in
      let pairs = SlowCorrelation.pairs(centred, centred, lag: lag)
      guard !pairs.x.isEmpty else { return 0 }
      let products = zip(pairs.x, pairs.y).map { $0 * $1 }.reduce(0, +)
      return products / Double(pairs.x.count) * (1 - Double(lag) / Double(span))
    }
    let models = (0...mostLags).map { Self.solution(covariances, order: $0) }
    let variances = models.map { model in
      model.enumerated().reduce(covariances[0]) { $0 - $1.element * covariances[$1.offset + 1] }
    }
    let criteria = variances.enumerated().map {
      Double(present.count) * log($1) + 2 * Double($0)
    }
    let best = criteria.indices.reduce(0) { criteria[$1] < criteria[$0] ? $1 : $0 }
    coefficients = models[best]
    innovations = centred.indices.map { row in
      guard let own = centred[row] else { return nil }
      var order = 0
      while order < best, row - 1 - order >= 0, centred[row - 1 - order] != nil { order += 1 }
      let predicted = models[order].enumerated().reduce(0.0) {
        $0 + $1.element * (centred[row - 1 - $1.offset] ?? 0)
      }
      return (own - predicted) * (variances[best] / variances[order]).squareRoot()
    }
  }

  /// φ with Σⱼ φⱼ·c(|i − j|) = c(i) for i from 1 to the order.
  private static func solution(_ covariances: [Double], order: Int) -> [Double] {
    guard order > 0 else { return [] }
    var rows = (0..<order).map { i in
      (0..<order).map { covariances[abs(i - $0)] } + [covariances[i + 1]]
    }
    for pivot in 0..<order {
      for row in 0..<order where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...order { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    return (0..<order).map { rows[$0][order] / rows[$0][$0] }
  }
}
