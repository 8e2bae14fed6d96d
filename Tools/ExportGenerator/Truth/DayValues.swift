/// What the records of a day say that are not added up: those that reach into it, without copies.
struct DayValues: Encodable {
  var count = 0
  var minimum = Double.infinity
  var maximum = -Double.infinity
  var total = 0.0

  mutating func add(_ value: Double) {
    count += 1
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    total += value
  }
}

/// How often a constant of a category stands in an export, and for how long in all.
struct LabelTime: Encodable {
  var count = 0
  var seconds = 0

  mutating func add(_ row: Row) {
    count += 1
    seconds += row.end - row.start
  }
}

extension [DayValues] {
  /// Adds rows to each day that they overlap, an instant to its own; `midnights` cuts the days.
  mutating func add(_ rows: [Row], midnights: [Int]) {
    for row in rows where !row.isCopy {
      for day in indices where midnights[day] < Swift.max(row.end, row.start + 1) {
        if midnights[day + 1] > row.start { self[day].add(row.value) }
      }
    }
  }
}
