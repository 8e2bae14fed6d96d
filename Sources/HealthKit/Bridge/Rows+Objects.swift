// Rows of the core as objects. What rows share (type, source, versions, device, unit, metadata) is one
// object for all of them.
public import HealthSamples
internal import HealthStatistics
internal import HealthUnits

extension RecordColumns {
  /// The rows as samples, in their order: `HKCumulativeQuantitySample` or
  /// `HKDiscreteQuantitySample` for a quantity type, `HKCategorySample` for a category type.
  ///
  /// Each sample keeps what its row has and Apple's objects do not show, so that
  /// `SampleRows/rows(of:)` gives the same rows. Nothing is checked: rows of a type that is not in
  /// the catalogue, or longer than apps may save, become samples, too. A unit text that is not a
  /// unit becomes the null unit.
  ///
  /// - Parameter identities: the UUIDs of the rows, such as `SampleStore.uuids(of:)` gives them; new
  ///   ones when `nil`
  /// - Returns: one sample a row
  /// - Complexity: O(*n*)
  public func samples(identities: [UUID]? = nil) -> [HKSample] {
    precondition(identities.map { $0.count == count } ?? true, "One identity is needed for a row.")
    var fresh = IdentityGenerator()
    var writer = SampleWriter()
    writer.samples.reserveCapacity(count)
    writer.append(0..<count, of: self) { identities?[$0] ?? fresh.next() }
    return writer.samples
  }
}

/// Makes samples of rows of many batches; batches with the same tables share the objects of them.
struct SampleWriter {
  var samples: [HKSample] = []
  /// What was made last for each source.
  private var shared: [Source: SharedParts] = [:]

  /// Appends the samples of some rows, with the identity of each place among them.
  mutating func append(
    _ rows: some Collection<Int>, of batch: RecordColumns, _ identity: (Int) -> UUID
  ) {
    let shared: SharedParts
    if let known = self.shared[batch.source], known.suits(batch) {
      shared = known
    } else {
      shared = SharedParts(of: batch)
      self.shared[batch.source] = shared
    }
    let (type, serials) = (batch.type, batch.serials)
    let quantityType: HKQuantityType?
    let categoryType: HKCategoryType?
    switch type.kind {
    case .quantity:
      quantityType = HKQuantityType.types[type.identifier] ?? HKQuantityType(type)
      categoryType = nil
    case .category:
      categoryType = HKCategoryType.types[type.identifier] ?? HKCategoryType(type)
      quantityType = nil
    }
    for (place, row) in rows.enumerated() {
      let label = Int(batch.labels[row])
      let origin = Int(batch.origins[row])
      let facts = ObjectFacts(
        uuid: identity(place), sourceRevision: shared.revisions[origin],
        device: shared.devices[origin], metadata: shared.metadata[Int(batch.metadata[row])],
        row: RowFacts(
          label: batch.labelTable[label], created: batch.creation(row: row),
          copies: batch.copies[row], memberSet: batch.originTable[origin].memberSet,
          serial: serials.isEmpty ? nil : serials[row]))
      let start = Date(timeIntervalSinceReferenceDate: batch.starts[row])
      let end = Date(timeIntervalSinceReferenceDate: batch.ends[row])
      let value = batch.values[row]
      if let quantityType {
        samples.append(
          HKQuantitySample.make(
            quantityType, value, shared.units[label], start: start, end: end, facts: facts))
      } else if let categoryType {
        samples.append(
          HKCategorySample(
            categoryType, Int(exactly: value) ?? 0, start: start, end: end, facts: facts))
      }
    }
  }
}

/// What the rows of one batch share, as objects, by the index of the batch's tables.
private struct SharedParts {
  var units: [HKUnit]
  var revisions: [HKSourceRevision]
  var devices: [HKDevice?]
  var metadata: [ObjectMetadata?]
  private let tables: (labels: [String], origins: [Origin], metadata: [Metadata])

  /// Whether a batch has the tables from which these were made; at once for the same arrays.
  func suits(_ batch: RecordColumns) -> Bool {
    tables.labels == batch.labelTable && tables.origins == batch.originTable
      && tables.metadata == batch.metadataTable
  }

  init(of batch: RecordColumns) {
    tables = (batch.labelTable, batch.originTable, batch.metadataTable)
    let source = HKSource(batch.source)
    units = batch.labelTable.map { HKUnit((try? UnitExpression($0)) ?? .null) }
    revisions = batch.originTable.map { HKSourceRevision(source, $0) }
    devices = batch.originTable.map { $0.device.isEmpty ? nil : HKDevice(text: $0.device) }
    metadata = batch.metadataTable.map { $0.isEmpty ? nil : ObjectMetadata($0) }
  }
}

extension HKSourceRevision {
  /// The revision of what a source saved or an import brought.
  ///
  /// Exports do not say where a sample was saved, but their devices of Apple are what saved it.
  convenience init(_ source: HKSource, _ origin: Origin) {
    let place =
      origin.productType.isEmpty && origin.operatingSystem.isEmpty
        && source.core.bundleIdentifier.isEmpty
      ? SavingPlace(device: origin.device)
      : SavingPlace(product: origin.productType, system: origin.operatingSystem)
    self.init(
      source: source, version: origin.sourceVersion.isEmpty ? nil : origin.sourceVersion,
      productType: place.product.isEmpty ? nil : place.product,
      operatingSystemVersion: OperatingSystemVersion(words: place.system) ?? .unknown)
  }
}

extension Origin {
  /// The origin of a sample of a revision; what its device says of an import is not said again.
  init(_ revision: HKSourceRevision, _ device: HKDevice?) {
    let text = device?.text ?? ""
    var place = SavingPlace(
      product: revision.productType ?? "", system: revision.operatingSystemVersion.storedWords)
    if revision.source.core.bundleIdentifier.isEmpty, place == SavingPlace(device: text) {
      place = SavingPlace()
    }
    self.init(
      sourceVersion: revision.version ?? "", device: text, productType: place.product,
      operatingSystem: place.system)
  }
}

/// The product and the system on which a sample was saved; empty when not known.
private struct SavingPlace: Equatable {
  var product = ""
  var system = ""

  init() {}

  init(product: String, system: String) { (self.product, self.system) = (product, system) }

  /// Those of a device by its text, if that is a product of Apple's with its software.
  ///
  /// Any other device sent its measurements to the one that saved them, which is not known.
  init(device text: String) {
    guard let hardware = Device.value(of: .hardwareVersion, in: text), Self.isProduct(hardware)
    else { return }
    product = hardware
    system =
      Device.value(of: .softwareVersion, in: text)
      .flatMap(OperatingSystemVersion.init(words:))?.storedWords ?? ""
  }

  /// Whether a text has the form of Apple's products: a name, and two numbers with a comma between.
  private static func isProduct(_ text: String) -> Bool {
    let numbers = text.drop { $0.isASCII && $0.isLetter }
    let parts = numbers.split(separator: ",", omittingEmptySubsequences: false)
    return numbers.startIndex > text.startIndex && parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }
}

extension OperatingSystemVersion {
  /// That of a system that is not known.
  static let unknown = OperatingSystemVersion(majorVersion: 0, minorVersion: 0, patchVersion: 0)

  /// The version as people write it.
  var words: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

  /// The words that a store keeps; empty for a version that is not known.
  var storedWords: String {
    let numbers = [majorVersion, minorVersion, patchVersion]
    return numbers.allSatisfy { $0 >= 0 } && numbers != [0, 0, 0] ? words : ""
  }

  /// The version that one to three numbers with points between say; `nil` for another text.
  init?(words text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
    self.init(
      majorVersion: numbers[0], minorVersion: numbers.count > 1 ? numbers[1] : 0,
      patchVersion: numbers.count > 2 ? numbers[2] : 0)
  }
}

/// New identities, many at a time: random numbers (SplitMix64) after a start that the system gives.
///
/// `UUID()` asks the system each time, which takes longer than the rest of a sample.
struct IdentityGenerator {
  private var high: UInt64
  private var low: UInt64

  init() {
    var system = SystemRandomNumberGenerator()
    high = system.next()
    low = system.next()
  }

  /// A start that follows from a text: two hashes (FNV-1a) of its bytes.
  init(from text: String) {
    (high, low) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
    for byte in text.utf8 {
      high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      low = (low ^ UInt64(byte)) &* 0x9FB2_1C65_1E98_DF25
    }
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// An identity of version 4 (RFC 9562).
  mutating func next() -> UUID {
    high &+= 0x9E37_79B9_7F4A_7C15
    low &+= 0xD1B5_4A32_D192_ED03
    let first = Self.mixed(high) & ~0xF000 | 0x4000
    let second = Self.mixed(low) & ~(0b11 << 62) | 1 << 63
    func byte(_ bits: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: bits >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(first, 0), byte(first, 1), byte(first, 2), byte(first, 3), byte(first, 4),
        byte(first, 5), byte(first, 6), byte(first, 7), byte(second, 0), byte(second, 1),
        byte(second, 2), byte(second, 3), byte(second, 4), byte(second, 5), byte(second, 6),
        byte(second, 7)
      ))
  }
}

// MARK: Elements

extension ObjectFacts {
  /// The facts of an object that is made from an element.
  init(_ facts: ElementFacts, uuid: UUID, of element: any Sendable) {
    let device = facts.origin.device
    self.init(
      uuid: uuid, sourceRevision: HKSourceRevision(HKSource(facts.source), facts.origin),
      device: device.isEmpty ? nil : HKDevice(text: device),
      metadata: facts.metadata.isEmpty ? nil : ObjectMetadata(facts.metadata),
      row: RowFacts(
        label: "", created: facts.creation, copies: 1, memberSet: facts.origin.memberSet,
        serial: nil))
    self.element = ElementBox(element)
  }
}

extension Date {
  fileprivate init(_ instant: Double) { self.init(timeIntervalSinceReferenceDate: instant) }
}

extension Metadata {
  /// The values by key; `nil` without entries.
  fileprivate var object: [String: Any]? { isEmpty ? nil : ObjectMetadata(self).dictionary }

  fileprivate func value(_ key: String) -> MetadataValue? {
    entries.first { $0.key == key }?.typed
  }
}

extension Workouts.Row {
  /// The workout as an object; `Workouts.Row.init(_:)` gives the same row.
  ///
  /// Nothing is checked. An unknown activity is another one; events, statistics and totals without
  /// an equal in HealthKit are in the row alone.
  public func object(uuid: UUID = UUID()) -> HKWorkout {
    let type = HKWorkoutActivityType(constant: activity) ?? .other
    let events = events.compactMap(\.object)
    let statistics = Workouts.Statistics.objects(statistics)
    func total(_ identifier: HKQuantityTypeIdentifier) -> HKQuantity? {
      HKQuantityType.types[identifier.rawValue].flatMap { statistics[$0]?.sumQuantity() }
    }
    let distance =
      total(Catalogue.distanceType(ofWorkoutActivity: activity))
      ?? self.statistics.lazy.map(\.type)
      .filter { $0.hasPrefix("HKQuantityTypeIdentifierDistance") }
      .compactMap { total(HKQuantityTypeIdentifier(rawValue: $0)) }.first
    let (start, end) = (Date(facts.start), Date(facts.end))
    return HKWorkout(
      HKWorkout.Content(
        activity: type,
        duration: duration ?? ActiveTime.seconds(from: start, to: end, events: events),
        events: events.isEmpty ? nil : events,
        activities: activities.map { $0.object(of: type) }, energy: total(.activeEnergyBurned),
        distance: distance, flights: total(.flightsClimbed),
        strokes: total(.swimmingStrokeCount), statistics: statistics,
        zones: Workouts.ZoneGroup.objects(zoneGroups)),
      start: start, end: end, facts: ObjectFacts(facts, uuid: uuid, of: self))
  }
}

extension Workouts.Event {
  /// The event as an object; `nil` for a kind that HealthKit does not have.
  fileprivate var object: HKWorkoutEvent? {
    HKWorkoutEventType(constant: type).map { type in
      let seconds = duration.map { $0 > 0 ? $0 : 0 } ?? 0
      return HKWorkoutEvent(
        unchecked: type, DateInterval(start: Date(date), duration: seconds), metadata.object)
    }
  }
}

extension Workouts.Activity {
  fileprivate func object(of type: HKWorkoutActivityType) -> HKWorkoutActivity {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = HKWorkoutActivityType(constant: activity) ?? type
    // Exports tell of the place in metadata alone.
    let place = activity.isEmpty ? metadata : place
    if case .number(let isIndoor)? = place.value("HKIndoorWorkout") {
      configuration.locationType = isIndoor == 0 ? .outdoor : .indoor
    }
    if case .number(let place)? = place.value("HKSwimmingLocationType") {
      configuration.swimmingLocationType =
        Int(exactly: place).flatMap(HKWorkoutSwimmingLocationType.init(rawValue:)) ?? .unknown
    }
    if case .quantity(let length, let unit)? = place.value("HKLapLength") {
      configuration.lapLength = HKQuantity(length, HKUnit(unit))
    }
    return HKWorkoutActivity(
      facts: HKWorkoutActivity.Facts(
        uuid: UUID(uuidString: identifier) ?? UUID(), configuration: configuration,
        start: Date(start), end: end.map { Date($0) }, duration: duration,
        metadata: metadata.object, events: events.compactMap(\.object),
        statistics: Workouts.Statistics.objects(statistics),
        zones: Workouts.ZoneGroup.objects(zoneGroups)))
  }
}

extension Workouts.Statistics {
  /// Statistics by type; those of types and units that HealthKit does not have are left out.
  fileprivate static func objects(_ rows: [Self]) -> [HKQuantityType: HKStatistics] {
    let pairs = rows.compactMap { row -> (HKQuantityType, HKStatistics)? in
      guard let type = HKQuantityType.types[row.type], let unit = try? HKUnit.parsed(row.unit),
        type.is(compatibleWith: unit)
      else { return nil }
      let numbers: [(Statistic, Double?)] = [
        (.sum, row.sum), (.mean, row.average), (.min, row.minimum), (.max, row.maximum),
      ]
      let values = numbers.compactMap { statistic, value in value.map { (statistic, $0) } }
      let table = StatisticsColumns(
        start: row.start, end: row.end, count: 0, values: Dictionary(values) { first, _ in first })
      return (type, HKStatistics(StatisticsTable(type: type, unit: unit, intervals: table), row: 0))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension Routes.Row {
  /// The route as an object; `Routes.Row.init(_:of:)` gives the same row.
  public func object(uuid: UUID = UUID()) -> HKWorkoutRoute {
    HKWorkoutRoute(
      locations, start: Date(facts.start), end: Date(facts.end),
      facts: ObjectFacts(facts, uuid: uuid, of: self))
  }
}

extension BeatLists.Row {
  /// The heartbeats as an object; `BeatLists.Row.init(_:)` gives the same row.
  ///
  /// An export does not say where beats are missing: a beat that comes more than half a beat late
  /// by its rate is after a gap.
  public func object(uuid: UUID = UUID()) -> HKHeartbeatSeriesSample {
    var facts = ElementFacts()
    facts.source = record.source
    let gaps = offsets.indices.map { beat in
      beat > 0 && rates.indices.contains(beat)
        && (offsets[beat] - offsets[beat - 1]) * rates[beat] > 1.5 * 60
    }
    return HKHeartbeatSeriesSample(
      .init(offsets: offsets, areAfterGaps: gaps), start: Date(record.start),
      end: Date(record.end), facts: ObjectFacts(facts, uuid: uuid, of: self))
  }
}

extension Electrocardiograms.Row {
  /// The electrocardiogram as an object; `Electrocardiograms.Row.init(_:)` gives the same row.
  ///
  /// Exports write results in the language of the phone: those in English have their constants, and
  /// others are not recognized.
  public func object(uuid: UUID = UUID()) -> HKElectrocardiogram {
    HKElectrocardiogram(
      HKElectrocardiogram.Content(
        classification: HKElectrocardiogram.Classification(words: classification),
        symptoms: symptoms.isEmpty ? .notSet : symptoms == "None" ? .none : .present,
        heartRate: heartRate, frequency: sampleRate > 0 ? sampleRate : nil, voltages: voltages),
      start: Date(facts.start), end: Date(facts.end),
      facts: ObjectFacts(facts, uuid: uuid, of: self))
  }
}

extension Electrocardiograms.Row {
  /// The key under which imports have the mean heart rate.
  static let heartRateKey = "averageHeartRate"

  /// The mean heart rate, in beats a minute; `nil` when not recorded.
  fileprivate var heartRate: Double? {
    let text = facts.metadata.entries.first { $0.key == Self.heartRateKey }?.value
    return text.flatMap { $0.hasSuffix(" count/min") ? Double($0.dropLast(10)) : nil }
  }
}

extension Audiograms.Row {
  /// The hearing test as an object; `Audiograms.Row.init(_:)` gives the same row.
  public func object(uuid: UUID = UUID()) -> HKAudiogramSample {
    let points = points.map { point in
      HKAudiogramSensitivityPoint(
        unchecked: HKQuantity(point.frequency, .hertz()),
        [point.left.object(.left), point.right.object(.right)].compactMap { $0 })
    }
    return HKAudiogramSample(
      points, start: Date(facts.start), end: Date(facts.end),
      facts: ObjectFacts(facts, uuid: uuid, of: self))
  }
}

extension Audiograms.Ear {
  /// The test; `nil` for an ear without a threshold.
  fileprivate func object(_ side: HKAudiogramSensitivityTestSide) -> HKAudiogramSensitivityTest? {
    sensitivity.map {
      HKAudiogramSensitivityTest(
        unchecked: HKQuantity($0, .decibelHearingLevel()), masked: isMasked ?? false, side: side,
        range: clampingLowerBound == nil && clampingUpperBound == nil
          ? nil
          : HKAudiogramSensitivityPointClampingRange(
            unchecked: clampingLowerBound, clampingUpperBound))
    }
  }
}

extension ActivitySummaries.Row {
  /// The day as an object; `ActivitySummaries.Row.init(_:)` gives the same row until a property
  /// changes.
  public func object() -> HKActivitySummary {
    let summary = HKActivitySummary()
    summary.day = day
    summary.row = self
    for number in Self.numbers {
      if let value = self[keyPath: number.row] {
        number.write(HKQuantity(value, number.unit), summary)
      }
    }
    let countsTime = (moveMinutesGoal ?? 0) > 0 && (activeEnergyGoal ?? 0) == 0
    summary.activityMoveMode = countsTime ? .appleMoveTime : .activeEnergy
    return summary
  }
}

extension ClinicalRecords.Row {
  /// The document as an object; `ClinicalRecords.Row.init(_:)` gives the same row.
  ///
  /// Its name is that of its code, else its kind.
  public func object(uuid: UUID = UUID()) -> HKClinicalRecord {
    var facts = ElementFacts()
    facts.source = source
    let data = Data(resource)
    let json = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    let kind = HKFHIRResourceType(rawValue: json["resourceType"] as? String ?? "")
    var document: HKFHIRResource?
    if !resource.isEmpty, let version = try? HKFHIRVersion(fromVersionString: version) {
      document = HKFHIRResource(
        version: version, type: kind, identifier: identifier, data: data,
        sourceURL: sourceURL.isEmpty ? nil : URL(string: sourceURL))
    }
    return HKClinicalRecord(
      type: HKClinicalType(identifier: type), displayName: Self.name(in: json) ?? kind.rawValue,
      resource: document, date: Date(received), facts: ObjectFacts(facts, uuid: uuid, of: self))
  }

  /// The name of the code that says what a document is about.
  private static func name(in json: [String: Any]) -> String? {
    let keys = ["code", "vaccineCode", "medicationCodeableConcept", "substance", "type"]
    for key in keys {
      guard let concept = json[key] as? [String: Any] else { continue }
      if let text = concept["text"] as? String { return text }
      let codings = concept["coding"] as? [[String: Any]] ?? []
      if let name = codings.lazy.compactMap({ $0["display"] as? String }).first { return name }
    }
    return nil
  }
}

extension VisionPrescriptions.Row {
  /// The prescription as an object: `HKGlassesPrescription` or `HKContactsPrescription`, or
  /// `HKVisionPrescription` when no eye has the power of a lens; `VisionPrescriptions.Row.init(_:)`
  /// gives the same row.
  public func object(uuid: UUID = UUID()) -> HKVisionPrescription {
    var element = ElementFacts()
    element.metadata = metadata
    element.source = source ?? element.source
    (element.origin, element.creation) = (origin, created)
    let facts = ObjectFacts(element, uuid: uuid, of: self)
    let (start, end) = (Date(issued), expires.map { Date($0) })
    let isOfContacts = type.lowercased().contains("contact") || type.isEmpty && !brand.isEmpty
    let (right, left) = (Lens(rightEye), Lens(leftEye))
    guard right.hasPower || left.hasPower else {
      return HKVisionPrescription(
        isOfContacts ? .contacts : .glasses, issued: start, expires: end, facts: facts)
    }
    if isOfContacts {
      return HKContactsPrescription(
        right: right.contact, left: left.contact, brand: brand, issued: start, expires: end,
        facts: facts)
    }
    return HKGlassesPrescription(
      right: right.glass(.right), left: left.glass(.left), issued: start, expires: end,
      facts: facts)
  }

  /// The parameters of one eye.
  private struct Lens {
    private let quantities: [String: HKQuantity]

    init(_ parameters: [VisionPrescriptions.Parameter]) {
      let pairs = parameters.compactMap { parameter -> (String, HKQuantity)? in
        guard let unit = LensParameter(rawValue: parameter.name)?.unit else { return nil }
        if parameter.unit.isEmpty { return (parameter.name, HKQuantity(parameter.value, unit)) }
        guard let written = try? HKUnit.parsed(parameter.unit), written.isCompatible(with: unit)
        else { return nil }
        return (parameter.name, HKQuantity(parameter.value, written))
      }
      quantities = Dictionary(pairs) { first, _ in first }
    }

    private subscript(parameter: LensParameter) -> HKQuantity? { quantities[parameter.rawValue] }

    /// Whether the lens has the power without which HealthKit has no lens.
    var hasPower: Bool { self[.sphere] != nil }

    func glass(_ eye: HKVisionEye) -> HKGlassesLensSpecification? {
      guard let sphere = self[.sphere] else { return nil }
      var prism: HKVisionPrism?
      if let amount = self[.prismAmount], let angle = self[.prismAngle] {
        prism = try? HKVisionPrism.validated(amount: amount, angle: angle, eye: eye)
      }
      return try? HKGlassesLensSpecification.validated(
        sphere: sphere, cylinder: self[.cylinder], axis: self[.axis], addPower: self[.add],
        vertexDistance: self[.vertex], prism: prism, farPupillaryDistance: self[.farPD],
        nearPupillaryDistance: self[.nearPD])
    }

    var contact: HKContactsLensSpecification? {
      guard let sphere = self[.sphere] else { return nil }
      return try? HKContactsLensSpecification.validated(
        sphere: sphere, cylinder: self[.cylinder], axis: self[.axis], addPower: self[.add],
        baseCurve: self[.baseCurve], diameter: self[.diameter])
    }
  }
}

/// A parameter of a lens, by the attribute of exports.
enum LensParameter: String {
  case sphere, cylinder, axis, add, vertex, prismAmount, prismAngle, farPD, nearPD, baseCurve
  case diameter

  /// The unit where none is written.
  var unit: HKUnit {
    switch self {
    case .sphere, .cylinder, .add: .diopter()
    case .axis, .prismAngle: .degreeAngle()
    case .prismAmount: .prismDiopter()
    case .vertex, .farPD, .nearPD, .baseCurve, .diameter: .meterUnit(with: .milli)
    }
  }
}

extension Correlations.Row {
  /// The correlation as an object; `Correlations.Row.init(_:)` gives the same row.
  ///
  /// Each record becomes a sample of its own type. Nothing is checked.
  public func object(uuid: UUID = UUID()) -> HKCorrelation { object(uuid: uuid, members: nil) }

  /// The correlation with the samples that a store has of its records; without them as those.
  func object(uuid: UUID, members samples: Set<HKSample>?) -> HKCorrelation {
    HKCorrelation(
      HKCorrelationType(identifier: type), samples ?? Set(members.compactMap(\.object)),
      start: Date(facts.start), end: Date(facts.end),
      facts: ObjectFacts(facts, uuid: uuid, of: self))
  }
}

extension RecordLink {
  /// The record as a sample; `nil` for a type that the catalogue does not have.
  fileprivate var object: HKSample? {
    guard let type = Catalogue.type(type) else { return nil }
    var columns = RecordColumns(type: type, source: source)
    do {
      try columns.append(start: start, end: end, value: recordedValue(of: type), label: label)
    } catch {
      return nil
    }
    return columns.samples().first
  }

  /// The value in the unit in which the record was written.
  private func recordedValue(of type: SampleType) -> Double {
    guard let canonical = type.canonicalUnit, let recorded = try? HKUnit.parsed(label),
      recorded != HKUnit(canonical)
    else { return value }
    return (try? HKQuantity(value, HKUnit(canonical)).value(in: recorded)) ?? value
  }
}

extension Characteristics {
  /// The biological sex; not set without an entry.
  public var biologicalSex: HKBiologicalSexObject {
    HKBiologicalSexObject(constant("HKBiologicalSex", .biologicalSex) ?? .notSet)
  }

  /// The blood type; not set without an entry.
  public var bloodType: HKBloodTypeObject {
    HKBloodTypeObject(constant("HKBloodType", .bloodType) ?? .notSet)
  }

  /// The skin type; not set without an entry.
  public var fitzpatrickSkinType: HKFitzpatrickSkinTypeObject {
    HKFitzpatrickSkinTypeObject(
      constant("HKFitzpatrickSkinType", .fitzpatrickSkinType) ?? .notSet)
  }

  /// Whether the person uses a wheelchair; not set without an entry.
  public var wheelchairUse: HKWheelchairUseObject {
    HKWheelchairUseObject(constant("HKWheelchairUse", .wheelchairUse) ?? .notSet)
  }

  /// The ring of movement; energy without an entry.
  public var activityMoveMode: HKActivityMoveModeObject {
    HKActivityMoveModeObject(
      constant("HKActivityMoveMode", .activityMoveMode) ?? .activeEnergy)
  }

  /// The date of birth, with year, month and day; `nil` without an entry.
  public var dateOfBirthComponents: DateComponents? {
    let parts = text(.dateOfBirth)?.split(separator: "-").map { Int($0) } ?? []
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
      return nil
    }
    return DateComponents(
      calendar: Calendar(identifier: .gregorian), year: year, month: month, day: day)
  }

  /// The first entry of a characteristic, as written; an empty one is not set.
  private func text(_ identifier: HKCharacteristicTypeIdentifier) -> String? {
    rows.lazy.flatMap(\.entries).first { $0.key == identifier.rawValue && !$0.value.isEmpty }?
      .value
  }

  private func constant<Value: RawRepresentable<Int>>(
    _ enumeration: String, _ identifier: HKCharacteristicTypeIdentifier
  ) -> Value? {
    guard let name = text(identifier) else { return nil }
    let rows = Catalogue.enumerationCases
    return rows.first { $0.enumeration == enumeration && $0.constant == name }?.rawValue
      .flatMap(Value.init(rawValue:))
  }
}

extension HKElectrocardiogram.Classification {
  init(words: String) {
    let finding = Electrocardiograms.Finding(words: words)
    self =
      words.isEmpty ? .notSet : finding.flatMap { Self(rawValue: $0.rawValue) } ?? .unrecognized
  }

  /// The words of exports in English, or unknown ones; empty where there are none.
  var words: String {
    self == .unrecognized
      ? "Unrecognized" : Electrocardiograms.Finding(rawValue: rawValue)?.words ?? ""
  }
}

extension HKWorkoutActivityType {
  private static let types = Dictionary(
    Catalogue.workoutActivities.compactMap { row in
      Self(rawValue: UInt(row.rawValue)).map { (row.constant, $0) }
    }, uniquingKeysWith: { first, _ in first })
  private static let names = Dictionary(
    types.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

  init?(constant: String) {
    guard let type = Self.types[constant] else { return nil }
    self = type
  }

  /// Apple's constant, which is what exports write.
  var constant: String { Self.names[self] ?? "" }
}

extension HKWorkoutEventType {
  private static let rows = Catalogue.enumerationCases.filter {
    $0.enumeration == "HKWorkoutEventType"
  }

  init?(constant: String) {
    guard let raw = Self.rows.first(where: { $0.constant == constant })?.rawValue else {
      return nil
    }
    self.init(rawValue: raw)
  }

  /// Apple's constant, which is what exports write.
  var constant: String { Self.rows.first { $0.rawValue == rawValue }?.constant ?? "" }
}
