#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A slow course as columns of a model: none, a line, a wave of a year, or both.
struct SlowCourse {
  let shape: LevelShape
  /// The columns in each row from the first value to the last, about their means over the values.
  let columns: [[Double]]
  /// The row of the first value.
  let firstRow: Int

  /// The courses that are compared, the simplest first.
  static func all(of series: RegularSeries, yearLength: Double) -> [SlowCourse] {
    let span = series.presentSpan
    guard span.count > 1 else { return [] }
    let counted = series.presentRows.map { $0 - span.lowerBound }
    func column(_ value: (Double) -> Double) -> [Double] {
      let all = (0..<span.count).map { value(Double($0)) }
      let mean = counted.map { all[$0] }.compensatedSum / Double(counted.count)
      return all.map { $0 - mean }
    }
    func course(_ shape: LevelShape, _ columns: [[Double]]) -> SlowCourse {
      SlowCourse(shape: shape, columns: columns, firstRow: span.lowerBound)
    }
    let length = Double(span.count - 1)
    let line = [column { $0 / length }]
    var courses = [course(.steady, []), course(.slope, line)]
    guard length >= yearLength / 2, yearLength >= leastWave else { return courses }
    let turn = 2 * Double.pi / yearLength
    let wave = [column { cos(turn * $0) }, column { sin(turn * $0) }]
    courses += [course(.wave, wave), course(.slopeAndWave, line + wave)]
    return courses
  }

  /// Of fewer rows a wave is no slow course.
  private static let leastWave = 12.0
}
