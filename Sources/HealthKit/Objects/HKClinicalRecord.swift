// Constants have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A document of a health care provider.
open class HKClinicalRecord: HKSample, NSCopying, @unchecked Sendable {
  private let name: String
  private let resource: HKFHIRResource?

  init(
    type: HKClinicalType, displayName: String, resource: HKFHIRResource?, date: Date,
    facts: ObjectFacts
  ) {
    name = displayName
    self.resource = resource
    super.init(type: type, start: date, end: date, facts: facts)
  }

  /// Reads a record from an archive.
  public required init?(coder: NSCoder) {
    guard let name = coder.decodeText("displayName") else { return nil }
    self.name = name
    resource = coder.decodeOne(HKFHIRResource.self, "fhirResource")
    super.init(coder: coder)
    guard sampleType is HKClinicalType else { return nil }
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeText(name, "displayName")
    coder.encode(resource, forKey: "fhirResource")
  }

  /// The record itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The type.
  open var clinicalType: HKClinicalType {
    // Both initializers take no other type.
    (sampleType as? HKClinicalType) ?? HKClinicalType(.conditionRecord)
  }

  /// What the provider calls it.
  open var displayName: String { name }
  /// The document; `nil` when it is not there.
  open var fhirResource: HKFHIRResource? { resource }
}

/// A document in the format FHIR.
///
/// Two are equal when all their properties are.
open class HKFHIRResource: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let version: HKFHIRVersion
  private let type: HKFHIRResourceType
  private let name: String
  private let json: Data
  private let address: URL?

  init(
    version: HKFHIRVersion, type: HKFHIRResourceType, identifier: String, data: Data,
    sourceURL: URL?
  ) {
    self.version = version
    self.type = type
    name = identifier
    json = data
    address = sourceURL
  }

  /// Reads a document from an archive.
  public required init?(coder: NSCoder) {
    guard let version = coder.decodeOne(HKFHIRVersion.self, "fhirVersion"),
      let type = coder.decodeText("resourceType"), let name = coder.decodeText("identifier"),
      let json = coder.decodeBytes("data")
    else { return nil }
    self.version = version
    self.type = HKFHIRResourceType(rawValue: type)
    self.name = name
    self.json = json
    address = coder.decodeText("sourceURL").flatMap(URL.init(string:))
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(version, forKey: "fhirVersion")
    coder.encodeText(type.rawValue, "resourceType")
    coder.encodeText(name, "identifier")
    coder.encode(json as NSData, forKey: "data")
    coder.encodeText(address?.absoluteString, "sourceURL")
  }

  /// Documents are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The document itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The version of FHIR.
  open var fhirVersion: HKFHIRVersion { version }
  /// The kind of document.
  open var resourceType: HKFHIRResourceType { type }
  /// The identifier of the provider; it is unique among documents of one kind and source.
  open var identifier: String { name }
  /// The document, as JSON.
  open var data: Data { json }
  /// Where the document came from; `nil` when not recorded.
  open var sourceURL: URL? { address }

  /// Whether the object is the same document.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKFHIRResource else { return false }
    return version == other.version && type == other.type && name == other.name
      && json == other.json && address == other.address
  }

  /// Hashes kind and identifier.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(type)
    hasher.combine(name)
    return hasher.finalize()
  }
}

/// A version of FHIR.
public class HKFHIRVersion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let numbers: [Int]

  required init(numbers: [Int]) { self.numbers = numbers }

  /// Parses a version such as `4.0.1`.
  ///
  /// - Throws: `HKError.errorInvalidArgument` for a text that is not three numbers
  public convenience init(fromVersionString versionString: String) throws {
    guard let numbers = Self.numbers(in: versionString) else {
      throw ObjectError(.invalidVersion).asHealthKitError
    }
    self.init(numbers: numbers)
  }

  private static func numbers(in text: String) -> [Int]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3,
      parts.allSatisfy({ part in
        !part.isEmpty
          && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == 3 ? numbers : nil
  }

  /// Reads a version from an archive.
  public required init?(coder: NSCoder) {
    guard let numbers = coder.decodeText("version").flatMap(Self.numbers) else { return nil }
    self.numbers = numbers
  }

  /// Writes the text of the version.
  public func encode(with coder: NSCoder) { coder.encodeText(stringRepresentation, "version") }

  /// Versions are read from secure archives.
  public class var supportsSecureCoding: Bool { true }

  /// The version itself, which does not change.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The version of DSTU2 that providers use.
  public class func primaryDSTU2() -> Self { self.init(numbers: [1, 0, 2]) }
  /// The version of R4 that providers use.
  public class func primaryR4() -> Self { self.init(numbers: [4, 0, 1]) }

  /// The first number.
  public var majorVersion: Int { numbers[0] }
  /// The second number.
  public var minorVersion: Int { numbers[1] }
  /// The third number.
  public var patchVersion: Int { numbers[2] }
  /// The three numbers, such as `4.0.1`.
  public var stringRepresentation: String { numbers.map(String.init).joined(separator: ".") }

  /// The release that the version belongs to: 1.0 is DSTU2, 4.0 is R4.
  public var fhirRelease: HKFHIRRelease {
    switch (numbers[0], numbers[1]) {
    case (1, 0): .dstu2
    case (4, 0): .r4
    default: .unknown
    }
  }

  /// Whether the object is the same version.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? HKFHIRVersion)?.numbers == numbers
  }

  /// Hashes the numbers.
  public override var hash: Int { numbers.hashValue }
}

/// A release of FHIR.
public struct HKFHIRRelease: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let dstu2 = Self(rawValue: "DSTU2")
  public static let r4 = Self(rawValue: "R4")
  public static let unknown = Self(rawValue: "Unknown")
}

/// The kind of a FHIR document.
public struct HKFHIRResourceType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")
  public static let condition = Self(rawValue: "Condition")
  public static let coverage = Self(rawValue: "Coverage")
  public static let diagnosticReport = Self(rawValue: "DiagnosticReport")
  public static let documentReference = Self(rawValue: "DocumentReference")
  public static let immunization = Self(rawValue: "Immunization")
  public static let medicationDispense = Self(rawValue: "MedicationDispense")
  public static let medicationOrder = Self(rawValue: "MedicationOrder")
  public static let medicationRequest = Self(rawValue: "MedicationRequest")
  public static let medicationStatement = Self(rawValue: "MedicationStatement")
  public static let observation = Self(rawValue: "Observation")
  public static let procedure = Self(rawValue: "Procedure")
}
