import Foundation
internal import HealthSamples
internal import HealthStore

/// The energy that a person burns at rest.
///
/// Mifflin MD, St Jeor ST et al.: A new predictive equation for resting energy expenditure in healthy
/// individuals. Am J Clin Nutr 51 (1990) 241-247, in its rounded form: in kilocalories a day
/// 10 · mass in kg + 6.25 · height in cm - 5 · age in years + 5 for men, - 161 for women.
struct RestingEnergy {
  /// Values of a reference adult, until those of the person are known.
  var kilograms = 70.0
  var centimetres = 170.0
  var years = 30.0
  var sex = HKBiologicalSex.notSet

  /// Kilocalories in a day.
  var kilocaloriesPerDay: Double {
    let (men, women) = (5.0, -161.0)
    let bySex =
      switch sex {
      case .male: men
      case .female: women
      default: (men + women) / 2
      }
    return max(0, 10 * kilograms + 6.25 * centimetres - 5 * years + bySex)
  }
}

extension HealthSession {
  /// The resting and the active part of an energy.
  func split(
    _ total: HKQuantity, from start: Date, to end: Date
  ) throws -> (resting: HKQuantity, active: HKQuantity) {
    let store = try reader()
    guard total.is(compatibleWith: .kilocalorie()), start <= end else {
      throw HKError.invalid("The total is not an energy, or its period ends before it starts")
    }
    let kilocalories = total.doubleValue(for: .kilocalorie())
    guard kilocalories.isFinite, kilocalories >= 0 else {
      throw HKError.invalid("The total is not a finite energy of zero or more")
    }
    let rate = try store.snapshot { try restingEnergy(at: end, in: store).kilocaloriesPerDay }
    let resting = min(kilocalories, rate * end.timeIntervalSince(start) / .secondsPerDay)
    func energy(_ kilocalories: Double) -> HKQuantity {
      HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories)
    }
    return (energy(resting), energy(kilocalories - resting))
  }

  /// The resting energy at a date, from the samples and characteristics that the app may read.
  private func restingEnergy(at date: Date, in store: SampleStore) throws -> RestingEnergy {
    func last(_ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit) throws -> Double? {
      try store.lastQuantity(identifier, before: date)?.doubleValue(for: unit)
    }
    var energy = RestingEnergy()
    if let mass = try last(.bodyMass, .gramUnit(with: .kilo)) { energy.kilograms = mass }
    if let height = try last(.height, .meterUnit(with: .centi)) { energy.centimetres = height }
    let characteristics = try store.person()
    energy.sex = characteristics.biologicalSex.biologicalSex
    if let age = characteristics.age(at: date) { energy.years = age }
    return energy
  }
}

extension SampleStore {
  /// The last quantity of a type before a date that the reader may see.
  func lastQuantity(
    _ identifier: HKQuantityTypeIdentifier, before date: Date
  ) throws -> HKQuantity? {
    let before = HKQuery.predicateForSamples(withStart: nil, end: date)
    let newest = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let samples = try SampleRequest(
      [(HKQuantityType(identifier), before)], order: [newest].sampleOrder, limit: 1
    ).samples(in: self)
    return (samples.first as? HKQuantitySample)?.quantity
  }
}

extension Characteristics {
  /// The age in years at a date; `nil` where the day of birth is not known.
  func age(at date: Date) -> Double? {
    dateOfBirthComponents?.date.map {
      max(0, date.timeIntervalSince($0) / (365.2425 * .secondsPerDay))
    }
  }
}
