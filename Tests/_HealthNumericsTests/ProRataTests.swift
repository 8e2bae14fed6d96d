import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Shares pro rata")
struct ProRataTests {
  /// A span, and a part of it: whole seconds, any instants of one era, of very different sizes, or
  /// so far apart that their difference overflows.
  private func span(
    _ kind: Int, _ generator: inout SplitMix64
  ) -> (start: Double, end: Double, partStart: Double, partEnd: Double)? {
    let instants = (0..<4).map { _ in
      switch kind {
      case 0: 7e8 + Double(Int.random(in: 0...5000, using: &generator))
      case 1: 7e8 + Double.random(in: 0...5000, using: &generator)
      case 2:
        Double(
          sign: Bool.random(using: &generator) ? .plus : .minus,
          exponent: Int.random(in: -60...60, using: &generator),
          significand: Double.random(in: 1..<2, using: &generator))
      default: Double.random(in: -1...1, using: &generator) * .greatestFiniteMagnitude
      }
    }.sorted()
    return instants[1] < instants[2] ? (instants[0], instants[3], instants[1], instants[2]) : nil
  }

  @Test(
    "have the bits of the slow twin, and are within two ulp of the exact share",
    arguments: 0..<4)
  func matchesTwin(kind: Int) {
    var generator = SplitMix64(seed: UInt64(40 + kind))
    for _ in 0..<3000 {
      guard let span = span(kind, &generator) else { continue }
      let value = Double.random(in: -1e4...1e4, using: &generator)
      let share = ProRata.share(
        of: value, start: span.start, end: span.end, partStart: span.partStart,
        partEnd: span.partEnd)
      let twin = ReferenceShare.share(
        of: value, start: span.start, end: span.end, partStart: span.partStart,
        partEnd: span.partEnd)
      #expect(share.bitPattern == twin.bitPattern)
      let nearest = ReferenceShare.nearest(
        of: value, start: span.start, end: span.end, partStart: span.partStart,
        partEnd: span.partEnd)
      #expect(abs(share - nearest) <= 2 * nearest.ulp)
    }
  }

  @Test(
    "of a span's own length are the lengths of the parts, and of a whole span all of it",
    arguments: 0..<3)
  func wholes(kind: Int) {
    var generator = SplitMix64(seed: UInt64(50 + kind))
    for _ in 0..<1000 {
      guard let span = span(kind, &generator) else { continue }
      let (start, end) = (span.start, span.end)
      #expect(
        ProRata.share(
          of: end - start, start: start, end: end, partStart: span.partStart,
          partEnd: span.partEnd) == span.partEnd - span.partStart)
      let value = Double.random(in: -1e4...1e4, using: &generator)
      #expect(
        ProRata.share(of: value, start: start, end: end, partStart: start, partEnd: end) == value)
    }
  }
}
