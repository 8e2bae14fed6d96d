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

@Suite("Tables of types, sources, nights and workouts")
struct CatalogueTableTests {
  private typealias Cell = ArrowTable.Cell
  private static let utc = #"{"timezone": "UTC"}"#
  private static let zones = ZoneTimeline(.gmt)

  private let store: SampleStore

  init() throws { store = try SharedStore.person() }

  @Test("Types are those of the store, the most frequent first")
  func types() throws {
    let table = try ArrowTable("types", Self.utc, of: store)
    let known = try store.types()
    let order = known.sorted {
      $0.count == $1.count ? $0.type.identifier < $1.type.identifier : $0.count > $1.count
    }
    #expect(order.count >= 8)
    #expect(try table["type"] == order.map { .text($0.type.identifier) })
    let units = Dictionary(
      uniqueKeysWithValues: zip(
        order.map(\.type.identifier), try table["unit"]))
    #expect(units["HKQuantityTypeIdentifierHeartRate"] == .text("count/min"))
    #expect(units[SleepPlan.type.identifier] == Cell.none)
    #expect(table.head["timezone"] as? String == Self.zones.identifier)
  }

  @Test("Sources of one type have ranks, those of several how many types they measure")
  func sources() throws {
    let steps = try ArrowTable("sources", #"{"type": "steps"}"#, of: store)
    #expect(try steps["source"] == [.text("Phone"), .text("Watch")])
    #expect(try steps["rank"] == [.integer(1), .integer(2)])
    #expect(try steps["preferred"] == [.integer(1), .none])
    #expect(steps.head["unmatched"] as? [String] == ["Nobody"])
    let known = try store.sources(of: SampleType(.stepCount)).sorted {
      $0.source.name < $1.source.name
    }
    #expect(try steps["count"] == known.map { .integer($0.count) })
    let all = try ArrowTable("sources", nil, of: store)
    #expect(!all.names.contains("rank") && all.names.contains("types"))
    let summaries = Dictionary(grouping: try store.sources(of: nil), by: \.source.description)
    #expect(all.count == summaries.count)
    for (row, source) in try all["source"].enumerated() {
      guard case .text(let name) = source else { continue }
      let own = summaries[name] ?? []
      #expect(try all["types"][row] == .integer(own.count))
      #expect(try all["count"][row] == .integer(own.reduce(0) { $0 + $1.count }))
      #expect(try all["first"][row] == .moment(own.map(\.firstStart).min()))
    }
    let two = try ArrowTable(
      "sources", #"{"type": ["steps", "restingHeartRate,bodyMass"]}"#, of: store)
    #expect(try two["types"] == [.integer(2), .integer(2)])
  }

  @Test("Nights have lists of what json has as lists; when each stage was only if asked")
  func nights() throws {
    let question = #""timezone": "UTC", "gap": "90min", "from": "2001-06-20""#
    let table = try ArrowTable("sleep", "{\(question)}", of: store)
    #expect(!table.names.contains("stretches"))
    let told = try ArrowTable("sleep", #"{\#(question), "stretches": true}"#, of: store)
    #expect(Set(told.names).subtracting(table.names) == ["stretches"])
    var plan = SleepPlan(timeZone: Self.zones)
    plan.longestGap = 5400
    plan.from = QueryDate(instant: 170 * PersonStore.day)
    let nights = try store.sleep(plan).nights
    #expect(nights.count >= 45 && nights.naps.contains { !$0.isEmpty })
    // 2001-01-01 is day 11,323 since 1970.
    #expect(
      try table["night"] == nights.days.map { .day(11_323 + Int($0 / PersonStore.day)) })
    #expect(
      try table["naps"]
        == nights.naps.map { naps in
          .list(
            naps.map {
              [.moment($0.span.lowerBound), .moment($0.span.upperBound), .real($0.asleep)]
            })
        })
    #expect(
      try told["stretches"]
        == nights.stretches.map { stretches in
          .list(
            stretches.map {
              [
                .moment($0.span.lowerBound), .moment($0.span.upperBound), .text("\($0.stage)"),
              ]
            })
        })
    // The sources that counted are those of the list with time asleep.
    for (names, sources) in zip(try table["counted_by"], try table["sources"]) {
      guard case .list(let rows) = sources else {
        Issue.record("no list")
        continue
      }
      let counted = rows.compactMap { row -> String? in
        guard case .text(let name) = row[0], case .real(let asleep) = row[1] else { return nil }
        return asleep > 0 ? name : nil
      }
      #expect(names == .word(counted.isEmpty ? nil : counted.joined(separator: "; ")))
    }
    #expect(table.fields.first { $0.name == "efficiency" }?.unit == "1")
    #expect(table.head["gap"] as? Double == 5400)
  }

  @Test("Means of weeks and months have a row each", arguments: ["week", "month"])
  func means(period: String) throws {
    let table = try ArrowTable(
      "sleep", #"{"timezone": "UTC", "by": "\#(period)"}"#, of: store)
    guard case .text(let label)? = try table[period].first else {
      Issue.record("no label")
      return
    }
    #expect(table.count > 1)
    #expect(label.count == (period == "month" ? 7 : 10) && label.hasPrefix("2001-"))
  }

  @Test("A document as a value is the one that is written, and what nights are encoded as")
  func documents() throws {
    func object(_ json: some Sequence<UInt8>) throws -> NSDictionary {
      try #require(JSONSerialization.jsonObject(with: Data(json)) as? NSDictionary)
    }
    let nights = try store.sleep(SleepPlan(timeZone: Self.zones))
    let workouts = try WorkoutSummary.all(
      of: store.workouts().rows, in: store, bounds: [120, 150], keepsRoutes: false)
    let units = try ActivityUnits(distance: UnitExpression("mi"), energy: UnitExpression("kJ"))
    for table in [
      AnswerTable.types(try store.typeRows(), in: Self.zones),
      .sources(try store.sourcesAnswer(), of: [], in: Self.zones),
      nights.table(by: nil, stretches: true), nights.table(by: .week),
      .workouts(workouts, in: units, bounds: [120, 150], zones: Self.zones),
    ] {
      let output = TextOutput()
      try table.writeDocument(to: output)
      #expect(table.count > 0)
      #expect(try object(output.gathered) == object(table.document.text.utf8), "\(table.name)")
    }
    let output = TextOutput()
    try nights.table(by: nil).writeDocument(to: output)
    #expect(try object(JSONEncoder().encode(nights)) == object(output.gathered))
  }

  @Test("Workouts have the heart rates of their time, the time in zones and the places of routes")
  func workouts() throws {
    let table = try ArrowTable(
      "workouts", #"{"timezone": "UTC", "heartRateZones": [120, 150]}"#, of: store)
    let rows = try store.workouts().rows
    let rates = try store.samples(of: SampleType(.heartRate))
    #expect(table.count == rows.count && rows.count == PersonStore.days / 2)
    #expect(try table["start"] == rows.map { .moment($0.facts.start) })
    #expect(try table["activity"] == rows.map { .text($0.activity) })
    #expect(try table["duration_s"] == rows.map { _ in .real(1700) })
    #expect(try table["source"] == rows.map { .text($0.facts.source.name) })
    #expect(
      try table["metadata"]
        == rows.map {
          .word(
            $0.facts.metadata.isEmpty ? nil : #"[{"key":"HKIndoorWorkout","value":"0"}]"#)
        })
    let routes = try store.routes().rows
    #expect(routes.count == 11)
    for (row, workout) in rows.enumerated() {
      let (start, end) = (workout.facts.start, workout.facts.end)
      let own = rates.starts.indices.filter { rates.starts[$0] >= start && rates.starts[$0] < end }
        .map { rates.values[$0] * 60 }
      let mean = try table["heart_rate_mean_count_min"][row]
      let highest = try table["heart_rate_max_count_min"][row]
      if own.isEmpty {
        #expect(mean == .none && highest == .none)
      } else if case .real(let mean) = mean, case .real(let highest) = highest {
        #expect(abs(mean - own.reduce(0, +) / Double(own.count)) < 1e-9)
        #expect(abs(highest - (own.max() ?? 0)) < 1e-9)
      } else {
        Issue.record("no heart rate")
      }
      // Each rate counts for the half minute until the next one.
      for (name, zone) in [
        ("zone1_s", 0.0..<120), ("zone2_s", 120..<150), ("zone3_s", 150..<1000),
      ] {
        let seconds = 30 * Double(own.count { zone.contains(($0 * 1e6).rounded() / 1e6) })
        #expect(try table[name][row] == .real(seconds))
      }
      let count = routes.count { $0.workoutStart == start }
      #expect(try table["route_count"][row] == .integer(count))
    }
  }

  @Test("Workouts are chosen by activity, period and source")
  func chosenWorkouts() throws {
    func starts(_ json: String) throws -> [Cell] {
      try ArrowTable("workouts", json, of: store)["start"]
    }
    let rows = try store.workouts().rows
    func expected(_ isWanted: (Workouts.Row) -> Bool) -> [Cell] {
      rows.filter(isWanted).map { .moment($0.facts.start) }
    }
    let yoga = expected { $0.activity == "HKWorkoutActivityTypeYoga" }
    #expect(yoga.count == 11)
    #expect(try starts(#"{"activity": "Yoga"}"#) == yoga)
    #expect(try starts(#"{"source": "Phone"}"#) == yoga)
    #expect(
      try starts(#"{"exclude": "Phone"}"#) == expected { $0.facts.source == PersonStore.watch })
    #expect(
      try starts(#"{"timezone": "UTC", "from": "2001-02", "to": "2001-03"}"#)
        == expected { (31..<59).contains(Int($0.facts.start / PersonStore.day)) })
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
      #"{"by": "year"}"#, #"{"prefer": {}}"#, #"{"source": "Nobody at all"}"#, #"{"type": ","}"#,
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
