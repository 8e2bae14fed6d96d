import HealthSamples

extension JSON {
  /// Metadata as a list of pairs, since keys may repeat.
  init(pairsOf metadata: Metadata) {
    self = .array(
      metadata.entries.map {
        .object([.init("key", .string($0.key)), .init("value", .string($0.value))])
      })
  }
}
