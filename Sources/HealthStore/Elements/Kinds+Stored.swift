import HealthSamples

extension ElementKind {
  /// The columns of the kind: all kinds that a store has.
  var columns: any StoredElement.Type {
    switch self {
    case .workout: Workouts.self
    case .route: Routes.self
    case .correlation: Correlations.self
    case .activitySummary: ActivitySummaries.self
    case .beatList: BeatLists.self
    case .electrocardiogram: Electrocardiograms.self
    case .audiogram: Audiograms.self
    case .visionPrescription: VisionPrescriptions.self
    case .clinicalRecord: ClinicalRecords.self
    case .characteristics: Characteristics.self
    case .savedObject: SavedObjects.self
    }
  }
}

extension Workouts.Row: RowWithFacts {}
extension Workouts: ToldUnderIdentity, SavedByApps {
  static let letter = "w"
  static let typeIdentifier: String? = "HKWorkoutTypeIdentifier"
  static var links: WritableKeyPath<Row, [RecordLink]>? { \.records }
  var batch: ImportBatch { .workouts(self) }

  static func key(of row: Row) -> ElementKey { row.facts.key(row.activity) }

  static func typesToShare(of row: Row) -> Set<String> {
    types(of: row).union(row.records.map(\.type))
  }

  /// Without the statistics, zones and records of types that the reader may not see.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    guard permission.contains(type(of: row), row.facts) else { return nil }
    var row = row
    func isVisible(_ statistics: Statistics) -> Bool {
      permission.contains(statistics.type, row.facts)
    }
    func isVisible(_ zones: ZoneGroup) -> Bool {
      permission.contains(zones.typeIdentifier, row.facts)
    }
    row.statistics = row.statistics.filter(isVisible)
    for index in row.activities.indices {
      row.activities[index].statistics = row.activities[index].statistics.filter(isVisible)
      row.activities[index].zoneGroups = row.activities[index].zoneGroups.filter(isVisible)
    }
    row.zoneGroups = row.zoneGroups.filter(isVisible)
    row.records = row.records.filter(permission.contains)
    return row
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.activity, isCompared: false)
    try coder.number(&row.duration)
    try coder.statistics(&row.statistics)
    try coder.events(&row.events)
    try coder.list(&row.activities, blank: Activity()) { activity, coder throws(Corruption) in
      try coder.text(&activity.identifier, isCompared: false)
      try coder.text(&activity.activity, isCompared: false)
      try coder.metadata(&activity.place)
      try coder.number(&activity.start)
      try coder.number(&activity.end)
      try coder.number(&activity.duration)
      try coder.statistics(&activity.statistics)
      try coder.events(&activity.events)
      try coder.metadata(&activity.metadata)
    }
    try coder.zoneGroups(&row.zoneGroups)
    try coder.links(&row.records)
    var groups = row.activities.map(\.zoneGroups)
    try coder.last(&groups, isMissing: groups.allSatisfy(\.isEmpty)) {
      groups, coder throws(Corruption) in
      try coder.list(&groups, blank: []) { group, coder throws(Corruption) in
        try coder.zoneGroups(&group)
      }
    }
    guard groups.count == row.activities.count else { throw Corruption() }
    for (index, group) in groups.enumerated() { row.activities[index].zoneGroups = group }
  }
}

extension FieldCoder {
  fileprivate mutating func statistics(
    _ statistics: inout [Workouts.Statistics]
  ) throws(Corruption) {
    try list(&statistics, blank: .init()) { item, coder throws(Corruption) in
      try coder.text(&item.type)
      try coder.text(&item.unit)
      try coder.text(&item.recordedUnit, isCompared: false)
      try coder.number(&item.start)
      try coder.number(&item.end)
      try coder.number(&item.sum)
      try coder.number(&item.average)
      try coder.number(&item.minimum)
      try coder.number(&item.maximum)
    }
  }

  fileprivate mutating func zoneGroups(_ groups: inout [Workouts.ZoneGroup]) throws(Corruption) {
    try list(&groups, blank: .init()) { group, coder throws(Corruption) in
      try coder.text(&group.type)
      try coder.text(&group.source)
      try coder.text(&group.unit)
      try coder.list(&group.zones, blank: .init()) { zone, coder throws(Corruption) in
        try coder.number(&zone.minimum)
        try coder.number(&zone.maximum)
        try coder.number(&zone.duration)
      }
    }
  }

  fileprivate mutating func events(_ events: inout [Workouts.Event]) throws(Corruption) {
    try list(&events, blank: .init()) { event, coder throws(Corruption) in
      try coder.text(&event.type)
      try coder.number(&event.date)
      try coder.number(&event.duration)
      try coder.metadata(&event.metadata)
    }
  }
}

extension Routes.Row: RowWithFacts {}
extension Routes: FiledElement, SavedByApps {
  static let letter = "r"
  static let typeIdentifier: String? = "HKWorkoutRouteTypeIdentifier"
  static var file: WritableKeyPath<Row, LocationColumns> { \.locations }
  var batch: ImportBatch { .routes(self) }

  static func key(of row: Row) -> ElementKey { row.facts.key("") }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.path, isCompared: false)
    try coder.text(&row.activity, isCompared: false)
    try coder.number(&row.workoutStart)
    try coder.number(&row.workoutEnd)
    try coder.series(&row.locations.columns)
    try coder.last(&row.locations.segmentStarts)
    guard row.locations.isSound else { throw Corruption() }
  }
}

extension Correlations.Row: RowWithFacts {
  /// Whether all members end when the correlation does, as which limits of history then take it.
  var isAsItsMembers: Bool { members.allSatisfy { $0.end == facts.end } }
}

extension Correlations: ToldUnderIdentity, SavedByApps {
  static let letter = "c"
  static let typeIdentifier: String? = nil
  static var possibleTypes: Set<String> {
    Set(Catalogue.correlationTypes.map(\.identifier.rawValue))
  }
  static var links: WritableKeyPath<Row, [RecordLink]>? { \.members }
  var batch: ImportBatch { .correlations(self) }

  static func mayHave(_ identifier: String) -> Bool {
    Catalogue.correlationTypes.contains { type in
      type.allowed.contains { $0.rawValue == identifier }
    }
  }

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }
  static func type(of row: Row) -> String { row.type }

  /// What may be shared of a correlation are its members.
  static func typesToShare(of row: Row) -> Set<String> { Set(row.members.map(\.type)) }

  static func isOfApps(_ row: Row) -> Bool {
    let allowed = Catalogue.correlationTypes.first { $0.identifier.rawValue == row.type }?.allowed
    let types = Set(allowed?.map(\.rawValue) ?? [])
    return !row.members.isEmpty && row.members.allSatisfy { types.contains($0.type) }
  }

  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(row) ? row : nil
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.type)
    try coder.links(&row.members)
  }
}

extension ActivitySummaries: StoredElement {
  static let letter = "s"
  static let typeIdentifier: String? = "HKActivitySummaryTypeIdentifier"
  static let blank = Row()
  var batch: ImportBatch { .activitySummaries(self) }
  private static let daySeconds = Double.secondsPerDay

  /// A day has no zone and is treated as one of UTC.
  static func key(of row: Row) -> ElementKey {
    let start = Double(row.day) * daySeconds
    return ElementKey(name: "", source: nil, start: start, end: start + daySeconds)
  }

  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.mayRead(type(of: row)) ? row : nil
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.integer(&row.day)
    try coder.number(&row.activeEnergy)
    try coder.number(&row.activeEnergyGoal)
    try coder.text(&row.recordedEnergyUnit, isCompared: false)
    try coder.number(&row.moveMinutes)
    try coder.number(&row.moveMinutesGoal)
    try coder.number(&row.exerciseMinutes)
    try coder.number(&row.exerciseMinutesGoal)
    try coder.number(&row.standHours)
    try coder.number(&row.standHoursGoal)
  }
}

extension BeatLists: SavedByApps {
  static let letter = "b"
  static let typeIdentifier: String? = "HKDataTypeIdentifierHeartbeatSeries"
  var batch: ImportBatch { .beatLists(self) }
  static let blank = Row(record: RecordLink.blank)

  /// All lists belong to records of one type, so the key does not include the type.
  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: "", source: row.record.source, start: row.record.start, end: row.record.end)
  }

  static func metadata(of row: Row) -> Metadata { Metadata() }

  static func typesToShare(of row: Row) -> Set<String> { types(of: row).union([row.record.type]) }

  static func visitSources(of row: inout Row, _ body: SourceVisitor) throws(StoreError) {
    try body(&row.record.source)
  }

  /// The beats of a record show its value, too.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type(of: row), from: row.record.source, endingAt: row.record.end)
      && permission.contains(row.record) ? row : nil
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.link(&row.record)
    var columns = [row.offsets, row.rates]
    try coder.series(&columns)
    (row.offsets, row.rates) = (columns[0], columns[1])
  }
}

extension Electrocardiograms.Row: RowWithFacts {}
extension Electrocardiograms: StoredElement {
  static let letter = "e"
  static let typeIdentifier: String? = "HKDataTypeIdentifierElectrocardiogram"
  var batch: ImportBatch { .electrocardiograms(self) }

  static func key(of row: Row) -> ElementKey { row.facts.key("") }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.classification)
    try coder.text(&row.symptoms)
    try coder.text(&row.lead)
    try coder.number(&row.sampleRate)
    try coder.text(&row.path, isCompared: false)
    var columns = [row.voltages]
    try coder.series(&columns)
    row.voltages = columns[0]
  }
}

extension Audiograms.Row: RowWithFacts {}
extension Audiograms: SavedByApps {
  static let letter = "a"
  static let typeIdentifier: String? = "HKDataTypeIdentifierAudiogram"
  var batch: ImportBatch { .audiograms(self) }

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.type)
    try coder.list(&row.points, blank: Point()) { point, coder throws(Corruption) in
      try coder.number(&point.frequency)
      try coder.ear(&point.left)
      try coder.ear(&point.right)
    }
  }
}

extension FieldCoder {
  fileprivate mutating func ear(_ ear: inout Audiograms.Ear) throws(Corruption) {
    try number(&ear.sensitivity)
    try truth(&ear.isMasked)
    try number(&ear.clampingLowerBound)
    try number(&ear.clampingUpperBound)
  }

  fileprivate mutating func parameters(
    _ parameters: inout [VisionPrescriptions.Parameter]
  ) throws(Corruption) {
    let blank = VisionPrescriptions.Parameter(name: "", value: 0, unit: "")
    try list(&parameters, blank: blank) { parameter, coder throws(Corruption) in
      try coder.text(&parameter.name)
      try coder.number(&parameter.value)
      try coder.text(&parameter.unit)
    }
  }
}

extension VisionPrescriptions: SavedByApps {
  static let letter = "v"
  static let typeIdentifier: String? = "HKVisionPrescriptionTypeIdentifier"
  static let blank = Row()
  var batch: ImportBatch { .visionPrescriptions(self) }

  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: row.type, source: row.source, start: row.issued, end: row.expires ?? row.issued)
  }

  static func metadata(of row: Row) -> Metadata { row.metadata }

  static func visitSources(of row: inout Row, _ body: SourceVisitor) throws(StoreError) {
    guard var source = row.source else { return }
    try body(&source)
    row.source = source
  }

  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    // An export does not name the source.
    permission.contains(
      type(of: row), from: row.source ?? Source(name: ""), endingAt: row.issued) ? row : nil
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.text(&row.type)
    try coder.number(&row.issued)
    try coder.number(&row.expires)
    try coder.text(&row.brand)
    try coder.parameters(&row.rightEye)
    try coder.parameters(&row.leftEye)
    try coder.list(&row.attachments, blank: "") { attachment, coder throws(Corruption) in
      try coder.text(&attachment)
    }
    try coder.metadata(&row.metadata)
    var facts = ElementFacts()
    facts.source = row.source ?? facts.source
    (facts.origin, facts.creation) = (row.origin, row.created)
    try coder.facts(&facts)
    row.source = facts.source.name.isEmpty ? nil : facts.source
    (row.origin, row.created) = (facts.origin, facts.creation)
  }
}

extension ClinicalRecords: FiledElement {
  static let letter = "d"
  static let typeIdentifier: String? = nil
  static var possibleTypes: Set<String> {
    Set(Catalogue.otherTypes.filter { $0.typeClass == "HKClinicalType" }.compactMap(\.identifier))
  }
  static let blank = Row()
  static var file: WritableKeyPath<Row, [UInt8]> { \.resource }
  var batch: ImportBatch { .clinicalRecords(self) }

  static func mayHave(_ identifier: String) -> Bool {
    identifier.hasPrefix("HKClinicalTypeIdentifier")
  }

  static func type(of row: Row) -> String { row.type }

  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: row.type + " " + row.identifier, source: row.source, start: row.received,
      end: row.received)
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.text(&row.type)
    try coder.text(&row.identifier)
    try coder.source(&row.source)
    try coder.text(&row.sourceURL)
    try coder.text(&row.version)
    try coder.number(&row.received)
    try coder.text(&row.path, isCompared: false)
    try coder.bytes(&row.resource)
  }
}

extension Characteristics: StoredElement {
  static let letter = "m"
  static let typeIdentifier: String? = nil
  static var possibleTypes: Set<String> {
    Set(Catalogue.characteristicTypes.map(\.identifier.rawValue))
  }
  static let blank = Metadata()
  var batch: ImportBatch { .characteristics(self) }

  static func mayHave(_ identifier: String) -> Bool {
    identifier.hasPrefix("HKCharacteristicTypeIdentifier")
  }

  static func key(of row: Metadata) -> ElementKey {
    ElementKey(name: "", source: nil, start: 0, end: 0)
  }

  static func types(of row: Metadata) -> Set<String> { Set(row.entries.map(\.key)) }

  /// Only the entries of readable types.
  static func visible(_ row: Metadata, to permission: ReadPermission) -> Metadata? {
    let entries = row.entries.filter { permission.mayRead($0.key) }
    return entries.isEmpty ? nil : Metadata(entries)
  }

  static func code(_ row: inout Metadata, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.metadata(&row)
  }
}

extension SavedObjects.Row: RowWithFacts {}
extension SavedObjects: SavedByApps {
  static let letter = "o"
  static let typeIdentifier: String? = nil
  /// The types of which apps save objects that no export has.
  static let possibleTypes: Set<String> = {
    let others = Set(
      ElementKind.allCases.filter { $0 != .beatList }.compactMap(\.typeIdentifier))
    return Set(
      Catalogue.otherTypes.filter { $0.typeClass != "HKClinicalType" }.compactMap(\.identifier)
    ).subtracting(others)
  }()
  var batch: ImportBatch { .savedObjects(self) }

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }
  static func type(of row: Row) -> String { row.type }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.type)
    try coder.metadata(&row.properties)
    try coder.bytes(&row.document)
    // A list of as many columns is read before the columns.
    var count = row.columns.count
    try coder.integer(&count)
    guard (0...mostColumns).contains(count) else { throw Corruption() }
    if row.columns.count != count { row.columns = Array(repeating: [], count: count) }
    try coder.series(&row.columns)
  }

  private static let mostColumns = 64
}
