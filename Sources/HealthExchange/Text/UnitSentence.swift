package import HealthUnits

/// Sentences for unit errors; the offset is separate where a script reads it.
package enum UnitSentence {
  /// Why a text is not a unit.
  package static func text(_ error: UnitError) -> String {
    error.hint == .spelling(of: .ucum)
      ? error.explanation + " (see --dialect ucum)" : error.explanation
  }

  /// Why two units do not convert.
  package static func text(_ error: UnitError, from: String, to: String) -> String {
    guard case .incompatible(let source, let target) = error.reason else { return text(error) }
    var parts = [
      "\(from) measures \(DimensionName.name(of: source)), \(to) measures \(DimensionName.name(of: target))"
    ]
    if let suggestion = error.suggestion { parts.append("did you mean \(suggestion)?") }
    if let hint = error.hint { parts.append(hint.description) }
    return parts.joined(separator: "; ")
  }
}
