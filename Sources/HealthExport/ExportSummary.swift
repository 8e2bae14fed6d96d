public import HealthSamples

/// What a reader has seen in an export: everything counted, nothing dropped in silence.
///
/// It holds counts, names and units, never a measured value.
public struct ExportSummary: Sendable, Hashable {
  /// Records by the identifier of their type, those inside other elements included; those without
  /// a type stand under an empty one.
  public var types: [String: TypeCount] = [:]
  /// Elements beside the records, by kind.
  public var elements: [ElementKind: TypeCount] = [:]
  /// Elements of the format in places where they mean nothing.
  public var otherElements: [String: Int] = [:]
  /// Elements of other names.
  public var unknownElements: [String: Int] = [:]
  /// Attributes that exports are not known to have.
  public var unknownAttributes: [String: Int] = [:]
  /// Records inside other elements.
  ///
  /// Those of correlations and workouts are delivered with 0 copies, because they repeat records of
  /// the top level; what stands in unknown elements is not read.
  public var nestedRecords = 0
  /// Tags that are no tags, and elements that are never closed.
  public var malformedElements = 0
  /// Elements longer than ``ExportLimits/elementBytes``.
  public var oversizedElements = 0
  /// Attributes that a tag has twice; the first one counts.
  public var duplicateAttributes = 0
  /// Control characters left out and invalid UTF-8 replaced by U+FFFD.
  public var replacedCharacters = 0
  /// Records that end before they start; they are delivered as they are.
  public var negativeDurations = 0
  /// Records that start before 1900 or after 2200; they are delivered as they are.
  public var distantDates = 0
  /// Records of a counting type that span 23 hours or more; they are delivered as they are.
  ///
  /// They are totals of a day, which apps write beside or in place of what they counted.
  public var dayTotals = 0
  /// How many records start with each offset from UTC, by its minutes.
  ///
  /// Apple writes one offset into the whole file: that of the phone at the moment of the export.
  public var utcOffsets: [Int: Int] = [:]
  /// Files that the export names and that are missing, too large or damaged.
  public var missingFiles = 0
  /// Which files beside the text were not read, each once, as far as ``UnreadFile/mostNamed`` go.
  public var unreadFiles: [UnreadFile] = []
  /// The bytes of text that were read.
  public var bytes = 0
  /// The byte where the text ends, when it ends before `</HealthData>`.
  public var cutAt: Int?

  /// The records seen, skipped ones included.
  public var read: Int { types.values.reduce(0) { $0 + $1.read } }

  /// The records skipped, by reason.
  public var skipped: [SkipReason: Int] {
    types.values.reduce(into: [:]) { $0.merge($1.skipped, uniquingKeysWith: +) }
  }
}

/// A file beside the text of an export that was not read.
public struct UnreadFile: Sendable, Hashable {
  /// So many are named in a summary.
  public static let mostNamed = 1_000

  /// What the file holds.
  public var kind: ElementKind
  /// The file as the export names it.
  public var path: String
  /// Whether the file is there, but damaged, too large or not of its format.
  public var isUnreadable: Bool

  public init(kind: ElementKind, path: String, isUnreadable: Bool) {
    self.kind = kind
    self.path = path
    self.isUnreadable = isUnreadable
  }
}

/// How many records or elements of one type were seen and skipped.
public struct TypeCount: Sendable, Hashable {
  /// The records seen, skipped ones included.
  public var read = 0
  /// The records skipped, by reason.
  public var skipped: [SkipReason: Int] = [:]

  /// The records delivered.
  public var delivered: Int { read - skipped.values.reduce(0, +) }
}

/// Why a record was not delivered.
public enum SkipReason: Sendable, Hashable {
  /// The record names no type.
  case missingType
  /// The start or the end is missing or not a date.
  case invalidDate
  /// A quantity without a value.
  case missingValue
  /// The value of a quantity is not a finite number.
  case invalidValue
  /// A quantity without a unit.
  case missingUnit
  /// The unit is not one of HealthKit's.
  case unknownUnit(String)
  /// The unit measures something else than the type does.
  case incompatibleUnit(String)
  /// The type, the unit or the constant has an unreasonably long name.
  case nameTooLong
  /// The file has more types than any system knows.
  case tooManyTypes
  /// The file has more different units, constants or sources than any export.
  case tooManyNames
  /// The element has more parts or longer texts than any real one.
  case tooManyParts
  /// The file has more such elements than any export.
  case tooManyElements
}
