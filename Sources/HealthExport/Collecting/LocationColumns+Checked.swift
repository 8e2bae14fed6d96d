import HealthSamples

extension LocationColumns {
  /// Adds a location if its coordinates are valid.
  mutating func appendChecked(
    time: Double, latitude: Double, longitude: Double, altitude: Double?,
    horizontalAccuracy: Double?, verticalAccuracy: Double?, course: Double? = nil,
    speed: Double? = nil
  ) {
    guard DateScanner.years.contains(time), abs(latitude) <= 90, abs(longitude) <= 180 else {
      return
    }
    append(
      time: time, latitude: latitude, longitude: longitude, altitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, course: course,
      speed: speed)
  }
}
