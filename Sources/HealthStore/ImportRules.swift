import HealthSamples

/// How an import treats what the store has already.
struct ImportRules {
  /// Which program wrote the file.
  var format: ImportFormat
  /// Whether the import is only tried.
  var isDryRun: Bool
  /// Whether the store loses what it has from files of this format and this file lacks.
  var isReplacing: Bool
  /// Whether no later file of this format was imported before, so that this one has the last word.
  var isLater: Bool
}
