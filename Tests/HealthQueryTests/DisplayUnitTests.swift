import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("The unit in which people are shown values of a store")
struct StoreSpokenUnitTests {
  private let store: SampleStore
  private let mass = SampleType(.bodyMass)

  init() throws { store = try SampleStore.temporary() }

  private func save(_ type: SampleType, _ label: String, at start: Double) throws {
    try store.save([
      NewSample(
        type: type, source: Source(name: "Scale"), start: start, end: start, value: 1, label: label)
    ])
  }

  private func name(_ type: SampleType, named name: String? = nil) throws -> String? {
    try store.displayUnit(of: type, named: name)?.name
  }

  @Test("It is the named one, else the preferred, else that of most samples, else the everyday one")
  func order() throws {
    #expect(try name(mass) == "kg" && name(SampleType(.height)) == "cm")
    try save(mass, "st", at: 0)
    try save(mass, "st", at: 1)
    try save(mass, "kg", at: 2)
    #expect(try name(mass) == "st")
    try store.setPreferredUnit("lb", of: mass)
    #expect(try name(mass) == "lb")
    #expect(try name(mass, named: "grams") == "g")
    try store.setPreferredUnit(nil, of: mass)
    #expect(try name(mass) == "st")
  }

  @Test("It is the unit of statistics that name none")
  func statistics() throws {
    let heartRate = SampleType(.heartRate)
    try save(heartRate, "count/s", at: 0)
    for (type, unit) in [(heartRate, "count/min"), (mass, "st")] {
      if type == mass { try save(mass, "st", at: 0) }
      let plan = StatisticsPlan(type: type, timeZone: .gmt)
      #expect(try store.statistics(plan).unit == store.displayUnit(of: type)?.unit)
      #expect(try name(type) == unit)
    }
  }

  @Test("A name that is no unit of the type is refused with the type, and a category has no unit")
  func refuses() throws {
    let error = #expect(throws: QueryError.self) { try store.displayUnit(of: mass, named: "km") }
    guard case .unit(_, let name, let type) = error?.reason else {
      Issue.record("another error")
      return
    }
    #expect(name == "km" && type == mass)
    #expect(error?.description.contains("bodyMass") == true)
    #expect(try store.displayUnit(of: SampleType(.sleepAnalysis)) == nil)
  }
}
