// SCAFFOLD: replaced by the units helper's work. The signatures are the contract.
public enum UnitDialect: String, Sendable, CaseIterable { case healthKit = "healthkit", ucum }
public struct UnitError: Error, Sendable, Hashable { public let offset: Int }
public struct UnitExpression: Hashable, Sendable, CustomStringConvertible {
  let text: String
  let factor: Double
  let dimension: String
  public init(_ text: String, dialect: UnitDialect = .healthKit) throws(UnitError) {
    let table: [String: (Double, String)] = [
      "count": (1, "1"), "%": (1, "1"), "count/min": (1 / 60, "1/s"), "count/s": (1, "1/s"),
      "kcal": (4184, "J"), "Cal": (4184, "J"), "kJ": (1000, "J"), "km": (1000, "m"),
      "mi": (1609.344, "m"), "m": (1, "m"), "cm": (0.01, "m"), "kg": (1, "kg"),
      "lb": (0.45359237, "kg"), "min": (60, "s"), "s": (1, "s"), "hr": (3600, "s"),
      "ms": (0.001, "s"), "m/s": (1, "m/s"), "km/hr": (1 / 3.6, "m/s"),
      "dBASPL": (1, "dB"), "degC": (1, "K"),
    ]
    guard let (factor, dimension) = table[text] else { throw UnitError(offset: 0) }
    (self.text, self.factor, self.dimension) = (text, factor, dimension)
  }
  public func text(in dialect: UnitDialect) -> String { text }
  public var description: String { text }
  public func isCompatible(with other: UnitExpression) -> Bool { dimension == other.dimension }
}
public struct UnitConversion: Sendable {
  let factor: Double
  public init(from: UnitExpression, to: UnitExpression) throws(UnitError) {
    guard from.isCompatible(with: to) else { throw UnitError(offset: 0) }
    factor = from.factor / to.factor
  }
  public var isIdentity: Bool { factor == 1 }
  public func callAsFunction(_ value: Double) -> Double { value * factor }
  public func apply(to column: inout [Double]) { for i in column.indices { column[i] *= factor } }
}
