import HealthUnits
import Testing
import _HealthTestSupport

@Suite struct SubstanceTests {
  @Test("a substance converts mass, moles and international units of itself")
  func substances() throws {
    let (mass, amount) = (try UnitExpression("mg/dL"), try UnitExpression("mmol/L"))
    let glucose = try Substance.glucose.conversion(from: amount, to: mass)
    #expect(abs(glucose(5.5) - 99.0857) < 0.001)
    let cholesterol = try Substance.cholesterol.conversion(from: mass, to: amount)
    // Clinical literature divides by 38.67.
    #expect(abs(cholesterol(200) - 200 / 38.67) < 0.001)
    let triglycerides = try Substance.triglycerides.conversion(from: mass, to: amount)
    #expect(abs(triglycerides(150) - 150 / 88.57) < 0.001)
    let creatinine = try Substance.creatinine.conversion(
      from: mass, to: UnitExpression("mcmol/L"))
    #expect(abs(creatinine(1) - 88.4) < 0.01)
    let vitaminD = try Substance.vitaminD.conversion(
      from: UnitExpression("IU"), to: UnitExpression("mcg"))
    #expect(vitaminD(400) == 10)
    let vitaminA = try Substance.vitaminA.conversion(
      from: UnitExpression("mcg"), to: UnitExpression("IU"))
    #expect(vitaminA(300) == 1000)
    let ucum = try Substance.glucose.conversion(
      from: UnitExpression("mmol/L", dialect: .ucum), to: UnitExpression("mg/dL", dialect: .ucum))
    #expect(ucum(5.5) == glucose(5.5))
  }

  @Test("a substance refuses the molar mass of another, and units it does not know")
  func refusals() throws {
    let mass = try UnitExpression("mg/dL")
    #expect(throws: UnitError.self) {
      try Substance.cholesterol.conversion(
        from: UnitExpression("mmol<180.1558800000541>/L"), to: mass)
    }
    #expect(throws: UnitError.self) {
      try Substance.glucose.conversion(from: UnitExpression("IU/L"), to: mass)
    }
    #expect(throws: UnitError.self) {
      try UnitConversion(from: UnitExpression("mmol/L"), to: mass)
    }
    let own = try Substance.glucose.conversion(
      from: UnitExpression("mmol<180.1558800000541>/L"), to: mass)
    #expect(abs(own(1) - 18.015588) < 1e-9)
  }
}

@Suite struct HealthKitArithmeticTests {
  @Test("HealthKit's order of operations gives the bits that were asserted against HealthKit")
  func published() throws {
    var count = 0
    for row in try References.table("catalogue/conversion_pairs.tsv")
    where row["tolerance"] == "exact ==" && row["from"]?.hasPrefix("()") == false {
      let conversion = try UnitConversion(
        from: UnitExpression(row["from"] ?? ""), to: UnitExpression(row["to"] ?? ""),
        arithmetic: .healthKit)
      let value = try #require(Double(row["value"] ?? ""))
      #expect(conversion(value) == Double(row["expected"] ?? ""), "\(row)")
      count += 1
    }
    #expect(count == 5)
  }

  @Test("HealthKit's order stays close to the nearest double for every published conversion")
  func close() throws {
    for row in try References.table("units/conformance.tsv")
    where row["kind"] == "convert" && row["profile"] == "hk" {
      let (from, to) = (
        try UnitExpression(row["from"] ?? ""), try UnitExpression(row["to"] ?? "")
      )
      let value = try #require(Double(row["value"] ?? ""))
      let nearest = try UnitConversion(from: from, to: to)(value)
      let other = try UnitConversion(from: from, to: to, arithmetic: .healthKit)(value)
      let scale = max(
        nearest.magnitude, value.magnitude, row["category"] == "temperature" ? 500 : 0)
      #expect(
        abs(other - nearest) <= 2
          * max(nearest.ulp, row["category"] == "temperature" ? scale.ulp : 0),
        "\(row["id"] ?? "") \(other) \(nearest)")
    }
  }
}
