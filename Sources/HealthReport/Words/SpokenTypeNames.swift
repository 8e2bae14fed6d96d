import Foundation
package import HealthSamples

/// The types by the names that the page has for them, in all of its languages.
///
/// ```swift
/// SpokenTypeNames.type(of: "schritte")   // stepCount
/// ```
package enum SpokenTypeNames {
  /// The names for command lines; nothing is made before a name is asked for.
  package static let forCommands = Catalogue.SpokenNames(
    type: type(of:), all: { names.map { ($0.text, $0.type) } })

  /// The Swift name of the type that has a name in any language, `sleep` for nights; `nil` if there
  /// is none, or several.
  @Sendable package static func type(of name: String) -> String? { types[key(of: name)] }

  private static let types = Dictionary(
    names.filter { !ambiguous.contains($0.key) }.map { ($0.key, $0.type) },
    uniquingKeysWith: { first, _ in first })

  /// A name as it is compared: letters and digits without case, accents and width.
  ///
  /// Commas and points stand between types and their parts, so those of names do not count.
  static func key(of name: String) -> String {
    let folded = name.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return folded.replacing("ß", with: "ss").replacing("œ", with: "oe")
      .filter { $0.isLetter || $0.isNumber }
  }

  /// A name of a type.
  struct Name: Sendable, Hashable {
    /// The name as it is written.
    let text: String
    let key: String
    /// The Swift name of the type.
    let type: String
  }

  /// The names of all types that the page names, as heads and within sentences.
  static let names: [Name] = {
    let measures = Catalogue.types.map { Catalogue.swiftName(of: $0) } + ["sleep"]
    return measures.flatMap { type in
      ReportLanguage.Base.allCases.flatMap { language -> [Name] in
        let name = Measure.name(of: type, in: language)
        return [name.title, name.phrase].map { Name(text: $0, key: key(of: $0), type: type) }
      }
    }
  }()

  /// Names of several types, which therefore name none.
  static let ambiguous: Set<String> = {
    let types = Dictionary(grouping: names, by: \.key).mapValues { Set($0.map(\.type)) }
    return Set(types.filter { $0.value.count > 1 }.keys)
  }()
}
