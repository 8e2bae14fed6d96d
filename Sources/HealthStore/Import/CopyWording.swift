import HealthSamples

/// What a copy of a sample says beside its times and its value.
struct CopyWording {
  let created: Double
  let label: String
  let metadata: Metadata
  let origin: Origin

  /// Whether this copy is the one to keep: the earliest recorded creation wins, then the smallest
  /// label, metadata and origin, so that the order of the file decides nothing.
  func isPreferred(to other: Self) -> Bool {
    if created != other.created {
      let isRecorded = created != RecordColumns.notRecorded
      let isOtherRecorded = other.created != RecordColumns.notRecorded
      return isRecorded && (!isOtherRecorded || created < other.created)
    }
    return texts.lexicographicallyPrecedes(other.texts) { left, right in
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    }
  }

  private var texts: [String] {
    [label] + metadata.entries.flatMap { [$0.key, $0.value] }
      + [origin.sourceVersion, origin.device]
  }
}
