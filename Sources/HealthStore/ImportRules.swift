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
  /// When the file was made; the earliest of all when it does not say so.
  var made: Double
  /// Kinds of elements of which the file may not give everything.
  var incomplete: Set<ElementKind>
  /// When the newest file of the format was made that was imported before; the earliest of all when
  /// there is none.
  var newestBefore: Double

  /// When the newest file of the format was made, this one among them.
  var newest: Double { isReplacing && made.isFinite ? made : max(newestBefore, made) }
}
