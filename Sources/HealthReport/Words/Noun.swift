/// The name of a measure in one language.
struct Noun: Sendable, Hashable {
  /// What the words beside a noun agree with.
  enum Gender: Sendable, Hashable {
    case masculine
    case feminine
    case neuter
    case plural
  }

  /// As a head.
  let title: String
  /// Within a sentence.
  let phrase: String
  /// The gender, in languages that have one.
  let gender: Gender

  private init(_ title: String, _ phrase: String, _ gender: Gender) {
    (self.title, self.phrase, self.gender) = (title, phrase, gender)
  }

  /// A noun without gender.
  static func n(_ title: String, _ phrase: String? = nil) -> Noun {
    Noun(title, phrase ?? title, .neuter)
  }
  /// A masculine noun.
  static func m(_ title: String, _ phrase: String? = nil) -> Noun {
    Noun(title, phrase ?? title, .masculine)
  }
  /// A feminine noun.
  static func f(_ title: String, _ phrase: String? = nil) -> Noun {
    Noun(title, phrase ?? title, .feminine)
  }
  /// A noun in the plural.
  static func p(_ title: String, _ phrase: String? = nil) -> Noun {
    Noun(title, phrase ?? title, .plural)
  }
}
