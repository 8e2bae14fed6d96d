extension Metadata {
  /// Whether the metadata mark a sample that was entered by hand.
  package var isUserEntered: Bool {
    entries.contains { $0.key == Catalogue.wasUserEnteredKey && Bool(written: $0.value) == true }
  }
}
