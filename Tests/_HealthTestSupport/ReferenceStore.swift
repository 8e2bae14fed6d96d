public import HealthSamples
import HealthUnits

/// Samples of a store as rows, and how a file tells one several times.
public enum ReferenceStore {
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

  /// Everything of one type from one source.
  public struct Series: Hashable, Sendable {
    public var type: SampleType
    public var source: Source

    public init(type: SampleType, source: Source) {
      self.type = type
      self.source = source
    }
  }

  /// A value in the canonical unit of its type.
  public static func canonical(_ value: Double, _ label: String, _ type: SampleType) -> Double {
    guard let unit = type.canonicalUnit, let recorded = try? UnitExpression(label),
      let conversion = try? UnitConversion(from: recorded, to: unit)
    else { return value }
    return conversion(value)
  }

  /// The samples that the records of one start and end are.
  ///
  /// Records equal in all but their date of creation are copies: the earliest recorded one is kept.
  /// Of records inside other elements that equal no other one, as many repeat others of their value
  /// as there are such, and the rest stand for themselves.
  public static func collapsed(_ group: [Sample], of type: SampleType) -> [Sample] {
    var chains: [[Sample]] = []
    for sample in group.sorted(by: { $0.canonical < $1.canonical }) {
      if let last = chains.last?.last, agree(last, sample, of: type) {
        chains[chains.count - 1].append(sample)
      } else {
        chains.append([sample])
      }
    }
    return chains.flatMap(samples)
  }

  private static func agree(_ one: Sample, _ other: Sample, of type: SampleType) -> Bool {
    one.canonical == other.canonical
      || type.canonicalUnit != nil
        && abs(one.canonical - other.canonical)
          <= 2e-5 * max(abs(one.canonical), abs(other.canonical))
  }

  private static func samples(of chain: [Sample]) -> [Sample] {
    let copies = Dictionary(grouping: chain) { sample in
      Words(canonical: sample.canonical.bitPattern, value: sample.value, text: text(sample))
    }
    var samples = copies.values.map { copies in
      var sample = copies.min { date($0.created) < date($1.created) } ?? copies[0]
      sample.copies = copies.reduce(0) { $0 + $1.copies }
      return (sample: sample, isNested: copies.contains { $0.copies == 0 })
    }
    samples.sort { one, other in
      (one.sample.canonical, text(one.sample)) < (other.sample.canonical, text(other.sample))
    }
    let repeated = min(
      samples.count { $0.sample.copies == 0 },
      samples.count { $0.sample.copies > 0 && !$0.isNested })
    var rest = repeated
    return samples.compactMap { sample, _ in
      guard sample.copies == 0 else { return sample }
      rest -= 1
      guard rest < 0 else { return nil }
      var sample = sample
      sample.copies = 1
      return sample
    }
  }

  private struct Words: Hashable {
    var canonical: UInt64
    var value: Double
    var text: String
  }

  private static func date(_ created: Double) -> Double {
    created == RecordColumns.notRecorded ? .infinity : created
  }

  /// Unit, metadata, version and device, in an order that is that of the text.
  public static func text(_ sample: Sample) -> String {
    let entries = sample.metadata.entries.map { entry in
      [entry.key, entry.value, "\(entry.kind.rawValue)"].map { $0 + "\u{2}" }.joined()
    }
    return [
      sample.label, entries.joined(), sample.origin.sourceVersion, sample.origin.device,
    ].joined(separator: "\u{1}")
  }
}
