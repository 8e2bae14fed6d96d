import HealthSamples

extension Metadata {
  /// Whether a person typed in what the metadata belong to.
  var saysUserEntered: Bool {
    entries.contains {
      $0.key == Catalogue.wasUserEnteredKey && ["1", "true", "yes"].contains($0.value.lowercased())
    }
  }
}
