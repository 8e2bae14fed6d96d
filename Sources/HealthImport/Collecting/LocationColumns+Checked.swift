import HealthSamples

extension LocationColumns {
  /// Adds a location if its time and its coordinates are known and valid; returns whether.
  mutating func appendChecked(
    time: Double?, latitude: Double?, longitude: Double?, altitude: Double?,
    horizontalAccuracy: Double?, verticalAccuracy: Double?, course: Double? = nil,
    speed: Double? = nil
  ) -> Bool {
    guard let time, CivilDate.instants.contains(time), let latitude, abs(latitude) <= 90,
      let longitude, abs(longitude) <= 180
    else { return false }
    append(
      time: time, latitude: latitude, longitude: longitude, altitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, course: course,
      speed: speed)
    return true
  }
}
