import HealthSamples

/// How an import treats what the store has already.
struct ImportRules {
  /// Which program wrote the file.
  var format: ImportFormat
  /// Whether the import is only tried.
  var isDryRun: Bool
  /// Whether the store loses what it has from files of this format and this file lacks.
  var isReplacing: Bool
  /// Whether this file has the last word: it replaces the others of its format, or no later one was
  /// imported before.
  var isLater: Bool
}
