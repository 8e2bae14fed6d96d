import HealthSamples
import Testing

/// The rules for the time of a sample against slow twins, for all small times.
@Suite("The time of a sample")
struct SampleTimeTests {
  private static let instants = [-Double.infinity, -1, 0, 1, 2, 3, .infinity, .nan]
  private static let whole = instants.filter(\.isFinite)
  /// Pairs in any order.
  private static let spans = whole.flatMap { start in whole.map { (start: start, end: $0) } }
  private static let ranges = instants.dropLast().flatMap { lower in
    instants.dropLast().filter { lower <= $0 }.map { lower..<$0 }
  }
  /// Instants at and between the whole ones.
  private static let moments = stride(from: -2.0, through: 4, by: 0.5)

  /// The moments of a sample; of one that ends before it starts only its start.
  private static func moments(of span: (start: Double, end: Double)) -> [Double] {
    moments.filter { $0 == span.start || span.start < $0 && $0 <= span.end }
  }

  @Test("Its last instant is its end; it is its start if the end is before it, or no number")
  func end() {
    for start in Self.instants.dropLast() {
      for end in Self.instants {
        let later = start <= end ? end : start
        #expect(SampleTime.end(from: start, to: end) == later)
        #expect(SampleTime.isInOrder(from: start, to: end) == (later == end))
        #expect(!SampleTime.isInOrder(from: .nan, to: end))
      }
    }
    for span in Self.spans {
      let time = SampleTime.closed(from: span.start, to: span.end)
      #expect(Self.moments.filter(time.contains) == Self.moments(of: span))
    }
  }

  @Test("A range has it if any of its moments is not before the range, and the first not after it")
  func ranges() {
    for range in Self.ranges {
      for span in Self.spans {
        let has =
          Self.moments(of: span).contains { $0 >= range.lowerBound }
          && Self.moments.contains { $0 == span.start && $0 < range.upperBound }
        #expect(range.hasSample(from: span.start, to: span.end) == has)
        #expect(!range.hasSample(from: .nan, to: span.end))
      }
    }
  }

  @Test("Two overlap if they share more than an instant, or one is an instant that the other has")
  func overlap() {
    for one in Self.spans {
      for other in Self.spans {
        let shared = Self.moments(of: one).filter(Self.moments(of: other).contains)
        // An instant that only ends the other one is not in it.
        let isIn = [(one, other), (other, one)].contains { instant, span in
          instant.end <= instant.start && shared == [instant.start]
            && (span.end <= span.start || instant.start != span.end)
        }
        let time = SampleTime.halfOpen(from: one.start, to: one.end)
        #expect(
          time.overlaps(SampleTime.halfOpen(from: other.start, to: other.end))
            == (shared.count > 1 || isIn))
      }
    }
  }

  @Test("Columns of plain arrays refuse what is not in order; those of rows put it at its start")
  func columns() throws {
    let type = SampleType(.stepCount)
    let source = Source(name: "Watch")
    for start in Self.instants {
      for end in Self.instants {
        let made = try? SampleColumns(
          type: type, source: source, starts: [start], ends: [end], values: [1])
        let isFinite = start.isFinite && end.isFinite
        #expect((made != nil) == (isFinite && SampleTime.isInOrder(from: start, to: end)))
        let row = SampleColumns.Row(source: source, start: start, end: end, value: 1)
        let rows = SampleColumns(type: type, rows: [row])
        #expect(rows.ends == (isFinite ? [SampleTime.end(from: start, to: end)] : []))
        let dated = DatedSampleColumns(type: type, rows: [.init(sample: row, lastModified: nil)])
        #expect(dated.samples.ends == made?.ends ?? [])
      }
    }
  }
}
