extension Words {
  /// The words of a language.
  static func of(_ language: ReportLanguage.Base) -> Words {
    switch language {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .japanese: japanese
    }
  }

  static let english = Words(.english)
  static let german = Words(.german)
  static let french = Words(.french)
  static let spanish = Words(.spanish)
  static let japanese = Words(.japanese)

  /// A section: its name in the navigation, its head, and what it answers.
  struct Section: Sendable {
    let name, head, question: String

    init(_ section: String, _ text: (String) -> String) {
      (name, head) = (text("\(section).name"), text("\(section).head"))
      question = text("\(section).question")
    }
  }

  /// A pattern that agrees with the gender of its noun: 0 the noun.
  struct Agreement: Sendable {
    private let masculine, feminine, neuter, plural: String

    init(_ name: String, _ text: (String) -> String) {
      (masculine, feminine) = (text("\(name).masculine"), text("\(name).feminine"))
      (neuter, plural) = (text("\(name).neuter"), text("\(name).plural"))
    }

    subscript(gender: Noun.Gender) -> String {
      switch gender {
      case .masculine: masculine
      case .feminine: feminine
      case .neuter: neuter
      case .plural: plural
      }
    }
  }
}
