import Foundation
import HealthExchange
import HealthImport
import HealthQuery
import HealthStore

/// The summary of an import, for people.
struct ImportSummaryText {
  let totals: ImportTotals
  let isDryRun: Bool
  let style: TextStyle

  /// The lines: a title, a table of counts, and notes.
  func lines(title: String, seconds: Double) -> [String] {
    let size = AmountText.bytes(totals.bytes)
    let time = NumberText.rounded(seconds, decimals: seconds < 10 ? 1 : 0)
    return style.fitted("\(title): \(size) of \(kind) in \(time) s.") + [""] + table
      + notes.flatMap(style.fitted).afterBlank
  }

  /// The kind of data.
  private var kind: String {
    let formats = Set(totals.outcomes.map(\.format))
    guard formats.count == 1, let format = formats.first else { return "data" }
    return format.contentName
  }

  private var table: [String] {
    let read = totals.read
    guard !read.types.isEmpty || !read.elements.isEmpty else { return ["No records."] }
    var table = Table(columns: [
      .words("type"), .numbers("read"), .numbers("new"), .numbers("already there"),
      .numbers("duplicates"), .numbers("skipped"),
    ])
    func add(_ name: String, _ counts: ImportCounts) {
      let numbers = [counts.read, counts.new, counts.known, counts.duplicates, counts.skipped]
      table.add([name] + numbers.map(NumberText.grouped))
    }
    func most(_ left: ImportTotals.Named, _ right: ImportTotals.Named) -> Bool {
      (right.counts.read, left.name) < (left.counts.read, right.name)
    }
    for type in read.types.sorted(by: most) { add(TypeName.title(type.name), type.counts) }
    if read.types.count > 1 { add("all", totals.total) }
    for kind in read.elements.sorted(by: most) { add(kind.name, kind.counts) }
    return table.lines(style: style) + differences
  }

  /// The differences between the store and the export, for a second import and later ones.
  private var differences: [String] {
    let different = totals.different
    guard !different.isEmpty else { return [] }
    var table = Table(columns: [
      .words("differences"), .numbers("changed"), .numbers("superseded"),
      .numbers("only in store"),
      .numbers(isDryRun ? "to delete" : "deleted"),
    ])
    for (name, counts) in different {
      let numbers = [
        counts.changed, counts.superseded, counts.onlyInStore, counts.deleted,
      ]
      table.add([TypeName.title(name)] + numbers.map(NumberText.grouped))
    }
    return [""] + table.lines(style: style)
  }

  private var notes: [String] {
    func total(_ count: (ExportSummary) -> Int) -> Int { totals.added(count) }
    var notes = inputs + skipped
    notes += named(
      "Types that this version does not know, kept under these names", totals.unknownTypes)
    notes += named("At unexpected positions", totals.added(\.otherElements))
    notes += named("Unknown elements", totals.added(\.unknownElements))
    notes += named("Unknown attributes", totals.added(\.unknownAttributes))
    func note(_ count: Int, _ noun: String, plural: String? = nil, _ text: String) {
      if count > 0 { notes.append("\(AmountText.count(count, noun, plural: plural)) \(text)") }
    }
    func files(_ reason: UnreadFile.Reason, _ text: String) {
      let (files, count) = totals.unread(reason)
      guard count > 0 else { return }
      let list = Self.list(files.map(\.place), of: count)
      notes.append("\(AmountText.count(count, "file")) \(text): \(list).")
    }
    note(
      total(\.nestedRecords), "record",
      "inside other elements: kept unless they repeat records above.")
    files(.missing, "missing that the export names")
    files(.unreadable, "that cannot be read")
    files(.unnamed, "left out that no workout and no record names")
    note(
      totals.total.superseded, "sample",
      "of the store superseded: the export has others of their time, and they no longer count.")
    let zones = ZoneTimeline(.current)
    for kept in totals.keptOut {
      let date = LocalTime(kept.deletedAt, in: zones).dateText
      notes.append(
        "Kept out by your deletion of \(date): \(NumberText.grouped(kept.count)). "
          + "hkstats restore \(kept.deletion) takes it back.")
    }
    note(total(\.replacedCharacters), "character", "that XML does not allow: replaced or left out.")
    note(
      total(\.negativeDurations), "record", "with an end before the start: counted as an instant.")
    note(
      total(\.impossibleDurations), "workout",
      "with a duration that is negative or longer than from start to end, or with an end before the "
        + "start: counted from start to end.")
    note(total(\.distantDates), "record", "with a date before 1900 or after 2200: kept as it is.")
    note(
      total(\.afterExport), "record",
      "later than the export itself: kept as it is.")
    note(
      total(\.dayTotals), "record",
      "of 23 hours or more: daily totals, which count in addition to the finer records of their source."
    )
    note(
      total(\.means), "record",
      "of several measurements: kept as their mean; the least and the greatest are in the metadata."
    )
    note(
      total(\.placedStages), "stage",
      "of sleep from totals of a night: how long they were is recorded, the times of day are not.")
    note(
      total(\.leftOutLocations), "location",
      "of routes left out: without a time or a place, or at a time that is not of the workout.")
    note(total(\.duplicateAttributes), "attribute", "given twice in one element: the first counts.")
    note(total(\.malformedElements), "element", "that cannot be read: left out.")
    note(total(\.oversizedElements), "element", "that is unreasonably long: left out.")
    return notes
  }

  private static let mostNames = 5

  /// The first of some names, and the number of the others.
  private static func list(_ names: [String], of count: Int) -> String {
    let shown = names.prefix(mostNames).map { $0.printable.truncated(to: 80) }
    let rest = count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(NumberText.grouped(rest)) more" : "")
  }

  /// The files of a folder or an archive that were read, and the exports in it that were not.
  private var inputs: [String] {
    totals.imports.flatMap { outcome in
      let path = outcome.path.printable
      let files = outcome.each.flatMap(\.summary.files)
      let others = outcome.each.flatMap(\.summary.otherExports)
      var lines: [String] = []
      if !files.isEmpty { lines.append("From \(path): \(Self.list(files, of: files.count)).") }
      if !outcome.others.isEmpty {
        lines.append(
          "They tell one time differently and are \(outcome.each.count) exports: the one that goes "
            + "on longest holds. hkstats imports lists each.")
      }
      if !others.isEmpty {
        lines.append(
          "\(path) holds \(AmountText.count(others.count, "other export")), not read: "
            + "\(Self.list(others, of: others.count)). Unpack and import each by itself.")
      }
      return lines
    }
  }

  private static let mostReasons = 20

  /// One line per reason and type, the most frequent first.
  private var skipped: [String] {
    var counts: [String: Int] = [:]
    for (name, reasons) in totals.skipped {
      for (reason, number) in reasons {
        counts["\(Self.text(reason)) on \(TypeName.short(name))", default: 0] += number
      }
    }
    let lines = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "Skipped: \($0.key.printable.truncated(to: 120)): \(NumberText.grouped($0.value))" }
    let rest = lines.count - Self.mostReasons
    return lines.prefix(Self.mostReasons)
      + (rest > 0 ? ["Skipped: and for \(NumberText.grouped(rest)) more reasons"] : [])
  }

  private func named(_ title: String, _ counts: [String: Int]) -> [String] {
    guard !counts.isEmpty else { return [] }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\(NumberText.grouped($0.value)) \($0.key.printable.truncated(to: 60))" }
    let shown = parts.prefix(20).joined(separator: ", ")
    return ["\(title): \(shown)\(parts.count > 20 ? ", and \(parts.count - 20) more kinds" : "")"]
  }

  private static func text(_ reason: SkipReason) -> String {
    switch reason {
    case .missingType: "no type"
    case .unknownType: "no type of HealthKit"
    case .invalidDate: "no readable date"
    case .dateWithoutOffset: "a date without its offset from UTC"
    case .dateOutOfRange: "a date outside of the years 1 to 9999"
    case .missingValue: "no value"
    case .invalidValue: "a value that is no number"
    case .ambiguousNumber: "a comma that may be a decimal mark or between thousands"
    case .missingUnit: "no unit"
    case .unknownUnit(let unit): "unknown unit \"\(unit)\""
    case .incompatibleUnit(let unit): "unit \"\(unit)\", which measures something else,"
    case .nameTooLong: "an unreasonably long name"
    case .tooManyTypes: "more types than any system has"
    case .tooManyNames: "more different names than any export has"
    case .tooManyParts: "more parts than any real one"
    case .tooManyElements: "more elements than any export has"
    }
  }
}
