public import HealthSamples

/// The counts of a reader; everything that is not delivered is counted.
///
/// It contains counts, names and units, never a measured value.
public struct ExportSummary: Sendable, Hashable {
  /// Records by the identifier of their type, including those inside other elements; those without
  /// a type have the empty key.
  public var types: [String: TypeCount] = [:]
  /// Other elements than records, by kind.
  public var elements: [ElementKind: TypeCount] = [:]
  /// Elements of the format at unexpected positions.
  public var otherElements: [String: Int] = [:]
  /// Unknown elements.
  public var unknownElements: [String: Int] = [:]
  /// Unknown attributes.
  public var unknownAttributes: [String: Int] = [:]
  /// Records inside other elements.
  ///
  /// Those of correlations and workouts are delivered with 0 copies, because they repeat top-level
  /// records; those inside unknown elements are not read.
  public var nestedRecords = 0
  /// Invalid tags, and elements that are never closed.
  public var malformedElements = 0
  /// Elements longer than ``ImportLimits/elementBytes``.
  public var oversizedElements = 0
  /// Repeated attributes of a tag; the first one is used.
  public var duplicateAttributes = 0
  /// Removed control characters and invalid UTF-8 replaced by U+FFFD.
  public var replacedCharacters = 0
  /// Records that end before they start; they are delivered unchanged.
  public var negativeDurations = 0
  /// Workouts with a duration, of themselves or of a part, that is negative or longer than from start
  /// to end, and those that end before they start; they are delivered as long as from start to end.
  public var impossibleDurations = 0
  /// Records that start before 1900 or after 2200; they are delivered unchanged.
  public var distantDates = 0
  /// Records of a counting type that span 23 hours or more; they are delivered unchanged.
  ///
  /// These are daily totals, which apps write in addition to, or instead of, their counts.
  public var dayTotals = 0
  /// Records that are the mean of several measurements, with the minimum and the maximum in the
  /// metadata.
  public var means = 0
  /// Stages of nights that a program has aggregated: their durations are recorded, but not their
  /// times.
  public var placedStages = 0
  /// Locations of routes that are left out: without a time or without degrees, far from the time of
  /// their workout, or out of order.
  public var leftOutLocations = 0
  /// The number of records by the offset from UTC of their start, in minutes.
  ///
  /// Apple writes the whole file with one offset: that of the phone at the time of the export.
  public var utcOffsets: [Int: Int] = [:]
  /// Records that start after the stated time of the export; they are delivered unchanged.
  public var afterExport = 0
  /// What the file says besides its data: ranks of sources, and zones.
  public var facts = FileFacts()
  /// The files that were read, inside a folder or an archive.
  public var files: [String] = []
  /// Further exports of the same kind inside, which are not read.
  public var otherExports: [String] = []
  /// Further elements `HealthData` after the first, which are not read.
  public var otherRoots = 0
  /// Other files that were not read, each once, up to a limit.
  public var unreadFiles: [UnreadFile] = []
  /// Files that are referenced but missing.
  public var missingFiles = 0
  /// Files that are unreadable: too large, damaged, or of another kind.
  public var unreadableFiles = 0
  /// Files that are not referenced.
  public var unnamedFiles = 0
  /// The number of bytes read.
  public var bytes = 0
  /// The offset of the end, if the text ends before `</HealthData>`.
  public var cutAt: Int?

  /// The names of the files that were read, shortened; `nil` for a file alone.
  package var namesOfFiles: String? {
    files.first.map { $0 + (files.count == 1 ? "" : " and \(files.count - 1) more") }
  }

  /// The number of records, including skipped ones.
  public var read: Int { types.values.reduce(0) { $0 + $1.read } }

  /// The records skipped, by reason.
  public var skipped: [SkipReason: Int] {
    types.values.reduce(into: [:]) { $0.merge($1.skipped, uniquingKeysWith: +) }
  }
}

/// A file of an export, other than its text, that was not read.
public struct UnreadFile: Sendable, Hashable {
  /// Why it was not.
  public enum Reason: Sendable, Hashable {
    /// It is referenced but missing.
    case missing
    /// It is too large, damaged, or of another kind.
    case unreadable
    /// It is not referenced.
    case unnamed
  }

  /// The path in the folder of the text, truncated if unreasonably long.
  public let path: String
  /// The kind of its contents.
  public let kind: ElementKind
  /// Why it was not read.
  public let reason: Reason
  /// The line, from 1, that is no number where one must be; `nil` where that is not why.
  public let line: Int?
}

/// The number of records or elements of one type.
public struct TypeCount: Sendable, Hashable {
  /// The number of records, including skipped ones.
  public var read = 0
  /// The records skipped, by reason.
  public var skipped: [SkipReason: Int] = [:]

  /// The records delivered.
  public var delivered: Int { read - skipped.values.reduce(0, +) }
}

/// Why a record was not delivered.
public enum SkipReason: Sendable, Hashable {
  /// The record has no type.
  case missingType
  /// HealthKit has no type of that name.
  case unknownType
  /// The start or the end is missing or not a date.
  case invalidDate
  /// The start or the end has no offset from UTC.
  case dateWithoutOffset
  /// The start or the end is outside the years 1 to 9999.
  case dateOutOfRange
  /// A quantity without a value.
  case missingValue
  /// The value of a quantity is not a finite number.
  case invalidValue
  /// The comma of a value, as in `1,234`, may be a decimal mark or between thousands.
  case ambiguousNumber
  /// A quantity without a unit.
  case missingUnit
  /// The unit is not one of HealthKit's.
  case unknownUnit(String)
  /// The unit measures another quantity than the type.
  case incompatibleUnit(String)
  /// The type, the unit or the constant has an unreasonably long name.
  case nameTooLong
  /// The file has more types than any system.
  case tooManyTypes
  /// The file has more different units, constants or sources than any export.
  case tooManyNames
  /// The element has more parts or longer texts than any real one.
  case tooManyParts
  /// The file has more such elements than any export.
  case tooManyElements
}

extension SkipReason {
  /// Why a text is not a date.
  static func objection(toDate text: String) -> SkipReason {
    if text.hasPrefix("0000") { return .dateOutOfRange }
    return LocalisedDate.lacksOffset(text) ? .dateWithoutOffset : .invalidDate
  }
}
