public import HealthSamples

/// The slow twin of what a store makes of a sequence of exports of one phone: every export as it
/// came, and the rule as it is told, from one export to the next by their dates.
public struct ReferenceSequence {
  /// A sample as its newest export tells it, with the most copies of any.
  public typealias Sample = ReferenceStore.Sample

  private struct Export {
    var exportedAt: Double
    var samples: [Sample]
  }

  private struct Row {
    var sample: Sample
    /// The places of the exports that told of it.
    var told: Set<Int>
  }

  private let type: SampleType
  private var exports: [Export] = []

  /// What counts, and how many samples stayed although a later export contradicts them.
  public struct Content {
    public var samples: [Sample]
    public var disagreeing = 0
    public var superseded = 0
  }

  public init(_ type: SampleType) { self.type = type }

  /// Takes in an export; two that were made at one time are one.
  public mutating func add(_ samples: [Sample], exportedAt: Double?) {
    // An export says nothing of types that it does not have.
    if samples.isEmpty { return }
    let exportedAt = exportedAt ?? -.infinity
    let samples = Dictionary(grouping: samples) { [$0.start, $0.end, $0.canonical] }.values
      .compactMap { copies in
        var sample = copies.first
        sample?.copies = copies.reduce(0) { $0 + $1.copies }
        return sample
      }
    if let place = exports.firstIndex(where: { $0.exportedAt == exportedAt }) {
      exports[place].samples += samples
    } else {
      exports.append(Export(exportedAt: exportedAt, samples: samples))
    }
  }

  /// What the store must hold.
  public func content() -> Content {
    let exports = exports.sorted { $0.exportedAt < $1.exportedAt }
    var rows: [Row] = []
    for (place, export) in exports.enumerated() {
      for sample in export.samples {
        let known = rows.firstIndex {
          $0.sample.start == sample.start && $0.sample.end == sample.end
            && ReferenceStore.agree($0.sample.canonical, sample.canonical, type)
        }
        if let known {
          let copies = rows[known].sample.copies
          rows[known].sample = sample
          rows[known].sample.copies = max(copies, sample.copies)
          rows[known].told.insert(place)
        } else {
          rows.append(Row(sample: sample, told: [place]))
        }
      }
    }
    var counting: Set<Int> = []
    var content = Content(samples: [])
    for place in exports.indices {
      let told = Set(rows.indices.filter { rows[$0].told.contains(place) })
      let (old, new) = (counting.subtracting(told), told.subtracting(counting))
      if place > 0 {
        for part in parts(old, new, rows) {
          let (superseded, disagreeing) = judged(
            part.old.map { rows[$0].sample }, part.new.map { rows[$0].sample },
            exportedAt: exports[place - 1].exportedAt)
          for index in superseded { counting.remove(part.old[index]) }
          content.superseded += superseded.count
          content.disagreeing += disagreeing
        }
      }
      counting.formUnion(told)
    }
    content.samples = counting.map { rows[$0].sample }
    return content
  }

  private func end(_ sample: Sample) -> Double { max(sample.start, sample.end) }

  /// Rows that hang together, cut where both sides have an edge and nothing goes on.
  private func parts(
    _ old: Set<Int>, _ new: Set<Int>, _ rows: [Row]
  ) -> [(old: [Int], new: [Int])] {
    let all = Array(old.union(new))
    func isEdge(_ instant: Double, of side: Set<Int>) -> Bool {
      side.contains { rows[$0].sample.start == instant || end(rows[$0].sample) == instant }
    }
    let instants = Set(all.flatMap { [rows[$0].sample.start, end(rows[$0].sample)] })
    let cuts = instants.filter { instant in
      isEdge(instant, of: old) && isEdge(instant, of: new)
        && !all.contains { rows[$0].sample.start < instant && instant < end(rows[$0].sample) }
    }
    func hang(_ one: Sample, _ other: Sample) -> Bool {
      guard one.start <= end(other), other.start <= end(one) else { return false }
      // What begins at a cut belongs to what comes after it.
      return !cuts.contains { ($0 <= one.start) != ($0 <= other.start) }
    }
    var rest = Set(all)
    var parts: [(old: [Int], new: [Int])] = []
    while let first = rest.popFirst() {
      var part = [first]
      var next = 0
      while next < part.count {
        for index in rest where hang(rows[part[next]].sample, rows[index].sample) {
          rest.remove(index)
          part.append(index)
        }
        next += 1
      }
      let sides = (part.filter(old.contains), part.filter(new.contains))
      if !sides.0.isEmpty, !sides.1.isEmpty { parts.append((old: sides.0, new: sides.1)) }
    }
    return parts
  }

  /// The places of old rows that are superseded, and how many of the rest disagree.
  private func judged(
    _ old: [Sample], _ new: [Sample], exportedAt: Double
  ) -> (superseded: [Int], disagreeing: Int) {
    let oldEnd = old.map(end).max() ?? 0
    let newStart = new.map(\.start).min() ?? 0
    let newEnd = new.map(end).max() ?? 0
    if old.map(\.start).min() == newStart, oldEnd == newEnd, agree(old, new) {
      return (Array(old.indices), 0)
    }
    guard exportedAt.isFinite, newEnd > exportedAt else { return ([], old.count) }
    var inside = old.indices.filter { old[$0].start >= newStart && end(old[$0]) <= newEnd }
    if type.style == .cumulative {
      let last = inside.map { end(old[$0]) }.max() ?? 0
      let rows = new.filter { $0.start < last || $0.start == last && end($0) == last }
      let sums = (sum(inside.map { old[$0] }), sum(rows))
      if sums.0 > sums.1 + slack(inside.map { old[$0] }, rows) { inside = [] }
    } else {
      inside = inside.filter { index in
        new.contains {
          end($0) > exportedAt && $0.start <= old[index].start && end(old[index]) <= end($0)
            && (type.canonicalUnit != nil || $0.canonical == old[index].canonical)
        }
      }
    }
    return (inside, old.count - inside.count)
  }

  private func sum(_ samples: [Sample]) -> Double { samples.reduce(0) { $0 + $1.canonical } }

  private func slack(_ old: [Sample], _ new: [Sample]) -> Double {
    max(
      max(abs(sum(old)), abs(sum(new))) / 10_000,
      (old + new).reduce(0) { $0 + abs($1.canonical) } / 200_000)
  }

  private func agree(_ old: [Sample], _ new: [Sample]) -> Bool {
    guard type.canonicalUnit != nil else {
      return times(old) == times(new)
    }
    if type.style == .cumulative { return abs(sum(old) - sum(new)) <= slack(old, new) }
    return new.allSatisfy { sample in
      let (below, above) = (
        old.contains {
          $0.canonical <= sample.canonical
            || ReferenceStore.agree($0.canonical, sample.canonical, type)
        },
        old.contains {
          $0.canonical >= sample.canonical
            || ReferenceStore.agree($0.canonical, sample.canonical, type)
        }
      )
      return below && above
    }
  }

  /// The half seconds at which values hold, ends included.
  private func times(_ samples: [Sample]) -> Set<[Int]> {
    Set(
      samples.flatMap { sample in
        (2 * Int(sample.start)...2 * Int(end(sample))).map { [Int(sample.canonical), $0] }
      })
  }
}
