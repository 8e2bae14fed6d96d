import HealthSamples

extension RecordScanner {
  /// Longer texts between tags rarely repeat.
  private static let longestRepeated = 1024

  /// The end of the record whose children start at `place`: after its end tag, or before a tag that
  /// shows that it was never closed; `nil` if the text in memory is not sufficient.
  mutating func recordEnd(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var reader = ChildReader(isCounting: false)
    return walk(place, &reader)
  }

  /// Parses `text`: the children of a record and its end tag, a part of the window.
  mutating func children(_ text: Bytes) -> RecordTexts.Children {
    if text.count <= Self.longestRepeated, let known = texts.knownChildren(text) { return known }
    guard let start = text.baseAddress else { return RecordTexts.Children() }
    var reader = ChildReader(isCounting: true)
    _ = walk(start, &reader)
    counts.malformedElements += reader.malformed
    beats = reader.beats
    if reader.malformed > 0 { reader.isRepeatable = false }
    let metadata = Metadata(reader.entries)
    let children = RecordTexts.Children(
      metadata: texts.metadata(metadata),
      isUserEntered: metadata.isUserEntered,
      replaced: reader.replaced, hasBeats: reader.beats != nil, isRepeatable: reader.isRepeatable)
    if text.count <= Self.longestRepeated, reader.isRepeatable {
      texts.remember(children, for: text)
    }
    noteTexts()
    return children
  }

  private struct ChildReader {
    /// Whether to parse, not only to find the end.
    let isCounting: Bool
    var entries: [Metadata.Entry] = []
    var replaced = 0
    var malformed = 0
    var beats: BeatTimes?
    var isRepeatable = true
  }

  private mutating func walk(
    _ start: UnsafePointer<UInt8>, _ reader: inout ChildReader
  ) -> UnsafePointer<UInt8>? {
    let end = window.end
    var place = start
    var depth = 0
    while let tag = place.first(.less, before: end) {
      switch innerTags.scan(tag, before: end) {
      case .start(let name, let isClosed, let next):
        if name.equals("Record") || elements.isTopLevelOnly(name) {
          reader.malformed += 1
          return tag
        }
        if reader.isCounting { read(name, depth: depth, &reader) }
        if !isClosed { depth += 1 }
        place = next
      case .end(let name, let next):
        if name.equals("Record") { return next }
        if name.equals("HealthData") || elements.isTopLevelOnly(name) {
          reader.malformed += 1
          return tag
        }
        depth = max(0, depth - 1)
        place = next
      case .markup(let terminator, let next):
        guard let found = next.first(terminator, before: end) else { return nil }
        place = found + terminator.utf8CodeUnitCount
      case .malformed:
        reader.malformed += 1
        place = tag + 1
      case .incomplete: return nil
      }
    }
    return nil
  }

  private mutating func read(_ name: Bytes, depth: Int, _ reader: inout ChildReader) {
    guard depth == 0, name.equals("MetadataEntry"), let key = innerTags.value("key") else {
      reader.isRepeatable = false
      if depth == 0, name.equals("HeartRateVariabilityMetadataList") {
        reader.beats = reader.beats ?? BeatTimes()
      } else if depth == 1, name.equals("InstantaneousBeatsPerMinute"), reader.beats != nil {
        let isRead = reader.beats?.add(
          rate: innerTags.value("bpm"), time: innerTags.value("time"))
        if isRead != true { reader.malformed += 1 }
      } else {
        elements.count(name)
      }
      return
    }
    let decodedKey = TextDecoder.text(key)
    let decodedValue = TextDecoder.text(
      innerTags.value("value") ?? Bytes(start: nil, count: 0))
    reader.entries.append(Metadata.Entry(key: decodedKey.text, value: decodedValue.text))
    reader.replaced += decodedKey.replaced + decodedValue.replaced
  }
}
