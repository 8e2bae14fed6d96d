public import HealthSamples
import HealthUnits

/// The slow twin of the store: every sample as a row, and the rules of identity as they are told.
public struct ReferenceStore {
  /// One kept sample.
  public struct Sample: Hashable, Sendable {
    public var start: Double
    public var end: Double
    /// In the canonical unit.
    public var canonical: Double
    public var value: Double
    public var label: String
    public var created: Double
    public var origin: Origin
    public var metadata: Metadata
    public var copies: Int

    /// The sample at a row of a batch.
    public init(_ batch: RecordColumns, _ row: Int) {
      start = batch.starts[row]
      end = batch.ends[row]
      value = batch.values[row]
      label = batch.labelTable[Int(batch.labels[row])]
      canonical = ReferenceStore.canonical(value, label, batch.type)
      created = batch.created[row]
      origin = batch.originTable[Int(batch.origins[row])]
      metadata = batch.metadataTable[Int(batch.metadata[row])]
      copies = Int(batch.copies[row])
    }
  }

  /// What an import did to a type.
  public struct Counts: Hashable, Sendable {
    public var new = 0
    public var known = 0
    public var duplicates = 0

    public init(new: Int = 0, known: Int = 0, duplicates: Int = 0) {
      self.new = new
      self.known = known
      self.duplicates = duplicates
    }
  }

  /// Everything of one type from one source.
  public struct Series: Hashable, Sendable {
    public var type: SampleType
    public var source: Source

    public init(type: SampleType, source: Source) {
      self.type = type
      self.source = source
    }
  }

  private struct Times: Hashable {
    var start: Double
    var end: Double
  }

  /// Samples by series, in no order.
  public private(set) var samples: [Series: [Sample]] = [:]

  public init() {}

  /// Samples of a series in the order of columns.
  public func ordered(_ series: Series) -> [Sample] {
    (samples[series] ?? []).sorted {
      ($0.start, $0.end, $0.canonical) < ($1.start, $1.end, $1.canonical)
    }
  }

  /// Takes in all records of an export.
  public mutating func add(_ batches: [RecordColumns]) -> [String: Counts] {
    var counts: [String: Counts] = [:]
    let rows = Dictionary(
      grouping: batches.flatMap { batch in
        (0..<batch.count).map {
          (Series(type: batch.type, source: batch.source), Sample(batch, $0))
        }
      }, by: \.0)
    for (series, rows) in rows {
      let fresh = Dictionary(grouping: rows.map(\.1)) { Times(start: $0.start, end: $0.end) }
      var stored = Dictionary(grouping: samples[series] ?? []) {
        Times(start: $0.start, end: $0.end)
      }
      for (times, group) in fresh {
        let result = Self.met(stored[times] ?? [], Self.collapsed(group), series.type)
        stored[times] = result.samples
        counts[series.type.identifier, default: Counts()].new += result.counts.new
        counts[series.type.identifier, default: Counts()].known += result.counts.known
        counts[series.type.identifier, default: Counts()].duplicates += result.counts.duplicates
      }
      samples[series] = stored.values.flatMap(\.self)
    }
    return counts
  }

  /// A value in the canonical unit of its type.
  public static func canonical(_ value: Double, _ label: String, _ type: SampleType) -> Double {
    guard let unit = type.canonicalUnit, let recorded = try? UnitExpression(label),
      let conversion = try? UnitConversion(from: recorded, to: unit)
    else { return value }
    return conversion(value)
  }

  /// Equal values are copies; the earliest recorded creation is kept, then the smallest texts.
  private static func collapsed(_ group: [Sample]) -> [Sample] {
    Dictionary(grouping: group, by: \.canonical.bitPattern).values.map { copies in
      var kept = copies.sorted { left, right in
        let order = (date(left.created), date(right.created))
        if order.0 != order.1 { return order.0 < order.1 }
        return texts(left).lexicographicallyPrecedes(texts(right)) {
          Array($0.unicodeScalars.map(\.value)).lexicographicallyPrecedes(
            $1.unicodeScalars.map(\.value))
        }
      }[0]
      // What only stands inside other elements stands for itself.
      kept.copies = max(1, copies.reduce(0) { $0 + $1.copies })
      return kept
    }
  }

  private static func date(_ created: Double) -> Double {
    created == RecordColumns.notRecorded ? .infinity : created
  }

  private static func texts(_ sample: Sample) -> [String] {
    [sample.label] + sample.metadata.entries.flatMap { [$0.key, $0.value] }
      + [sample.origin.sourceVersion, sample.origin.device]
  }

  /// Whether two values of samples with the same times are the same sample's.
  public static func agree(_ left: Double, _ right: Double, _ type: SampleType) -> Bool {
    left == right
      || type.canonicalUnit != nil && abs(left - right) <= 2e-5 * max(abs(left), abs(right))
  }

  private static func met(
    _ stored: [Sample], _ fresh: [Sample], _ type: SampleType
  ) -> (samples: [Sample], counts: Counts) {
    var result = stored.sorted { $0.canonical < $1.canonical }
    let fresh = fresh.sorted { $0.canonical < $1.canonical }
    var counts = Counts()
    // Each copy is a unit of its own, and the lowest of either side take one another.
    let left = result.indices.flatMap { Array(repeating: $0, count: result[$0].copies) }
    let right = fresh.indices.flatMap { Array(repeating: $0, count: fresh[$0].copies) }
    var partners: [Int: [Int]] = [:]
    var reworded: [Int: Int] = [:]
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (old, new) = (result[left[i]].canonical, fresh[right[j]].canonical)
      if agree(old, new, type) {
        partners[right[j], default: []].append(left[i])
        // Of either side the first copy.
        if left.firstIndex(of: left[i]) == i, right.firstIndex(of: right[j]) == j {
          reworded[right[j]] = left[i]
        }
        i += 1
        j += 1
      } else if old < new {
        i += 1
      } else {
        j += 1
      }
    }
    for (place, sample) in fresh.enumerated() {
      counts.duplicates += sample.copies - 1
      if let found = partners[place], let last = found.last {
        counts.known += 1
        // A sample stays in the words of the later export, with the copies of both.
        if let row = reworded[place] {
          let copies = result[row].copies
          result[row] = sample
          result[row].copies = copies
        }
        result[last].copies += sample.copies - found.count
      } else {
        counts.new += 1
        result.append(sample)
      }
    }
    return (result, counts)
  }
}
