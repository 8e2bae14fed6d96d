import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("The two sheets for a visit")
struct SheetTests {
  private static let day = 86_400.0
  private static let days = 700
  private static let now = Date(timeIntervalSinceReferenceDate: Double(days) * day + 80_000)

  /// What a store can have beside daily weights.
  private enum Part: CaseIterable {
    case person, electrocardiograms, events, labs, doses, pressure
  }

  private func store(
    _ parts: Set<Part>, weights days: ClosedRange<Int>? = 300...Self.days,
    findings words: [String] = ["Sinus Rhythm", "Vorhofflimmern", "Poor Recording", "Unknown"]
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let weights = DailySamples(type: SampleType(.bodyMass), unit: "kg") { _ in 70 }
    if let days { try session.add(weights.records(on: days)) }
    if parts.contains(.person) {
      var characteristics = Characteristics()
      characteristics.rows = [
        Metadata([
          .init(key: "HKCharacteristicTypeIdentifierDateOfBirth", .string("1950-03-01")),
          .init(
            key: "HKCharacteristicTypeIdentifierBiologicalSex", .string("HKBiologicalSexMale")),
          .init(
            key: "HKCharacteristicTypeIdentifierBloodType", .string("HKBloodTypeABNegative")),
        ])
      ]
      try session.add(.characteristics(characteristics))
    }
    if parts.contains(.electrocardiograms) {
      try session.add(
        .electrocardiograms(
          Electrocardiograms(
            (0..<40).map { number in
              var row = Electrocardiograms.Row()
              row.facts.source = Source(name: "Watch")
              row.facts.start = Double(500 + number) * Self.day
              row.facts.end = row.facts.start + 30
              row.classification = words[number % words.count]
              return row
            })))
    }
    if parts.contains(.events) {
      for (type, count) in [
        (SampleType(.highHeartRateEvent), 3), (SampleType(.irregularHeartRhythmEvent), 1),
      ] {
        var records = RecordColumns(type: type, source: Source(name: "Watch"))
        for number in 0..<count {
          let start = Double(600 + number) * Self.day
          try records.append(
            start: start, end: start, value: 0, label: "HKCategoryValueNotApplicable")
        }
        try session.add(records)
      }
    }
    if parts.contains(.labs) {
      var records = ClinicalRecords()
      for number in 0..<36 {
        let day = String(number % 27 + 1)
        var row = ClinicalRecords.Row()
        (row.type, row.identifier) = ("Observation", "lab\(number)")
        (row.version, row.received) = ("4.0.1", 600 * Self.day)
        row.source = Source(name: "Hospital")
        row.resource = Array(
          """
          {"resourceType":"Observation","status":"final","code":{"text":"Test \(number % 18)",
          "coding":[{"system":"http://loinc.org","code":"\(number % 18)-0"}]},
          "effectiveDateTime":"200\(number / 18 + 1)-07-\(day.count == 1 ? "0" : "")\(day)",
          "valueQuantity":{"value":\(number).25,"unit":"mg/dL"},
          "referenceRange":[{"low":{"value":0},"high":{"value":34}}]}
          """.utf8)
        records.rows.append(row)
      }
      try session.add(.clinicalRecords(records))
    }
    if parts.contains(.doses) {
      try session.add(
        .savedObjects(
          SavedObjects(
            (0..<30).map { number in
              var object = SavedObjects.Row()
              object.facts.source = Source(name: "App")
              object.facts.start = Double(660 + number) * Self.day
              object.facts.end = object.facts.start
              object.type = "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"
              object.properties = Metadata([
                .init(key: "medication", .string(number % 3 == 0 ? "Iron" : "Aspirin")),
                .init(key: "status", .number(number % 5 == 0 ? 5 : 4)),
              ])
              return object
            })))
    }
    if parts.contains(.pressure) {
      for (type, value) in [
        (SampleType(.bloodPressureSystolic), 140.0), (SampleType(.bloodPressureDiastolic), 90),
      ] {
        var records = RecordColumns(type: type, source: Source(name: "Cuff"))
        for day in 600...Self.days {
          // The first day of the last week is far from the others.
          let shown = value + (day == Self.days - 6 ? 40 : 0)
          for start in [27_000.0, 72_000] {
            let start = Double(day) * Self.day + start
            try records.append(start: start, end: start, value: shown, label: "mmHg")
          }
        }
        try session.add(records)
      }
    }
    _ = try session.finish()
    return store
  }

  private func sheets(
    _ parts: Set<Part>, _ language: ReportLanguage.Base = .english, types: [String] = []
  ) throws -> String {
    try sheets(of: store(parts), language, types: types)
  }

  private func sheets(
    of store: SampleStore, _ language: ReportLanguage.Base = .english, types: [String] = []
  ) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.form, plan.language) = ("UTC", .print, ReportLanguage(language))
    plan.types = types
    return try store.report(plan, now: Self.now)
  }

  /// What stands on the sheets for each part alone.
  private static func head(_ part: Part, _ words: Words) -> String {
    switch part {
    case .person: words.visit.male
    case .electrocardiograms: words.visit.electrocardiograms
    case .events: words.visit.events
    case .labs: words.visit.labs
    case .doses: words.medications.title
    case .pressure: words.pressure.title
    }
  }

  @Test("Each part stands there with its data, and is absent without", arguments: Part.allCases)
  private func absent(part: Part) throws {
    for other in Part.allCases {
      let text = try sheets([other]).textOfPage
      #expect(text.contains(Self.head(part, .english)) == (part == other), "\(part) of \(other)")
    }
    // A report about some types is about these alone.
    let chosen = try sheets([part], types: ["bodyMass"]).textOfPage
    #expect(!chosen.contains(Self.head(part, .english)))
  }

  @Test(
    "Results, events and doses are there, whenever the measures begin and end",
    arguments: [300...400, 690...700, 300...700, nil])
  func records(days: ClosedRange<Int>?) throws {
    let parts: Set<Part> = [.electrocardiograms, .events, .labs, .doses]
    let store = try store(parts, weights: days)
    let text = try sheets(of: store).textOfPage
    for part in parts { #expect(text.contains(Self.head(part, .english)), "\(part)") }
    #expect(text.contains("Irregular rhythm1last 24 Aug"))
    #expect(text.contains("40 since") && text.contains("Aspirin164Iron82"))
    let alone = try sheets(of: self.store([.doses], weights: days)).textOfPage
    #expect(alone.contains("Aspirin164Iron82"))
    let page = try self.store([.doses], weights: days).report(ReportPlan(), now: Self.now)
    #expect(page.textOfPage.contains(Words.english.medications.title))
    // What comes after an end that was asked for is not there.
    var plan = ReportPlan()
    (plan.timeZone, plan.form, plan.to) = ("UTC", .print, "2001-12-01")
    let early = try store.report(plan, now: Self.now).textOfPage
    for part in parts.subtracting([.labs]) {
      #expect(!early.contains(Self.head(part, .english)), "\(part)")
    }
  }

  @Test("A finding in the words of two languages, or of two limits, is one")
  func findingsOfLanguages() throws {
    let store = try store(
      [.electrocardiograms],
      findings: [
        "Atrial Fibrillation", "Vorhofflimmern", "Heart Rate Over 120", "Heart Rate Over 150",
        "Sinus Rhythm",
      ])
    let text = try sheets(of: store).textOfPage
    #expect(text.contains("Atrial fibrillation 16 · Heart rate too high for a finding 16 · Sinus"))
    let findings = try #require(text.split(separator: "40 since").last?.prefix { $0 != "N" })
    #expect(findings.matches(of: /Atrial fibrillation \d/).count == 1)
  }

  @Test("A bound keeps its sign, a small number its digits, and a huge one its exponent")
  func bounds() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var records = ClinicalRecords()
    for (name, value) in [
      ("A", #""value":5,"comparator":"<","unit":"ng/L""#), ("B", #""value":0.00003,"unit":"g/L""#),
      ("C", #""value":1e25,"unit":"g""#), ("D", #""value":0,"unit":"g""#),
      ("E", #""value":1.25,"unit":"g""#), ("F", #""value":0.0012345678,"unit":"g""#),
    ] {
      var row = ClinicalRecords.Row()
      (row.type, row.identifier) = ("Observation", name)
      (row.version, row.received) = ("4.0.1", 600 * Self.day)
      row.resource = Array(
        """
        {"resourceType":"Observation","code":{"text":"\(name)"},"valueQuantity":{\(value)}}
        """.utf8)
      records.rows.append(row)
    }
    // Of a document that cannot be read.
    var row = ClinicalRecords.Row()
    (row.type, row.identifier, row.received) = ("Observation", "Z", 600 * Self.day)
    row.resource = Array("nonsense".utf8)
    records.rows.append(row)
    try session.add(.clinicalRecords(records))
    _ = try session.finish()
    let text = try sheets(of: store).textOfPage
    for result in [
      "A&lt; 5 ng/L", "B0.00003 g/L", "C1e+25 g", "D0 g", "E1.25 g", "F0.00123 g",
      "1 document cannot be read.",
    ] {
      #expect(text.contains(result), "\(result)")
    }
  }

  @Test("A height in metres has centimetres, and an old index its date")
  func height() throws {
    let store = try store([])
    let session = try store.beginImport()
    for (type, unit, value) in [
      (SampleType(.height), "m", 1.68), (SampleType(.bodyMassIndex), "count", 24.0),
    ] {
      var records = RecordColumns(type: type, source: Source(name: "Scale"))
      let start = type == SampleType(.height) ? Self.day : Double(Self.days) * Self.day + 40_000
      try records.append(start: start, end: start, value: value, label: unit)
      try session.add(records)
    }
    _ = try session.finish()
    try store.setPreferredUnit("m", of: SampleType(.height))
    #expect(try sheets(of: store).textOfPage.contains("1.68 m (2 Jan 2001) · 70.0 kg · BMI 24.0"))
    let old = try self.store([], weights: nil)
    let other = try old.beginImport()
    var records = RecordColumns(type: SampleType(.bodyMassIndex), source: Source(name: "Scale"))
    try records.append(start: Self.day, end: Self.day, value: 24, label: "count")
    try other.add(records)
    let steps = DailySamples(type: SampleType(.stepCount), unit: "count") { _ in 70 }
    try other.add(steps.records(on: 300...Self.days))
    _ = try other.finish()
    #expect(try sheets(of: old).textOfPage.contains("BMI 24.0 (2 Jan 2001)"))
  }

  @Test("Of blood pressure it is said what does not count")
  func lonePressures() throws {
    let store = try store([.pressure])
    let session = try store.beginImport()
    let other = DailySamples(
      type: SampleType(.bloodPressureSystolic), unit: "mmHg", source: "Cuff", start: 50_000
    ) { _ in 150 }
    try session.add(other.records(on: 650...652))
    _ = try session.finish()
    let text = try sheets(of: store).textOfPage
    #expect(text.contains("3 values without their other are not counted."))
    #expect(try !sheets([.pressure]).textOfPage.contains("not counted"))
  }

  @Test("A day in which data begin is said, and a measure of that day alone has no row")
  func beginning() throws {
    let store = try store([])
    let session = try store.beginImport()
    let steps = DailySamples(
      type: SampleType(.stepCount), unit: "count", start: 80_000
    ) { _ in 70 }
    try session.add(steps.records(on: [695, 696, 697]))
    let flights = DailySamples(
      type: SampleType(.flightsClimbed), unit: "count", start: 80_000
    ) { _ in 3 }
    try session.add(flights.records(on: [Self.days - 1]))
    _ = try session.finish()
    let page = try sheets(of: store)
    #expect(page.textOfPage.contains("A day in which the data of a measure begin is left out."))
    #expect(page.contains("data-measure=\"stepCount\""))
    #expect(!page.contains("data-measure=\"flightsClimbed\""))
    #expect(try !sheets([]).textOfPage.contains("A day in which"))
  }

  @Test("There are two sheets with a field for notes each, whatever there is")
  func notes() throws {
    for parts in [[], Set(Part.allCases)] {
      let page = try sheets(parts)
      #expect(page.matches(of: /<section class="sheet">/).count == 2)
      #expect(page.matches(of: /<div class="notes">/).count == 2)
    }
    var plan = ReportPlan()
    plan.form = .print
    let empty = try SampleStore.temporary().report(plan, now: Self.now)
    #expect(empty.matches(of: /<section class="sheet">/).count == 1)
  }

  @Test("A doctor is not addressed", arguments: ReportLanguage.Base.allCases)
  func reader(language: ReportLanguage.Base) throws {
    let words = try sheets(Set(Part.allCases), language).textOfPage.lowercased()
      .split { !$0.isLetter && $0 != "’" }
    for word in ["you", "your", "dich", "dein", "deinem", "vous", "votre", "ti", "tu"] {
      #expect(!words.contains { $0 == word }, "\(word)")
    }
  }

  @Test("Who it is has no name and no date of birth")
  func anonymous() throws {
    let text = try sheets([.person]).textOfPage
    #expect(text.contains("52 years · male · 70.0 kg · blood type AB\u{2212}"))
    #expect(!text.contains("1950"))
  }

  @Test("Atrial fibrillation stands before other findings, the newest first, in any known words")
  func findings() throws {
    let text = try sheets([.electrocardiograms]).textOfPage
    let list = try #require(text.split(separator: "Atrial fibrillation 10").last)
    // Every fourth day from the 501st on, of which the 537th is the last: the 21st of June 2002.
    #expect(list.contains("Atrial fibrillation22 Jun 2002Atrial fibrillation18 Jun 2002"))
    #expect(text.contains("Sinus rhythm 10") && text.contains("Unknown 10"))
    #expect(text.contains("and 25 more: hkstats samples electrocardiogram"))
    #expect(text.contains("40 since"))
  }

  @Test("Of each test the last result counts; those outside of their range stand first")
  func results() throws {
    let text = try sheets([.labs]).textOfPage
    // The last results are 18.25 to 35.25.
    #expect(text.contains("35.25 mg/dL high") && text.contains("34.25 mg/dL high"))
    #expect(text.contains("33.25 mg/dL0") && !text.contains("17.25 mg/dL"))
    let first = try #require(text.firstRange(of: "Test 17"))
    let other = try #require(text.firstRange(of: "Test 8"))
    #expect(first.lowerBound < other.lowerBound)
    let more = try #require(text.firstMatch(of: /and (\d+) more: hkstats stats labs/))
    let shown = text.matches(of: /Test \d+/).count
    #expect(Int(more.1) == 18 - shown)
  }

  @Test("Events have their number and last day, the irregular rhythm first")
  func events() throws {
    let text = try sheets([.events]).textOfPage
    #expect(text.contains("Irregular rhythm1last 24 Aug"))
    #expect(text.contains("High heart rate3last 26 Aug"))
  }

  @Test("Doses are counted by name, those with most first")
  func doses() throws {
    let text = try sheets([.doses]).textOfPage
    #expect(text.contains("Aspirin164Iron82"))
  }

  @Test("The average at home leaves out the first of seven days, on the page, too")
  func home() throws {
    #expect(try sheets([.pressure]).textOfPage.contains("140/90 mmHg, Hypertension (12 readings"))
    var plan = ReportPlan()
    (plan.timeZone, plan.sections) = ("UTC", [.body])
    let page = try store([.pressure]).report(plan, now: Self.now).textOfPage
    #expect(page.contains("Average at home, 27 Nov – 2 Dec: 140/90 mmHg"))
  }

  @Test("Long words of names have a place to break, and are otherwise as they were")
  func hyphens() {
    for base in ReportLanguage.Base.allCases where base != .japanese {
      for measure in Measures.all {
        let name = measure.name(in: base).title
        let soft = SoftHyphens.text(name)
        #expect(soft.replacing("\u{AD}", with: "") == name)
        for word in soft.split(whereSeparator: { !$0.isLetter && $0 != "\u{AD}" }) {
          let longest = word.split(separator: "\u{AD}").map(\.count).max() ?? 0
          #expect(longest < 18, "\(name)")
        }
      }
    }
  }

  @Test("A text needs no fewer lines where it is longer or its column narrower")
  func lines() {
    let text = "Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] 糸球体濾過量"
    var previous = 0
    for count in 0...text.count {
      let lines = SheetSpace.lines(String(text.prefix(count)), in: 120)
      #expect(lines >= max(1, previous))
      #expect(lines >= SheetSpace.lines(String(text.prefix(count)), in: 200))
      previous = lines
    }
    #expect(SheetSpace.count(of: [10, 20, 30], in: 59) == 2)
    #expect(SheetSpace.count(of: [10, 20, 30], in: 60) == 3)
    var space = SheetSpace()
    let isThere = space.takes(SheetSpace.height)
    let isMoreThere = space.takes(1)
    #expect(isThere && !isMoreThere && space.left == 0)
  }
}
