import HealthSamples

extension Workouts: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key(row.activity) }

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

  fileprivate mutating func zoneGroups(
    _ groups: inout [Workouts.ZoneGroup]
  ) throws(Corruption) {
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

  fileprivate mutating func events(
    _ events: inout [Workouts.Event]
  ) throws(Corruption) {
    try list(&events, blank: .init()) { event, coder throws(Corruption) in
      try coder.text(&event.type)
      try coder.number(&event.date)
      try coder.number(&event.duration)
      try coder.metadata(&event.metadata)
    }
  }
}

extension Routes: StoredElement {
  static let blank = Row()

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

extension Correlations: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.facts(&row.facts)
    try coder.text(&row.type)
    try coder.links(&row.members)
  }
}

extension ActivitySummaries: StoredElement {
  static let blank = Row()
  private static let daySeconds = Double.secondsPerDay

  /// A day has no zone and is treated as one of UTC.
  static func key(of row: Row) -> ElementKey {
    let start = Double(row.day) * daySeconds
    return ElementKey(name: "", source: nil, start: start, end: start + daySeconds)
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

extension BeatLists: StoredElement {
  static let blank = Row(record: RecordLink.blank)

  /// All lists belong to records of one type, so the key does not include the type.
  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: "", source: row.record.source, start: row.record.start, end: row.record.end)
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.link(&row.record)
    var columns = [row.offsets, row.rates]
    try coder.series(&columns)
    (row.offsets, row.rates) = (columns[0], columns[1])
  }
}

extension Electrocardiograms: StoredElement {
  static let blank = Row()

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

extension Audiograms: StoredElement {
  static let blank = Row()

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

extension VisionPrescriptions: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: row.type, source: row.source, start: row.issued, end: row.expires ?? row.issued)
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

extension ClinicalRecords: StoredElement {
  static let blank = Row()

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
  static let blank = Metadata()

  static func key(of row: Metadata) -> ElementKey {
    ElementKey(name: "", source: nil, start: 0, end: 0)
  }

  static func code(_ row: inout Metadata, _ coder: inout FieldCoder) throws(Corruption) {
    try coder.metadata(&row)
  }
}

extension SavedObjects: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }

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
