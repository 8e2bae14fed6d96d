import HealthSamples

extension RecordScanner {
  /// Longer texts between tags hardly ever repeat.
  private static let longestRepeated = 1024

  /// Where the record ends whose children begin at `place`: behind its end tag, or before a tag
  /// that shows that it was never closed; `nil` when the text in memory does not say.
  mutating func recordEnd(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var reader = ChildReader(isCounting: false)
    return walk(place, &reader)
  }

  /// What `text` says: the children of a record and its end tag, a part of the window.
  mutating func children(_ text: Bytes) -> RecordTexts.Children {
    if text.count <= Self.longestRepeated, let known = texts.knownChildren(text) { return known }
    guard let start = text.baseAddress else { return RecordTexts.Children() }
    var reader = ChildReader(isCounting: true)
    _ = walk(start, &reader)
    counts.malformedElements += reader.malformed
    if reader.malformed > 0 { reader.isRepeatable = false }
    let children = RecordTexts.Children(
      metadata: texts.metadata(Metadata(reader.entries)),
      isUserEntered: reader.entries.contains { Self.saysUserEntered($0) },
      replaced: reader.replaced, isRepeatable: reader.isRepeatable)
    if text.count <= Self.longestRepeated, reader.isRepeatable {
      texts.remember(children, for: text)
    }
    noteTexts()
    return children
  }

  private struct ChildReader {
    /// Whether to read, not just to find the end.
    let isCounting: Bool
    var entries: [Metadata.Entry] = []
    var replaced = 0
    var malformed = 0
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
        if name.equals("HealthData") {
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
      elements.count(name)
      reader.isRepeatable = false
      return
    }
    let decodedKey = TextDecoder.text(key)
    let decodedValue = TextDecoder.text(
      innerTags.value("value") ?? Bytes(start: nil, count: 0))
    reader.entries.append(Metadata.Entry(key: decodedKey.text, value: decodedValue.text))
    reader.replaced += decodedKey.replaced + decodedValue.replaced
  }

  private static func saysUserEntered(_ entry: Metadata.Entry) -> Bool {
    entry.key == "HKWasUserEntered" && ["1", "true", "yes"].contains(entry.value.lowercased())
  }
}
