/// A property of each row of an answer: its key, its form, its unit and its meaning.
///
/// One description serves every face. json has the ``key``; csv and Arrow have the ``name(under:)``
/// that follows from it.
package struct AnswerField: Sendable, Hashable {
  /// The form of values.
  package indirect enum Form: Sendable, Hashable {
    /// A number, printed with the shortest digits that read back to it.
    case number
    /// A whole number.
    case count
    case truth
    /// Seconds since 2001-01-01 UTC, printed in the zones of the answer.
    case instant
    /// Days since 2001-01-01, printed as `2024-03-09`.
    case date
    /// Seconds.
    case duration
    /// Seconds since midnight, printed as `23:05`.
    case clock
    /// A text of which a column has few different ones.
    case word
    case text
    case json
    /// An object in json, and columns elsewhere.
    case group([AnswerField], GroupShape)
    /// Rows in a row, which only json and Arrow have.
    case list([AnswerField], ListShape)
  }

  /// What json and columns have of a group.
  package enum GroupShape: Sendable, Hashable {
    /// An object; the names of its columns begin with its own: `recent_value`.
    case prefixed
    /// An object; its columns have names of their own.
    case plain
    /// An array of the values; its columns have names of their own.
    case array
  }

  /// What json has of the rows of a list.
  package enum ListShape: Sendable, Hashable {
    /// An array of objects.
    case objects
    /// An array of the values of the only column.
    case values
    /// An object, in which the first column is the key of the second.
    case map
  }

  /// How the name of a column follows from the key.
  package enum Naming: Sendable, Hashable {
    /// In words: `in_bed` of `inBed`.
    case words
    /// In words, with the unit at the end: `duration_s`.
    case withUnit
    /// As it is: `timeMedian`.
    case verbatim
    /// Another name, where that of the key is not the one that tables have.
    case named(String)
  }

  /// The key in json.
  package let key: String
  package let form: Form
  /// The unit of all values: `1` for a share; `nil` where there is none, or each row has its own.
  package let unit: String?
  package let naming: Naming
  /// What the values mean; empty where the key says it.
  package let about: String
  /// Whether json has no member, and not null, where there is no value.
  package let isOmitted: Bool
  /// What programs read beside the unit, such as the type and the statistic.
  package let facts: [Fact]

  /// A key of a field's metadata with its value.
  package struct Fact: Sendable, Hashable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  package init(
    _ key: String, _ form: Form, unit: String? = nil, naming: Naming = .words, about: String = "",
    isOmitted: Bool = false, facts: [Fact] = []
  ) {
    (self.key, self.form, self.unit, self.naming) = (key, form, unit, naming)
    (self.about, self.isOmitted, self.facts) = (about, isOmitted, facts)
  }

  /// The name in csv and Arrow, after that of the group it is in.
  package func name(under group: String? = nil) -> String {
    let own =
      switch naming {
      case .words: Self.words(of: key)
      case .withUnit: Self.words(of: key) + (unit.map(Self.ending) ?? "")
      case .verbatim: key
      case .named(let name): name
      }
    return group.map { "\($0)_\(own)" } ?? own
  }

  /// The beginning of the names of columns in this group.
  package func prefix(under group: String? = nil) -> String? {
    if case .group(_, .prefixed) = form { name(under: group) } else { group }
  }

  /// A key in words: `in_bed` of `inBed`, `recorded_sdnn` of `recordedSDNN`.
  package static func words(of key: String) -> String {
    var words = ""
    var isInCapitals = true
    for letter in key {
      if letter.isUppercase, !isInCapitals { words += "_" }
      isInCapitals = letter.isUppercase
      words += letter.lowercased()
    }
    return words
  }

  /// A unit at the end of a name: `_count_min` of `count/min`, `_percent` of `%`.
  package static func ending(_ unit: String) -> String { "_" + words(ofUnit: unit) }

  /// A unit as names have it: `count_min` of `count/min`.
  package static func words(ofUnit unit: String) -> String {
    unit == "%" ? "percent" : String(unit.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
