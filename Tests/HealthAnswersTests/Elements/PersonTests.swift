import Foundation
import HealthAnswers
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Who the person is")
struct PersonTests {
  private static let day = 86_400.0

  private func store(
    born: String? = nil, sex: String = "HKBiologicalSexNotSet",
    blood: String = "HKBloodTypeNotSet",
    _ samples: [(type: SampleType, unit: String, day: Int, value: Double)] = []
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var characteristics = Characteristics()
    let entries = [
      born.map { ("HKCharacteristicTypeIdentifierDateOfBirth", $0) },
      ("HKCharacteristicTypeIdentifierBiologicalSex", sex),
      ("HKCharacteristicTypeIdentifierBloodType", blood),
    ].compactMap(\.self)
    characteristics.rows = [Metadata(entries.map { .init(key: $0.0, .string($0.1)) })]
    try session.add(.characteristics(characteristics))
    for (type, unit, day, value) in samples {
      var records = RecordColumns(type: type, source: Source(name: "Scale"))
      let start = Double(day) * Self.day
      try records.append(start: start, end: start, value: value, label: unit)
      try session.add(records)
    }
    _ = try session.finish()
    return store
  }

  private static let today = CivilDate(year: 2003, month: 5, day: 17)

  @Test("The age is how many birthdays there were, those of a leap day on the 1st of March")
  func ages() {
    var random = SplitMix64(seed: 4)
    let leapDay = CivilDate(year: 1996, month: 2, day: 29)
    for number in 0..<400 {
      let birth =
        number % 4 == 0
        ? leapDay : CivilDate(dayNumber: Int.random(in: -30_000...9_000, using: &random))
      let day = CivilDate(dayNumber: Int.random(in: -30_000...12_000, using: &random))
      // Every day after the birth is looked at.
      var count = 0
      var walked = birth.dayNumber + 1
      while walked <= day.dayNumber {
        let date = CivilDate(dayNumber: walked)
        let before = CivilDate(dayNumber: walked - 1)
        let isBirthday = (date.month, date.day) == (birth.month, birth.day)
        let stands =
          (birth.month, birth.day) == (2, 29) && (date.month, date.day) == (3, 1)
          && before.day == 28
        if isBirthday || stands { count += 1 }
        walked += 1
      }
      #expect(birth.birthdays(until: day) == (day.dayNumber < birth.dayNumber ? nil : count))
    }
  }

  @Test("What is not set is not known, and neither is an age before birth")
  func unknown() throws {
    #expect(try store().person(on: Self.today).isUnknown)
    #expect(try store(born: "2030-01-01").person(on: Self.today).age == nil)
    let known = try store(
      born: "1984-02-29", sex: "HKBiologicalSexFemale", blood: "HKBloodTypeONegative"
    ).person(on: Self.today)
    #expect((known.age, known.sex) == (19, "HKBiologicalSexFemale"))
    #expect(known.bloodType == "HKBloodTypeONegative" && known.bodyMassIndex == nil)
  }

  @Test("The index is that of the last weight and height, unless a newer one is recorded")
  func index() throws {
    let height = (SampleType(.height), "cm", 10, 200.0)
    let weights = [(SampleType(.bodyMass), "kg", 300, 70.0), (SampleType(.bodyMass), "lb", 200, 1)]
    let computed = try store([height] + weights).person(on: Self.today)
    #expect(computed.bodyMassIndex?.value == 70.0 / 4 && !computed.isIndexRecorded)
    #expect(computed.bodyMassIndex?.start == computed.weight?.start)
    for (day, isNewer) in [(299, false), (300, true), (400, true)] {
      let recorded = (SampleType(.bodyMassIndex), "count", day, 31.0)
      let person = try store([height, recorded] + weights).person(on: Self.today)
      #expect(person.isIndexRecorded == isNewer)
      #expect((person.bodyMassIndex?.value == 31) == isNewer)
    }
    // What is dated in the future is not known yet.
    let now = Now(Date(timeIntervalSinceReferenceDate: 250 * Self.day))
    let before = try store([height] + weights).at(now).person(on: Self.today)
    #expect(before.weight?.start == 200 * Self.day && before.bodyMassIndex?.start == 200 * Self.day)
    let first = Now(Date(timeIntervalSinceReferenceDate: 0))
    #expect(try store([height] + weights).at(first).person(on: Self.today).isUnknown)
    #expect(try store(weights).person(on: Self.today).bodyMassIndex == nil)
    #expect(try store([height]).person(on: Self.today).bodyMassIndex == nil)
    for metres in [1e-300, 0, 0.1, 4, 1e300] {
      let person = try store([(SampleType(.height), "m", 10, metres)] + weights)
        .person(on: Self.today)
      #expect(person.bodyMassIndex == nil, "\(metres)")
    }
    #expect(try store(born: "1873-01-01").person(on: Self.today).age == 130)
    #expect(try store(born: "0001-01-01").person(on: Self.today).age == nil)
  }
}
