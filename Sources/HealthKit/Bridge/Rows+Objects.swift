// Rows of the core as objects. What rows share (type, source, versions, device, unit, metadata) is one
// object for all of them.
public import HealthSamples
internal import HealthUnits

extension RecordColumns {
  /// The rows as samples, in their order: ``HKCumulativeQuantitySample`` or
  /// ``HKDiscreteQuantitySample`` for a quantity type, ``HKCategorySample`` for a category type.
  ///
  /// Each sample keeps what its row has and Apple's objects do not show, so that
  /// ``SampleRows/rows(of:)`` gives the same rows. Nothing is checked: rows of a type that is not in
  /// the catalogue, or longer than apps may save, become samples, too. A unit text that is not a
  /// unit becomes the null unit.
  ///
  /// - Parameter identities: the UUIDs of the rows, such as `SampleStore.uuids(of:)` gives them; new
  ///   ones when `nil`
  /// - Returns: one sample a row
  /// - Complexity: O(*n*)
  public func samples(identities: [UUID]? = nil) -> [HKSample] {
    precondition(identities.map { $0.count == count } ?? true, "One identity is needed for a row.")
    var fresh = IdentityGenerator()
    let shared = SharedParts(of: self)
    let quantityType: HKQuantityType?
    let categoryType: HKCategoryType?
    switch type.kind {
    case .quantity:
      quantityType = HKQuantityType.types[type.identifier] ?? HKQuantityType(type)
      categoryType = nil
    case .category:
      categoryType = HKCategoryType.types[type.identifier] ?? HKCategoryType(type)
      quantityType = nil
    }
    var samples: [HKSample] = []
    samples.reserveCapacity(count)
    for row in 0..<count {
      let label = Int(labels[row])
      let origin = Int(origins[row])
      let facts = ObjectFacts(
        uuid: identities?[row] ?? fresh.next(), sourceRevision: shared.revisions[origin],
        device: shared.devices[origin], metadata: shared.metadata[Int(metadata[row])],
        row: RowFacts(
          label: labelTable[label], created: creation(row: row), copies: copies[row],
          exportSet: originTable[origin].exportSet, serial: serials.isEmpty ? nil : serials[row]))
      let start = Date(timeIntervalSinceReferenceDate: starts[row])
      let end = Date(timeIntervalSinceReferenceDate: ends[row])
      if let quantityType {
        samples.append(
          HKQuantitySample.make(
            quantityType, values[row], shared.units[label], start: start, end: end, facts: facts))
      } else if let categoryType {
        samples.append(
          HKCategorySample(
            categoryType, Int(exactly: values[row]) ?? 0, start: start, end: end, facts: facts))
      }
    }
    return samples
  }
}

/// What the rows of one batch share, as objects, by the index of the batch's tables.
private struct SharedParts {
  var units: [HKUnit]
  var revisions: [HKSourceRevision]
  var devices: [HKDevice?]
  var metadata: [ObjectMetadata?]

  init(of batch: RecordColumns) {
    let source = HKSource(batch.source)
    units = batch.labelTable.map { HKUnit((try? UnitExpression($0)) ?? .null) }
    revisions = batch.originTable.map {
      HKSourceRevision(source: source, version: $0.sourceVersion.isEmpty ? nil : $0.sourceVersion)
    }
    devices = batch.originTable.map { $0.device.isEmpty ? nil : HKDevice(text: $0.device) }
    metadata = batch.metadataTable.map { $0.isEmpty ? nil : ObjectMetadata($0) }
  }
}

/// New identities, many at a time: random numbers (SplitMix64) after a start that the system gives.
///
/// `UUID()` asks the system each time, which takes longer than the rest of a sample.
struct IdentityGenerator {
  private var high: UInt64
  private var low: UInt64

  init() {
    var system = SystemRandomNumberGenerator()
    high = system.next()
    low = system.next()
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// An identity of version 4 (RFC 9562).
  mutating func next() -> UUID {
    high &+= 0x9E37_79B9_7F4A_7C15
    low &+= 0xD1B5_4A32_D192_ED03
    let first = Self.mixed(high) & ~0xF000 | 0x4000
    let second = Self.mixed(low) & ~(0b11 << 62) | 1 << 63
    func byte(_ bits: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: bits >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(first, 0), byte(first, 1), byte(first, 2), byte(first, 3), byte(first, 4),
        byte(first, 5), byte(first, 6), byte(first, 7), byte(second, 0), byte(second, 1),
        byte(second, 2), byte(second, 3), byte(second, 4), byte(second, 5), byte(second, 6),
        byte(second, 7)
      ))
  }
}
