public import Foundation

/// Why a fixture cannot be loaded: where it is wrong, and what to write, without values.
public struct FixtureError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The data are no JSON.
    case json
    /// The JSON is no array.
    case noList
    /// An entry of the array, counted from 1, is no sample.
    case entry(Int, Problem)
    /// An object of a class is no sample.
    case notASample(String)
    /// An electrocardiogram has no voltages, a rate of 0, or a number that is not finite.
    case electrocardiogram
    /// A type is none of a symptom.
    case symptom(String)
    /// There are no heartbeats, or their dates do not ascend.
    case heartbeats
    /// The components are those of no day.
    case day
    /// No ring has the type.
    case ring(String)
    /// The data are no resource of FHIR.
    case resource
    /// The type is none of clinical records.
    case clinicalType(String)
    /// The version is none of FHIR.
    case versionOfFHIR
    /// A file of an export cannot be read or made, with the reason.
    case export(String)
  }

  /// What is wrong with an entry of JSON.
  public enum Problem: Error, Sendable, Hashable {
    /// It is no object.
    case noObject
    /// It lacks a key.
    case missing(String)
    /// It has a key that no entry has.
    case unknownKey(String)
    /// The value of a key is not what it must be.
    case kind(String, String)
    /// No quantity or category type has the identifier.
    case unknownType(String)
    /// The unit does not measure what the type does.
    case unit(String)
    /// A category has no unit.
    case noUnit(String)
    /// The constant is none of the type.
    case constant(String)
    /// HealthKit takes no such sample; the words say why.
    case invalid(String)
  }

  /// What is wrong.
  public let reason: Reason

  /// Makes an error.
  package init(_ reason: Reason) { self.reason = reason }
}

extension FixtureError: LocalizedError, CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch reason {
    case .json: "The fixture is not JSON: give an array of samples"
    case .noList: "The JSON of the fixture is not an array: put its samples between [ and ]"
    case .entry(let number, let problem): "Entry \(number) of the fixture: \(problem.words)"
    case .notASample(let name): "\(name) is not a sample: only samples can be saved"
    case .electrocardiogram:
      "The electrocardiogram needs voltages, and rates above 0, all of them finite"
    case .symptom(let type):
      "\(type) is not the type of a symptom: give a category such as .fatigue"
    case .heartbeats:
      "The heartbeats must be dates in ascending order, at least one, and gaps places among them"
    case .day: "The day needs year, month and day of the Gregorian calendar"
    case .ring(let type):
      """
      No ring has \(type): give activeEnergyBurned, appleMoveTime and appleExerciseTime, and goals and \
      hours by activitySummary(_:fill:)
      """
    case .resource: "The data are no resource of FHIR: give a JSON object with resourceType"
    case .clinicalType(let type): "\(type) is not the type of a clinical record"
    case .versionOfFHIR: "The version of FHIR must be three numbers, such as 4.0.1"
    case .export(let words): words
    }
  }

  /// The same words.
  public var errorDescription: String? { description }
}

extension FixtureError.Problem {
  fileprivate var words: String {
    switch self {
    case .noObject: "it is not an object; write {\"type\": …, \"value\": …, \"start\": …}"
    case .missing(let key): "it has no \"\(key)\"; add it"
    case .unknownKey(let key):
      "\"\(key)\" is not known; write type, value, unit, start, end, metadata or source"
    case .kind(let key, let expected): "\"\(key)\" must be \(expected)"
    case .unknownType(let type):
      "\(type) is no quantity or category type; write one such as HKQuantityTypeIdentifierStepCount"
    case .unit(let type): "the unit is none of \(type); write one that measures the same"
    case .noUnit(let type): "\(type) has no unit; leave \"unit\" out"
    case .constant(let type): "the value is no constant of \(type); write one, or its raw value"
    case .invalid(let words): words
    }
  }
}
