import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// Samples of one type or kind as a table for people, written while they come.
final class SampleTable: ExportWriter {
  private var table: StreamingTable
  /// The columns of elements; `nil` for samples.
  private let titles: ElementLine.Titles?
  private var offsets: OffsetCache
  private let style: TextStyle
  /// The units of rings.
  private let activityUnits: ActivityUnits?
  /// The sentence below rows.
  private let extent: String
  /// The sentence without rows.
  private var absence: String
  var isEmpty: Bool { table.isEmpty }
  private let output: TextOutput
  private var units: [String: DisplayUnit?] = [:]
  private var unitNames: [String: String] = [:]
  private var devices: [String: String] = [:]

  init(
    of kind: ElementKind?, until end: DataEnd?, in zone: ZoneTimeline, _ units: ActivityUnits?,
    style: TextStyle, to output: TextOutput
  ) {
    (self.style, activityUnits) = (style, units)
    extent = DataEnd.sentence(end, zones: zone)
    absence = end == nil ? "No samples." : "No samples. \(extent)"
    titles = kind.map(ElementLine.titles)
    let moment: [Table.Column] = [.words("start"), .numbers("length")]
    let columns: [Table.Column] =
      titles.map { titles in
        (titles.hasDay ? [.words("day")] : titles.hasTime ? moment : [])
          + [.words(titles.what), .words(titles.more)]
          + (titles.hasSource ? [.words("source")] : [])
      } ?? moment + [.numbers("value"), .words("unit"), .words("source"), .words("device")]
    table = StreamingTable(columns: columns, style: style, to: output)
    offsets = OffsetCache(zone)
    self.output = output
  }

  /// Says why there are no rows, before where the data end.
  func explain(_ reason: String) {
    let known = extent.prefix { $0 != "." } + "."
    let new = (reason.prefix(1).uppercased() + reason.dropFirst()).replacing(known, with: "")
    let sentences = [new, extent].map { $0.trimmingCharacters(in: .whitespaces) }
    absence = (["No samples."] + sentences.filter { !$0.isEmpty }).joined(separator: " ")
  }

  func begin() {}

  func write(_ recorded: RecordedBatch) throws(OutputError) {
    let batch = recorded.batch
    let source = batch.source.shortName
    for row in recorded.rows {
      let label = recorded.label(row)
      let unit = unit(of: label)
      try table.add([
        moment(batch.starts[row]), Self.length(from: batch.starts[row], to: batch.ends[row]),
        recorded.isCategory
          ? Self.constant(label, of: batch.type)
          : unit?.number(recorded.value(row)) ?? NumberText.rounded(recorded.value(row)),
        recorded.isCategory ? "" : unitName(of: label, in: batch.type),
        source, device(recorded.origin(row).device),
      ])
    }
  }

  func write(_ elements: ImportBatch) throws(OutputError) {
    guard let titles else { return }
    for line in ElementLine.lines(of: elements, in: activityUnits) {
      let length = line.start.map { Self.length(from: $0, to: line.end ?? $0) }
      try table.add(
        (titles.hasDay ? [line.day ?? ""] : [])
          + (titles.hasTime ? [line.start.map(moment) ?? "", length ?? ""] : [])
          + [line.what, line.more]
          + (titles.hasSource ? [line.source?.shortName ?? ""] : []))
    }
  }

  func end() throws(OutputError) {
    let isEmpty = table.isEmpty
    if !isEmpty {
      try table.end()
      try output.line("")
    }
    for line in style.fitted(isEmpty ? absence : extent) {
      try output.line(isEmpty ? line : style.faint(line))
    }
    try output.finish()
  }

  /// How values with a label are shown; a type has few labels.
  private func unit(of label: String) -> DisplayUnit? {
    if let unit = units[label] { return unit }
    let unit = DisplayUnit(label: label)
    units[label] = .some(unit)
    return unit
  }

  /// The name of a unit with a label; a type has few labels.
  private func unitName(of label: String, in type: SampleType) -> String {
    if let name = unitNames[label] { return name }
    let name = TypeName.unit(label, of: type)
    unitNames[label] = name
    return name
  }

  /// How a device is shown; a type has few.
  private func device(_ description: String) -> String {
    if let name = devices[description] { return name }
    let name = Device.shortName(in: description) ?? ""
    devices[description] = name
    return name
  }

  private func moment(_ instant: Double) -> String {
    LocalTime(instant, in: &offsets).momentText
  }

  private static func length(from start: Double, to end: Double) -> String {
    let days = ((end - start) / .secondsPerDay).rounded()
    // A prescription holds for years.
    guard days < 4 else { return "\(NumberText.rounded(days, decimals: 0)) days" }
    return end > start ? AmountText.duration(end - start) : "–"
  }

  /// The name of a category's constant, without the words that every one of its type begins with.
  private static func constant(_ name: String, of type: SampleType) -> String {
    let enumeration = Catalogue.categoryTypes.first { $0.identifier.rawValue == type.identifier }?
      .enumeration
    if let enumeration, name.hasPrefix(enumeration) {
      return Vocabulary.current.value(Catalogue.swiftName(of: name.dropFirst(enumeration.count)))
    }
    let short = name.hasPrefix("HKCategoryValue") ? String(name.dropFirst(15)) : name
    return short.isEmpty ? "–" : short
  }
}
