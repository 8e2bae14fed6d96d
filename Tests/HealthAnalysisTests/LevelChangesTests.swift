import Foundation
import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite("Changes of a level")
struct LevelChangesTests {
  private func column(
    _ count: Int, seed: UInt64, of kind: TrendlessSeries = .independent,
    plus course: (Double) -> Double = { _ in 0 }
  ) -> [Double] {
    var random = SplitMix64(seed: seed)
    return kind.values(count: count, using: &random).enumerated().map { $1 + course(Double($0)) }
  }

  @Test("A level that does nothing has one segment, and is steady")
  func steady() throws {
    let found = try RegularSeries(column(200, seed: 81)).levelChanges()
    #expect(found.shape == .steady && found.changes.rows.isEmpty)
    #expect(try found.changes == RegularSeries(column(200, seed: 81)).changePoints())
  }

  @Test("A step is found as changePoints finds it")
  func step() throws {
    let series = try RegularSeries(column(300, seed: 82) { $0 < 170 ? 0 : 3 })
    let found = try series.levelChanges()
    #expect(found.shape == .steady)
    #expect(try found.changes == series.changePoints())
    #expect(abs((found.changes.rows.first ?? 0) - 170) <= 2)
  }

  @Test("A slope is no stairs, a wave of a year neither, and they are named")
  func courses() throws {
    let slope = try RegularSeries(column(365, seed: 83) { $0 / 100 })
    #expect(try !slope.changePoints().rows.isEmpty)
    let sloping = try slope.levelChanges()
    #expect(sloping.shape == .slope && sloping.changes.rows.isEmpty)
    #expect(sloping.changes.segments.map(\.rows) == [0..<365])
    let wave = try RegularSeries(column(730, seed: 84) { 1.5 * sin(2 * .pi * $0 / 365.2425) })
    #expect(try !wave.changePoints().rows.isEmpty)
    let waving = try wave.levelChanges()
    #expect(waving.shape == .wave && waving.changes.rows.isEmpty)
    let both = try RegularSeries(
      column(900, seed: 86) { $0 / 100 + 2 * cos(2 * .pi * $0 / 365.2425) })
    #expect(try both.levelChanges().shape == .slopeAndWave)
  }

  @Test("Steps beside a slope and a wave are found, with the size that they have alone")
  func stepsOnCourses() throws {
    let values = column(900, seed: 87) { row in
      60 - row / 150 + 1.5 * cos(2 * .pi * row / 365.2425) + (row >= 400 && row < 430 ? 5 : 0)
    }
    let found = try RegularSeries(values).levelChanges()
    #expect(found.shape == .slopeAndWave && found.changes.rows.count == 2)
    for (row, expected) in zip(found.changes.rows, [400, 430]) { #expect(abs(row - expected) <= 2) }
    for (size, expected) in zip(found.changes.sizes, [5.0, -5]) {
      #expect(abs(size - expected) < 0.7)
    }
    #expect(abs((found.changes.longRunDeviation ?? 0) - 1) < 0.4)
    // The levels are about the mean of the values.
    let mean = values.reduce(0, +) / 900
    let weighted = found.changes.segments.reduce(0) { $0 + $1.mean * Double($1.count) } / 900
    #expect(abs(mean - weighted) < 1e-9)
    // With its course, each level follows the values.
    for segment in found.changes.segments {
      let rests = segment.rows.map { values[$0] - segment.mean - found.course[$0] }
      #expect(abs(rests.reduce(0, +)) / Double(rests.count) < 1e-9)
      #expect(rests.allSatisfy { abs($0) < 9 })
    }
  }

  @Test("A unit, an offset and empty rows around change nothing")
  func laws() throws {
    let values = column(420, seed: 88) { ($0 < 200 ? 0 : 4) + 1.2 * sin($0 / 58) }
    let plain = try RegularSeries(values).levelChanges()
    let scaled = try RegularSeries(values.map { $0 * 1024 }).levelChanges()
    #expect(scaled.shape == plain.shape && scaled.changes.rows == plain.changes.rows)
    let padded = try RegularSeries([nil, nil] + values.map { .some($0) } + [nil]).levelChanges()
    #expect(padded.shape == plain.shape)
    #expect(padded.changes.rows == plain.changes.rows.map { $0 + 2 })
    #expect(padded.course.count == 423 && padded.course[0] == 0 && padded.course[422] == 0)
    #expect(!plain.changes.rows.isEmpty)
  }

  /// How often a level is said to change that does not, and how often a shift of one deviation in the
  /// middle is found within a fortnight.
  private func rate(_ kind: TrendlessSeries, rows: Int) throws -> (VerdictRate, named: Int) {
    #if DEBUG
    let count = 8
    #else
    let count = Soak.isLong ? 2_000 : 120
    #endif
    var rate = VerdictRate("change of a level", kind.rawValue, rows: rows)
    var named = 0
    for seed in 0..<count {
      let values = column(rows, seed: UInt64(seed) &* 7 &+ 900, of: kind)
      let series = try RegularSeries(values)
      let found = try series.levelChanges()
      rate.addNull(
        !found.changes.rows.isEmpty, before: try !series.changePoints().rows.isEmpty)
      let expected: Set<LevelShape> = kind == .wave ? [.wave, .slopeAndWave] : [.wander]
      if expected.contains(found.shape) { named += 1 }
      guard Soak.isLong || kind == .independent else { continue }
      let shifted = try RegularSeries(
        values.enumerated().map { $1 + ($0 < rows / 2 ? 0 : kind.deviation) }
      ).levelChanges()
      rate.addEffect(isFound: shifted.changes.rows.contains { abs($0 - rows / 2) <= 14 })
    }
    rate.report()
    return (rate, named)
  }

  @Test(
    "Few levels without a change are said to have one, and most shifts are found",
    arguments: TrendlessSeries.promised)
  func falseAlarms(kind: TrendlessSeries) throws {
    for rows in Soak.isLong ? [90, 365, 730] : [365] {
      let (found, _) = try rate(kind, rows: rows)
      #expect(found.keeps(percent: 5), "\(found.line)")
      if rows == 365, kind == .independent {
        #expect(found.foundShare > 0.8, "\(found.line)")
      }
    }
  }

  @Test(
    "Of levels that wander or have a wave few change, and most are called what they are",
    arguments: [TrendlessSeries.wandering, .wave])
  func slow(kind: TrendlessSeries) throws {
    for rows in Soak.isLong ? [90, 365, 730] : [365] {
      let (found, named) = try rate(kind, rows: rows)
      #expect(found.keeps(percent: 15), "\(found.line)")
      if rows >= 365 { #expect(10 * named > 6 * found.count, "\(named) of \(found.count)") }
    }
  }

  @Test("Of a hundred steps the strongest are compared, and long series end in time")
  func manySteps() throws {
    let stairs = try RegularSeries(
      column(4_000, seed: 92) { ($0 / 40).rounded(.down).truncatingRemainder(dividingBy: 2) * 9 })
    #expect(try stairs.changePoints().rows.count > 90)
    #expect(try stairs.levelChanges().changes.rows.count <= 64)
  }

  @Test("A length of a year that is none is refused, and too few values are")
  func refusals() throws {
    let series = try RegularSeries(column(60, seed: 89))
    for length in [0, -1, Double.infinity, .nan] {
      #expect(throws: AnalysisError.self) { try series.levelChanges(yearLength: length) }
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 20, needed: 56))) {
      try RegularSeries(column(20, seed: 90)).levelChanges()
    }
    // A year of a few rows has no wave that could be told.
    let steps = try RegularSeries(column(200, seed: 91) { $0 < 100 ? 0 : 5 })
    #expect(try steps.levelChanges(yearLength: 3).changes.rows.count == 1)
  }
}
