import HealthExchange

/// One column of a schema: its name, the form of its values, and what they mean.
struct Field: Sendable, Hashable {
  /// The form of values, which decides the Arrow type.
  indirect enum Form: Sendable, Hashable {
    /// 64-bit floating point.
    case real
    /// 64-bit integers.
    case integer
    /// Booleans.
    case truth
    /// Instants in microseconds, which readers show in a zone.
    case instant(zone: String)
    /// Dates without a zone.
    case day
    /// Texts of which few are different: a dictionary.
    case word
    /// Texts.
    case text
    /// The columns of another table in each row.
    case structure([Field])
    /// Any number of rows of another table in each row.
    case list([Field])
  }

  let name: String
  let form: Form
  /// The metadata of the field, such as its unit.
  var facts: [Fact] = []

  init(_ name: String, _ form: Form, _ facts: [Fact] = []) {
    (self.name, self.form, self.facts) = (name, form, facts)
  }

  /// A column of numbers in a unit.
  static func real(_ name: String, unit: String?, _ facts: [Fact] = []) -> Field {
    Field(name, .real, (unit.map { [Fact("unit", $0)] } ?? []) + facts)
  }
}

/// One key of metadata with its value.
typealias Fact = AnswerField.Fact

/// The values of one column, in the form of its field.
///
/// Where `known` is false a row has no value; `nil` for a column in which every row has one.
enum ColumnValues: Sendable {
  case reals([Double], known: [Bool]? = nil)
  /// 64 bits on every platform of the library, so that columns are shared without a copy.
  case integers([Int], known: [Bool]? = nil)
  case truths([Bool], known: [Bool]? = nil)
  /// Seconds since 2001-01-01 UTC.
  case instants([Double], known: [Bool]? = nil)
  /// Days since 2001-01-01.
  case days([Int], known: [Bool]? = nil)
  /// Indices into the words; below 0 where there is none.
  case words([Int32], of: [String])
  case texts([String?])
  /// The rows of row `i` are `offsets[i]..<offsets[i + 1]` of the columns.
  case lists(offsets: [Int32], [ColumnValues])

  /// The number of rows.
  var count: Int {
    switch self {
    case .reals(let values, _): values.count
    case .integers(let values, _): values.count
    case .truths(let values, _): values.count
    case .instants(let values, _): values.count
    case .days(let values, _): values.count
    case .words(let codes, _): codes.count
    case .texts(let texts): texts.count
    case .lists(let offsets, _): offsets.count - 1
    }
  }

  /// Numbers of which some are not known.
  static func reals(_ values: [Double?]) -> Self {
    .reals(values.map { $0 ?? 0 }, known: isKnown(values))
  }

  /// Whole numbers of which some are not known.
  static func integers(_ values: [Int?]) -> Self {
    .integers(values.map { $0 ?? 0 }, known: isKnown(values))
  }

  /// Booleans of which some are not known.
  static func truths(_ values: [Bool?]) -> Self {
    .truths(values.map { $0 ?? false }, known: isKnown(values))
  }

  /// Instants of which some are not known.
  static func instants(_ values: [Double?]) -> Self {
    .instants(values.map { $0 ?? 0 }, known: isKnown(values))
  }

  /// Words of which some are not known.
  static func words(_ words: [String?]) -> Self {
    var dictionary = WordIndex()
    let codes = words.map { $0.map { dictionary.index(of: $0) } ?? -1 }
    return .words(codes, of: dictionary.words)
  }
}

/// Whether each is there; `nil` where all are.
private func isKnown<Value>(_ values: [Value?]) -> [Bool]? {
  let known = values.map { $0 != nil }
  return known.contains(false) ? known : nil
}

/// The different words of a column, in the order of their first use.
struct WordIndex {
  private(set) var words: [String] = []
  /// The bytes of all words.
  private(set) var byteCount = 0
  private var indices: [String: Int32] = [:]

  /// The index of a word, which is added if it is new. - Complexity: O(1)
  mutating func index(of word: String) -> Int32 {
    if let index = indices[word] { return index }
    let index = Int32(truncatingIfNeeded: words.count)
    indices[word] = index
    words.append(word)
    byteCount += word.utf8.count
    return index
  }
}
