import HealthExchange
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("What is shown is what is understood")
struct DisplayUnitLawTests {
  /// Every unit in which a type may be shown: preferred, recorded or everyday.
  private static func units(of type: SampleType) throws -> [DisplayUnit] {
    let countries = Catalogue.MeasurementSystem.allCases.compactMap { type.everydayUnit(in: $0) }
    let named = try type.everydayUnits.map { try type.unit(colloquial: $0) }
    return Set(countries + named).map(DisplayUnit.init)
  }

  @Test("A shown value, typed back, is shown the same; one of few digits is stored the same")
  func roundTrip() throws {
    var random = SplitMix64(seed: 11)
    for type in Catalogue.types where type.canonicalUnit != nil {
      for unit in try Self.units(of: type) {
        for round in 0..<12 {
          let exponent = Double.random(in: -3...5, using: &random)
          var stored = Double.random(in: 1...9.9, using: &random) * _power(of: exponent)
          if round.isMultiple(of: 2) {
            // A value of three digits as it is said.
            let digits = Int.random(in: 1...999, using: &random)
            stored = try #require(unit.stored("\(digits)e\(Int(exponent.rounded()) - 2)"))
          }
          let shown = unit.text(stored)
          let parts = try #require(DisplayUnit.parts(of: shown), "\(shown)")
          let understood =
            parts.unit.isEmpty ? unit : try #require(try type.displayUnit(named: parts.unit))
          #expect(understood == unit, "\(type) \(unit.name)")
          let back = try #require(understood.stored(parts.digits), "\(shown)")
          #expect(unit.text(back) == shown, "\(type) \(shown)")
          if round.isMultiple(of: 2) { #expect(back == stored, "\(type) \(shown)") }
        }
      }
    }
  }

  /// Ten to a power, roughly.
  private func _power(of exponent: Double) -> Double {
    (0..<Int(exponent.magnitude)).reduce(1.0) { value, _ in exponent < 0 ? value / 10 : value * 10 }
  }
}
