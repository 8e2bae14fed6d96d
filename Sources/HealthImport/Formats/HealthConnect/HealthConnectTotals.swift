import GRDB
import HealthSamples

/// Sums up the distance and the energy of exercises, which Health Connect has only as records of
/// their time.
///
/// The records of the application that wrote the exercise count, each with its share of time in it.
struct HealthConnectTotals {
  /// An exercise, and what its application has measured meanwhile.
  private struct Session {
    let number: Int64
    let start: Double
    let end: Double
    var metres: Double?
    var kilocalories: Double?
  }

  /// The exercises of each application by their start; 0 is none.
  private var sessions: [Int64: [Session]] = [:]
  /// The length of the longest exercise of each application.
  private var longest: [Int64: Double] = [:]
  private var application: [Int64: Int64] = [:]

  /// More exercises than anyone has.
  private static let mostSessions = 1 << 20
  /// No exercise and no record of one is longer: each record would be compared with all exercises.
  private static let longestSession = 7 * Double.secondsPerDay
  /// More exercises than begin in the time of a record.
  private static let mostNear = 256

  /// Reads when exercises were.
  init(_ database: HealthConnectDatabase) throws {
    let table = HealthConnectTables.exercises
    guard let columns = database.tables[table],
      columns.isSuperset(of: ["start_time", "end_time", "app_info_id"])
    else { return }
    let sessions = try database.queue.read { connection in
      database.budget.renew()
      let rows = try Row.fetchCursor(
        connection,
        sql: """
          SELECT rowid, start_time, end_time, app_info_id FROM \(table) LIMIT \(Self.mostSessions)
          """)
      var sessions: [Int64: [Session]] = [:]
      while let row = try rows.next() {
        database.budget.renew()
        guard let number = Int64.fromDatabaseValue(row[0]),
          let start = HealthConnectReader.instant(row[1]),
          let end = HealthConnectReader.instant(row[2]), start < end,
          end - start <= Self.longestSession
        else { continue }
        sessions[Self.application(row[3]), default: []]
          .append(Session(number: number, start: start, end: end))
      }
      return sessions
    }
    for (application, unsorted) in sessions {
      let sorted = unsorted.sorted { ($0.start, $0.number) < ($1.start, $1.number) }
      self.sessions[application] = sorted
      longest[application] = sorted.map { $0.end - $0.start }.max()
      for session in sorted { self.application[session.number] = application }
    }
  }

  private static func application(_ value: DatabaseValue) -> Int64 {
    Int64.fromDatabaseValue(value) ?? 0
  }

  /// Adds a record of an application, if it is of a distance or of energy.
  ///
  /// - Complexity: O(log *n* + *k*) for *n* exercises, of which *k* begin near the record
  mutating func add(_ record: RecordCollector.Record, by application: DatabaseValue) {
    let application = Self.application(application)
    let total: WritableKeyPath<Session, Double?>
    switch record.type {
    case HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue: total = \.metres
    case HKQuantityTypeIdentifier.activeEnergyBurned.rawValue: total = \.kilocalories
    default: return
    }
    guard let value = record.value, value.isFinite, let start = record.start,
      let end = record.end ?? record.start, SampleTime.isInOrder(from: start, to: end),
      end - start <= Self.longestSession, let longest = longest[application],
      let sessions = sessions[application]
    else { return }
    let place = Self.first(in: sessions, from: start - longest)
    for (place, session) in zip(place..., sessions[place...].prefix(Self.mostNear)) {
      if session.start > end { break }
      let shared = min(end, session.end) - max(start, session.start)
      // An instant counts as a whole, from the start of an exercise to before its end.
      let share = start < end ? shared / (end - start) : start < session.end ? 1 : 0
      if shared >= 0, share > 0 {
        self.sessions[application]?[place][keyPath: total] =
          (session[keyPath: total] ?? 0) + value * min(share, 1)
      }
    }
  }

  /// The place of the first exercise that starts at an instant or later.
  private static func first(in sessions: [Session], from start: Double) -> Int {
    var (low, high) = (0, sessions.count)
    while low < high {
      let middle = (low + high) / 2
      if sessions[middle].start < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The totals of an exercise.
  func statistics(
    of number: Int64, _ row: Workouts.Row, _ conversions: inout UnitConversions
  ) -> [Workouts.Statistics] {
    guard let application = application[number], let sessions = sessions[application] else {
      return []
    }
    var place = Self.first(in: sessions, from: row.facts.start)
    while place < sessions.count, sessions[place].number != number { place += 1 }
    guard place < sessions.count else { return [] }
    let totals = [
      (Catalogue.distanceType(ofWorkoutActivity: row.activity), "m", sessions[place].metres),
      (.activeEnergyBurned, "kcal", sessions[place].kilocalories),
    ]
    return totals.compactMap { type, unit, total in
      guard let total else { return nil }
      let conversion = conversions.conversion(from: unit, type: type.rawValue)
      guard let sum = conversion(total) else { return nil }
      var statistics = Workouts.Statistics()
      (statistics.type, statistics.recordedUnit) = (type.rawValue, unit)
      (statistics.start, statistics.end) = (row.facts.start, row.facts.end)
      (statistics.unit, statistics.sum) = (conversion.unit, sum)
      return statistics
    }
  }
}
