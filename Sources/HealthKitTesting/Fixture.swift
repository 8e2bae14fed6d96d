#if os(Linux) && !HKSTATS_STUB
public import HealthKit

/// Data that a test puts into its store before the code under test runs.
///
/// A fixture is what devices, clinics, other apps and the Health app have done: nothing of it needs
/// permission, and the permissions of the app under test stay as they are. The app reads it through
/// HealthKit, as far as it may, and can delete only what has the app itself as its source.
///
/// ```swift
/// let totals = try await TestHealthStore.current.load(
///   .objects([walk, run], from: "com.example.watch"))
/// ```
///
/// What the store has already is left out: a fixture that is loaded twice counts once. An object that
/// the code under test deleted cannot be loaded again, as it cannot be saved again.
public struct Fixture: Sendable {
  private let body: @Sendable (FixtureWriter) async throws -> FixtureTotals

  /// A fixture of a body's own.
  ///
  /// What the body saved before it throws stays in the store.
  ///
  /// - Parameter load: writes into the store, and returns what it wrote
  public init(_ load: @escaping @Sendable (FixtureWriter) async throws -> FixtureTotals) {
    body = load
  }

  func load(into writer: FixtureWriter) async throws -> FixtureTotals { try await body(writer) }
}

extension TestHealthStore {
  /// Puts a fixture into the store.
  ///
  /// - Returns: what the fixture holds
  /// - Throws: ``FixtureError`` for what no fixture can hold, and `HKError` where the store cannot
  ///   take it; nothing of it is in the store then, but for what ``Fixture/init(_:)`` says
  @discardableResult
  public func load(_ fixture: Fixture) async throws -> FixtureTotals {
    try await fixture.load(into: FixtureWriter(store: self))
  }
}

/// What a fixture writes with: the store of a test, as its owner has it.
public struct FixtureWriter: Sendable {
  let store: TestHealthStore

  /// What the clock of the store shows.
  public var now: Date { store.clock.now }

  /// The owner, in the place of an app or a device.
  package func owner(as origin: FixtureOrigin? = nil) -> HKHealthStore {
    var host = store.scope.host
    if let origin {
      (host.bundleIdentifier, host.name, host.version) = (origin.identifier, origin.name, nil)
      if origin.identifier.isEmpty {
        // What an import does not say of its sources either: their devices do.
        (host.productType, host.operatingSystemVersion) = (nil, OperatingSystemVersion())
      }
    }
    return HKHealthStore(host: host, in: store.scope)
  }

  /// Saves objects, all or none; those that the store has already are left out.
  ///
  /// - Parameters:
  ///   - objects: samples of any class
  ///   - app: the bundle identifier of the app that is their source; the app under test otherwise
  /// - Throws: ``FixtureError`` for an object that is no sample, and `HKError` where the store cannot
  ///   take one, such as an object that was deleted from it
  public func save(_ objects: [HKObject], from app: String? = nil) throws {
    let samples = try objects.map { object in
      guard let sample = object as? HKSample else {
        throw FixtureError(.notASample("\(type(of: object))"))
      }
      return sample
    }
    try owner(as: app.map { FixtureOrigin(app: $0) }).saveAsOwner(samples)
  }
}

/// Who made what a fixture holds.
package struct FixtureOrigin: Sendable {
  let identifier: String
  let name: String

  /// An app, whose name is the last part of its bundle identifier.
  init(app identifier: String) {
    self.identifier = identifier
    name = identifier.split(separator: ".").last.map(String.init) ?? identifier
  }

  /// A device or a clinic, by its name alone, as exports have them.
  init(name: String) { (identifier, self.name) = ("", name) }

  static let watch = Self(name: "Apple Watch")
  static let phone = Self(name: "iPhone")
}

// MARK: What apps save

extension Fixture {
  /// Objects as an app saved them.
  ///
  /// - Parameters:
  ///   - objects: samples of any class
  ///   - app: the bundle identifier of the app that saved them; the app under test otherwise
  /// - Returns: the fixture
  public static func objects(_ objects: [HKObject], from app: String? = nil) -> Self {
    Self { writer in
      try writer.save(objects, from: app)
      return FixtureTotals(objects)
    }
  }
}

// MARK: What devices record

extension RecordedECG {
  fileprivate func object(_ now: Date, _ uuid: UUID) throws(FixtureError) -> HKElectrocardiogram {
    guard hertz.isFinite, hertz > 0, !microvolts.isEmpty, microvolts.allSatisfy(\.isFinite),
      averageHeartRate.map({ $0.isFinite && $0 > 0 }) ?? true
    else {
      throw FixtureError(.electrocardiogram)
    }
    return .recorded(
      microvolts, hertz: hertz, classification,
      symptoms.map { $0.isEmpty ? .none : .present } ?? .notSet, heartRate: averageHeartRate,
      start: start ?? now.addingTimeInterval(-Double(microvolts.count) / hertz), device: .watch,
      uuid: uuid)
  }

  /// The symptoms as samples, each with a UUID of its own.
  fileprivate func samples(
    of electrocardiogram: HKElectrocardiogram, _ uuids: [HKCategoryTypeIdentifier: UUID]
  ) throws(FixtureError) -> [HKSample] {
    var samples: [HKSample] = []
    for (identifier, uuid) in uuids {
      guard let type = HKObjectType.categoryType(forIdentifier: identifier),
        let sample = try? HKCategorySample.recorded(
          type, 0, start: electrocardiogram.startDate, end: electrocardiogram.endDate,
          device: .watch, uuid: uuid)
      else { throw FixtureError(.symptom(identifier.rawValue)) }
      samples.append(sample)
    }
    return samples
  }
}

extension RecordedAudiogram {
  /// How long a hearing test takes.
  fileprivate static let duration = 300.0
}

extension RecordedAudiogram.Point {
  fileprivate func object() throws -> HKAudiogramSensitivityPoint {
    let ears: [(HKAudiogramSensitivityTestSide, Double?)] = [(.left, left), (.right, right)]
    let tests = try ears.compactMap { side, level in
      try level.map {
        try HKAudiogramSensitivityTest(
          sensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: $0), type: .air,
          masked: false, side: side, clampingRange: nil)
      }
    }
    return try HKAudiogramSensitivityPoint(
      frequency: HKQuantity(unit: .hertz(), doubleValue: hertz), tests: tests)
  }
}

extension Fixture {
  /// An electrocardiogram of a watch, with the symptoms that the person noted.
  public static func electrocardiogram(_ recorded: RecordedECG) -> Self {
    let uuid = UUID()
    let symptoms = Dictionary(
      (recorded.symptoms ?? []).map { ($0, UUID()) }, uniquingKeysWith: { first, _ in first })
    return Self { writer in
      let electrocardiogram = try recorded.object(writer.now, uuid)
      let samples = try recorded.samples(of: electrocardiogram, symptoms)
      try writer.owner(as: .watch).saveAsOwner(
        [electrocardiogram] + samples, notedWith: electrocardiogram)
      return FixtureTotals([electrocardiogram] + samples)
    }
  }

  /// A hearing test.
  ///
  /// Loading it fails as `HKAudiogramSensitivityPoint` does, for an ear or a frequency that no test
  /// has.
  public static func audiogram(_ recorded: RecordedAudiogram) -> Self {
    let uuid = UUID()
    return Self { writer in
      let start = recorded.start ?? writer.now.addingTimeInterval(-RecordedAudiogram.duration)
      let audiogram = try HKAudiogramSample.recorded(
        recorded.points.map { try $0.object() }, start: start,
        end: start.addingTimeInterval(RecordedAudiogram.duration), device: nil, uuid: uuid)
      try writer.owner(as: .phone).saveAsOwner([audiogram])
      return FixtureTotals([audiogram])
    }
  }

  /// The instants of heartbeats, as a watch records them for a heart rate variability.
  ///
  /// - Parameters:
  ///   - dates: at least one, ascending
  ///   - gaps: the places in `dates` of beats before which others were not seen
  /// - Returns: the fixture
  public static func heartbeats(_ dates: [Date], afterGaps gaps: Set<Int> = []) -> Self {
    let uuid = UUID()
    return Self { writer in
      let areAscending = zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 }
      guard !dates.isEmpty, areAscending, gaps.allSatisfy(dates.indices.contains) else {
        throw FixtureError(.heartbeats)
      }
      let series = HKHeartbeatSeriesSample.recorded(
        dates, afterGaps: gaps, device: .watch, uuid: uuid)
      try writer.owner(as: .watch).saveAsOwner([series])
      return FixtureTotals([series])
    }
  }

  /// The activity rings of a day.
  ///
  /// Loading another one of the day replaces it.
  ///
  /// - Parameters:
  ///   - day: year, month and day, of the Gregorian calendar
  ///   - fill: sets the properties of a summary, of which all are zero
  /// - Returns: the fixture
  public static func activitySummary(
    _ day: DateComponents, fill: @escaping @Sendable (HKActivitySummary) -> Void
  ) -> Self {
    Self { writer in
      guard let (year, month, number) = day.parts else { throw FixtureError(.day) }
      let summary = HKActivitySummary()
      fill(summary)
      try writer.owner().setActivitySummary(summary, ofYear: year, month: month, day: number)
      return FixtureTotals(counts: [HKObjectType.activitySummaryType().identifier: 1])
    }
  }

  /// The activity rings of a day, without goals.
  ///
  /// - Parameters:
  ///   - day: year, month and day, of the Gregorian calendar
  ///   - values: `activeEnergyBurned` in kilocalories, `appleMoveTime` and `appleExerciseTime` in
  ///     minutes; ``activitySummary(_:fill:)`` has what no quantity type stands for, such as goals
  /// - Returns: the fixture
  public static func activitySummary(
    _ day: DateComponents, _ values: [HKQuantityTypeIdentifier: Double]
  ) -> Self {
    Self { writer in
      let names: Set<HKQuantityTypeIdentifier> = [
        .activeEnergyBurned, .appleMoveTime, .appleExerciseTime,
      ]
      if let other = values.keys.filter({ !names.contains($0) }).map(\.rawValue).min() {
        throw FixtureError(.ring(other))
      }
      return try await Self.activitySummary(day) { summary in
        func set(
          _ property: ReferenceWritableKeyPath<HKActivitySummary, HKQuantity>,
          _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit
        ) {
          if let value = values[identifier] {
            summary[keyPath: property] = HKQuantity(unit: unit, doubleValue: value)
          }
        }
        set(\.activeEnergyBurned, .activeEnergyBurned, .kilocalorie())
        set(\.appleMoveTime, .appleMoveTime, .minute())
        set(\.appleExerciseTime, .appleExerciseTime, .minute())
      }.load(into: writer)
    }
  }
}

extension HKDevice {
  /// The device of what a watch records.
  fileprivate static var watch: HKDevice {
    HKDevice(
      name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch7,1",
      firmwareVersion: nil, softwareVersion: "11.0", localIdentifier: nil, udiDeviceIdentifier: nil)
  }
}

// MARK: What the person and clinics say

extension Fixture {
  /// What the person told the Health app of himself or herself.
  public static func characteristics(_ person: RecordedPerson) -> Self {
    Self { writer in
      if let born = person.dateOfBirth, born.parts == nil { throw FixtureError(.day) }
      let given = try writer.owner().setCharacteristics(
        dateOfBirth: person.dateOfBirth, biologicalSex: person.biologicalSex,
        bloodType: person.bloodType, fitzpatrickSkinType: person.fitzpatrickSkinType,
        wheelchairUse: person.wheelchairUse, activityMoveMode: person.activityMoveMode)
      return FixtureTotals(
        counts: Dictionary(uniqueKeysWithValues: given.map { ($0.rawValue, 1) }))
    }
  }

  /// A document of a clinic.
  ///
  /// - Parameters:
  ///   - resource: the resource, JSON of FHIR
  ///   - type: the type of the record
  ///   - version: the version of FHIR
  ///   - clinic: the name of the clinic
  /// - Returns: the fixture
  public static func clinical(
    fhir resource: Data, _ type: HKClinicalTypeIdentifier, version: String = "4.0.1",
    from clinic: String = "Clinic"
  ) -> Self {
    let uuid = UUID()
    return Self { writer in
      struct Resource: Decodable {
        var resourceType: String
        var id: String?
      }
      guard let contents = try? JSONDecoder().decode(Resource.self, from: resource) else {
        throw FixtureError(.resource)
      }
      guard HKObjectType.clinicalType(forIdentifier: type) != nil else {
        throw FixtureError(.clinicalType(type.rawValue))
      }
      do {
        _ = try HKFHIRVersion(fromVersionString: version)
      } catch {
        throw FixtureError(.versionOfFHIR)
      }
      let record = HKClinicalRecord.received(
        resource, identifier: contents.id ?? uuid.uuidString, type, version: version, from: clinic,
        at: writer.now, uuid: uuid)
      try writer.owner(as: FixtureOrigin(name: clinic)).saveAsOwner([record])
      return FixtureTotals([record])
    }
  }
}

extension DateComponents {
  /// Year, month and day; `nil` for what is no day of the Gregorian calendar.
  fileprivate var parts: (year: Int, month: Int, day: Int)? {
    guard let year, let month, let day, (1...9_999).contains(year),
      DateComponents(year: year, month: month, day: day)
        .isValidDate(in: Calendar(identifier: .gregorian))
    else { return nil }
    return (year, month, day)
  }
}
#endif
