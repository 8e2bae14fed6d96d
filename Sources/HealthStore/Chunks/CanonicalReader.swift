import HealthSamples
import HealthUnits

/// Reads times and values of a chunk as queries need them: values in the canonical unit, and no end
/// before its start.
struct CanonicalReader {
  private var core: CoreReader
  private let units: [RecordedUnit]
  /// Whether blocks also get the recorded numbers, with ``conversions``.
  var keepsRecorded = false

  init(_ core: CoreReader, units: inout RecordedUnits) throws {
    self.core = core
    self.units = try units.units(of: core.labelTable)
  }

  /// The conversions from recorded numbers to values, by label; for a level the numbers are already
  /// converted.
  var conversions: [RecordedValues.Conversion] {
    zip(core.labelTable, units).map { label, unit in
      guard case .converted(let conversion) = unit else { return .identity }
      return RecordedValues.Conversion(conversion, from: try? UnitExpression(label)) ?? .identity
    }
  }

  /// Decodes the next block; 0 at the end.
  mutating func next(into block: RowBlock) throws(Corruption) -> Int {
    let count = try core.next(into: block)
    // Branch-free: this runs for every sample.
    for row in 0..<count {
      block.ends[row] = SampleTime.end(from: block.starts[row], to: block.ends[row])
    }
    if keepsRecorded { keepRecorded(count, of: block) }
    block.convert(count, units, into: block.values)
    return count
  }

  private func keepRecorded(_ count: Int, of block: RowBlock) {
    for row in 0..<count {
      let value = block.values[row]
      if case .converted(let conversion) = units[Int(block.labels[row])], !conversion.isLinear {
        block.recorded[row] = conversion(value)
      } else {
        block.recorded[row] = value
      }
    }
  }

  /// Decodes one block at an offset; returns its number of rows.
  mutating func read(
    block number: Int, at offset: Int, into block: RowBlock
  ) throws(Corruption) -> Int {
    try core.move(toBlock: number, at: offset)
    return try next(into: block)
  }
}

/// The unit of a recorded number.
enum RecordedUnit {
  /// The number is in the canonical unit.
  case canonical
  /// The number is in another unit.
  case converted(UnitConversion)
}

/// The recorded units of one type, resolved once per label.
struct RecordedUnits {
  private let canonicalUnit: UnitExpression?
  private var resolved: [String: RecordedUnit?] = [:]

  init(of type: SampleType) { canonicalUnit = type.canonicalUnit }

  /// The unit of a label; `nil` when it does not convert to the canonical one.
  mutating func unit(of label: String) -> RecordedUnit? {
    if let known = resolved[label] { return known }
    let unit = resolve(label)
    resolved[label] = .some(unit)
    return unit
  }

  /// The units of labels.
  mutating func units(of labels: [String]) throws(StoreError) -> [RecordedUnit] {
    try labels.map { label throws(StoreError) in
      guard let unit = unit(of: label) else { throw StoreError(.unknownUnit(label), path: "") }
      return unit
    }
  }

  private func resolve(_ label: String) -> RecordedUnit? {
    guard let canonicalUnit else { return .canonical }
    do {
      let conversion = try UnitConversion(from: UnitExpression(label), to: canonicalUnit)
      return conversion.isIdentity ? .canonical : .converted(conversion)
    } catch {
      return nil
    }
  }
}

extension Array where Element == RecordedUnit {
  /// Whether every label is the canonical unit.
  var areCanonical: Bool {
    allSatisfy {
      if case .canonical = $0 { true } else { false }
    }
  }
}

extension RowBlock {
  /// Writes the values of the first rows in the canonical unit; nothing if they are in it.
  func convert(_ count: Int, _ units: [RecordedUnit], into target: Column<Double>) {
    guard !units.areCanonical else { return }
    let converted = RecordedUnit.convert(
      Array(values[..<count]), labels: labels[..<count].lazy.map(Int.init), units: units)
    for row in 0..<count { target[row] = converted[row] }
  }
}

extension RecordColumns {
  /// The values in the canonical unit, row by row.
  ///
  /// - Complexity: O(*n*); O(1) when every label is the canonical unit
  func canonicalValues(_ units: [RecordedUnit]) -> [Double] {
    units.areCanonical
      ? values
      : RecordedUnit.convert(values, labels: labels.lazy.map(Int.init), units: units)
  }
}

extension RecordedUnit {
  /// Converts a column whose rows have labels, in one call if there is only one label.
  static func convert(
    _ values: [Double], labels: some Collection<Int>, units: [RecordedUnit]
  ) -> [Double] {
    var values = values
    if units.count == 1 {
      if case .converted(let conversion) = units[0] { conversion.apply(to: &values) }
      return values
    }
    for (row, label) in labels.enumerated() {
      if case .converted(let conversion) = units[label] { values[row] = conversion(values[row]) }
    }
    return values
  }
}
