/// Why a unit, a type, a sample or a predicate cannot be made.
///
/// Apple's framework raises an exception in these cases. The forms with Apple's names trap with the
/// ``description`` of the error, the forms beside them (``HKUnit/parsed(_:)``,
/// ``HKQuantity/value(in:)``, ``HKQuantitySample/validated(type:quantity:start:end:device:metadata:)``)
/// throw it.
public struct ObjectError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The text is not a unit; the core's error says where and why.
    case invalidUnit(String, UnitProblem)
    /// The units do not measure the same.
    case incompatibleUnits(from: String, to: String)
    /// A power, a molar mass or a product is outside of what a unit can hold.
    case unitOutOfRange
    /// No case of Foundation's formatter units is this unit.
    case noFormatterUnit(String)
    /// The identifier is not that of a type of the class.
    case unknownType(String)
    /// The unit of a sample's quantity does not measure what its type does.
    case unitOfSample(objectClass: String, dimension: String, unit: String)
    /// The sample ends before it starts.
    case endBeforeStart
    /// A date is not a finite number of seconds, or the sample ends in the distant future though its
    /// type has a longest duration.
    case dateOutOfRange
    /// The sample is longer than samples of the type may be.
    case tooLong(type: String, maximum: Double)
    /// The sample is shorter than samples of the type may be.
    case tooShort(type: String, minimum: Double)
    /// The number is not one of the type's values.
    case invalidValue(type: String)
    /// The quantity is not a finite number.
    case notFinite(type: String)
    /// The value of a metadata entry is not a text, a number, a date or a quantity, or not what the
    /// key asks for.
    case invalidMetadata(key: String, expected: String)
    /// The type asks for a metadata entry.
    case missingMetadata(key: String, type: String)
    /// An entry stands without the one that it belongs to.
    case metadataWithout(key: String, other: String)
    /// A correlation has no objects.
    case emptyCorrelation
    /// A correlation holds an object that its type does not take.
    case invalidObject(type: String, object: String)
    /// A correlation lacks an object of a type.
    case missingObject(type: String, object: String)
    /// A correlation has more than one object of a type of which it takes one.
    case repeatedObject(type: String, object: String)
    /// A quantity of an object has a unit of something else.
    case unitOfProperty(objectClass: String, dimension: String, unit: String)
    /// A workout event other than a lap or a segment has a duration.
    case eventWithDuration
    /// A workout is shorter than no time.
    case negativeDuration
    /// A hearing test has too many points.
    case tooManyPoints(maximum: Int)
    /// The frequencies of a hearing test do not ascend.
    case frequenciesNotAscending
    /// The frequency of a hearing test is not above 0.
    case frequencyNotPositive
    /// A point of a hearing test has no threshold.
    case missingSensitivity
    /// A point of a hearing test has two tests of one ear.
    case repeatedSide
    /// A clamping range has no bound, or its lower bound is not below the upper one.
    case clampingRange
    /// The valence of a state of mind is not a number from -1 to 1.
    case valenceOutOfRange
    /// An assessment has not as many answers as questions.
    case wrongNumberOfAnswers(type: String, expected: Int)
    /// A question that must be answered is not.
    case unansweredQuestion
    /// A prescription expires before it is issued.
    case expiresBeforeIssue
    /// A prescription has no lens.
    case missingLens
    /// The amount of a prism is negative or not a number.
    case negativePrism
    /// A part of a prism has a base of the other direction, or none.
    case prismBase
    /// The version is not three numbers.
    case invalidVersion
    /// The data are not a CDA document.
    case invalidDocument
    /// Samples of the type cannot be combined in that way.
    case incompatibleStatistics(option: String, isCumulative: Bool, type: String)
    /// The text is not a predicate format; the place is that of the word which cannot stand there.
    case invalidFormat(offset: Int)
    /// A predicate format has more placeholders than arguments.
    case missingFormatArgument
    /// An argument is not what its placeholder takes; the place is that of the placeholder.
    case invalidFormatArgument(offset: Int)
    /// No object has the key.
    case undefinedKey(String)
    /// Values of the kind cannot be compared so.
    case invalidOperator
    /// The value is of a kind that no property has.
    case invalidPredicateValue
    /// The text is not a regular expression.
    case invalidPattern
    /// A regular expression takes too long for a text.
    case endlessPattern
    /// The query was executed before.
    case executedBefore
    /// The query has no type to ask for.
    case missingDataType(query: String)
    /// The components of a day lack a part.
    case dayWithout(String)
    /// The components of a day have an hour.
    case dayWithHour
    /// The predicate is a block, which no archive can hold.
    case blockPredicate
    /// A subclass of a client cannot be made from a format or a key.
    case subclassed
    /// Another rule, in words without values.
    case invalid(String)
  }

  /// The error of the unit grammar: where the text is wrong, and what to write.
  public struct UnitProblem: Sendable, Hashable {
    /// The first byte that no unit can have there.
    public let offset: Int
    /// What is wrong, what was expected, and a unit that parses if one is near.
    public let explanation: String
  }

  /// What is wrong.
  public let reason: Reason

  /// Makes an error.
  init(_ reason: Reason) { self.reason = reason }
}

extension ObjectError: CustomStringConvertible {
  /// Apple's words where they are known, without values and dates.
  public var description: String {
    switch reason {
    case .invalidUnit(let text, _): "Unable to parse factorization string \(text)"
    case .incompatibleUnits(let from, let to):
      "Attempt to convert incompatible units: \(from), \(to)"
    case .unitOutOfRange:
      "The unit is out of range: a power, a molar mass or a product is too large"
    case .noFormatterUnit(let unit): "No formatter unit corresponds to \(unit)"
    case .unknownType(let identifier): "Unknown type identifier: \(identifier)"
    case .unitOfSample(let objectClass, let dimension, let unit):
      "\(objectClass) requires unit of type \(dimension). Incompatible unit: \(unit)"
    case .endBeforeStart: "startDate must be equal to or earlier than endDate"
    case .dateOutOfRange:
      "Type HKSample can not have endDate of NSDate.distantFuture or a date that is not finite"
    case .tooLong(let type, let maximum):
      "startDate and endDate exceed the maximum allowed duration for this sample type. "
        + "Maximum duration for type \(type) is \(maximum)"
    case .tooShort(let type, let minimum):
      "startDate and endDate are below the minimum allowed duration for this sample type. "
        + "Minimum duration for type \(type) is \(minimum)"
    case .invalidValue(let type): "Value is not compatible with type \(type)"
    case .notFinite(let type): "Quantity of type \(type) must be a finite number"
    case .invalidMetadata(let key, let expected):
      "Value for metadata key \(key) must be \(expected)"
    case .missingMetadata(let key, let type): "\(key) is required for \(type)"
    case .metadataWithout(let key, let other):
      "\(key) may not be provided if \(other) is not provided in the metadata"
    case .emptyCorrelation: "HKCorrelation requires at least one HKSample object"
    case .invalidObject(let type, let object): "\(type) may not contain an object of type \(object)"
    case .missingObject(let type, let object): "\(type) requires an object of type \(object)"
    case .repeatedObject(let type, let object):
      "\(type) may contain only one object of type \(object)"
    case .unitOfProperty(let objectClass, let dimension, let unit):
      "\(objectClass) requires unit of type \(dimension). Incompatible unit: \(unit)"
    case .eventWithDuration:
      "Only HKWorkoutEventTypeLap and HKWorkoutEventTypeSegment support a nonzero duration"
    case .negativeDuration: "duration must be zero or more seconds"
    case .tooManyPoints(let maximum): "sensitivityPoints may contain at most \(maximum) points"
    case .frequenciesNotAscending:
      "sensitivityPoints must have unique frequencies in ascending order"
    case .frequencyNotPositive: "frequency must be greater than zero"
    case .missingSensitivity: "A sensitivity point requires the sensitivity of at least one ear"
    case .repeatedSide: "A sensitivity point may contain at most one test of each side"
    case .clampingRange:
      "A clamping range requires a bound, and a lower bound that is less than the upper bound"
    case .valenceOutOfRange: "valence must be between -1 and 1"
    case .wrongNumberOfAnswers(let type, let expected):
      "\(type) requires \(expected) answers"
    case .unansweredQuestion:
      "HKPHQ9AssessmentAnswerPreferNotToAnswer is only valid for the last question"
    case .expiresBeforeIssue: "expirationDate must be equal to or later than dateIssued"
    case .missingLens: "A prescription requires the lens specification of at least one eye"
    case .negativePrism: "The amount of a prism must be zero or more prism diopters"
    case .prismBase: "verticalBase must be up or down, and horizontalBase must be in or out"
    case .invalidVersion: "The version must have the format <major>.<minor>.<patch>"
    case .invalidDocument: "The data are not a valid CDA document"
    case .incompatibleStatistics(let option, let isCumulative, let type):
      "Statistics option \(option) is not compatible with "
        + "\(isCumulative ? "cumulative" : "discrete") data type \(type)"
    case .invalidFormat(let offset): "Unable to parse the format string at character \(offset)"
    case .missingFormatArgument:
      "Insufficient arguments for conversion characters specified in format string"
    case .invalidFormatArgument(let offset):
      "Unable to parse the format string: wrong argument for the placeholder at character \(offset)"
    case .undefinedKey(let key):
      "this class is not key value coding-compliant for the key \(key)"
    case .invalidOperator: "Unsupported operator type for the value of a predicate"
    case .invalidPredicateValue: "Unsupported class of the value of a predicate"
    case .invalidPattern: "Can't do regex matching, reason: Can't open pattern"
    case .endlessPattern: "Can't do regex matching, reason: The pattern takes too long"
    case .executedBefore: "A query may only be executed once"
    case .missingDataType(let query): "\(query) data type must be non-nil"
    case .dayWithout(let part): "Activity Summary Date Components Require \(part) to be set"
    case .dayWithHour: "Activity Summary Date Components Require Hour to not be set"
    case .blockPredicate: "Block predicates cannot be encoded"
    case .subclassed: "A subclass cannot be made from a format or a key"
    case .invalid(let words): words
    }
  }
}

extension ObjectError {
  /// The error that Apple's framework throws where it does not raise an exception.
  var asHealthKitError: HKError {
    HKError(.errorInvalidArgument, userInfo: [NSLocalizedDescriptionKey: description])
  }
}

/// The result of a form that throws our error, in one that throws HealthKit's.
func throwingInvalidArgument<Result>(
  _ body: () throws(ObjectError) -> Result
) throws(HKError) -> Result {
  do throws(ObjectError) {
    return try body()
  } catch {
    throw error.asHealthKitError
  }
}

/// Ends the program with the words of an error, where Apple's framework raises an exception.
func raise(_ error: ObjectError) -> Never {
  fatalError(error.description)
}

/// The result of a form that throws, in a form that traps.
@discardableResult
func raising<Result>(_ body: () throws(ObjectError) -> Result) -> Result {
  do throws(ObjectError) {
    return try body()
  } catch {
    raise(error)
  }
}
