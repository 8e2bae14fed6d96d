import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite("Moving means")
struct MovingMeanTests {
  @Test("Trailing and centred means are those of pandas")
  func references() throws {
    let file = try SmoothingReferences.load()
    #expect(file.means.count == 15)
    for row in file.means {
      let series = try file.series(row.series)
      let means =
        row.centred
        ? try series.centredMean(rows: row.rows, atLeast: row.least)
        : try series.trailingMean(rows: row.rows, atLeast: row.least)
      #expect(means.count == row.means.count)
      for (place, expected) in row.means.enumerated() {
        #expect((means[place] == nil) == (expected == nil))
        if let mean = means[place], let expected { #expect(abs(mean - expected) < 1e-11) }
      }
    }
  }

  @Test("All short series of whole numbers and gaps give the means of the definition, exactly")
  func slowTwin() throws {
    let choices: [Double?] = [nil, 0, 12]
    for count in 0...5 {
      let tuples = (0..<count).reduce([[]] as [[Double?]]) { tuples, _ in
        tuples.flatMap { tuple in choices.map { tuple + [$0] } }
      }
      for values in tuples {
        let series = try RegularSeries(values)
        for rows in 1...4 {
          for least in 1...rows {
            let trailing = try series.trailingMean(rows: rows, atLeast: least)
            let slow = SlowSmoothing.movingMean(values, before: rows - 1, after: 0, least: least)
            #expect((0..<count).map { trailing[$0] } == slow)
            guard !rows.isMultiple(of: 2) else { continue }
            let centred = try series.centredMean(rows: rows, atLeast: least)
            let both = SlowSmoothing.movingMean(
              values, before: rows / 2, after: rows / 2, least: least)
            #expect((0..<count).map { centred[$0] } == both)
          }
        }
      }
    }
  }

  @Test("Means scale exactly with powers of two, and a centred mean turns around with time")
  func laws() throws {
    var random = SplitMix64(seed: 31)
    let values: [Double?] = (0..<100).map { _ in
      Bool.random(using: &random) ? Double.random(in: -9...9, using: &random) : nil
    }
    let series = try RegularSeries(values)
    let plain = try series.centredMean(rows: 9, atLeast: 3)
    for exponent in [-900, -3, 7, 1000] {
      let factor = Double(sign: .plus, exponent: exponent, significand: 1)
      let scaled = try RegularSeries(values.map { $0.map { $0 * factor } })
        .centredMean(rows: 9, atLeast: 3)
      #expect(scaled.values == plain.values.map { $0 * factor })
    }
    let turned = try RegularSeries(Array(values.reversed())).centredMean(rows: 9, atLeast: 3)
    for row in 0..<100 {
      #expect(turned.isPresent[99 - row] == plain.isPresent[row])
      #expect(abs(turned.values[99 - row] - plain.values[row]) < 1e-14)
    }
    // A trailing mean of 9 rows is the centred one, four rows later.
    let trailing = try series.trailingMean(rows: 9, atLeast: 3)
    for row in 8..<100 { #expect(trailing[row] == plain[row - 4]) }
  }

  @Test("Equal values have exactly their value as mean, and the largest doubles do not overflow")
  func limits() throws {
    let largest = Double.greatestFiniteMagnitude
    for value in [0.1, 1e300, largest, -largest, .leastNonzeroMagnitude, 0] {
      let means = try RegularSeries(Array(repeating: value, count: 20))
        .trailingMean(rows: 7, atLeast: 1)
      #expect(means.values.allSatisfy { $0 == value })
    }
    let mixed = try RegularSeries([largest, -largest, largest, -largest])
      .trailingMean(rows: 2, atLeast: 2)
    #expect(mixed.values == [0, 0, 0, 0] && mixed.isPresent == [false, true, true, true])
    let big = 0x1p1023
    let high = try RegularSeries([big, big, 0, -big]).trailingMean(rows: 4, atLeast: 4)
    #expect(high[3] == big / 4)
    let none = try RegularSeries([nil, nil] as [Double?])
    #expect(try none.trailingMean(rows: Int.max, atLeast: 1).presentCount == 0)
    #expect(try none.centredMean(rows: Int.max, atLeast: 1).count == 2)
    #expect(try RegularSeries([] as [Double]).trailingMean(rows: 7, atLeast: 4).count == 0)
  }

  @Test("A window without rows, an even centred one and an impossible least number are refused")
  func refusals() throws {
    let series = try RegularSeries([1, 2, 3])
    for rows in [Int.min, -1, 0] {
      let reason = AnalysisError.Reason.parameter(name: "number of rows", range: "1 or more")
      #expect(throws: AnalysisError(reason)) { try series.trailingMean(rows: rows, atLeast: 1) }
      #expect(throws: AnalysisError(reason)) { try series.centredMean(rows: rows, atLeast: 1) }
    }
    for least in [Int.min, 0, 8, Int.max] {
      #expect(throws: AnalysisError.self) { try series.trailingMean(rows: 7, atLeast: least) }
    }
    #expect(
      throws: AnalysisError(
        .parameter(name: "number of rows of a centred mean", range: "odd"))
    ) { try series.centredMean(rows: 4, atLeast: 1) }
  }
}
