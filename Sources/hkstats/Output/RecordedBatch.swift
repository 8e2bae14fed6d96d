import HealthQuery
import HealthSamples
import HealthUnits

/// The unit and the zones in which recorded samples leave.
final class RecordedForm {
  let zone: ZoneTimeline
  /// The unit asked for as it was written, which may mean another for each type.
  private let unitName: String?
  private var units: [SampleType: UnitExpression] = [:]
  private var conversions: [SampleType: [String: UnitConversion]] = [:]

  /// Values in a unit; `nil` for recorded units.
  init(unitName: String?, zone: ZoneTimeline) {
    self.unitName = unitName
    self.zone = zone
  }

  /// Values of one type in a unit of it.
  init(unit: UnitExpression, of type: SampleType, zone: ZoneTimeline) {
    unitName = unit.description
    units[type] = unit
    self.zone = zone
  }

  /// The unit of a batch's values; `nil` for recorded units.
  fileprivate func unit(of batch: RecordColumns) throws(Failure) -> UnitExpression? {
    guard let unitName else { return nil }
    guard batch.type.canonicalUnit != nil else {
      throw Failure(
        "\(TypeName.short(batch.type.identifier)) has categories, which have no unit; leave --unit "
          + "out.", .usage)
    }
    if let known = units[batch.type] { return known }
    let unit = try UnitArgument.unit(unitName, of: batch.type)
    units[batch.type] = unit
    return unit
  }

  /// How to come from each recorded unit of a batch to the unit asked for; none without one.
  fileprivate func conversions(
    of batch: RecordColumns, to unit: UnitExpression?
  ) throws(Failure) -> [UnitConversion] {
    guard let unit else { return [] }
    return try batch.labelTable.map { (label) throws(Failure) in
      if let known = conversions[batch.type]?[label] { return known }
      do throws(UnitError) {
        let conversion = try UnitConversion(from: try UnitExpression(label), to: unit)
        conversions[batch.type, default: [:]][label] = conversion
        return conversion
      } catch {
        throw Failure(error, from: label, to: unit.description)
      }
    }
  }
}

/// A batch of recorded samples on its way out, in the unit and the zone that were asked for.
struct RecordedBatch {
  let batch: RecordColumns
  /// The rows that leave, in their order.
  let rows: [Int]
  let zone: ZoneTimeline
  private let unit: UnitExpression?
  private let conversions: [UnitConversion]

  /// Prepares the units of a batch, of which all rows leave, or some.
  init(_ batch: RecordColumns, _ rows: [Int]? = nil, as form: RecordedForm) throws(Failure) {
    self.batch = batch
    self.rows = rows ?? Array(0..<batch.count)
    unit = try form.unit(of: batch)
    zone = form.zone
    conversions = try form.conversions(of: batch, to: unit)
  }

  /// Whether values are constants of a category.
  var isCategory: Bool { batch.type.canonicalUnit == nil }

  /// The value in the unit asked for.
  func value(_ row: Int) -> Double {
    unit == nil ? batch.values[row] : conversions[Int(batch.labels[row])](batch.values[row])
  }

  /// The unit of the value, or the constant of a category.
  func label(_ row: Int) -> String {
    unit?.description ?? batch.labelTable[Int(batch.labels[row])]
  }

  func origin(_ row: Int) -> Origin { batch.originTable[Int(batch.origins[row])] }

  func start(_ row: Int) -> String { iso(batch.starts[row]) }

  func end(_ row: Int) -> String { iso(batch.ends[row]) }

  /// When the record was made; `nil` when that was not recorded.
  func created(_ row: Int) -> String? {
    batch.created[row] == RecordColumns.notRecorded ? nil : iso(batch.created[row])
  }

  /// The metadata as a list of pairs, since keys may repeat; `nil` without any.
  func metadata(_ row: Int) -> JSON? {
    let metadata = batch.metadataTable[Int(batch.metadata[row])]
    return metadata.isEmpty ? nil : JSON(pairsOf: metadata)
  }

  /// The keys of ``fields(_:)``.
  static let fieldNames = [
    "start", "end", "value", "unit", "source", "entered_by_hand", "source_version", "device",
    "created", "copies", "metadata",
  ]

  /// A row for comma-separated text.
  func fields(_ row: Int) -> [String] {
    let origin = origin(row)
    return [
      start(row), end(row), NumberText.exact(value(row)), label(row), batch.source.name,
      batch.source.isUserEntered ? "true" : "false", origin.sourceVersion, origin.device,
      created(row) ?? "", String(batch.copies[row]), metadata(row)?.text ?? "",
    ]
  }

  /// A row as an object that names its kind and its type.
  func object(_ row: Int) -> JSON {
    .object(
      [
        .init("kind", .string(isCategory ? "category" : "quantity")),
        .init("type", .string(batch.type.identifier)),
      ] + members(row))
  }

  /// A row as the members of an object; what is not known is left out.
  func members(_ row: Int) -> [JSON.Member] {
    let origin = origin(row)
    var members: [JSON.Member] = [
      .init("start", .string(start(row))), .init("end", .string(end(row))),
      .init("value", .number(value(row))),
      .init(isCategory ? "constant" : "unit", .string(label(row))),
      .init("source", .string(batch.source.name)),
      .init("enteredByHand", .bool(batch.source.isUserEntered)),
    ]
    if !origin.sourceVersion.isEmpty {
      members.append(.init("sourceVersion", .string(origin.sourceVersion)))
    }
    if !origin.device.isEmpty { members.append(.init("device", .string(origin.device))) }
    if let created = created(row) { members.append(.init("created", .string(created))) }
    if batch.copies[row] > 1 { members.append(.init("copies", .integer(Int(batch.copies[row])))) }
    if let metadata = metadata(row) { members.append(.init("metadata", metadata)) }
    return members
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: zone).isoText }
}
