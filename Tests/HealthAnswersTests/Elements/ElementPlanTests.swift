import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Questions about elements")
struct ElementPlanTests {
  private let paris: TimeZone
  private let store: SampleStore
  private var random = SplitMix64(seed: 8)
  private static let day = 86_400.0

  init() throws {
    paris = try #require(TimeZone(identifier: "Europe/Paris"))
    store = try SampleStore.temporary()
  }

  private func add(_ batches: ImportBatch...) throws {
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
  }

  private func period(_ interval: String? = nil) -> ElementPeriod {
    ElementPeriod(timeZone: ZoneTimeline(paris), interval: interval.flatMap(CalendarInterval.init))
  }

  private func parts(of instant: Double) -> DateComponents {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = paris
    return calendar.dateComponents(
      [.year, .month, .day, .hour], from: Date(timeIntervalSinceReferenceDate: instant))
  }

  /// The places of instants in the month in which an interval starts.
  private func places(_ instants: [Double], inMonthOf start: Double) -> [Int] {
    let month = parts(of: start)
    return instants.indices.filter {
      let other = parts(of: instants[$0])
      return other.year == month.year && other.month == month.month
    }
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private static func agree(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return (one == nil) == (other == nil) }
    return abs(one - other) <= 1e-9 * max(1, abs(other))
  }

  @Test("A period survives encoding, with any interval and with journeys")
  func encoded() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let journey = try #require(
      ZoneTimeline(first: paris, changes: [.init(instant: 1000, zone: tokyo)]))
    for interval in [
      nil, "hour", "week", "quarter", "15min", "1mo15d", "2w", "1y", "36h", "90s", "1s",
    ] {
      for zones in [ZoneTimeline(paris), journey] {
        let period = ElementPeriod(
          timeZone: zones, interval: interval.flatMap(CalendarInterval.init),
          from: QueryDate(instant: 7, alignsIntervals: true), to: QueryDate(instant: 9e6))
        let back = try JSONDecoder().decode(
          ElementPeriod.self, from: JSONEncoder().encode(period))
        #expect(back == period, "\(interval ?? "")")
      }
    }
    for wrong in [
      #"{"zones":[{"zone":"Nowhere"}]}"#, #"{"zones":[]}"#, "{}",
      #"{"zones":[{"zone":"UTC"}],"interval":"soon"}"#,
      #"{"zones":[{"zone":"UTC"},{"from":"soon","zone":"UTC"}]}"#,
      #"{"zones":[{"zone":"UTC"},{"from":"12024-01-01","zone":"UTC"}]}"#,
    ] {
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(ElementPeriod.self, from: Data(wrong.utf8))
      }
    }
  }

  // MARK: - Blood pressure

  private mutating func readings(_ count: Int) -> [BloodPressureReading] {
    (0..<count).map { _ in
      BloodPressureReading(
        start: Double(Int.random(in: 0..<200 * 86_400, using: &random)),
        systolic: Double(Int.random(in: 100...170, using: &random)),
        diastolic: Double(Int.random(in: 60...99, using: &random)), source: Source(name: "Cuff"))
    }
  }

  @Test(
    "Blood pressures of each month, of its mornings and of its evenings, are those of a slow count")
  mutating func bloodPressure() throws {
    let readings = readings(150)
    let answer = try BloodPressurePlan(period("month")).answer(readings)
    #expect(answer.count >= 6)
    let starts = readings.map(\.start)
    for row in 0..<answer.count {
      let known = places(starts, inMonthOf: answer.starts[row]).map { readings[$0] }
      #expect(answer["readings"]?[row] == Double(known.count))
      for (name, value) in [
        ("systolic", \BloodPressureReading.systolic), ("diastolic", \.diastolic),
      ] {
        let values = known.map { $0[keyPath: value] }
        #expect(Self.agree(answer[name]?[row], Self.mean(values)))
        #expect(answer[name + "Min"]?[row] == values.min())
        #expect(answer[name + "Max"]?[row] == values.max())
      }
      for (name, hours) in [("morning", 4..<12), ("evening", 18..<24)] {
        let part = known.filter { hours.contains(parts(of: $0.start).hour ?? -1) }
        #expect(answer[name + "s"]?[row] == Double(part.count))
        #expect(Self.agree(answer[name + "Systolic"]?[row], Self.mean(part.map(\.systolic))))
        #expect(Self.agree(answer[name + "Diastolic"]?[row], Self.mean(part.map(\.diastolic))))
      }
    }
    let plan = BloodPressurePlan(period("month"))
    let back = try JSONDecoder().decode(
      BloodPressurePlan.self, from: JSONEncoder().encode(plan))
    #expect(back == plan)
  }

  @Test("The numbers of a correlation are one reading, those without one pair by time and source")
  func pairs() throws {
    let cuff = Source(name: "Cuff")
    var columns: [RecordColumns] = []
    for (type, values) in [
      (HKQuantityTypeIdentifier.bloodPressureSystolic, [120.0, 130, 140, 150]),
      (.bloodPressureDiastolic, [80, 85, 90]),
    ] {
      var records = RecordColumns(type: SampleType(type), source: cuff)
      for (row, value) in values.enumerated() {
        // Two at one time, one by itself, one without its pair.
        let start = [0.0, 0, 60, 120][row]
        try records.append(start: start, end: start, value: value, label: "mmHg")
      }
      columns.append(records)
    }
    var correlation = Correlations.Row()
    correlation.type = "HKCorrelationTypeIdentifierBloodPressure"
    correlation.facts.source = cuff
    for (type, value) in [("Systolic", 120.0), ("Diastolic", 85)] {
      correlation.members.append(
        RecordLink(
          type: "HKQuantityTypeIdentifierBloodPressure" + type, source: cuff, start: 0, end: 0,
          value: value, label: "mmHg"))
    }
    try add(
      .records(columns[0]), .records(columns[1]), .correlations(Correlations([correlation])))
    let found = try store.bloodPressureReadings(in: -1..<1000)
    #expect(found.map(\.start) == [0, 0, 60])
    #expect(found.map(\.systolic) == [120, 130, 140])
    #expect(found.map(\.diastolic) == [85, 80, 90])
    let answer = try store.bloodPressure(BloodPressurePlan(period("day")))
    #expect(answer["readings"]?.compactMap(\.self).reduce(0, +) == 3)
  }

  @Test("A pair is one reading, also if its samples are told by hand, and none without both")
  func pairsOfSamples() throws {
    let cuff = Source(name: "Cuff")
    var columns: [ImportBatch] = []
    var correlation = Correlations.Row()
    correlation.type = "HKCorrelationTypeIdentifierBloodPressure"
    correlation.facts.source = cuff
    for (type, value) in [
      (HKQuantityTypeIdentifier.bloodPressureSystolic, 120.0), (.bloodPressureDiastolic, 80),
    ] {
      var records = RecordColumns(
        type: SampleType(type), source: Source(name: "Cuff", isUserEntered: true))
      try records.append(start: 0, end: 0, value: value, label: "mmHg")
      columns.append(.records(records))
      correlation.members.append(
        RecordLink(
          type: type.rawValue, source: cuff, start: 0, end: 0, value: value, label: "mmHg"))
    }
    try add(columns[0], columns[1], .correlations(Correlations([correlation])))
    let found = try store.bloodPressures(in: -1..<1000)
    #expect(found.readings.map(\.systolic) == [120])
    #expect((found.loneSystolic, found.loneDiastolic) == (0, 0))
    try store.delete(.samples(SampleType(.bloodPressureSystolic)))
    let rest = try store.bloodPressures(in: -1..<1000)
    #expect(rest.readings.isEmpty)
    #expect((rest.loneSystolic, rest.loneDiastolic) == (0, 1))
  }

  // MARK: - Cycles

  @Test("Cycles begin where a sample says so, else after days without flow")
  func cycles() throws {
    let plan = CyclePlan(period())
    func first(_ days: [(Int, Bool?)]) throws -> [Int] {
      try plan.cycles(days.map { FlowDay(day: $0.0, beginsCycle: $0.1) }).cycles.map(\.firstDay)
    }
    #expect(try first([]).isEmpty)
    #expect(try first([(0, true), (1, false), (28, true), (29, false)]) == [0, 28])
    #expect(try first([(0, nil), (1, nil), (3, nil), (28, nil), (29, nil)]) == [0, 28])
    // A sample that says no begins none, whatever the gap.
    #expect(try first([(0, true), (20, false), (30, true)]) == [0, 30])
    // One of two sources is enough.
    #expect(try first([(0, nil), (0, true), (27, false), (27, true)]) == [0, 27])
    #expect(try first([(0, nil), (10, nil)]) == [0])
    #expect(try first([(0, nil), (11, nil)]) == [0, 11])
    let found = try plan.cycles(
      [(0, true), (1, nil), (2, nil), (2, nil), (30, true)].map {
        FlowDay(day: $0.0, beginsCycle: $0.1)
      }
    ).cycles
    #expect(found.map(\.length) == [30, nil])
    #expect(found.map(\.flowDayCount) == [3, 1])
    var none = plan
    none.gap = 0
    #expect(throws: QueryError.self) { _ = try none.cycles([]) }
  }

  @Test("Samples of flow are days of the local calendar, and none is no flow")
  func flowSamples() throws {
    var records = RecordColumns(type: SampleType(.menstrualFlow), source: Source(name: "App"))
    let begins = Metadata([.init(key: "HKMenstrualCycleStart", value: "1")])
    let goesOn = Metadata([.init(key: "HKMenstrualCycleStart", value: "0")])
    // Midnight in Paris in winter; the first sample spans three days.
    let midnight = -3600.0
    for (first, last, value, entries) in [
      (0.0, 3.0, 3.0, begins), (4, 5, 2, goesOn), (20, 21, 5, begins), (28, 29, 4, begins),
    ] {
      try records.append(
        start: midnight + first * Self.day, end: midnight + last * Self.day, value: value,
        label: "HKCategoryValueMenstrualFlow", metadata: entries)
    }
    try add(.records(records))
    let answer = try store.cycles(CyclePlan(period()))
    #expect(answer.starts == [midnight, midnight + 28 * Self.day])
    #expect(answer["length"] == [28, nil])
    #expect(answer["flowDays"] == [4, 1])
    #expect(answer.ends == [midnight + 28 * Self.day, midnight + 29 * Self.day])
    var later = CyclePlan(period())
    later.period.from = QueryDate(instant: 10 * Self.day)
    #expect(try store.cycles(later).starts == [midnight + 28 * Self.day])
  }

  // MARK: - Lab results

  private func record(_ resource: String, version: String = "4.0.1") -> ClinicalRecords.Row {
    var row = ClinicalRecords.Row()
    (row.type, row.identifier) = ("Observation", UUID().uuidString)
    (row.version, row.received) = (version, 5)
    row.source = Source(name: "Hospital")
    row.resource = Array(resource.utf8)
    return row
  }

  @Test("Results of both versions of FHIR have name, value, unit, range, date and category")
  func labs() throws {
    let newer = record(
      """
      {"resourceType":"Observation","status":"final","code":{"text":"Glucose","coding":[
      {"system":"http://loinc.org","code":"2339-0","display":"Glucose [Mass/volume]"}]},
      "category":[{"coding":[{"code":"laboratory","display":"Laboratory"}]}],
      "effectiveDateTime":"2024-03-09T08:30:00+01:00",
      "valueQuantity":{"value":0.90604026845637575,"comparator":"<","unit":"mg/dL"},
      "referenceRange":[{"low":{"value":70,"unit":"mg/dL"},"high":{"value":99},"text":"70-99"}]}
      """)
    let older = record(
      """
      {"resourceType":"Observation","status":"final","code":{"coding":[{"code":"4548-4"}]},
      "category":{"coding":[{"code":"laboratory"}],"text":"Lab"},"effectiveDateTime":"2015-02",
      "valueQuantity":{"value":6.1,"code":"%"},"referenceRange":[{"high":{"value":5.6}}]}
      """, version: "1.0.2")
    let panel = record(
      """
      {"resourceType":"DiagnosticReport","effectiveDateTime":"2020-01-01","contained":[
      {"resourceType":"Observation","code":{"text":"Blood"},"component":[
      {"code":{"text":"A"},"valueString":"positive"},
      {"code":{"text":"B"},"valueCodeableConcept":{"coding":[{"display":"absent"}]}},
      {"code":{"text":"C"}}]},
      {"resourceType":"Patient","code":{"text":"nobody"},"valueString":"x"}]}
      """)
    let others = [
      record(
        #"{"resourceType":"Observation","status":"entered-in-error","code":{"text":"No"},"valueInteger":1}"#
      ),
      record(
        #"{"resourceType":"Observation","category":[{"text":"vital-signs"}],"code":{"text":"Pulse"},"valueInteger":60}"#
      ),
      record(""),
    ]
    let answer = try LabPlan(period()).answer([newer, panel, older] + others)
    #expect(answer.texts("name") == ["4548-4", "A", "B", "Glucose"])
    #expect(answer["value"] == [6.1, nil, nil, 0.90604026845637575])
    #expect(answer.texts("text") == ["", "positive", "absent", "<"])
    #expect(answer.texts("unit") == ["%", "", "", "mg/dL"])
    #expect(answer["low"] == [nil, nil, nil, 70])
    #expect(answer["high"] == [5.6, nil, nil, 99])
    #expect(answer.texts("range") == ["", "", "", "70-99"])
    #expect(answer.texts("flag") == ["high", "", "", "low"])
    #expect(answer.texts("category") == ["Lab", "", "", "Laboratory"])
    #expect(answer.texts("code") == ["4548-4", "", "", "2339-0"])
    #expect(answer.texts("source") == Array(repeating: "Hospital", count: 4))
    let known = try ["2015-02-01", "2020-01-01", "2020-01-01", "2024-03-09T07:30:00Z"].map {
      try QueryDate($0, in: paris, now: 0).instant
    }
    #expect(answer.starts == known)
    #expect(answer.unreadable == 0)
    var named = LabPlan(period())
    named.name = "gluc"
    #expect(try named.answer([newer, older]).texts("name") == ["Glucose"])
    named.name = "4548-4"
    #expect(try named.answer([newer, older]).texts("name") == ["4548-4"])
  }

  @Test("A number is flagged only where its unit and sign leave no doubt")
  func flags() throws {
    func flag(_ quantity: String, _ range: String) throws -> (flag: String?, range: String?) {
      let answer = try LabPlan(period()).answer([
        record(
          """
          {"resourceType":"Observation","code":{"text":"A"},"valueQuantity":{\(quantity)},
          "referenceRange":[{\(range)}]}
          """)
      ])
      return (answer.texts("flag")?.first, answer.texts("range")?.first)
    }
    let range = #""low":{"value":70,"unit":"mg/dL"},"high":{"value":100,"unit":"mg/dL"}"#
    let other = try flag(#""value":5.5,"unit":"mmol/L""#, range)
    #expect(other == ("", "70 mg/dL – 100 mg/dL"))
    #expect(
      try flag(#""value":5.5,"unit":"mmol/L""#, #""high":{"value":0.5,"unit":"g"}"#).range
        == "≤ 0.5 g")
    #expect(try flag(#""value":5.5,"unit":"mg/dl""#, range) == ("low", ""))
    #expect(try flag(#""value":5.5"#, range) == ("low", ""))
    #expect(try flag(#""value":5.5,"unit":"K/uL","code":"MG/DL""#, range) == ("low", ""))
    for (sign, value, flagged) in [
      ("<", 60, "low"), ("<", 70, "low"), ("<", 80, ""), ("<", 120, ""), ("<=", 70, ""),
      (">", 60, ""), (">", 90, ""), (">", 100, "high"), (">", 120, "high"), (">=", 100, ""),
    ] {
      let quantity = #""value":\#(value),"comparator":"\#(sign)","unit":"mg/dL""#
      #expect(try flag(quantity, range).flag == flagged, "\(sign) \(value)")
    }
  }

  @Test("Documents that are no resources are counted, and nothing of them is believed")
  func hostileDocuments() throws {
    let deep = String(repeating: "{\"contained\":[", count: 20_000)
    let wide = "[" + String(repeating: "1,", count: 3000) + "1]"
    let texts = [
      "nonsense", deep, "[1,2]", "7", "{\"resourceType\":7}",
      #"{"resourceType":"Observation","code":[],"valueQuantity":{"value":"6"},"category":8}"#,
      #"{"resourceType":"Observation","code":{"text":"\#(String(repeating: "x", count: 5000))"},"valueQuantity":{"value":1e999},"valueString":"y","effectiveDateTime":"yesterday"}"#,
      #"{"resourceType":"Observation","component":\#(wide),"contained":\#(wide)}"#,
      String(repeating: " ", count: LabPlan.largestDocument + 1),
    ]
    let answer = try LabPlan(period()).answer(texts.map { record($0) })
    #expect(answer.unreadable >= 3)
    #expect(answer.count <= 1)
    #expect((answer.texts("name") ?? []).allSatisfy { $0.count <= 300 })
    #expect((answer["value"] ?? []).allSatisfy { $0 == nil })
    #expect(answer.starts.allSatisfy { $0 == 5 })
  }

  // MARK: - Counts

  @Test("Electrocardiograms are counted by classification, states of mind and doses by name")
  mutating func counts() throws {
    var recordings: [Electrocardiograms.Row] = []
    var objects: [SavedObjects.Row] = []
    for number in 0..<90 {
      let start = Double(Int.random(in: 0..<150 * 86_400, using: &random)) + Double(number) / 128
      var recording = Electrocardiograms.Row()
      recording.facts.source = Source(name: "Watch")
      (recording.facts.start, recording.facts.end) = (start, start + 30)
      recording.classification = ["Sinus Rhythm", "Atrial Fibrillation", ""][number % 3]
      recordings.append(recording)
      var object = SavedObjects.Row()
      object.facts.source = Source(name: "App")
      (object.facts.start, object.facts.end) = (start, start)
      if number % 2 == 0 {
        object.type = "HKDataTypeStateOfMind"
        object.properties = Metadata([
          .init(key: "valence", .number(Double(number % 5) / 4 - 0.5)),
          .init(key: "labels", .string(number % 4 == 0 ? "17 7" : "31")),
        ])
      } else {
        object.type = "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"
        object.properties = Metadata([
          .init(key: "medication", .string(["aspirin", "iron"][number % 4 / 2])),
          .init(key: "status", .number(Double(4 + number % 3))),
        ])
      }
      objects.append(object)
    }
    try add(
      .electrocardiograms(Electrocardiograms(recordings)), .savedObjects(SavedObjects(objects)))
    let hearts = try store.electrocardiograms(ElectrocardiogramPlan(period("month")))
    let minds = try store.statesOfMind(StateOfMindPlan(period("month")))
    let doses = try store.medications(MedicationPlan(period("month")))
    #expect(hearts["count"]?.compactMap(\.self).reduce(0, +) == 90)
    for row in 0..<hearts.count {
      let known = places(recordings.map(\.facts.start), inMonthOf: hearts.starts[row])
        .map { recordings[$0].classification }
      #expect(hearts["count"]?[row] == Double(known.count))
      for name in ["Sinus Rhythm", "Atrial Fibrillation"] {
        #expect(hearts[name]?[row] == Double(known.count { $0 == name }))
      }
      #expect(hearts["not classified"]?[row] == Double(known.count { $0.isEmpty }))
    }
    func known(_ type: String, _ start: Double) -> [SavedObjects.Row] {
      places(objects.map(\.facts.start), inMonthOf: start).map { objects[$0] }
        .filter { $0.type.contains(type) }
    }
    func number(_ row: SavedObjects.Row, _ key: String) -> Double? {
      row.properties.entries.first { $0.key == key }.flatMap { Double($0.value) }
    }
    for row in 0..<minds.count {
      let states = known("StateOfMind", minds.starts[row])
      #expect(minds["count"]?[row] == Double(states.count))
      let valences = states.compactMap { number($0, "valence") }
      #expect(Self.agree(minds["valence"]?[row], Self.mean(valences)))
      #expect(minds["valenceMin"]?[row] == valences.min())
      let words = [
        "veryUnpleasant", "unpleasant", "slightlyUnpleasant", "neutral", "slightlyPleasant",
        "pleasant", "veryPleasant",
      ]
      let word = Self.mean(valences).map { words[Int(($0 * 3.5).rounded()) + 3] }
      #expect(minds.texts("classification")?[row] == word ?? "")
      let labels = states.flatMap { state in
        state.properties.entries.first { $0.key == "labels" }?.value.split(separator: " ") ?? []
      }
      for (name, raw) in [("happy", "17"), ("calm", "7"), ("stressed", "29"), ("worried", "31")] {
        #expect(minds[name]?[row] ?? 0 == Double(labels.count { $0 == raw }), "\(name)")
      }
    }
    for row in 0..<doses.count {
      let events = known("Medication", doses.starts[row])
      for name in ["aspirin", "iron"] {
        for (word, status) in [("taken", 4.0), ("skipped", 5)] {
          let count = events.count { event in
            number(event, "status") == status
              && event.properties.entries.contains { $0.value == name }
          }
          #expect(doses["\(name) \(word)"]?[row] == Double(count))
        }
      }
      #expect(
        doses["taken"]?[row] == Double(events.count { number($0, "status") == 4 }))
    }
    #expect(doses.columns.first?.name == "taken")
  }

  // MARK: - Energy and food

  @Test("Total energy is active and resting energy together, each merged by itself")
  mutating func energy() throws {
    let sources = Source.named("Watch", "Phone")
    for (type, days) in [
      (HKQuantityTypeIdentifier.activeEnergyBurned, 3..<20), (.basalEnergyBurned, 0..<17),
    ] {
      for source in sources {
        var records = RecordColumns(type: SampleType(type), source: source)
        for hour in days.lowerBound * 24..<days.upperBound * 24
        where Bool.random(using: &random) {
          let start = Double(hour) * 3600
          try records.append(
            start: start, end: start + 3000,
            value: Double(Int.random(in: 10...90, using: &random)), label: "kcal")
        }
        try add(.records(records))
      }
    }
    let answer = try store.totalEnergy(EnergyPlan(period("day")))
    var plan = StatisticsPlan(type: SampleType(.activeEnergyBurned), timeZone: paris)
    plan.interval = CalendarInterval(.day)
    plan.from = try QueryDate(instant: #require(answer.starts.first), alignsIntervals: true)
    plan.to = try QueryDate(instant: #require(answer.ends.last), alignsIntervals: true)
    let active = try store.statistics(plan)
    plan.type = SampleType(.basalEnergyBurned)
    let basal = try store.statistics(plan)
    #expect(active.intervals.starts == answer.starts)
    #expect(active.intervals[.sum] == answer["active"])
    #expect(basal.intervals[.sum] == answer["basal"])
    let total = try #require(answer["total"])
    #expect(total.contains { $0 == nil } && total.contains { $0 != nil })
    for row in 0..<answer.count {
      let (one, other) = (answer["active"]?[row], answer["basal"]?[row])
      if let one = one ?? nil, let other = other ?? nil {
        #expect(total[row] == one + other)
      } else {
        #expect(total[row] == nil)
      }
    }
    let all = try store.totalEnergy(EnergyPlan(period()))
    #expect(all.count == 1)
    let sums = [answer["active"], answer["basal"]].compactMap(\.self)
      .map { $0.compactMap(\.self).reduce(0, +) }
    #expect(Self.agree(all["total"]?[0], sums.reduce(0, +)))
    #expect(try SampleStore.temporary().totalEnergy(EnergyPlan(period("day"))).count == 0)
  }

  @Test("Food has its name, its source and its nutrients in the units in which they were recorded")
  func food() throws {
    func meal(_ start: Double, _ name: String?, _ nutrients: [(String, Double, String)])
      -> Correlations.Row
    {
      var row = Correlations.Row()
      row.type = "HKCorrelationTypeIdentifierFood"
      row.facts.source = Source(name: "Diary")
      (row.facts.start, row.facts.end) = (start, start)
      if let name { row.facts.metadata = Metadata([.init(key: "HKFoodType", value: name)]) }
      row.members = nutrients.map { type, value, label in
        RecordLink(
          type: "HKQuantityTypeIdentifierDietary" + type, source: row.facts.source, start: start,
          end: start, value: value, label: label)
      }
      return row
    }
    // Values of links are in the canonical unit: grams.
    let rows = [
      meal(100, "Soup", [("Protein", 12, "g"), ("Sodium", 0.9, "mg")]),
      meal(200, nil, [("Protein", 20, "g")]), meal(9e5, "Cake", [("Sugar", 30, "g")]),
    ]
    var pressure = Correlations.Row()
    pressure.type = "HKCorrelationTypeIdentifierBloodPressure"
    try add(.correlations(Correlations(rows + [pressure])))
    let answer = try store.food(FoodPlan(period("day")))
    #expect(answer.starts == [100, 200, 9e5])
    #expect(answer.texts("food") == ["Soup", "", "Cake"])
    #expect(answer["protein"] == [12, 20, nil])
    #expect(Self.agree(answer["sodium"]?[0], 900))
    #expect(answer.columns.map(\.name).prefix(3) == ["food", "source", "protein"])
    #expect(answer.columns.first { $0.name == "sodium" }?.unit == "mg")
    var tuesday = FoodPlan(period())
    (tuesday.period.from, tuesday.period.to) = (
      QueryDate(instant: 150), QueryDate(instant: 300)
    )
    #expect(try store.food(tuesday).starts == [200])
  }

  // MARK: - Nights

  @Test("Readings while asleep are those that start in stretches of sleep of the night")
  mutating func nights() throws {
    let watch = Source(name: "Watch")
    var sleep = RecordColumns(type: SleepPlan.type, source: watch)
    var rates = RecordColumns(type: SampleType(.heartRate), source: watch)
    var asleep: [Int: [Range<Double>]] = [:]
    for day in 1...12 where day != 5 {
      var time = Double(day) * Self.day - 2 * 3600
      for step in 0..<8 {
        let end = time + Double(Int.random(in: 20...70, using: &random) * 60)
        // 3 is core, 2 is awake.
        let stage = step % 3 == 1 ? 2.0 : 3
        try sleep.append(start: time, end: end, value: stage, label: "")
        if stage == 3 { asleep[day, default: []].append(time..<end) }
        time = end
      }
      // A nap in the afternoon.
      let nap = Double(day) * Self.day + 14 * 3600
      try sleep.append(start: nap, end: nap + 1200, value: 3, label: "")
    }
    for _ in 0..<4000 {
      let start = Double(Int.random(in: 0..<13 * 86_400, using: &random))
      try rates.append(
        start: start, end: start, value: Double(Int.random(in: 45...90, using: &random)),
        label: "count/min")
    }
    try add(.records(sleep), .records(rates))
    var plan = NightVitals(
      type: SampleType(.heartRate), over: ElementPeriod(timeZone: ZoneTimeline(.gmt)))
    let answer = try store.vitals(plan)
    #expect(answer.count == 12)
    for row in 0..<answer.count {
      let spans = asleep[Int(answer.starts[row] / Self.day)] ?? []
      let known = (0..<rates.count).filter { place in
        spans.contains { $0.contains(rates.starts[place]) }
      }.map { rates.values[$0] }
      #expect(answer["count"]?[row] == Double(known.count))
      #expect(Self.agree(answer["min"]?[row], known.min()))
      #expect(Self.agree(answer["max"]?[row], known.max()))
      let mean = answer["mean"]?[row] ?? nil
      #expect((mean == nil) == known.isEmpty)
      if let mean, let least = known.min(), let greatest = known.max() {
        #expect(mean >= least && mean <= greatest)
      }
    }
    #expect(answer["count"]?.contains(0) == true)
    #expect(answer.columns.last?.unit == "count/min")
    plan.statistics = [.median]
    #expect(try store.vitals(plan).columns.map(\.name) == ["count", "median"])
    plan.period.from = QueryDate(instant: 3 * Self.day)
    plan.period.to = QueryDate(instant: 4 * Self.day)
    #expect(try JSONDecoder().decode(NightVitals.self, from: JSONEncoder().encode(plan)) == plan)
    #expect(try store.vitals(plan).starts == [3 * Self.day])
    plan.type = SampleType(.stepCount)
    #expect(throws: QueryError.self) { try store.vitals(plan) }
    #expect(
      try SampleStore.temporary().vitals(
        NightVitals(type: SampleType(.heartRate), over: ElementPeriod(timeZone: ZoneTimeline(.gmt)))
      ).count == 0)
  }

  @Test("In a night without waking the mean is that of the whole night")
  func wholeNight() throws {
    let watch = Source(name: "Watch")
    var sleep = RecordColumns(type: SleepPlan.type, source: watch)
    var rates = RecordColumns(type: SampleType(.heartRate), source: watch)
    let night = 80_000.0..<110_000
    try sleep.append(start: night.lowerBound, end: night.upperBound, value: 3, label: "")
    for minute in 0..<2500 {
      let start = Double(minute) * 61
      try rates.append(
        start: start, end: start, value: 60 + 12 * sin(start / 5000), label: "count/min")
    }
    try add(.records(sleep), .records(rates))
    let vitals = try store.vitals(
      NightVitals(type: SampleType(.heartRate), over: ElementPeriod(timeZone: ZoneTimeline(.gmt))))
    // The readings of the night alone, in the night alone.
    var inside = RecordColumns(type: rates.type, source: watch)
    for row in 0..<rates.count where night.contains(rates.starts[row]) {
      try inside.append(
        start: rates.starts[row], end: rates.ends[row], value: rates.values[row],
        label: "count/min")
    }
    let alone = try SampleStore.temporary()
    let session = try alone.beginImport()
    try session.add(.records(inside))
    _ = try session.finish()
    var plan = StatisticsPlan(type: rates.type, timeZone: .gmt)
    plan.from = QueryDate(instant: night.lowerBound)
    plan.to = QueryDate(instant: night.upperBound)
    plan.clips = true
    let known = try alone.statistics(plan).intervals
    #expect(vitals["count"] == [Double(known.counts[0])])
    #expect(Self.agree(vitals["mean"]?[0], known.value(.mean, row: 0)))
  }
}
