import HealthSamples

extension CorrelationColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.facts(&row.facts)
    try coder.text(&row.type)
    try coder.links(&row.members)
  }
}

extension ActivitySummaryColumns: StoredElement {
  static let blank = Row()
  private static let daySeconds = 86_400.0

  /// A day without a zone, as if it were one of UTC.
  static func key(of row: Row) -> ElementKey {
    let start = Double(row.day) * daySeconds
    return ElementKey(name: "", source: nil, start: start, end: start + daySeconds)
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
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

extension BeatListColumns: StoredElement {
  static let blank = Row(record: RecordLink.blank)

  /// All lists belong to records of one type, so that the type need not tell them apart.
  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: "", source: row.record.source, start: row.record.start, end: row.record.end)
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.link(&row.record)
    var columns = [row.offsets, row.rates]
    try coder.series(&columns)
    (row.offsets, row.rates) = (columns[0], columns[1])
  }
}

extension ElectrocardiogramColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key("") }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
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

extension AudiogramColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key(row.type) }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.facts(&row.facts)
    try coder.text(&row.type)
    try coder.list(&row.points, blank: Point()) { point, coder throws(SegmentDamage) in
      try coder.number(&point.frequency)
      try coder.ear(&point.left)
      try coder.ear(&point.right)
    }
  }
}

extension FieldCoder {
  fileprivate mutating func ear(_ ear: inout AudiogramColumns.Ear) throws(SegmentDamage) {
    try number(&ear.sensitivity)
    try truth(&ear.isMasked)
    try number(&ear.clampingLowerBound)
    try number(&ear.clampingUpperBound)
  }

  fileprivate mutating func parameters(
    _ parameters: inout [VisionPrescriptionColumns.Parameter]
  ) throws(SegmentDamage) {
    let blank = VisionPrescriptionColumns.Parameter(name: "", value: 0, unit: "")
    try list(&parameters, blank: blank) { parameter, coder throws(SegmentDamage) in
      try coder.text(&parameter.name)
      try coder.number(&parameter.value)
      try coder.text(&parameter.unit)
    }
  }
}

extension VisionPrescriptionColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey {
    ElementKey(name: row.type, source: nil, start: row.issued, end: row.expires ?? row.issued)
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.text(&row.type)
    try coder.number(&row.issued)
    try coder.number(&row.expires)
    try coder.text(&row.brand)
    try coder.parameters(&row.rightEye)
    try coder.parameters(&row.leftEye)
    try coder.list(&row.attachments, blank: "") { attachment, coder throws(SegmentDamage) in
      try coder.text(&attachment)
    }
    try coder.metadata(&row.metadata)
  }
}

extension ClinicalRecordColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey {
    ElementKey(
      name: row.type + " " + row.identifier, source: row.source, start: row.received,
      end: row.received)
  }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
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

  static func code(_ row: inout Metadata, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.metadata(&row)
  }
}
