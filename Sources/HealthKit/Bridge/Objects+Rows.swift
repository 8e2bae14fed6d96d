// Objects as rows of the core.
public import HealthSamples
internal import HealthUnits

/// Samples of one type and one source as rows, with their identities.
public struct SampleRows: Sendable {
  /// The rows, in the order of the samples.
  public private(set) var columns: RecordColumns
  /// The identity of each row.
  public private(set) var identities: [UUID]
  /// The place of each row among all samples.
  let places: [Int]

  /// The quantity and category samples as rows: one batch for each type and source, in the order in
  /// which they first occur.
  ///
  /// A sample that was made from a row becomes the same row. Samples of other classes have tables of
  /// their own, and are left out.
  ///
  /// - Throws: `ColumnError` for a number that is not finite, and for more units than a batch can
  ///   have
  /// - Complexity: O(*n*)
  public static func rows(of samples: some Sequence<HKSample>) throws(ColumnError) -> [SampleRows] {
    var writers: [BatchKey: Int] = [:]
    var batches: [BatchWriter] = []
    var last: (type: ObjectIdentifier, revision: ObjectIdentifier, batch: Int)?
    for (place, sample) in samples.enumerated() {
      let revision = sample.sourceRevision
      let key = (ObjectIdentifier(sample.sampleType), ObjectIdentifier(revision))
      let quantity = sample as? HKQuantitySample
      let category = quantity == nil ? sample as? HKCategorySample : nil
      guard let type = quantity?.quantityType.core ?? category?.categoryType.core else { continue }
      let batch: Int
      if let last, last.type == key.0, last.revision == key.1 {
        batch = last.batch
      } else {
        let name = BatchKey(type: type.identifier, source: revision.source.core)
        if let known = writers[name] {
          batch = known
        } else {
          batch = batches.count
          writers[name] = batch
          batches.append(BatchWriter(RecordColumns(type: type, source: revision.source.core)))
        }
        last = (key.0, key.1, batch)
      }
      if let quantity {
        try batches[batch].append(quantity, place, quantity.value, revision, quantity.unit) {
          quantity.unit.unitString
        }
      } else if let category {
        try batches[batch].append(category, place, Double(category.value), revision, nil) {
          Catalogue.constant(
            ofRawValue: category.value, of: HKCategoryTypeIdentifier(rawValue: type.identifier))
            ?? ""
        }
      }
    }
    return batches.map { $0.rows() }
  }

  private init(_ columns: RecordColumns, _ identities: [UUID], _ places: [Int]) {
    self.columns = columns
    self.identities = identities
    self.places = places
  }

  private struct BatchKey: Hashable {
    let type: String
    let source: Source
  }

  /// Collects the rows of one batch, and finds the entries of its tables by the objects that rows
  /// share.
  ///
  /// The columns are arrays of its own: those of the core are behind calls of another module.
  private struct BatchWriter {
    private var columns: RecordColumns
    private var starts: [Double] = []
    private var ends: [Double] = []
    private var values: [Double] = []
    private var created: [Double] = []
    private var labels: [UInt16] = []
    private var origins: [UInt32] = []
    private var metadata: [UInt32] = []
    private var copies: [UInt32] = []
    private var identities: [UUID] = []
    private var places: [Int] = []
    private var serials: [Int64] = []
    private var labelIndex = EntryIndex<String>()
    private var originIndex = EntryIndex<Origin>()
    private var metadataIndex = EntryIndex<Metadata>()

    init(_ columns: RecordColumns) {
      self.columns = columns
      _ = metadataIndex.index(of: Metadata())
    }

    mutating func append(
      _ sample: HKSample, _ number: Int, _ value: Double, _ revision: HKSourceRevision,
      _ unit: HKUnit?, label: () -> String
    ) throws(ColumnError) {
      let start = sample.startDate.timeIntervalSinceReferenceDate
      let end = sample.endDate.timeIntervalSinceReferenceDate
      guard start.isFinite, end.isFinite, value.isFinite else {
        throw ColumnError(.rowNotFinite, index: starts.count)
      }
      let row = sample.facts.row
      // The text of a unit takes longer than the rest of a row.
      let text =
        if row == nil, let unit {
          labelIndex.index(of: unit, key: .init(unit, nil, nil), label)
        } else {
          labelIndex.index(of: row?.label ?? label())
        }
      guard let place = UInt16(exactly: text) else {
        throw ColumnError(.tooManyLabels, index: starts.count)
      }
      let device = sample.device
      let memberSet = row?.memberSet ?? 0
      let origin = originIndex.index(
        of: (revision, device, memberSet), key: .init(revision, device, memberSet)
      ) {
        var origin = Origin(revision, device)
        origin.memberSet = memberSet
        return origin
      }
      // Those of rows are shared by many samples, those of an app by none.
      let entries = sample.facts.metadata.map { box in
        box.entries == nil
          ? metadataIndex.index(of: box.columns)
          : metadataIndex.index(of: box, key: .init(box, nil, nil)) { box.columns }
      }
      starts.append(start)
      ends.append(end)
      values.append(value)
      labels.append(place)
      origins.append(UInt32(origin))
      metadata.append(UInt32(entries ?? 0))
      created.append(row?.created ?? RecordColumns.notRecorded)
      copies.append(row?.copies ?? 1)
      identities.append(sample.uuid)
      places.append(number)
      if let serial = row?.serial { serials.append(serial) }
    }

    consuming func rows() -> SampleRows {
      columns.starts = starts
      columns.ends = ends
      columns.values = values
      columns.created = created
      columns.labels = labels
      columns.origins = origins
      columns.metadata = metadata
      columns.copies = copies
      columns.labelTable = labelIndex.entries
      columns.originTable = originIndex.entries
      columns.metadataTable = metadataIndex.entries
      if serials.count == starts.count { columns.serials = serials }
      return SampleRows(columns, identities, places)
    }
  }
}

/// The entries of a table of a batch, found by the objects from which they come, else by value.
private struct EntryIndex<Entry: Hashable> {
  private(set) var entries: [Entry] = []
  private var places: [Entry: Int] = [:]
  private var placesByObject: [ObjectKey: Int] = [:]
  private var last: (key: ObjectKey, place: Int)?
  private var lastEntry: (entry: Entry, place: Int)?
  /// The objects that keys name: while they live, no other object has their identifiers.
  private var kept: [AnyObject?] = []

  /// Up to two objects and a number.
  struct ObjectKey: Hashable {
    let first: ObjectIdentifier
    let second: ObjectIdentifier?
    let number: UInt32?

    init(_ first: AnyObject, _ second: AnyObject?, _ number: UInt32?) {
      self.first = ObjectIdentifier(first)
      self.second = second.map(ObjectIdentifier.init)
      self.number = number
    }
  }

  mutating func index(of entry: Entry) -> Int {
    if let lastEntry, lastEntry.entry == entry { return lastEntry.place }
    let place: Int
    if let known = places[entry] {
      place = known
    } else {
      place = entries.count
      places[entry] = place
      entries.append(entry)
    }
    lastEntry = (entry, place)
    return place
  }

  mutating func index(of objects: AnyObject, key: ObjectKey, _ make: () -> Entry) -> Int {
    index(of: (objects, nil, 0), key: key, make)
  }

  mutating func index(
    of objects: (AnyObject, AnyObject?, UInt32), key: ObjectKey, _ make: () -> Entry
  ) -> Int {
    if let last, last.key == key { return last.place }
    let place: Int
    if let known = placesByObject[key] {
      place = known
    } else {
      place = index(of: make())
      placesByObject[key] = place
      kept.append(objects.0)
      kept.append(objects.1)
    }
    last = (key, place)
    return place
  }
}

// MARK: Elements

extension HKObject {
  /// The element of an import that the object was made from.
  fileprivate func element<Row: Sendable>(_ type: Row.Type) -> Row? {
    facts.element?.row as? Row
  }
}

extension ElementFacts {
  /// The facts of an object that an app made.
  init(_ sample: HKSample) {
    self.init()
    source = sample.sourceRevision.source.core
    origin = Origin(sample.sourceRevision, sample.device)
    start = sample.startDate.timeIntervalSinceReferenceDate
    end = sample.endDate.timeIntervalSinceReferenceDate
    metadata = sample.facts.metadata?.columns ?? Metadata()
  }
}

extension Workouts.Row {
  /// The row of a workout: the one that it was made from, else one of its properties.
  ///
  /// Quantities are converted into the canonical units of their types.
  public init(_ workout: HKWorkout) {
    self.init()
    if let row = workout.element(Self.self) {
      self = row
      return
    }
    let content = workout.content
    facts = ElementFacts(workout)
    activity = content.activity.constant
    duration = content.duration
    events = (content.events ?? []).map(Workouts.Event.init)
    activities = content.activities.map(Workouts.Activity.init)
    zoneGroups = Workouts.ZoneGroup.rows(content.zones)
    statistics = Workouts.Statistics.rows(content.statistics)
    let totals: [(HKQuantityTypeIdentifier, HKQuantity?)] = [
      (Catalogue.distanceType(ofWorkoutActivity: activity), content.distance),
      (.activeEnergyBurned, content.energy), (.flightsClimbed, content.flights),
      (.swimmingStrokeCount, content.strokes),
    ]
    for (identifier, total) in totals {
      guard let total, !statistics.contains(where: { $0.type == identifier.rawValue }),
        let row = Workouts.Statistics(total: total, identifier, facts)
      else { continue }
      statistics.append(row)
    }
  }
}

extension Workouts.Event {
  fileprivate init(_ event: HKWorkoutEvent) {
    self.init()
    type = event.type.constant
    date = event.dateInterval.start.timeIntervalSinceReferenceDate
    duration = event.dateInterval.duration > 0 ? event.dateInterval.duration : nil
    metadata = event.metadata.map { ObjectMetadata($0).columns } ?? Metadata()
  }
}

extension Workouts.Activity {
  fileprivate init(_ activity: HKWorkoutActivity) {
    self.init()
    identifier = activity.uuid.uuidString
    let configuration = activity.workoutConfiguration
    self.activity = configuration.activityType.constant
    place = Metadata(configuration)
    start = activity.startDate.timeIntervalSinceReferenceDate
    end = activity.endDate?.timeIntervalSinceReferenceDate
    duration = end == nil ? nil : activity.duration
    statistics = Workouts.Statistics.rows(activity.allStatistics)
    events = activity.workoutEvents.map(Workouts.Event.init)
    zoneGroups = Workouts.ZoneGroup.rows(activity.facts.zones)
    metadata = activity.metadata.map { ObjectMetadata($0).columns } ?? Metadata()
  }
}

extension Metadata {
  /// Where an activity takes place, under the keys that metadata has for it.
  fileprivate init(_ configuration: HKWorkoutConfiguration) {
    var entries: [Entry] = []
    if configuration.locationType != .unknown {
      entries.append(
        Entry(
          key: "HKIndoorWorkout", .number(configuration.locationType == .indoor ? 1 : 0)))
    }
    if configuration.swimmingLocationType != .unknown {
      let place = Double(configuration.swimmingLocationType.rawValue)
      entries.append(Entry(key: "HKSwimmingLocationType", .number(place)))
    }
    if let length = configuration.lapLength {
      entries.append(Entry(key: "HKLapLength", .quantity(length.value, length.unit.scale.unit)))
    }
    self.init(entries)
  }
}

extension Workouts.Statistics {
  fileprivate init?(
    total: HKQuantity, _ identifier: HKQuantityTypeIdentifier, _ facts: ElementFacts
  ) {
    guard let type = HKQuantityType.types[identifier.rawValue] else { return nil }
    self.init(type, start: facts.start, end: facts.end)
    recordedUnit = total.unit.unitString
    sum = total.number(in: HKUnit(type.core.unit))
  }

  private init(_ type: HKQuantityType, start: Double, end: Double) {
    self.init()
    self.type = type.identifier
    unit = type.core.unit.description
    recordedUnit = unit
    self.start = start
    self.end = end
  }

  fileprivate static func rows(_ statistics: [HKQuantityType: HKStatistics]) -> [Self] {
    statistics.sorted { $0.key.identifier < $1.key.identifier }.map { type, statistics in
      let unit = HKUnit(type.core.unit)
      var row = Self(
        type, start: statistics.startDate.timeIntervalSinceReferenceDate,
        end: statistics.endDate.timeIntervalSinceReferenceDate)
      row.sum = statistics.sumQuantity()?.number(in: unit)
      row.average = statistics.averageQuantity()?.number(in: unit)
      row.minimum = statistics.minimumQuantity()?.number(in: unit)
      row.maximum = statistics.maximumQuantity()?.number(in: unit)
      return row
    }
  }
}

extension HKQuantity {
  /// The value in a unit; `nil` in one of something else.
  ///
  /// The same unit needs no conversion, which could change the last digit.
  func number(in other: HKUnit) -> Double? {
    unit == other ? value : try? value(in: other)
  }
}

extension Routes.Row {
  /// The row of a route: the one that it was made from, else one of its places and, where given, its
  /// workout.
  public init(_ route: HKWorkoutRoute, of workout: HKWorkout? = nil) {
    self.init()
    if let row = route.element(Self.self) {
      self = row
      return
    }
    facts = ElementFacts(route)
    locations = route.locations
    guard let workout else { return }
    activity = workout.workoutActivityType.constant
    workoutStart = workout.startDate.timeIntervalSinceReferenceDate
    workoutEnd = workout.endDate.timeIntervalSinceReferenceDate
  }
}

extension BeatLists.Row {
  /// The row that a series was made from; `nil` for a series that an app made, which belongs to no
  /// record.
  public init?(_ series: HKHeartbeatSeriesSample) {
    guard let row = series.element(Self.self) else { return nil }
    self = row
  }
}

extension Electrocardiograms.Row {
  /// The row of an electrocardiogram: the one that it was made from, else one of its properties with
  /// the words of exports in English.
  public init(_ electrocardiogram: HKElectrocardiogram) {
    self.init()
    if let row = electrocardiogram.element(Self.self) {
      self = row
      return
    }
    let content = electrocardiogram.content
    facts = ElementFacts(electrocardiogram)
    if let rate = content.heartRate,
      !facts.metadata.entries.contains(where: { $0.key == Self.heartRateKey })
    {
      facts.metadata = Metadata(
        facts.metadata.entries + [.init(key: Self.heartRateKey, value: "\(rate) count/min")])
    }
    classification = content.classification.words
    symptoms = content.symptoms == .none ? "None" : content.symptoms == .present ? "Present" : ""
    lead = "Lead I"
    sampleRate = content.frequency ?? 0
    voltages = content.voltages
  }
}

extension Audiograms.Row {
  /// The row of a hearing test: the one that it was made from, else one of its points.
  public init(_ audiogram: HKAudiogramSample) {
    self.init()
    if let row = audiogram.element(Self.self) {
      self = row
      return
    }
    facts = ElementFacts(audiogram)
    type = audiogram.sampleType.identifier
    points = audiogram.sensitivityPoints.map { point in
      var row = Audiograms.Point()
      row.frequency = point.frequency.number(in: .hertz()) ?? 0
      for test in point.tests {
        switch test.side {
        case .left: row.left = Audiograms.Ear(test)
        case .right: row.right = Audiograms.Ear(test)
        }
      }
      return row
    }
  }
}

extension Audiograms.Ear {
  fileprivate init(_ test: HKAudiogramSensitivityTest) {
    self.init()
    let unit = HKUnit.decibelHearingLevel()
    sensitivity = test.sensitivity.number(in: unit)
    isMasked = test.masked
    clampingLowerBound = test.clampingRange?.lowerBound?.number(in: unit)
    clampingUpperBound = test.clampingRange?.upperBound?.number(in: unit)
  }
}

extension ActivitySummaries.Row {
  /// The row of a day: the one that it was made from, with the properties that changed since; `nil`
  /// for a summary that an app made, which is of no day.
  public init?(_ summary: HKActivitySummary) {
    guard let day = summary.day else { return nil }
    self = summary.row ?? Self()
    self.day = day
    for number in Self.numbers {
      let value = number.read(summary)?.number(in: number.unit)
      // Zero stands for what is not recorded, too.
      if value != 0 || self[keyPath: number.row] != nil { self[keyPath: number.row] = value }
    }
  }

  /// A number of a day: its place in the row, its unit, and its property.
  struct Number {
    let row: WritableKeyPath<ActivitySummaries.Row, Double?>
    let unit: HKUnit
    let read: (HKActivitySummary) -> HKQuantity?
    let write: (HKQuantity, HKActivitySummary) -> Void
  }

  static var numbers: [Number] {
    [
      Number(
        row: \.activeEnergy, unit: .kilocalorie(), read: { $0.activeEnergyBurned },
        write: { $1.activeEnergyBurned = $0 }),
      Number(
        row: \.activeEnergyGoal, unit: .kilocalorie(), read: { $0.activeEnergyBurnedGoal },
        write: { $1.activeEnergyBurnedGoal = $0 }),
      Number(
        row: \.moveMinutes, unit: .minute(), read: { $0.appleMoveTime },
        write: { $1.appleMoveTime = $0 }),
      Number(
        row: \.moveMinutesGoal, unit: .minute(), read: { $0.appleMoveTimeGoal },
        write: { $1.appleMoveTimeGoal = $0 }),
      Number(
        row: \.exerciseMinutes, unit: .minute(), read: { $0.appleExerciseTime },
        write: { $1.appleExerciseTime = $0 }),
      Number(
        row: \.exerciseMinutesGoal, unit: .minute(), read: { $0.exerciseTimeGoal },
        write: { $1.exerciseTimeGoal = $0 }),
      Number(
        row: \.standHours, unit: .count(), read: { $0.appleStandHours },
        write: { $1.appleStandHours = $0 }),
      Number(
        row: \.standHoursGoal, unit: .count(), read: { $0.standHoursGoal },
        write: { $1.standHoursGoal = $0 }),
    ]
  }
}

extension ClinicalRecords.Row {
  /// The row of a document: the one that it was made from, else one of its properties.
  public init(_ record: HKClinicalRecord) {
    self.init()
    if let row = record.element(Self.self) {
      self = row
      return
    }
    type = record.sampleType.identifier
    source = record.sourceRevision.source.core
    received = record.startDate.timeIntervalSinceReferenceDate
    guard let resource = record.fhirResource else { return }
    identifier = resource.identifier
    sourceURL = resource.sourceURL?.absoluteString ?? ""
    version = resource.fhirVersion.stringRepresentation
    self.resource = Array(resource.data)
  }
}

extension VisionPrescriptions.Row {
  /// The row of a prescription: the one that it was made from, else one of its properties.
  public init(_ prescription: HKVisionPrescription) {
    self.init()
    if let row = prescription.element(Self.self) {
      self = row
      return
    }
    type = prescription.prescriptionType == .contacts ? "contacts" : "glasses"
    issued = prescription.dateIssued.timeIntervalSinceReferenceDate
    expires = prescription.expirationDate?.timeIntervalSinceReferenceDate
    metadata = prescription.facts.metadata?.columns ?? Metadata()
    switch prescription {
    case let glasses as HKGlassesPrescription:
      rightEye = Self.parameters(glasses.rightEye)
      leftEye = Self.parameters(glasses.leftEye)
    case let contacts as HKContactsPrescription:
      brand = contacts.brand
      rightEye = Self.parameters(contacts.rightEye)
      leftEye = Self.parameters(contacts.leftEye)
    default: break
    }
  }

  private static func parameters(_ lens: HKLensSpecification?) -> [VisionPrescriptions.Parameter] {
    guard let lens else { return [] }
    let glass = lens as? HKGlassesLensSpecification
    let contact = lens as? HKContactsLensSpecification
    let quantities: [(LensParameter, HKQuantity?)] = [
      (.sphere, lens.sphere), (.cylinder, lens.cylinder), (.axis, lens.axis),
      (.add, lens.addPower), (.vertex, glass?.vertexDistance),
      (.prismAmount, glass?.prism?.amount), (.prismAngle, glass?.prism?.angle),
      (.farPD, glass?.farPupillaryDistance), (.nearPD, glass?.nearPupillaryDistance),
      (.baseCurve, contact?.baseCurve), (.diameter, contact?.diameter),
    ]
    return quantities.compactMap { parameter, quantity in
      quantity.map {
        .init(name: parameter.rawValue, value: $0.value, unit: $0.unit.unitString)
      }
    }
  }
}

extension Correlations.Row {
  /// The row of a correlation: the one that it was made from, else one of its samples, in the order
  /// of their types and times.
  public init(_ correlation: HKCorrelation) {
    self.init()
    if let row = correlation.element(Self.self) {
      self = row
      return
    }
    facts = ElementFacts(correlation)
    type = correlation.correlationType.identifier
    members = correlation.objects.compactMap { RecordLink($0) }.sorted {
      ($0.type, $0.start, $0.end, $0.value) < ($1.type, $1.start, $1.end, $1.value)
    }
  }
}

extension RecordLink {
  /// What identifies a sample in exports; `nil` for one that is neither a quantity nor a category.
  fileprivate init?(_ sample: HKSample) {
    let value: Double
    let label: String
    switch sample {
    case let sample as HKQuantitySample:
      guard let number = sample.quantity.number(in: HKUnit(sample.quantityType.core.unit)) else {
        return nil
      }
      value = number
      label = sample.recorded.unit
    case let sample as HKCategorySample:
      value = Double(sample.value)
      let type = HKCategoryTypeIdentifier(rawValue: sample.categoryType.identifier)
      label =
        sample.facts.row?.label ?? Catalogue.constant(ofRawValue: sample.value, of: type) ?? ""
    default: return nil
    }
    self.init(
      type: sample.sampleType.identifier, source: sample.sourceRevision.source.core,
      start: sample.startDate.timeIntervalSinceReferenceDate,
      end: sample.endDate.timeIntervalSinceReferenceDate, value: value, label: label)
  }
}

extension Characteristics {
  /// The entries of a person's answers, as exports write them.
  public init(
    biologicalSex: HKBiologicalSexObject, bloodType: HKBloodTypeObject,
    fitzpatrickSkinType: HKFitzpatrickSkinTypeObject, wheelchairUse: HKWheelchairUseObject,
    activityMoveMode: HKActivityMoveModeObject, dateOfBirthComponents: DateComponents?
  ) {
    func entry(
      _ identifier: HKCharacteristicTypeIdentifier, _ enumeration: String, _ raw: Int
    ) -> Metadata.Entry? {
      let rows = Catalogue.enumerationCases
      return rows.first { $0.enumeration == enumeration && $0.rawValue == raw }
        .map { Metadata.Entry(key: identifier.rawValue, value: $0.constant) }
    }
    var born: Metadata.Entry?
    if let date = dateOfBirthComponents, let year = date.year, let month = date.month,
      let day = date.day
    {
      born = Metadata.Entry(
        key: HKCharacteristicTypeIdentifier.dateOfBirth.rawValue,
        value: String(format: "%04d-%02d-%02d", year, month, day))
    }
    let entries = [
      born, entry(.biologicalSex, "HKBiologicalSex", biologicalSex.biologicalSex.rawValue),
      entry(.bloodType, "HKBloodType", bloodType.bloodType.rawValue),
      entry(
        .fitzpatrickSkinType, "HKFitzpatrickSkinType", fitzpatrickSkinType.skinType.rawValue),
      entry(.wheelchairUse, "HKWheelchairUse", wheelchairUse.wheelchairUse.rawValue),
      entry(.activityMoveMode, "HKActivityMoveMode", activityMoveMode.activityMoveMode.rawValue),
    ]
    self.init([Metadata(entries.compactMap { $0 })])
  }
}
