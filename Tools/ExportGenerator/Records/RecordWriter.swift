/// Writes the records of one stream as text.
struct RecordWriter {
  let stream: RecordStream
  private let plan: ExportPlan
  private let unit: (escapedText: StaticString, factor: Double, summand: Double)?
  /// `<Record type="…" sourceName="…" sourceVersion="…"` by writer and version.
  private let openings: [[[UInt8]]]
  private let hasBeats: Bool
  private let decimalMark: UInt8
  private let halves: (morning: StaticString, afternoon: StaticString)?

  /// How many elements stand in records.
  struct Children {
    var metadata = 0
    var lists = 0
    var beats = 0
    /// The lists, without those of copies.
    var beatLists: [Truth.BeatList] = []
  }

  /// The unit as it is written, or nothing for a category.
  var unitText: String? { unit.map { "\($0.escapedText)" } }

  init(stream: RecordStream, plan: ExportPlan) {
    self.stream = stream
    self.plan = plan
    unit = stream.unit.map { $0.written(plan.preference) }
    hasBeats = plan.version.hasBeats
    decimalMark = plan.language.decimalMark
    halves = plan.language.hasTwelveHours ? plan.version.halvesOfDay : nil
    openings = Writer.allCases.map { writer in
      writer.versions.map { version in
        let source =
          plan.version.hasOtherElements
          ? "sourceName=\"\(writer.escapedName)\" sourceVersion=\"\(version)\""
          : "source=\"\(writer.escapedName)\""
        return [UInt8]("<Record type=\"\(stream.type)\" \(source)".utf8)
      }
    }
  }

  /// Appends one record, indented for a child of `HealthData` or of a `Correlation`.
  func append(
    _ row: Row, of day: DayPlan, devices: inout DeviceText, depth: Int = 1,
    to text: inout TextBuffer, children: inout Children
  ) {
    text.append(indent: depth)
    let version = row.writer.versionIndex(at: day.progress)
    text.append(openings[row.writer.rawValue][version])
    devices.append(row.writer, version: version, to: &text)
    if let unit {
      text.append(" unit=\"")
      text.append(unit.escapedText)
      text.append(UInt8(ascii: "\""))
    }
    text.append(created: row.created, start: row.start, end: row.end, offset: plan.offset)
    if let unit {
      text.append(" value=\"")
      text.append(sixDigits: row.value * unit.factor + unit.summand)
      text.append(UInt8(ascii: "\""))
    } else if row.label != .none {
      text.append(" value=\"")
      text.append(verbatim: row.label.written(in: plan.version).rawValue)
      text.append(UInt8(ascii: "\""))
    }
    if row.extra == .none || row.extra == .beats && !hasBeats {
      text.append("/>\n")
    } else {
      text.append(">\n")
      append(row.extra, of: row, on: day, depth: depth + 1, to: &text, children: &children)
      text.append(indent: depth)
      text.append("</Record>\n")
    }
  }

  private func append(
    _ extra: Extra, of row: Row, on day: DayPlan, depth: Int, to text: inout TextBuffer,
    children: inout Children
  ) {
    func entry(_ key: StaticString, _ value: StaticString) {
      text.append(metadata: key, depth: depth)
      text.append(value)
      text.append("\"/>\n")
    }
    children.metadata += extra.metadataCount
    switch extra {
    case .none: break
    case .motionNotSet: entry("HKMetadataKeyHeartRateMotionContext", "0")
    case .motionSedentary: entry("HKMetadataKeyHeartRateMotionContext", "1")
    case .motionActive: entry("HKMetadataKeyHeartRateMotionContext", "2")
    case .userEntered: entry("HKWasUserEntered", "1")
    case .timeZone:
      text.append(metadata: "HKTimeZone", depth: depth)
      text.append(verbatim: plan.timeline.zoneName)
      text.append("\"/>\n")
    case .effortByActivity: entry("HKPhysicalEffortEstimationType", "1")
    case .barometricPressure:
      text.append(metadata: "HKMetadataKeyBarometricPressure", depth: depth)
      text.append(whole: 99_000 + row.start % 2_600)
      text.append(" Pa\"/>\n")
    case .beats: appendBeats(of: row, on: day, depth: depth, to: &text, children: &children)
    case .foodItem:
      let names = Self.foodNames
      entry("HKFoodType", names[row.firstCreated % names.count])
      entry("meal", row.firstCreated % 3 == 0 ? "Lunch" : "Snack")
      entry("Meal", "&quot;Salad bar&quot;&#10;second line")
      entry("Food Image Name", "image/jpeg;base64,iVBORw0KGgo=")
    case .foodName: entry("HKFoodType", "Red Snapper &amp; Pineapple Salsa")
    case .diaryFood: entry("HKFoodType", DiaryFood.all[row.item].escapedName)
    case .cycleStart, .cycleDay:
      entry("HKWasUserEntered", "1")
      entry("HKMenstrualCycleStart", extra == .cycleStart ? "1" : "0")
    }
  }

  /// About a minute of beats, whose times are those of the wall clock.
  private func appendBeats(
    of row: Row, on day: DayPlan, depth: Int, to text: inout TextBuffer, children: inout Children
  ) {
    var chance = Chance(seed: UInt64(bitPattern: Int64(row.start)), stream: 0x68, day: day.index)
    let wall = plan.timeline.clock(at: row.start)
    let (_, second) = wall.second.flooredDivision(by: 86_400)
    var hundredths = second * 100
    var sum = 0
    let count = chance.whole(in: 26...44)
    children.lists += 1
    children.beats += count
    text.append(indent: depth)
    text.append("<HeartRateVariabilityMetadataList>\n")
    for _ in 0..<count {
      let beats = chance.whole(in: 48...82)
      hundredths += 6_000 / beats
      sum += beats
      text.append(indent: depth + 1)
      text.append("<InstantaneousBeatsPerMinute bpm=\"")
      text.append(whole: beats)
      text.append("\" time=\"")
      append(timeOfDay: hundredths, to: &text)
      text.append("\"/>\n")
    }
    text.append(indent: depth)
    text.append("</HeartRateVariabilityMetadataList>\n")
    guard !row.isCopy else { return }
    children.beatLists.append(
      Truth.BeatList(
        source: row.writer.name, start: row.start, end: row.end, beats: count, sum: sum,
        last: Double(hundredths - second * 100) / 100))
  }

  /// Appends a time of day in hundredths of a second, as the person's language has it.
  private func append(timeOfDay hundredths: Int, to text: inout TextBuffer) {
    let clock = hundredths / 100 % 86_400
    text.append(clock: clock, hasTwelveHours: halves != nil)
    text.append(decimalMark)
    text.append(whole: hundredths % 100, width: 2)
    if let halves { text.append(clock < 43_200 ? halves.morning : halves.afternoon) }
  }
}

extension RecordWriter {
  private static let foodNames: [StaticString] = [
    "Red Snapper &amp; Pineapple Salsa", "Crème brûlée", "Bread &lt;dark&gt;", "Apple, raw",
  ]

  /// Appends an hour as iOS 8 does.
  ///
  /// Apps' metadata are attributes there, spaces and all, which is not well-formed.
  func append(_ hour: HourOfRows, to text: inout TextBuffer) {
    let row = hour.row
    text.append(indent: 1)
    text.append(openings[row.writer.rawValue][0])
    if let unit {
      text.append(" unit=\"")
      text.append(unit.escapedText)
      text.append(UInt8(ascii: "\""))
    }
    text.append(" startDate=\"")
    text.append(compactDate: row.start, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(compactDate: row.end, offset: plan.offset)
    if let unit {
      func append(_ name: StaticString, _ value: Double) {
        text.append("\" ")
        text.append(name)
        text.append("=\"")
        text.append(sixDigits: value * unit.factor + unit.summand)
      }
      append("value", row.value)
      if hour.hasBounds(of: stream) {
        append("min", hour.minimum)
        append("max", hour.maximum)
        append("average", row.value)
      }
    } else if row.label != .none {
      text.append("\" value=\"")
      text.append(verbatim: row.label.written(in: plan.version).rawValue)
    }
    text.append("\" recordCount=\"")
    text.append(whole: hour.count)
    text.append(row.writer == .scale ? "\" Health Mate App Version=\"2.6.0\"/>\n" : "\"/>\n")
  }
}

extension TextBuffer {
  /// Appends the spaces in front of an element.
  mutating func append(indent depth: Int) {
    for _ in 0..<depth { append(UInt8(ascii: " ")) }
  }

  /// Appends the three dates that records, correlations and workouts have.
  mutating func append(created: Int, start: Int, end: Int, offset: UTCOffset) {
    append(" creationDate=\"")
    append(date: created, offset: offset)
    append("\" startDate=\"")
    append(date: start, offset: offset)
    append("\" endDate=\"")
    append(date: end, offset: offset)
    append(UInt8(ascii: "\""))
  }

  /// Appends a `MetadataEntry` up to its value.
  mutating func append(metadata key: StaticString, depth: Int) {
    append(indent: depth)
    append("<MetadataEntry key=\"")
    append(key)
    append("\" value=\"")
  }
}
