/// Writes the records of one stream as text.
struct RecordWriter {
  let stream: RecordStream
  private let plan: ExportPlan
  private let unit: (escapedText: StaticString, factor: Double, summand: Double)?
  /// `<Record type="…" sourceName="…" sourceVersion="…"` by writer and version.
  private let openings: [[[UInt8]]]

  init(stream: RecordStream, plan: ExportPlan) {
    self.stream = stream
    self.plan = plan
    unit = stream.unit.map { $0.written(plan.preference) }
    openings = Writer.allCases.map { writer in
      writer.versions.map { version in
        [UInt8](
          """
          <Record type="\(stream.type)" sourceName="\(writer.escapedName)" \
          sourceVersion="\(version)"
          """.utf8)
      }
    }
  }

  /// Appends one record, indented for a child of `HealthData` or of a `Correlation`.
  func append(
    _ row: Row, of day: DayPlan, devices: inout DeviceText, depth: Int = 1,
    to text: inout TextBuffer
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
      text.append(row.label.rawValue)
      text.append(UInt8(ascii: "\""))
    }
    if row.extra == .none {
      text.append("/>\n")
    } else {
      text.append(">\n")
      append(row.extra, of: row, on: day, depth: depth + 1, to: &text)
      text.append(indent: depth)
      text.append("</Record>\n")
    }
  }

  private func append(
    _ extra: Extra, of row: Row, on day: DayPlan, depth: Int, to text: inout TextBuffer
  ) {
    func entry(_ key: StaticString, _ value: StaticString) {
      text.append(metadata: key, depth: depth)
      text.append(value)
      text.append("\"/>\n")
    }
    switch extra {
    case .none: break
    case .motionNotSet: entry("HKMetadataKeyHeartRateMotionContext", "0")
    case .motionSedentary: entry("HKMetadataKeyHeartRateMotionContext", "1")
    case .motionActive: entry("HKMetadataKeyHeartRateMotionContext", "2")
    case .userEntered: entry("HKWasUserEntered", "1")
    case .timeZone:
      text.append(metadata: "HKTimeZone", depth: depth)
      text.append(plan.timeline.zoneName)
      text.append("\"/>\n")
    case .effortByActivity: entry("HKPhysicalEffortEstimationType", "1")
    case .barometricPressure:
      text.append(metadata: "HKMetadataKeyBarometricPressure", depth: depth)
      text.append(whole: 99_000 + row.start % 2_600)
      text.append(" Pa\"/>\n")
    case .beats: appendBeats(of: row, on: day, depth: depth, to: &text)
    case .foodName: entry("HKFoodType", "Red Snapper &amp; Pineapple Salsa")
    }
  }

  /// About a minute of beats, whose times are those of the wall clock.
  private func appendBeats(of row: Row, on day: DayPlan, depth: Int, to text: inout TextBuffer) {
    var chance = Chance(seed: UInt64(bitPattern: Int64(row.start)), stream: 0x68, day: day.index)
    let (_, second) = (row.start - day.start).flooredDivision(by: 86_400)
    var hundredths = second * 100
    text.append(indent: depth)
    text.append("<HeartRateVariabilityMetadataList>\n")
    for _ in 0..<chance.whole(in: 26...44) {
      let beats = chance.whole(in: 48...82)
      hundredths += 6_000 / beats
      text.append(indent: depth + 1)
      text.append("<InstantaneousBeatsPerMinute bpm=\"")
      text.append(whole: beats)
      text.append("\" time=\"")
      let clock = hundredths / 100 % 86_400
      text.append(whole: (clock / 3_600 + 11) % 12 + 1)
      text.append(UInt8(ascii: ":"))
      text.append(whole: clock / 60 % 60, width: 2)
      text.append(UInt8(ascii: ":"))
      text.append(whole: clock % 60, width: 2)
      text.append(UInt8(ascii: "."))
      text.append(whole: hundredths % 100, width: 2)
      text.append(clock < 43_200 ? " AM\"/>\n" : " PM\"/>\n")
    }
    text.append(indent: depth)
    text.append("</HeartRateVariabilityMetadataList>\n")
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
