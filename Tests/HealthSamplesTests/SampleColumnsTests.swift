import HealthSamples
import Testing
import _HealthTestSupport

@Suite
struct SampleColumnsTests {
  private let type = SampleType(.stepCount)

  @Test("No rows are empty columns")
  func empty() {
    let none = SampleColumns(type: type, rows: [])
    #expect(none.isEmpty && none.count == 0 && none.sources.isEmpty)
    #expect(none == SampleColumns(type: type))
  }

  @Test("Columns do not depend on the order of rows")
  func orderNeverMatters() {
    var random = SplitMix64(seed: 31)
    for _ in 0..<50 {
      let rows = randomRows(&random)
      let columns = SampleColumns(type: type, rows: rows)
      #expect(SampleColumns(type: type, rows: rows.shuffled(using: &random)) == columns)
    }
  }

  @Test("Rows stand by source, start, end and value, each once, an early end at its start")
  func canonicalOrder() throws {
    var random = SplitMix64(seed: 32)
    for _ in 0..<50 {
      let rows = randomRows(&random)
      let columns = SampleColumns(type: type, rows: rows)
      var read: [SampleColumns.Row] = []
      for (index, source) in columns.sources.enumerated() {
        let range = columns.rows(ofSource: index)
        #expect(!range.isEmpty)
        let part = range.map {
          SampleColumns.Row(
            source: source, start: columns.starts[$0], end: columns.ends[$0],
            value: columns.values[$0])
        }
        let isSorted = zip(part, part.dropFirst()).allSatisfy {
          ($0.start, $0.end, $0.value) <= ($1.start, $1.end, $1.value)
        }
        #expect(isSorted)
        read += part
      }
      var expected: [SampleColumns.Row] = []
      for var row in rows where row.start.isFinite && row.end.isFinite && row.value.isFinite {
        row.end = max(row.start, row.end)
        expected.append(row)
      }
      #expect(read.count == columns.count)
      #expect(counts(read) == counts(expected))
      #expect(Set(columns.sources).count == columns.sources.count)
    }
  }

  @Test("Samples that were typed in stand before the others of the same name")
  func enteredFirst() {
    let entered = Source(name: "Scale", isUserEntered: true)
    let rows = [Source(name: "Scale"), entered, Source(name: "App")].map {
      SampleColumns.Row(source: $0, start: 0, end: 1, value: 1)
    }
    let sources = SampleColumns(type: type, rows: rows).sources
    #expect(sources == [Source(name: "App"), entered, Source(name: "Scale")])
  }

  private func counts(_ rows: [SampleColumns.Row]) -> [SampleColumns.Row: Int] {
    rows.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private func randomRows(_ random: inout SplitMix64) -> [SampleColumns.Row] {
    let numbers: [Double] = [0, 1, 2, 3, -1, .nan, .infinity]
    return (0..<Int.random(in: 1...30, using: &random)).map { _ in
      SampleColumns.Row(
        source: Source(
          name: ["A", "B", "C"].randomElement(using: &random) ?? "A",
          isUserEntered: Bool.random(using: &random)),
        start: numbers.randomElement(using: &random) ?? 0,
        end: numbers.randomElement(using: &random) ?? 0,
        value: numbers.randomElement(using: &random) ?? 0)
    }
  }
}
