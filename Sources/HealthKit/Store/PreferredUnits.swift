import Foundation
internal import HealthSamples

extension HKQuantityType {
  /// The unit in which people of a country expect the type, unless the owner chose one.
  func unit(in system: Locale.MeasurementSystem) -> HKUnit {
    let system: Catalogue.MeasurementSystem =
      system == .us ? .us : system == .uk ? .uk : .metric
    return HKUnit(core.everydayUnit(in: system) ?? core.unit)
  }
}
