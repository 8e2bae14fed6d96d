import Foundation
package import HealthQuery
package import HealthSamples
import HealthStatistics
package import HealthStore

/// Who the person is, as far as the store knows: what the profile says, the last height and weight,
/// and what follows from them.
package struct Person: Sendable, Hashable {
  /// A sample, or what follows from samples.
  package struct Measured: Sendable, Hashable {
    /// The number.
    package let value: Double
    /// The start of the sample, in seconds since 2001-01-01 UTC.
    package let start: Double
  }

  /// Full years on the day that was asked for, at most ``longestLife``; `nil` for more, without a
  /// date of birth, and before it.
  package internal(set) var age: Int?
  /// The sex as exports write it, such as `HKBiologicalSexFemale`; `nil` where none is set.
  package internal(set) var sex: String?
  /// The blood type as exports write it, such as `HKBloodTypeAPositive`; `nil` where none is set.
  package internal(set) var bloodType: String?
  /// The last height, in m.
  package internal(set) var height: Measured?
  /// The last weight, in kg.
  package internal(set) var weight: Measured?
  /// The body mass index in kg/m²: the last one that was recorded, unless there is a newer weight.
  package internal(set) var bodyMassIndex: Measured?
  /// Whether the index was recorded; else it is that of the last weight and height.
  package internal(set) var isIndexRecorded = false

  /// The greatest plausible age in years.
  static let longestLife = 130
  /// The plausible heights in m; the index needs one of them.
  static let heights = 0.2...3

  /// A person of whom nothing is known.
  init() {}

  /// Forgets the index, which is not of the time that is told.
  package mutating func forgetIndex() { (bodyMassIndex, isIndexRecorded) = (nil, false) }

  /// Whether nothing is known.
  package var isUnknown: Bool {
    age == nil && sex == nil && bloodType == nil && height == nil && weight == nil
      && bodyMassIndex == nil
  }
}

extension SampleStore {
  /// Who the person is; of samples of the future nothing.
  ///
  /// - Parameter day: the day of the age
  /// - Returns: what is known
  /// - Throws: `QueryError` when the store cannot be read
  package func person(on day: CivilDate) throws(QueryError) -> Person {
    try oneState { () throws(QueryError) in
      var person = Person()
      for entry in try stored({ () throws(StoreError) in try profile() }) {
        // What is not set is written as such.
        let value = entry.value.hasSuffix("NotSet") || entry.value.isEmpty ? nil : entry.value
        switch HKCharacteristicTypeIdentifier(rawValue: entry.identifier) {
        case .dateOfBirth:
          let age = value.flatMap { CivilDate(text: $0) }?.birthdays(until: day)
          person.age = age.flatMap { $0 > Person.longestLife ? nil : $0 }
        case .biologicalSex: person.sex = value
        case .bloodType: person.bloodType = value
        default: break
        }
      }
      person.height = try last(of: SampleType(.height), in: "m")
      person.weight = try last(of: SampleType(.bodyMass), in: "kg")
      person.bodyMassIndex = try last(of: SampleType(.bodyMassIndex), in: nil)
      person.isIndexRecorded = person.bodyMassIndex != nil
      if let height = person.height, let weight = person.weight,
        Person.heights.contains(height.value),
        weight.start > person.bodyMassIndex?.start ?? -.infinity
      {
        person.bodyMassIndex = Person.Measured(
          value: weight.value / (height.value * height.value), start: weight.start)
        person.isIndexRecorded = false
      }
      return person
    }
  }

  /// The last sample of a type until now, in a unit.
  private func last(
    of type: SampleType, in unit: String?
  ) throws(QueryError) -> Person.Measured? {
    var asked = TypeQuestion(type)
    (asked.unit, asked.statistics) = (unit, [.recent])
    var question = try Question(types: [])
    question.types = [asked]
    // A sample of this second is known.
    question.to = LocalTime(now.instant + 1, in: ZoneTimeline(.gmt)).isoText
    let column = try answer(question).columns.first
    guard case .quantity(let answer)? = column?.answer, answer.intervals.hasData.first == true,
      let value = answer.intervals.values(of: .recent).first ?? nil,
      let start = answer.intervals.spans(of: .recent)?.starts.first
    else { return nil }
    return Person.Measured(value: value, start: start)
  }
}
