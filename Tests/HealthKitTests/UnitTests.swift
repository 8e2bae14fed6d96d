import Foundation
import HealthKit
import Testing

@Suite struct UnitTests {
  @Test func unitsParseAndPrint() {
    #expect(HKUnit(from: "mL/kg*min").unitString == "mL/min·kg")
    #expect(HKUnit.gramUnit(with: .kilo).unitString == "kg")
  }
}
