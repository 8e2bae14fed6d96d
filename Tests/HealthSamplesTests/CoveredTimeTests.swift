import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Covered time")
struct CoveredTimeTests {
  private func randomRows(_ generator: inout SplitMix64) -> [(start: Double, end: Double)] {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      let start = Int.random(in: 0..<30, using: &generator)
      return (Double(start), Double(start + Int.random(in: 0...5, using: &generator)))
    }.sorted { $0.start < $1.start }
  }

  private func covered(_ rows: [(start: Double, end: Double)]) -> CoveredTime {
    CoveredTime(starts: rows.map(\.start), ends: rows.map(\.end), rows: rows.indices)
  }

  /// Whether half steps of time are covered, asked of each row.
  private func cover(_ rows: [(start: Double, end: Double)]) -> [Bool] {
    stride(from: 0.0, to: 50, by: 0.5).map { time in
      rows.contains { $0.start < $0.end && $0.start <= time && time <= $0.end }
    }
  }

  private func expectEqual(_ time: CoveredTime, _ rows: [(start: Double, end: Double)]) {
    let spans = zip(time.starts, time.ends).map { (start: $0, end: $1) }
    #expect(cover(spans) == cover(rows))
    #expect(zip(time.starts.dropFirst(), time.ends).allSatisfy { $0 > $1 })
    #expect(time.instants == Set(rows.filter { $0.start == $0.end }.map(\.start)).sorted())
    #expect(time.spanCount == spans.count && time.count == spans.count + time.instants.count)
    #expect(time.edges.first == -.infinity && time.edges.suffix(2) == [.infinity, .infinity])
  }

  @Test("rows, unions, appended and unordered rows cover what each row covers")
  func random() {
    var generator = SplitMix64(seed: 51)
    for _ in 0..<400 {
      let (rows, others) = (randomRows(&generator), randomRows(&generator))
      expectEqual(covered(rows), rows)
      expectEqual(CoveredTime(unordered: rows.shuffled(using: &generator)), rows)
      var union = covered(rows)
      union.formUnion(covered(others))
      expectEqual(union, rows + others)
      var appended = covered(rows)
      let later = others.map { (start: $0.start + 12, end: $0.end + 12) }
      let isAdded = later.map(\.start).withUnsafeBufferPointer { starts in
        later.map(\.end).withUnsafeBufferPointer { appended.append(starts: starts, ends: $0) }
      }
      expectEqual(appended, isAdded ? rows + later : rows)
    }
  }
}
