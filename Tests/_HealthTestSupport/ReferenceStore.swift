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

  /// Equal values are copies; the earliest recorded creation is kept, then the smallest texts.
  public static func collapsed(_ group: [Sample]) -> [Sample] {
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
}
