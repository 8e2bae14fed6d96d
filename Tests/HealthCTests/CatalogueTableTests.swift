import CHKStats
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits
import Testing

@testable import HealthC

/// The store of these tests, made once: it is only read.
enum SharedStore {
  private static let made = Result { try PersonStore.make() }

  static func person() throws -> SampleStore { try made.get() }
}

@Suite("Tables of sources, nights, workouts and elements")
struct CatalogueTableTests {
  private typealias Cell = ArrowTable.Cell
  private static let zones = ZoneTimeline(.gmt)

  private let store: SampleStore

  init() throws { store = try SharedStore.person() }

  @Test("Sources are those of the types that are asked for, and ranks are of one")
  func sources() throws {
    let steps = try ArrowTable("sources", #"{"type": "steps"}"#, of: store)
    #expect(try steps["preferred"] == [.integer(1), .none])
    #expect(steps.head["unmatched"] as? [String] == ["Nobody"])
    let two = try ArrowTable(
      "sources", #"{"type": ["steps", "restingHeartRate,bodyMass"]}"#, of: store)
    #expect(try two["types"] == [.integer(2), .integer(2)])
  }

  @Test("Nights have lists of what json has as lists")
  func nights() throws {
    let table = try ArrowTable(
      "sleep", #"{"timezone": "UTC", "gap": "90min", "from": "2001-06-20"}"#, of: store)
    var plan = SleepPlan(timeZone: Self.zones)
    plan.longestGap = 5400
    plan.from = QueryDate(instant: 170 * PersonStore.day)
    let nights = try store.sleep(plan).nights
    #expect(nights.count >= 45 && nights.naps.contains { !$0.isEmpty })
    // 2001-01-01 is day 11,323 since 1970.
    #expect(
      try table["night"] == nights.days.map { .day(11_323 + Int($0 / PersonStore.day)) })
    let naps = nights.naps.map { naps in
      Cell.list(
        naps.map { [.moment($0.span.lowerBound), .moment($0.span.upperBound), .real($0.asleep)] })
    }
    #expect(try table["naps"] == naps)
    let counted = nights.sources.map { $0.filter { $0.asleep > 0 }.map(\.source.description) }
    #expect(
      try table["counted_by"]
        == counted.map { .word($0.isEmpty ? nil : $0.joined(separator: "; ")) })
    #expect(table.head["gap"] as? Double == 5400)
  }

  @Test("Workouts are chosen by activity, period and source")
  func chosenWorkouts() throws {
    func days(_ json: String) throws -> [Int] {
      try ArrowTable("workouts", json, of: store)["start"].map { cell in
        if case .instant(let time) = cell { time / 86_400_000_000 - 11_323 } else { -1 }
      }
    }
    // One each second day, every tenth of them yoga with the phone.
    let yoga = Array(stride(from: 0, to: PersonStore.days, by: 20))
    let all = Array(stride(from: 0, to: PersonStore.days, by: 2))
    #expect(try days(#"{"activity": "Yoga"}"#) == yoga)
    #expect(try days(#"{"source": "Phone"}"#) == yoga)
    #expect(try days(#"{"exclude": "Phone"}"#) == all.filter { $0 % 20 != 0 })
    let february = #"{"timezone": "UTC", "from": "2001-02", "to": "2001-03"}"#
    #expect(try days(february) == all.filter { (31..<59).contains($0) })
  }

  @Test("Totals of workouts add up to the workouts, and those of kinds to all")
  func workoutTotals() throws {
    func numbers(_ cells: [Cell]) -> [Double?] {
      cells.map { cell in
        switch cell {
        case .real(let number): number
        case .integer(let number), .instant(let number): Double(number)
        default: nil
        }
      }
    }
    let each = try ArrowTable("workouts", #"{"timezone": "Asia/Tokyo"}"#, of: store)
    let all = zip(numbers(try each["start"]), numbers(try each["duration_s"])).map { ($0 ?? 0, $1) }
    let months = try ArrowTable(
      "workouts",
      #"{"timezone": "Asia/Tokyo", "by": "month", "stat": ["count,duration", "count"], "kinds": 1}"#,
      of: store)
    #expect(Array(months.names.prefix(4)) == ["start", "end", "count", "duration_s"])
    #expect(months.count == 8)
    let edges = zip(numbers(try months["start"]), numbers(try months["end"]))
    let kinds = try ["running_s", "yoga_s"].map { numbers(try months[$0]) }
    let totals = zip(numbers(try months["count"]), numbers(try months["duration_s"]))
    for (row, ((start, end), (count, duration))) in zip(edges, totals).enumerated() {
      let own = all.filter { $0.0 >= start ?? 0 && $0.0 < end ?? 0 }.compactMap(\.1)
      #expect(count == Double(own.count) && !own.isEmpty)
      #expect(duration == own.reduce(0, +))
      #expect(kinds.compactMap { $0[row] }.reduce(0, +) == duration)
    }
    #expect(numbers(try months["count"]).compactMap(\.self).reduce(0, +) == Double(each.count))
  }

  @Test("Readings of nights are those that start while a source says asleep")
  func vitals() throws {
    let table = try ArrowTable(
      "statistics",
      #"{"type": "heartRate", "during": "sleep", "stat": "min,max", "timezone": "UTC"}"#, of: store)
    let nights = try store.sleep(SleepPlan(timeZone: Self.zones)).nights
    let rates = try store.samples(of: SampleType(.heartRate), in: -1e9..<1e9)
    #expect(table.count == nights.count && table.count >= 60)
    for row in 0..<nights.count {
      let asleep = nights.stretches[row].filter(\.stage.isAsleep).map(\.span)
      let night = try #require(nights.sleepSpans[row])
      let values = rates.starts.indices.filter { place in
        night.contains(rates.starts[place]) && asleep.contains { $0.contains(rates.starts[place]) }
      }.map { rates.values[$0] * 60 }
      #expect(values.count >= 10)
      #expect(try table["count"][row] == .integer(values.count))
      for (name, value) in [("min_count_min", values.min()), ("max_count_min", values.max())] {
        guard case .real(let number) = try table[name][row], let value else {
          Issue.record("\(name) of night \(row)")
          continue
        }
        #expect(abs(number - value) < 1e-9)
      }
    }
  }

  @Test("Rings are the summaries of days, in units that no store changes")
  func rings() throws {
    let days = try store.activitySummaries().byDay
    let table = try ArrowTable("rings", #"{"timezone": "UTC"}"#, of: store)
    #expect(try table["day"] == days.map { .day(11_323 + $0.day) })
    #expect(try table["move_kcal"] == days.map { .number($0.activeEnergy) })
    #expect(try table["exercise_goal_min"] == days.map { .number($0.exerciseMinutesGoal) })
    #expect(table.names.contains("stand_share") && !table.names.contains("move_time_min"))
    let last = try ArrowTable(
      "rings", #"{"timezone": "UTC", "from": "2001-08-01", "to": "2001-08-03"}"#, of: store)
    // 2001-08-01 is day 212.
    #expect(try last["day"] == [.day(11_323 + 212), .day(11_323 + 213)])
    let runs = try ArrowTable("rings", #"{"timezone": "UTC", "streaks": true}"#, of: store)
    #expect(runs.count >= 19 && Set(runs.names) == ["first", "last", "days"])
  }

  @Test("Members that a question has no room for are refused, each by its name")
  func unfittingMembers() throws {
    let cases: [(table: String, json: String, place: String, reason: String)] = [
      ("workouts", #"{"stat": "count"}"#, "by", "missingMember"),
      ("workouts", #"{"kinds": 2}"#, "by", "missingMember"),
      ("workouts", #"{"by": "month", "heartRateZones": [120]}"#, "by", "membersExclude"),
      ("workouts", #"{"by": "month", "stat": "mean"}"#, "stat", "unknownWord"),
      ("workouts", #"{"by": "month", "kinds": 0}"#, "kinds", "wrongMember"),
      ("workouts", #"{"by": "month", "type": "steps"}"#, "", "unknownWord"),
      ("rings", #"{"by": "month"}"#, "", "unknownWord"),
      ("rings", #"{"streaks": 3}"#, "streaks", "wrongMember"),
      ("statistics", #"{"type": "heartRate", "during": "nap"}"#, "during", "unknownWord"),
      ("statistics", #"{"type": "sleep", "during": "sleep"}"#, "during", "memberDoesNotFit"),
      ("statistics", #"{"type": "food", "during": "sleep"}"#, "during", "memberDoesNotFit"),
      (
        "statistics", #"{"type": ["steps", "heartRate"], "during": "sleep"}"#, "during",
        "needsOneType"
      ),
      (
        "statistics", #"{"type": "heartRate", "during": "sleep", "by": "week"}"#, "by",
        "memberDoesNotFit"
      ),
      (
        "statistics", #"{"type": "heartRate", "during": "sleep", "top": 3}"#, "top",
        "memberDoesNotFit"
      ),
      (
        "statistics", #"{"type": "heartRate", "during": "sleep", "unit": "kg"}"#, "unit", "unit"
      ),
      ("statistics", #"{"type": "sleepAnalysis", "during": "sleep"}"#, "type", "notAQuantity"),
      ("explain", #"{"type": "heartRate", "during": "sleep"}"#, "during", "needsOneType"),
      (
        "analysis", #"{"analysis": "trend", "type": "heartRate", "during": "sleep"}"#, "during",
        "memberOfAnother"
      ),
    ]
    for (table, json, place, reason) in cases {
      do {
        _ = try ArrowTable(table, json, of: store)
        Issue.record("\(table) takes \(json)")
      } catch let refusal as ArrowTable.Refusal {
        #expect(refusal.code == Int32(HKSTATS_USAGE.rawValue), "\(json): \(refusal.sentence)")
        #expect(refusal.place == (place.isEmpty ? "question" : "question.\(place)"), "\(json)")
        #expect(refusal.reason == reason, "\(json)")
      }
    }
    // A sum of a night has no meaning.
    #expect(throws: ArrowTable.Refusal.self) {
      try ArrowTable("statistics", #"{"type": "steps", "during": "sleep"}"#, of: store)
    }
  }

  @Test("Columns of elements have units that can be read, also in lists")
  func elementUnits() throws {
    func check(_ fields: [ArrowTable.Field], of table: OutputTable) throws {
      for column in table.columns {
        let field = try #require(fields.first { $0.name == column.name() })
        #expect(field.unit == column.unit)
        guard let unit = column.unit else { continue }
        #expect(throws: Never.self) { try UnitExpression(unit) }
      }
      for part in table.parts {
        let list = try #require(fields.first { $0.name == part.key })
        try check(try #require(list.children.first).children, of: part)
      }
    }
    for kind in ElementKind.allCases {
      let table = try ArrowTable("elements", #"{"kind": "\#(kind.word)"}"#, of: store)
      try check(table.fields, of: OutputTable.table(of: kind))
    }
    let beats = try ArrowTable(
      "elements", #"{"kind": "\#(ElementKind.beatList.word)"}"#, of: store)
    let list = try #require(beats.fields.first { $0.name == "beats" }?.children.first)
    #expect(list.children.map(\.name) == ["offset_s", "rate_count_min"])
    #expect(list.children.map(\.unit) == ["s", "count/min"])
  }

  // MARK: - All of them

  private static var all: [(name: String, ask: String, json: String?)] {
    [
      ("types", "types", nil), ("sources", "sources", nil),
      ("sources", "sources", #"{"type": "steps"}"#), ("sleep", "sleep", nil),
      ("sleep", "sleep", #"{"by": "week"}"#), ("workouts", "workouts", nil),
      ("workouts", "workouts", #"{"heartRateZones": [120, 150.5]}"#),
      ("workouts", "workouts", #"{"by": "month"}"#), ("rings", "rings", nil),
    ]
  }

  @Test("Columns have one form, whatever the data")
  func forms() throws {
    let empty = try SampleStore.temporary()
    for (name, ask, json) in Self.all {
      let (full, none) = (
        try ArrowTable(ask, json, of: store), try ArrowTable(ask, json, of: empty)
      )
      #expect(full.count > 0 && none.count == 0, "\(name)")
      #expect(full.shape == none.shape && full.names.count > 5, "\(name)")
    }
  }

  @Test(
    "What is no question is refused with the code of a wrong argument",
    arguments: [
      #"{"tpye": "steps"}"#, "[]", "{", "null", "3", #"{"timezone": "Nowhere/Else"}"#,
      #"{"timezone": 5}"#, #"{"zones": 3}"#, #"{"zones": []}"#, #"{"from": "never"}"#,
      #"{"from": "2001-02", "to": "2001-01"}"#, #"{"gap": 1e300}"#, #"{"gap": -1}"#,
      #"{"by": "fortnight"}"#, #"{"prefer": {}}"#, #"{"source": "Nobody at all"}"#,
      #"{"type": ","}"#,
      #"{"type": "nothing"}"#, #"{"activity": "sitting"}"#, #"{"heartRateZones": [150, 120]}"#,
      #"{"heartRateZones": 120}"#, #"{"heartRateZones": [1e400]}"#,
      #"{"timezone": "UTC", "zones": [{"zone": "Europe/Paris"}]}"#,
      String(repeating: "[", count: 100_000),
    ])
  func refusals(json: String) throws {
    for (name, ask, _) in Self.all {
      do {
        _ = try ArrowTable(ask, json, of: store)
        Issue.record("\(name) takes \(json.prefix(60))")
      } catch let refusal as ArrowTable.Refusal {
        #expect(refusal.code == Int32(HKSTATS_USAGE.rawValue), "\(name): \(refusal.sentence)")
        #expect(!refusal.sentence.isEmpty)
      }
    }
  }
}
