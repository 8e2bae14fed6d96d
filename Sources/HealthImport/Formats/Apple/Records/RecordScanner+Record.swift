import HealthSamples

/// The attributes of a record, raw.
private struct RecordFields {
  enum Name: Int {
    case type
    case source
    case version
    case device
    case unit
    case value
    case created
    case start
    case end
  }

  /// Whether the tag fits a template.
  var isRegular = true
  /// Metadata that iOS 8 writes as attributes: the statistics of an aggregated row, and HealthKit
  /// keys by name.
  var entries: [Metadata.Entry] = []
  /// The mean of a row that iOS 8 has aggregated.
  var average: Bytes?
  private var values = InlineArray<9, Bytes?>(repeating: nil)

  subscript(name: Name) -> Bytes? {
    get { values[name.rawValue] }
    set { values[name.rawValue] = newValue }
  }
}

extension RecordScanner {
  /// Reads the record whose start tag at `place` has just been scanned.
  ///
  /// A nested one, inside an element that is being built, is also linked from there.
  mutating func record(
    _ place: UnsafePointer<UInt8>, isClosed: Bool, next: UnsafePointer<UInt8>, isNested: Bool
  ) -> Step {
    var end = next
    if !isClosed {
      guard let found = recordEnd(next) else { return .more(place) }
      end = found
    }
    let fields = recordFields()
    var children = isClosed ? RecordTexts.Children() : children(Bytes(from: next, to: end))
    if !fields.entries.isEmpty {
      let metadata = Metadata(texts.metadata[Int(children.metadata)].entries + fields.entries)
      children.metadata = texts.metadata(metadata)
      children.isUserEntered = metadata.isUserEntered
    }

    let hasUnit = fields[.unit].map { !$0.isEmpty } ?? false
    guard let type = types.index(of: fields[.type]) else { return .on(end) }
    let isCategory = types.isCategory(type, hasUnit: hasUnit)
    var meaning = RecordTemplates.Meaning(
      type: type, source: 0, origin: 0, label: 0, replaced: types.entries[type].replaced)
    var value = 0.0
    var replacedInPlace = 0
    var isMean = false
    if isCategory {
      let name = fields[.value] ?? Bytes(start: nil, count: 0)
      guard name.count <= RecordTypes.longestName else { return skip(.nameTooLong, type, end) }
      guard let constant = texts.constant(name, of: &types) else {
        return skip(.tooManyNames, type, end)
      }
      (meaning.label, value) = (constant.label, constant.value)
      replacedInPlace = constant.replaced
    } else {
      guard hasUnit, let unit = fields[.unit] else { return skip(.missingUnit, type, end) }
      switch texts.unit(unit, type: type, of: &types) {
      case .refused(let reason): return skip(reason, type, end)
      case .label(let label, let replaced):
        meaning.label = label
        meaning.replaced += replaced
      }
      var text = fields[.value]
      if text == nil, types.entries[type].type?.style != .cumulative {
        text = fields.average
        isMean = text != nil
      }
      guard let text, !text.isEmpty else { return skip(.missingValue, type, end) }
      guard let number = number(text, &replacedInPlace) else {
        return skip(.invalidValue, type, end)
      }
      value = number
    }
    let created = fields[.created].map { date($0, &replacedInPlace) } ?? DateScanner.invalid
    let ended = fields[.end].map { date($0, &replacedInPlace) } ?? DateScanner.invalid
    let started = fields[.start].map { date($0, &replacedInPlace) } ?? DateScanner.invalid
    let offset = dates.offset
    guard started != DateScanner.invalid, ended != DateScanner.invalid else {
      let dates = [fields[.start], fields[.end]].compactMap { $0 }
      let isOutOfRange = dates.contains { $0.starts(with: [0x30, 0x30, 0x30, 0x30]) }
      return skip(isOutOfRange ? .dateOutOfRange : .invalidDate, type, end)
    }

    let name = fields[.source] ?? Bytes(start: nil, count: 0)
    guard name.count <= RecordTexts.longestSource else { return skip(.nameTooLong, type, end) }
    let source = texts.source(name)
    let origin = texts.origin(version: fields[.version], device: fields[.device])
    noteTexts()
    (meaning.source, meaning.origin) = (source.index, origin.index)
    meaning.replaced += source.replaced + origin.replaced
    guard
      let stream = stream(
        of: meaning, isUserEntered: children.isUserEntered, isNested: isNested)
    else { return skip(.tooManyNames, type, end) }
    if fields.isRegular, !isNested {
      learn(
        Bytes(from: place, to: next - (isClosed ? 2 : 1)), fields, isCategory: isCategory,
        meaning: meaning)
    }
    countOffset(offset / 60)
    if isMean { counts.means += 1 }
    counts.replacedCharacters += meaning.replaced + replacedInPlace + children.replaced
    let row = RowStreams.Row(
      start: Double(started), end: Double(ended),
      created: created == DateScanner.invalid ? RecordColumns.notRecorded : Double(created),
      value: value, label: meaning.label, origin: meaning.origin, metadata: children.metadata)
    add(row, to: stream)
    if builder.isOpen {
      builder.add(link(row, meaning, isUserEntered: children.isUserEntered))
    } else if children.hasBeats {
      addBeats(row, of: meaning, isUserEntered: children.isUserEntered, offset: offset)
    }
    return .on(end)
  }

  /// A reference to a record by what identifies it in every export.
  private mutating func link(
    _ row: RowStreams.Row, _ meaning: RecordTemplates.Meaning, isUserEntered: Bool
  ) -> RecordLink {
    let type = types.entries[meaning.type].identifier
    let label = texts.labels[Int(row.label)]
    let conversion = elementRows.conversions.conversion(from: label, type: type)
    return RecordLink(
      type: type,
      source: Source(name: texts.sources[Int(meaning.source)], isUserEntered: isUserEntered),
      start: row.start, end: row.end, value: conversion(row.value) ?? row.value, label: label)
  }

  /// Adds the beats of the last record; `offset` is that of its start from UTC.
  mutating func addBeats(
    _ row: RowStreams.Row, of meaning: RecordTemplates.Meaning, isUserEntered: Bool, offset: Int
  ) {
    guard let beats else { return }
    var list = BeatLists.Row(record: link(row, meaning, isUserEntered: isUserEntered))
    list.offsets = beats.offsets(after: row.start, offset: offset)
    list.rates = beats.rates
    elementRows.add(list)
    notePause()
  }

  /// The stream of records of a type and a source; `nil` if there are too many.
  mutating func stream(
    of meaning: RecordTemplates.Meaning, isUserEntered: Bool, isNested: Bool
  ) -> Int? {
    guard
      let (stream, isNew) = texts.stream(
        type: meaning.type, source: meaning.source, isUserEntered: isUserEntered,
        isNested: isNested, of: &types)
    else { return nil }
    guard isNew else { return stream }
    return rows.add(
      RowStreams.Stream(
        type: meaning.type, source: Int(meaning.source), isUserEntered: isUserEntered,
        isNested: isNested))
  }

  /// Adds a row and counts its anomalies.
  @inline(__always)
  mutating func add(_ row: RowStreams.Row, to stream: Int) {
    if !SampleTime.isInOrder(from: row.start, to: row.end) { counts.negativeDurations += 1 }
    if row.start < DateScanner.year1900 || row.start >= latestUsual { noteDate(row.start) }
    if row.end - row.start >= Self.shortestDay { noteDay(of: stream) }
    rows.append(row, to: stream)
  }

  /// The seconds of a day on which clocks go forward.
  private static var shortestDay: Double { 82_800 }

  private mutating func noteDate(_ start: Double) {
    if start < DateScanner.year1900 || start >= DateScanner.year2201 { counts.distantDates += 1 }
    if let exported, start > exported { counts.afterExport += 1 }
  }

  private mutating func noteDay(of stream: Int) {
    if types.entries[rows.streams[stream].type].type?.style == .cumulative { counts.dayTotals += 1 }
  }

  private mutating func skip(
    _ reason: SkipReason, _ type: Int, _ end: UnsafePointer<UInt8>
  ) -> Step {
    types.skip(reason, type: type)
    return .on(end)
  }

  /// Sorts the attributes of the last tag; of several with one name the first is used.
  private mutating func recordFields() -> RecordFields {
    var fields = RecordFields()
    for attribute in tags.attributes {
      guard let field = Self.field(attribute.name) else {
        fields.isRegular = false
        if Self.isMetadata(attribute.name), attribute.name.count <= RecordTypes.longestName,
          attribute.value.count <= RecordTypes.longestName
        {
          if attribute.name.equals("average"), fields.average == nil {
            fields.average = attribute.value
          }
          fields.entries.append(
            Metadata.Entry(
              key: TextDecoder.text(attribute.name).text,
              value: TextDecoder.text(attribute.value).text))
        } else {
          unknownAttributes.count(attribute.name)
        }
        continue
      }
      if attribute.value.baseAddress == nil || fields[field] != nil {
        fields.isRegular = false
        counts.duplicateAttributes += attribute.value.baseAddress == nil ? 0 : 1
      } else {
        fields[field] = attribute.value
      }
    }
    return fields
  }

  private static func field(_ name: Bytes) -> RecordFields.Name? {
    switch name.count {
    case 4: name.equals("type") ? .type : name.equals("unit") ? .unit : nil
    case 5: name.equals("value") ? .value : nil
    case 6: name.equals("device") ? .device : name.equals("source") ? .source : nil
    case 7: name.equals("endDate") ? .end : nil
    case 9: name.equals("startDate") ? .start : nil
    case 10: name.equals("sourceName") ? .source : nil
    case 12: name.equals("creationDate") ? .created : nil
    case 13: name.equals("sourceVersion") ? .version : nil
    default: nil
    }
  }

  /// Whether an attribute is metadata: the statistics of an aggregated row of iOS 8, or a HealthKit
  /// key such as `HKWasUserEntered`.
  private static func isMetadata(_ name: Bytes) -> Bool {
    name.equals("recordCount") || name.equals("min") || name.equals("max")
      || name.equals("average") || name.count > 2 && name.starts(with: [0x48, 0x4B])
  }

  private mutating func date(_ text: Bytes, _ replaced: inout Int) -> Int {
    let date = dates.date(text)
    if date != DateScanner.invalid { return date }
    guard var plain = Self.decoded(text, &replaced) else { return date }
    return plain.withUTF8 { dates.date($0) }
  }

  private func number(_ text: Bytes, _ replaced: inout Int) -> Double? {
    if let base = text.baseAddress, let (value, end) = NumberScanner.scan(base),
      end == base + text.count
    {
      return value
    }
    if let value = NumberScanner.number(text) { return value }
    guard var plain = Self.decoded(text, &replaced) else { return nil }
    return plain.withUTF8 { NumberScanner.number($0) }
  }

  /// The decoded form of a short text that may differ from the raw one.
  private static func decoded(_ text: Bytes, _ replaced: inout Int) -> String? {
    guard text.count <= RecordTypes.longestName,
      text.contains(where: { $0 < 0x20 || $0 >= 0x80 || $0 == UInt8(ascii: "&") })
    else { return nil }
    let (plain, count) = TextDecoder.text(text)
    replaced += count
    return plain
  }

  private mutating func learn(
    _ tag: Bytes, _ fields: RecordFields, isCategory: Bool, meaning: RecordTemplates.Meaning
  ) {
    guard let base = tag.baseAddress else { return }
    var holes: [(hole: RecordTemplates.Hole, range: Range<Int>)] = []
    func range(_ text: Bytes) -> Range<Int> {
      let start = text.baseAddress.map { $0 - base } ?? 0
      return start..<start + text.count
    }
    let instants: [(RecordTemplates.Hole, Bytes?)] = [
      (.created, fields[.created]), (.start, fields[.start]), (.end, fields[.end]),
    ]
    for (hole, text) in instants {
      guard let text else { continue }
      guard text.count == DateScanner.length, dates.date(text) != DateScanner.invalid else {
        return
      }
      holes.append((hole, range(text)))
    }
    if let device = fields[.device] {
      let address = DeviceText.address(in: device)
      let start = range(device).lowerBound
      if !address.isEmpty {
        holes.append(
          (.address, start + address.lowerBound..<start + address.upperBound))
      }
    }
    if let value = fields[.value] {
      if isCategory {
        holes.append((.constant, range(value)))
      } else {
        guard let start = value.baseAddress, let (_, end) = NumberScanner.scan(start),
          end == start + value.count
        else { return }
        holes.append((.number, range(value)))
      }
    }
    templates.learn(tag, holes: holes, meaning: meaning)
  }
}
