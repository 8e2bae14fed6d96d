import HealthSamples

extension Metadata {
  /// Whether the metadata mark a hand-entered sample.
  var saysUserEntered: Bool {
    entries.contains {
      $0.key == Catalogue.wasUserEnteredKey && ["1", "true", "yes"].contains($0.value.lowercased())
    }
  }
}
