package import Foundation
public import HealthQuery
public import HealthSamples
package import HealthUnits

/// The unit and the time zones of exported samples.
package final class RecordedForm {
  package var zone: ZoneTimeline { offsets.zones }
  fileprivate var offsets: OffsetCache
  /// The requested unit as written, which may mean a different one for each type.
  private let unitName: String?
  private var units: [SampleType: UnitExpression] = [:]
  private var conversions: [SampleType: [String: UnitConversion]] = [:]

  /// Values in a unit; `nil` for recorded units.
  package init(unitName: String?, zone: ZoneTimeline) {
    self.unitName = unitName
    offsets = OffsetCache(zone)
  }

  /// Values of one type in a unit of it.
  package init(unit: UnitExpression, of type: SampleType, zone: ZoneTimeline) {
    unitName = unit.description
    units[type] = unit
    offsets = OffsetCache(zone)
  }

  /// The unit of a batch's values; `nil` for recorded units.
  fileprivate func unit(of batch: RecordColumns) throws(OutputError) -> UnitExpression? {
    guard let unitName else { return nil }
    guard batch.type.canonicalUnit != nil else {
      throw OutputError(.noUnit(batch.type))
    }
    if let known = units[batch.type] { return known }
    do throws(UnitError) {
      let unit = try batch.type.unit(colloquial: unitName)
      units[batch.type] = unit
      return unit
    } catch {
      throw OutputError(.unitDoesNotFit(error, unit: unitName, batch.type))
    }
  }

  /// The conversion from each recorded unit of a batch to the requested unit; empty if there is
  /// none.
  fileprivate func conversions(
    of batch: RecordColumns, to unit: UnitExpression?
  ) throws(OutputError) -> [UnitConversion] {
    guard let unit else { return [] }
    return try batch.labelTable.map { (label) throws(OutputError) in
      if let known = conversions[batch.type]?[label] { return known }
      let conversion = try UnitConversion(fromRecorded: label, to: unit)
      conversions[batch.type, default: [:]][label] = conversion
      return conversion
    }
  }
}

extension UnitConversion {
  /// The conversion from a unit as it was recorded.
  package init(fromRecorded label: String, to unit: UnitExpression) throws(OutputError) {
    do throws(UnitError) {
      self = try UnitConversion(from: UnitExpression(label), to: unit)
    } catch {
      throw OutputError(.notConvertible(error, from: label, to: unit.description))
    }
  }
}

/// A batch of recorded samples for export, in the requested unit and time zone.
public struct RecordedBatch {
  /// The records as the store has them, in their recorded units.
  public let batch: RecordColumns
  /// The exported rows, in order.
  public let rows: [Int]
  /// The time zones of instants.
  public var zone: ZoneTimeline { form.zone }
  /// The UUIDs of rows, where they are wanted.
  package var uuids: [Int: UUID] = [:]
  private let form: RecordedForm
  /// The requested unit; `nil` for recorded units.
  private let unitText: String?
  /// The labels as they are printed.
  private let labels: [String]
  private let conversions: [UnitConversion]

  /// Prepares the units of a batch; `rows` are all rows by default.
  package init(_ batch: RecordColumns, _ rows: [Int]? = nil, as form: RecordedForm)
    throws(OutputError)
  {
    self.batch = batch
    self.rows = rows ?? Array(0..<batch.count)
    self.form = form
    let unit = try form.unit(of: batch)
    unitText = unit.map { batch.type.printedUnit($0.description) }
    labels = batch.labelTable.map(batch.type.printedUnit)
    conversions = try form.conversions(of: batch, to: unit)
  }

  /// Whether values are constants of a category.
  public var isCategory: Bool { batch.type.canonicalUnit == nil }

  /// The value in the requested unit.
  public func value(_ row: Int) -> Double {
    unitText == nil ? batch.values[row] : conversions[Int(batch.labels[row])](batch.values[row])
  }

  /// The unit of the value (see `SampleType.printedUnit(_:)`), or the constant of a category.
  public func label(_ row: Int) -> String {
    unitText ?? labels[Int(batch.labels[row])]
  }

  /// The source version and device of the record, and where it was saved.
  public func origin(_ row: Int) -> Origin { batch.originTable[Int(batch.origins[row])] }

  /// The start as ISO 8601 with the offset of the zone.
  public func start(_ row: Int) -> String { iso(batch.starts[row]) }

  /// The end as ISO 8601 with the offset of the zone.
  public func end(_ row: Int) -> String { iso(batch.ends[row]) }

  /// When the record was created; `nil` if not recorded.
  public func created(_ row: Int) -> String? {
    batch.created[row] == RecordColumns.notRecorded ? nil : iso(batch.created[row])
  }

  /// The metadata as a list of pairs, since keys may repeat; `nil` without any.
  package func metadata(_ row: Int) -> JSON? {
    let metadata = batch.metadataTable[Int(batch.metadata[row])]
    return metadata.isEmpty ? nil : JSON(pairsOf: metadata)
  }

  /// A row as an object with its kind and type.
  package func object(_ row: Int) -> JSON {
    .object(
      [
        .init(OwnFile.objectKey, .string(isCategory ? "category" : "quantity")),
        .init("type", .string(batch.type.identifier)),
      ] + members(row))
  }

  /// A row as the members of an object, without unknown ones.
  package func members(_ row: Int) -> [JSON.Member] {
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
    if !origin.productType.isEmpty {
      members.append(.init("productType", .string(origin.productType)))
    }
    if !origin.operatingSystem.isEmpty {
      members.append(.init("operatingSystem", .string(origin.operatingSystem)))
    }
    if let created = created(row) { members.append(.init("created", .string(created))) }
    if batch.copies[row] > 1 { members.append(.init("copies", .integer(Int(batch.copies[row])))) }
    if let uuid = uuids[row] { members.append(.init("uuid", .string(uuid.uuidString))) }
    if let metadata = metadata(row) { members.append(.init("metadata", metadata)) }
    return members
  }

  private func iso(_ instant: Double) -> String { time(instant).isoText }

  /// What the clock shows at an instant.
  package func time(_ instant: Double) -> LocalTime { LocalTime(instant, in: &form.offsets) }
}
