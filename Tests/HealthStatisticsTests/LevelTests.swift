import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("The equivalent continuous level")
struct LevelTests {
  let sources = Source.named("A", "B", "C")
  let exposure: SampleType

  init() throws {
    exposure = try #require(Catalogue.type("HKQuantityTypeIdentifierEnvironmentalAudioExposure"))
  }

  private func means(_ rows: [SampleColumns.Row], edges: [Double]?) throws -> [Double] {
    let table = try SampleColumns(type: exposure, rows: rows)
      .merged(by: SourcePriority(order: sources))
      .table(over: edges.map { try Boundaries(edges: $0) }, of: [.mean])
    return try #require(table[raw: .mean])
  }

  @Test("random levels agree with the formula of the standard")
  func random() throws {
    var generator = SplitMix64(seed: 31)
    let edges = [0.0, 6, 7, 20, 36]
    for _ in 0..<500 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 1...10, using: &generator), sources: sources, using: &generator
      ).map { row in
        var row = row
        row.value = Double.random(in: 20...120, using: &generator)
        return row
      }
      let means = try means(rows, edges: edges)
      let reference = ReferenceMerge(rows: rows, order: sources)
      for index in means.indices {
        let met = reference.rows(meeting: edges[index], edges[index + 1])
        guard !met.isEmpty else { continue }
        var weights = met.map { min($0.end, edges[index + 1]) - max($0.start, edges[index]) }
        if weights.allSatisfy({ $0 == 0 }) { weights = met.map { _ in 1 } }
        let energy = zip(met, weights).reduce(0) { $0 + $1.1 * pow(10, $1.0.value / 10) }
        let expected = 10 * log10(energy / weights.reduce(0, +))
        #expect(abs(means[index] - expected) <= 1e-11)
      }
    }
  }

  @Test("a constant level is its own mean, however loud", arguments: [0.0, 83.7, 5000, -1e305])
  func constant(level: Double) throws {
    for length in [0.0, 0.1, 3] {
      let rows = (0..<7).map { index in
        SampleColumns.Row(
          source: sources[index % 3], start: Double(index), end: Double(index) + length,
          value: level)
      }
      #expect(try means(rows, edges: [0, 20]) == [level])
      #expect(try means(rows, edges: nil) == [level])
    }
  }

  @Test("twice the energy is ten times the logarithm of two louder; silence between adds nothing")
  func laws() throws {
    func row(_ start: Double, _ end: Double, _ level: Double) -> SampleColumns.Row {
      SampleColumns.Row(source: sources[0], start: start, end: end, value: level)
    }
    let double = try means([row(0, 1, 70), row(1, 2, 70 + 10 * log10(3))], edges: [0, 2])[0]
    #expect(abs(double - (70 + 10 * log10(2))) < 1e-12)
    #expect(try means([row(0, 1, 70), row(5, 6, 70)], edges: [0, 10]) == [70])
    // An instant has no weight beside a span.
    #expect(try means([row(0, 1, 70), row(0.5, 0.5, 170)], edges: [0, 2]) == [70])
    // Far less than doubles can tell apart from the loudest.
    #expect(try means([row(0, 1, 9000), row(1, 2, -9000)], edges: [0, 1, 2]) == [9000, -9000])
  }
}
