import HealthSamples

extension RouteColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key("") }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.facts(&row.facts)
    try coder.text(&row.path, isCompared: false)
    try coder.text(&row.activity, isCompared: false)
    try coder.number(&row.workoutStart)
    try coder.number(&row.workoutEnd)
    try coder.locations(&row.locations)
  }
}

extension FieldCoder {
  fileprivate mutating func locations(
    _ locations: inout LocationColumns
  ) throws(SegmentDamage) {
    var columns = [
      locations.times, locations.latitudes, locations.longitudes, locations.altitudes,
      locations.horizontalAccuracies, locations.verticalAccuracies, locations.courses,
      locations.speeds,
    ]
    try series(&columns)
    locations.times = columns[0]
    locations.latitudes = columns[1]
    locations.longitudes = columns[2]
    locations.altitudes = columns[3]
    locations.horizontalAccuracies = columns[4]
    locations.verticalAccuracies = columns[5]
    locations.courses = columns[6]
    locations.speeds = columns[7]
  }
}
