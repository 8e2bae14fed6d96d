/// Places at which long words of names break, for browsers that have no dictionary of a language.
enum SoftHyphens {
  /// The long words with `|` at the places.
  private static let words = [
    "Aktivitäts|energie", "Blutsauerstoff|sättigung", "cardiorres|piratoria",
    "Einsekunden|kapazität", "ein|genommen", "über|sprungen", "Geh|geschwindigkeit",
    "Handgelenk|temperatur",
    "Herzfrequenz|variabilität", "Kopfhörer|lautstärke", "Lauf|geschwindigkeit",
    "Radfahr|geschwindigkeit", "Schlaf|regelmäßigkeit", "Umgebungs|lautstärke",
    "Vorhofflimmer|anteil",
  ].map { word in (plain: word.replacing("|", with: ""), soft: word.replacing("|", with: "\u{AD}"))
  }

  /// A text whose long words have soft hyphens.
  static func text(_ text: String) -> String {
    words.reduce(text) { $0.replacing($1.plain, with: $1.soft) }
  }
}
