import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples

/// TCX: Garmin's Training Center Database, version 2
/// (https://www8.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd), an activity for each workout
/// with one lap, and a track for each segment of its routes.
enum TrainingCenterText {
  static let beginning = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- Written by hkstats -->
    <TrainingCenterDatabase \
    xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
      <Activities>

    """
  static let end = """
      </Activities>
    </TrainingCenterDatabase>

    """

  /// The values of the schema's types: unsigned short, unsigned byte without zero.
  private static let calories = 0.0...65_535
  private static let heartRate = 1.0...255
  private static let latitudes = -90.0...90
  private static let longitudes = -180.0..<180

  /// Writes the activity of a workout.
  static func write(
    _ recording: WorkoutRecording, to output: TextOutput
  ) throws(OutputError) {
    let workout = recording.workout
    let start = XMLText.time(workout.facts.start)
    let number = NumberText.withoutExponent
    let energy = min(max((workout.totalEnergy ?? 0).rounded(), 0), calories.upperBound)
    let tracks = recording.tracks
    let rates = tracks.flatMap(\.heartRates).compactMap(\.self)
    let written = workout.statistics.first {
      $0.type == HKQuantityTypeIdentifier.heartRate.rawValue
    }
    let mean =
      written?.average.map { $0 * 60 }
      ?? (rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count))
    let highest = written?.maximum.map { $0 * 60 } ?? rates.max()
    try output.write(
      """
          <Activity Sport="\(sport(of: workout.activity))">
            <Id>\(start)</Id>
            <Lap StartTime="\(start)">
              <TotalTimeSeconds>\(number(max(0, workout.activeSeconds)))</TotalTimeSeconds>
              <DistanceMeters>\(number(max(0, workout.totalDistance ?? 0)))</DistanceMeters>
              <Calories>\(Int(energy))</Calories>

      """ + beats(mean, in: "AverageHeartRateBpm", indent: 8)
        + beats(highest, in: "MaximumHeartRateBpm", indent: 8)
          + """
                  <Intensity>Active</Intensity>
                  <TriggerMethod>Manual</TriggerMethod>

          """)
    for track in tracks {
      try output.write("        <Track>\n")
      for row in track.times.indices { try output.write(point(track, row)) }
      try output.write("        </Track>\n")
    }
    try output.write(
      """
            </Lap>
            <Notes>\(XMLText.escaped(ActivityName.short(workout.activity)))</Notes>
          </Activity>

      """)
  }

  private static func point(_ track: WorkoutTrack, _ row: Int) -> String {
    let number = NumberText.withoutExponent
    var text =
      "          <Trackpoint>\n            <Time>\(XMLText.time(track.times[row]))</Time>\n"
    if let places = track.locations {
      let (latitude, longitude) = (places.latitudes[row], places.longitudes[row])
      if latitudes.contains(latitude), longitudes.contains(longitude) {
        text +=
          "            <Position><LatitudeDegrees>\(number(latitude))</LatitudeDegrees>"
          + "<LongitudeDegrees>\(number(longitude))</LongitudeDegrees></Position>\n"
      }
      if let altitude = places.altitude(row: row) {
        text += "            <AltitudeMeters>\(number(altitude))</AltitudeMeters>\n"
      }
    }
    return text + beats(track.heartRates[row], in: "HeartRateBpm", indent: 12)
      + "          </Trackpoint>\n"
  }

  /// A heart rate as an element; empty where it is unknown or no heart rate of the schema.
  private static func beats(_ rate: Double?, in element: String, indent: Int) -> String {
    guard let rate = rate?.rounded(), heartRate.contains(rate) else { return "" }
    return String(repeating: " ", count: indent)
      + "<\(element)><Value>\(Int(rate))</Value></\(element)>\n"
  }

  /// The schema knows two sports by name.
  private static func sport(of activity: String) -> String {
    switch activity {
    case "HKWorkoutActivityTypeRunning": "Running"
    case "HKWorkoutActivityTypeCycling": "Biking"
    default: "Other"
    }
  }
}

/// Text in XML.
enum XMLText {
  /// Escapes what would be markup.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// An instant in UTC: `2024-03-09T08:30:00Z`.
  static func time(_ instant: Double) -> String {
    LocalTime(instant, in: .gmt).isoText.replacing("+00:00", with: "Z")
  }
}
