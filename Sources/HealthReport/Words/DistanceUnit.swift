/// The unit of distances of workouts.
enum DistanceUnit: String {
  case kilometre = "km"
  case mile = "mi"

  /// Its length in metres.
  var metres: Double { self == .kilometre ? 1000 : 1609.344 }

  /// The unit for a unit of the catalogue; kilometres for all but miles, yards and feet.
  init(_ unit: String?) {
    self = ["mi", "yd", "ft"].contains(unit) ? .mile : .kilometre
  }

  /// Metres in the unit.
  func callAsFunction(_ metres: Double?) -> Double? { metres.map { $0 / self.metres } }
}
