import Foundation
import Testing

/// What an export holds, read line by line and from what its generator tells, without any code that
/// answers questions: days are those of Foundation's calendar.
struct HealthFacts: Sendable {
  /// One record.
  struct Row: Hashable {
    var start = 0.0
    var end = 0.0
    var value = 0.0
    var label = ""
    var source = ""
    var isByHand = false
  }

  /// One workout, as the generator tells it.
  struct Workout {
    let activity: String
    let start: Double
    let end: Double
    let seconds: Double
    let kilometres: Double
    let kilocalories: Double
    let maximum: Double?
    let routes: Int
    let points: Int
  }

  /// A sleep that ends on a day.
  struct Night {
    var start = 0.0
    var end = 0.0
    var asleepFrom = 0.0
    var asleepTo = 0.0
    var stages: [Int: Double] = [:]
    var inBed = 0.0
    var stretchesAsleep: [Range<Double>] = []

    var asleep: Double { stages.filter { $0.key != 2 }.reduce(0) { $0 + $1.value } }
  }

  let calendar: Calendar
  let today: Date
  /// The moment of the questions.
  let now: Date
  /// Merged sums by type and the start of the day.
  private(set) var sums: [String: [Date: Double]] = [:]
  /// Records of the top level by type.
  private(set) var rows: [String: [Row]] = [:]
  private(set) var workouts: [Workout] = []
  /// The longest sleep that ends on each day.
  private(set) var nights: [Date: Night] = [:]
  /// Everything else that the generator tells, as JSON.
  let truth: Data

  /// Reads an export with what its generator tells, and `more`, whose samples are instants of one
  /// source and meet no others.
  init(
    today: Date, now: Date, calendar: Calendar, truth: Data, export: Data, more: Data
  ) throws {
    (self.today, self.now, self.calendar, self.truth) = (today, now, calendar, truth)
    let told = try #require(JSONSerialization.jsonObject(with: truth) as? [String: Any])
    try read(told)
    read(more)
    for (type, list) in rows {
      for row in list {
        let day = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: row.start))
        sums[type, default: [:]][day, default: 0] += row.value
      }
    }
    read(export)
    nights = Self.nights(rows["SleepAnalysis"] ?? [], calendar)
  }

  // MARK: - Reading

  private mutating func read(_ export: Data) {
    var seen: [String: Set<Row>] = [:]
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
    var midnights: [String: Double] = [:]
    /// Foundation parses each day with its offset once: it takes longer than all else here.
    func instant(_ text: Substring?) -> Double {
      guard let text else { return .nan }
      let clock = text.dropFirst(11).prefix(8).split(separator: ":").compactMap { Double($0) }
      let midnight = "\(text.prefix(10)) 00:00:00 \(text.suffix(5))"
      let day =
        midnights[midnight] ?? format.date(from: midnight)?.timeIntervalSinceReferenceDate ?? .nan
      midnights[midnight] = day
      return clock.count == 3 ? day + clock[0] * 3600 + clock[1] * 60 + clock[2] : .nan
    }
    var types: [Substring: Substring] = [:]
    var open: (type: String, row: Row)?
    for line in export.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: Self.recordStart) {
        let text = Substring(decoding: line, as: UTF8.self)
        let parts = text.utf8.split(
          separator: UInt8(ascii: "\""), omittingEmptySubsequences: false
        ).map { Substring($0) }
        var attributes: [Substring: Substring] = [:]
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
          let name = parts[index].utf8.dropLast().split(separator: UInt8(ascii: " ")).last
          attributes[name.map { Substring($0) } ?? ""] = parts[index + 1]
        }
        guard let identifier = attributes["type"],
          let type = types[identifier] ?? identifier.split(separator: "Identifier").last
        else { continue }
        types[identifier] = type
        let value = attributes["value"] ?? ""
        var row = Row(start: instant(attributes["startDate"]), end: instant(attributes["endDate"]))
        row.value = Double(value) ?? 0
        row.label = String(value)
        row.source = attributes["sourceName"].map(String.init) ?? ""
        // A record that stands there twice is one.
        let isNew = seen[String(type), default: []].insert(row).inserted
        open = isNew ? (String(type), row) : nil
        if isNew, text.hasSuffix("/>") {
          rows[String(type), default: []].append(row)
          open = nil
        }
      } else if let found = open {
        if line.contains(Data("HKWasUserEntered\" value=\"1\"".utf8)) { open?.row.isByHand = true }
        if line.starts(with: Self.recordEnd) {
          rows[found.type, default: []].append(open?.row ?? found.row)
          open = nil
        }
      }
    }
  }

  private static let recordStart = Data(" <Record ".utf8)
  private static let recordEnd = Data(" </Record>".utf8)

  private mutating func read(_ told: [String: Any]) throws {
    for (type, days) in told["sums"] as? [String: [String: [String: Any]]] ?? [:] {
      let name = String(type.split(separator: "Identifier").last ?? "")
      for (day, sum) in days {
        sums[name, default: [:]][try #require(date(day))] = sum["merged"] as? Double
      }
    }
    let offset = Date.timeIntervalBetween1970AndReferenceDate
    for workout in told["workouts"] as? [[String: Any]] ?? [] {
      func number(_ key: String) -> Double { workout[key] as? Double ?? 0 }
      let statistics = workout["statistics"] as? [[String: Any]] ?? []
      let rates = statistics.first { ($0["type"] as? String)?.hasSuffix("HeartRate") == true }
      workouts.append(
        Workout(
          activity: workout["activity"] as? String ?? "", start: number("start") - offset,
          end: number("end") - offset, seconds: number("minutes") * 60,
          kilometres: number("kilometres"), kilocalories: number("kilocalories"),
          maximum: rates?["maximum"] as? Double,
          routes: (workout["routes"] as? [Any])?.count ?? 0, points: workout["points"] as? Int ?? 0)
      )
    }
  }

  /// A list that the generator tells.
  func told(_ key: String) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: truth) as? [String: Any]
    return try #require(object?[key] as? [[String: Any]], "\(key)")
  }

  // MARK: - Days

  /// The start of a day, written as `2026-11-25`.
  func date(_ text: String) -> Date? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
  }

  /// A day as text.
  func text(_ day: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: day)
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
  }

  /// A number of days before a day, or after it.
  func day(_ day: Date, plus days: Int) -> Date {
    calendar.date(byAdding: .day, value: days, to: day) ?? day
  }

  // MARK: - Slow counts

  /// The merged sum of a cumulative type in a span that need not be of days: time is cut at each
  /// edge, and of each piece the highest rank that has it counts.
  ///
  /// Only records that begin before `limit` count.
  func sum(
    _ type: String, from start: Double, to end: Double, begunBefore limit: Double = .infinity
  ) -> Double {
    let found = rows(type, from: start, to: end).filter { $0.start < limit }
    func rank(_ row: Row) -> Int {
      row.isByHand ? 0 : row.source.contains("Watch") ? 1 : row.source.contains("iPhone") ? 2 : 3
    }
    var total = 0.0
    for row in found {
      let better = found.filter { rank($0) < rank(row) }
      if row.start == row.end {
        if !better.contains(where: { $0.start <= row.start && row.start <= $0.end }) {
          total += row.value
        }
        continue
      }
      let edges = better.flatMap { [$0.start, $0.end] } + [row.start, row.end, start, end]
      let cuts = Set(edges.filter { max(row.start, start) <= $0 && $0 <= min(row.end, end) })
        .sorted()
      for (from, to) in zip(cuts, cuts.dropFirst())
      where !better.contains(where: { $0.start <= from && to <= $0.end }) {
        total += row.value * (to - from) / (row.end - row.start)
      }
    }
    return total
  }

  /// The sum of a span in which each record has its share, whoever else measured.
  func rawSum(
    _ type: String, from start: Double, to end: Double, where counts: (Row) -> Bool = { _ in true }
  ) -> Double {
    rows(type, from: start, to: end).filter(counts).reduce(0) { sum, row in
      let whole = row.end - row.start
      return sum + row.value * (whole > 0 ? (min(row.end, end) - max(row.start, start)) / whole : 1)
    }
  }

  /// The records that a span meets.
  func rows(_ type: String, from start: Double, to end: Double) -> [Row] {
    (rows[type] ?? []).filter {
      $0.start == $0.end
        ? start <= $0.start && $0.start < end : $0.start < end && $0.end > start
    }
  }

  /// The mean of a curve through all values: straight across gaps of up to 20 min, else level for
  /// 10 min.
  static func weightedMean(of rows: [Row], from start: Double, to end: Double) -> Double? {
    if rows.isEmpty { return nil }
    let pieces = curve(of: rows, from: start, to: end)
    let length = pieces.reduce(0) { $0 + $1.seconds }
    let area = pieces.reduce(0) { $0 + ($1.first + $1.last) / 2 * $1.seconds }
    return length > 0 ? area / length : mean(rows)
  }

  /// The height that the same curve does not exceed for a share of its time, by halving.
  static func weightedPercentile(
    of rows: [Row], _ share: Double, from start: Double, to end: Double
  ) -> Double? {
    let pieces = curve(of: rows, from: start, to: end)
    let wanted = share * pieces.reduce(0) { $0 + $1.seconds }
    func seconds(upTo height: Double) -> Double {
      pieces.reduce(0) { sum, piece in
        let (low, high) = (min(piece.first, piece.last), max(piece.first, piece.last))
        if high <= height { return sum + piece.seconds }
        return low < height ? sum + piece.seconds * (height - low) / (high - low) : sum
      }
    }
    guard var low = rows.map(\.value).min(), var high = rows.map(\.value).max() else { return nil }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if seconds(upTo: middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }

  private static func mean(_ rows: [Row]) -> Double {
    rows.reduce(0) { $0 + $1.value } / Double(rows.count)
  }

  /// The straight pieces of the curve, with the heights at which they begin and end.
  private static func curve(
    of rows: [Row], from start: Double, to end: Double
  ) -> [(first: Double, last: Double, seconds: Double)] {
    let own = rows.map { row in
      var row = row
      (row.start, row.end) = (max(row.start, start), min(row.end, end))
      return row
    }
    let hold = 600.0
    let edges = own.flatMap { row in [row.start, row.end].flatMap { [$0 - hold, $0, $0 + hold] } }
    let cuts = Set(edges + [start, end]).filter { start <= $0 && $0 <= end }.sorted()
    return zip(cuts, cuts.dropFirst()).compactMap { from, to in
      let over = own.filter { $0.start < $0.end && $0.start <= from && to <= $0.end }
      if !over.isEmpty { return (mean(over), mean(over), to - from) }
      let before = own.map(\.end).filter { $0 <= from }.max()
      let after = own.map(\.start).filter { $0 >= to }.min()
      let left = before.map { instant in mean(own.filter { $0.end == instant }) }
      let right = after.map { instant in mean(own.filter { $0.start == instant }) }
      if let before, let after, let left, let right, after - before <= 2 * hold {
        func height(_ instant: Double) -> Double {
          left + (right - left) * (instant - before) / (after - before)
        }
        return (height(from), height(to), to - from)
      }
      if let before, let left, from < before + hold { return (left, left, to - from) }
      if let after, let right, to > after - hold { return (right, right, to - from) }
      return nil
    }
  }

  private static func nights(_ rows: [Row], _ calendar: Calendar) -> [Date: Night] {
    var groups: [[Row]] = []
    var latest = -Double.infinity
    for row in rows.sorted(by: { $0.start < $1.start }) {
      if row.start - latest > 3600 { groups.append([]) }
      groups[groups.count - 1].append(row)
      latest = max(latest, row.end)
    }
    let stages = [
      "InBed": 0, "Asleep": 1, "AsleepUnspecified": 1, "Awake": 2, "AsleepCore": 3,
      "AsleepDeep": 4, "AsleepREM": 5,
    ]
    func stage(_ row: Row) -> Int { stages[String(row.label.dropFirst(28))] ?? 0 }
    var nights: [Date: Night] = [:]
    for group in groups {
      let cuts = Set(group.flatMap { [$0.start, $0.end] }).sorted()
      var night = Night(start: cuts[0], end: cuts[cuts.count - 1], asleepFrom: .infinity)
      for (from, to) in zip(cuts, cuts.dropFirst()) {
        let open = group.filter { $0.start <= from && to <= $0.end }
        if open.contains(where: { stage($0) == 0 }) { night.inBed += to - from }
        let staged = open.filter { stage($0) != 0 }
        let watch = staged.filter { $0.source.contains("Watch") }
        let said = (watch.isEmpty ? staged : watch).map(stage)
        guard let found = [4, 5, 3, 1, 2].first(where: said.contains) else { continue }
        night.stages[found, default: 0] += to - from
        if found != 2 {
          night.stretchesAsleep.append(from..<to)
          night.asleepFrom = min(night.asleepFrom, from)
          night.asleepTo = to
        }
      }
      if night.asleep == 0 { night.asleepTo = night.end }
      // A night that ends at midnight belongs to the day before.
      let wake = Date(timeIntervalSinceReferenceDate: night.asleepTo - 0.001)
      let day = calendar.startOfDay(for: wake)
      if night.asleep > nights[day]?.asleep ?? -1 { nights[day] = night }
    }
    return nights
  }
}
