/// Writes an export from its first byte to its last, one block of records for each type.
///
/// Memory stays flat: a day of one stream is all that is held.
struct ExportWriter<Sink: TextSink & ~Copyable>: ~Copyable {
  let plan: ExportPlan
  let detail: Truth.Detail
  private var sink: Sink
  var text = TextBuffer()
  var devices: DeviceText
  var truth: Truth

  init(plan: ExportPlan, sink: consuming Sink, detail: Truth.Detail) {
    self.plan = plan
    self.detail = detail
    self.sink = sink
    devices = DeviceText(seed: plan.deviceSeed, exportVersion: plan.version)
    truth = Truth(plan: plan)
  }

  /// Writes the whole export.
  mutating func writeDocument() throws(OutputError) {
    appendHeader()
    try writeElements(ofDays: Array(0..<plan.timeline.count))
    text.append("</HealthData>\n")
    try empty()
  }

  /// Writes every element of some days, which ascend, type by type.
  mutating func writeElements(ofDays days: [Int]) throws(OutputError) {
    for stream in plan.streams { try writeRecords(of: stream, days: days) }
    if plan.version.hasOtherElements { try writeOtherElements(ofDays: days) }
    try empty()
  }

  private mutating func writeOtherElements(ofDays days: [Int]) throws(OutputError) {
    try writeEfforts(days: days)
    for correlation in CorrelationKind.all { try write(correlation, days: days) }
    for day in days { try writeWorkouts(of: plan.person.plan(ofDay: day)) }
    for day in days {
      appendSummaries(of: plan.person.plan(ofDay: day))
      try emptyIfFull()
    }
    for day in days {
      let day = plan.person.plan(ofDay: day)
      if plan.version.hasClinicalRecords { appendClinicalRecords(of: day) }
      if plan.version.hasAudiograms { appendAudiogram(of: day) }
      if plan.version.hasVisionPrescriptions { appendPrescription(of: day) }
      try emptyIfFull()
    }
  }

  /// Gives the sink back.
  consuming func finish() -> Sink { sink }

  /// Counts elements that are not top-level records.
  mutating func count(_ element: String, _ number: Int = 1) {
    if number > 0 { truth.elements[element, default: 0] += number }
  }

  mutating func emptyIfFull() throws(OutputError) {
    if text.isFull { try empty() }
  }

  private mutating func empty() throws(OutputError) {
    try sink.write(text.bytes)
    truth.bytes += text.bytes.count
    text.removeAll()
  }

  private mutating func writeRecords(
    of stream: RecordStream, days: [Int]
  ) throws(OutputError) {
    let writer = RecordWriter(stream: stream, plan: plan)
    var knowledge = StreamTruth(
      stream: stream, timeline: plan.timeline, tellsTyped: plan.version.hasOtherElements)
    var children = RecordWriter.Children()
    for position in days.indices {
      let index = stream.isReversed ? days[days.count - 1 - position] : days[position]
      let day = plan.person.plan(ofDay: index)
      var rows = plan.rows(of: stream, on: day)
      let hours =
        plan.version.hasOtherElements
        ? [] : HourOfRows.hours(of: rows, stream, day, until: plan.exported)
      if !plan.version.hasOtherElements { rows = hours.map(\.row) }
      truth.add(rows, of: stream, in: plan.version, unit: writer.unitText)
      truth.add(hours, of: stream)
      if detail == .days { knowledge.add(rows, ofDay: index) }
      if plan.earlier != nil {
        truth.compare(rows, withEarlier: plan.earlierRows(of: stream, on: day), of: stream)
      }
      for hour in hours {
        writer.append(hour, to: &text)
        try emptyIfFull()
      }
      for row in rows where hours.isEmpty && !row.isNestedOnly {
        writer.append(row, of: day, devices: &devices, to: &text, children: &children)
        try emptyIfFull()
      }
    }
    count(children)
    if detail == .days { knowledge.write(to: &truth) }
  }

  /// Counts what stands in records.
  mutating func count(_ children: RecordWriter.Children) {
    count("MetadataEntry", children.metadata)
    count("HeartRateVariabilityMetadataList", children.lists)
    count("InstantaneousBeatsPerMinute", children.beats)
    truth.beatLists += children.beatLists
  }

  /// Appends the attributes that say which app or device wrote an element.
  mutating func appendSource(_ writer: Writer, on day: DayPlan) {
    text.append(" sourceName=\"")
    text.append(verbatim: writer.escapedName)
    text.append("\" sourceVersion=\"")
    text.append(verbatim: writer.version(at: day.progress))
    text.append("\"")
  }

  private mutating func appendHeader() {
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    text.append(verbatim: plan.version.documentType)
    text.append("<HealthData locale=\"")
    text.append(verbatim: plan.language.identifier)
    text.append("\">\n <ExportDate value=\"")
    if plan.version.hasOtherElements {
      text.append(date: plan.exported, offset: plan.offset)
    } else {
      text.append(compactDate: plan.exported, offset: plan.offset)
    }
    text.append("\"/>\n <Me")
    if plan.version.hasOtherElements {
      appendCharacteristic("DateOfBirth", "1984-02-29")
      appendCharacteristic("BiologicalSex", "HKBiologicalSexFemale")
      appendCharacteristic("BloodType", "HKBloodTypeNotSet")
      appendCharacteristic("FitzpatrickSkinType", "HKFitzpatrickSkinTypeNotSet")
    } else {
      appendCharacteristic("DateOfBirth", "")
      appendCharacteristic("BiologicalSex", "0")
      appendCharacteristic("BloodType", "0")
    }
    if plan.version.hasCardioFitnessMedications {
      appendCharacteristic("CardioFitnessMedicationsUse", "None")
    }
    text.append("/>\n")
  }

  private mutating func appendCharacteristic(_ name: StaticString, _ value: StaticString) {
    text.append(" HKCharacteristicTypeIdentifier")
    text.append(name)
    text.append("=\"")
    text.append(value)
    text.append("\"")
    truth.characteristics["HKCharacteristicTypeIdentifier\(name)"] = value.description
  }
}
