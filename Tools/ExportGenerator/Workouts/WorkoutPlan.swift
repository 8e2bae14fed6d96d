/// One workout, before it is text.
struct WorkoutPlan {
  /// What follows `HKWorkoutActivityType`.
  let activity: StaticString
  let writer: Writer
  let start: Int
  let end: Int
  /// The parts of which it consists: one, or each turn of an interval or multisport workout.
  let parts: [Part]
  /// When it stood still; in order.
  let pauses: [Range<Int>]
  let isIndoor: Bool
  /// Whether the app says nothing but when it was.
  let isBare: Bool
  let hasRoute: Bool
  /// Beats a minute.
  let heartRate: Double
  /// What a later export multiplies its numbers with: 1, unless the app changed them in between.
  var correction = 1.0

  /// A stretch of one kind of movement.
  struct Part {
    let range: Range<Int>
    /// The quantity that counts its metres, without `HKQuantityTypeIdentifier`, and its speed in
    /// metres a second.
    var distance: (type: StaticString, speed: Double)?
    /// Steps a second.
    var cadence = 0.0
    /// Kilocalories a minute.
    let energy: Double
  }

  /// A number that bits of the workout are drawn from.
  var seed: UInt64 { UInt64(bitPattern: Int64(start)) }

  /// The seconds of a stretch without pauses.
  func seconds(in range: Range<Int>) -> Int {
    range.count - pauses.reduce(0) { $0 + $1.clamped(to: range).count }
  }

  /// The seconds without pauses.
  var seconds: Int { seconds(in: start..<end) }

  /// In kilocalories.
  func energy(of part: Part) -> Double {
    Double(seconds(in: part.range)) / 60 * part.energy * correction
  }

  /// In kilometres; nothing for a part without distance.
  func distance(of part: Part) -> Double? {
    part.distance.map { Double(seconds(in: part.range)) * $0.speed / 1_000 * correction }
  }

  func steps(of part: Part) -> Double {
    Double(seconds(in: part.range)) * part.cadence * correction
  }

  /// In kilocalories.
  var energy: Double { parts.reduce(0) { $0 + energy(of: $1) } }

  /// In kilometres; nothing without any distance.
  var distance: Double? {
    let distances = parts.compactMap(distance(of:))
    return distances.isEmpty ? nil : distances.reduce(0, +)
  }

  var steps: Double { parts.reduce(0) { $0 + steps(of: $1) } }
}
