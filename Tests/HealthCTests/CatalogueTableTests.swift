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
