/// Writes an export from its first byte to its last, one block of records for each type.
///
/// Memory stays flat: a day of one stream is all that is held.
struct ExportWriter<Sink: TextSink & ~Copyable>: ~Copyable {
  let plan: ExportPlan
  private var sink: Sink
  var text = TextBuffer()
  var devices: DeviceText
  private(set) var truth: Truth

  init(plan: ExportPlan, sink: consuming Sink) {
    self.plan = plan
    self.sink = sink
    devices = DeviceText(seed: plan.deviceSeed)
    truth = Truth(midnights: plan.timeline.midnights, firstDay: plan.timeline.firstDay)
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
    for stream in RecordStream.all { try writeRecords(of: stream, days: days) }
    for correlation in CorrelationKind.all { try write(correlation, days: days) }
    for day in days {
      appendWorkouts(of: plan.person.plan(ofDay: day))
      try emptyIfFull()
    }
    for day in days {
      appendSummary(of: plan.person.plan(ofDay: day))
      try emptyIfFull()
    }
    try empty()
  }

  /// Gives the sink back.
  consuming func finish() -> Sink { sink }

  /// Counts an element that is not a top-level record.
  mutating func count(_ element: String) { truth.elements[element, default: 0] += 1 }

  mutating func emptyIfFull() throws(OutputError) {
    if text.isFull { try empty() }
  }

  private mutating func empty() throws(OutputError) {
    try sink.write(text.bytes)
    truth.bytes += text.bytes.count
    text.removeAll()
  }

  private mutating func writeRecords(of stream: RecordStream, days: [Int]) throws(OutputError) {
    let writer = RecordWriter(stream: stream, plan: plan)
    let isSteps = stream.type == "HKQuantityTypeIdentifierStepCount"
    for position in days.indices {
      let index = stream.isReversed ? days[days.count - 1 - position] : days[position]
      let day = plan.person.plan(ofDay: index)
      let rows = plan.rows(of: stream, on: day)
      truth.add(rows, of: stream.type)
      if isSteps { truth.addSteps(rows, ofDay: index) }
      for row in rows {
        writer.append(row, of: day, devices: &devices, to: &text)
        try emptyIfFull()
      }
    }
  }

  private mutating func appendHeader() {
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    text.append(plan.documentType.text)
    text.append("<HealthData locale=\"en_FR\">\n <ExportDate value=\"")
    text.append(date: plan.exported, offset: plan.offset)
    text.append("\"/>\n <Me")
    appendCharacteristic("DateOfBirth", "1984-02-29")
    appendCharacteristic("BiologicalSex", "HKBiologicalSexFemale")
    appendCharacteristic("BloodType", "HKBloodTypeNotSet")
    appendCharacteristic("FitzpatrickSkinType", "HKFitzpatrickSkinTypeNotSet")
    if plan.documentType.hasCardioFitnessMedications {
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
  }
}

extension ExportPlan {
  /// How many of a thousand records are there twice.
  private static var copiesPerThousand: Double { 4 }

  /// The rows of a stream on a day, in the order in which the export has them.
  func rows(of stream: RecordStream, on day: DayPlan) -> [Row] {
    let name = stream.type.utf8.reduce(0 as UInt64) { $0 &* 31 &+ UInt64($1) }
    var recorder = DayRecorder(
      day: day, density: density,
      chance: Chance(seed: person.seed, stream: name, day: day.index))
    stream.model.addRows(&recorder)
    recorder.finish(copiesPerThousand: Self.copiesPerThousand, reversed: stream.isReversed)
    return recorder.rows
  }
}
