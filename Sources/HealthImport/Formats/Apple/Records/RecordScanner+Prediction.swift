import HealthSamples

extension RecordScanner {
  /// Reads the record at `place`, after optional white space, if it has the layout of a recent one;
  /// otherwise does nothing and returns `nil`.
  @inline(__always)
  mutating func predictedRecord(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var place = place
    while place.pointee.isSpace { place += 1 }
    let last = templates.last
    if let next = record(place, slot: last) { return next }
    for slot in 0..<RecordTemplates.slotCount where slot != last {
      if let next = record(place, slot: slot) { return next }
    }
    return nil
  }

  /// Reads the record at `place` with the template in `slot`.
  private mutating func record(
    _ start: UnsafePointer<UInt8>, slot: Int
  ) -> UnsafePointer<UInt8>? {
    let template = templates[slot]
    let end = window.end
    var place = start
    var row = RowStreams.Row(
      start: 0, end: 0, created: RecordColumns.notRecorded, value: 0,
      label: template.pointee.meaning.label, origin: template.pointee.meaning.origin, metadata: 0)
    var replaced = template.pointee.meaning.replaced
    var children = RecordTexts.Children()
    var offset = 0
    let pieces = UnsafeBufferPointer(
      start: template.pointee.pieces, count: template.pointee.pieceCount)
    for piece in pieces {
      guard piece.matches(place, before: end) else { return nil }
      place += piece.count
      switch piece.hole {
      case .address:
        while DeviceText.isHexadecimal(place.pointee) { place += 1 }
      case .created, .start, .end:
        let instant = dates.scan(place)
        if instant == DateScanner.invalid { return nil }
        switch piece.hole {
        case .created: row.created = Double(instant)
        case .end: row.end = Double(instant)
        default:
          row.start = Double(instant)
          offset = dates.offset
        }
        place += DateScanner.length
      case .number:
        guard let (value, next) = NumberScanner.scan(place) else { return nil }
        row.value = value
        place = next
      case .constant:
        guard let next = constant(place, template) else { return nil }
        let constant = template.pointee.constant.value
        (row.label, row.value) = (constant.label, constant.value)
        replaced += constant.replaced
        place = next
      case .close:
        if place.pointee == .slash {
          guard place[1] == .greater else { return nil }
          place += 2
        } else {
          guard place.pointee == .greater, let next = self.children(place + 1, template) else {
            return nil
          }
          children = template.pointee.children.value
          place = next
        }
      }
    }
    guard place > start else { return nil }

    guard let stream = stream(of: template, isUserEntered: children.isUserEntered) else {
      return nil
    }
    row.metadata = children.metadata
    countOffset(offset / 60)
    counts.replacedCharacters += replaced + children.replaced
    add(row, to: stream)
    if children.hasBeats {
      addBeats(
        row, of: template.pointee.meaning, isUserEntered: children.isUserEntered, offset: offset)
    }
    templates.use(slot)
    return place
  }

  /// The end of the constant at `place`, which the template then remembers.
  @inline(__always)
  private mutating func constant(
    _ place: UnsafePointer<UInt8>, _ template: UnsafeMutablePointer<RecordTemplates.Template>
  ) -> UnsafePointer<UInt8>? {
    let remembered = template.pointee.constant
    if remembered.matches(place, before: window.end) { return place + remembered.count - 1 }
    return newConstant(place, template)
  }

  private mutating func newConstant(
    _ place: UnsafePointer<UInt8>, _ template: UnsafeMutablePointer<RecordTemplates.Template>
  ) -> UnsafePointer<UInt8>? {
    var end = place
    while end.pointee.isNamePart { end += 1 }
    guard end.pointee == .quote || end.pointee == .apostrophe,
      end - place < RecordTemplates.longestRemembered
    else { return nil }
    guard let constant = texts.constant(Bytes(from: place, to: end), of: &types) else {
      return nil
    }
    template.pointee.constant.remember(Bytes(from: place, to: end + 1), constant)
    noteTexts()
    return end
  }

  /// The end of the record whose children start at `place`, which the template then remembers.
  @inline(__always)
  private mutating func children(
    _ place: UnsafePointer<UInt8>, _ template: UnsafeMutablePointer<RecordTemplates.Template>
  ) -> UnsafePointer<UInt8>? {
    let remembered = template.pointee.children
    if remembered.matches(place, before: window.end) { return place + remembered.count }
    return newChildren(place, template)
  }

  private mutating func newChildren(
    _ place: UnsafePointer<UInt8>, _ template: UnsafeMutablePointer<RecordTemplates.Template>
  ) -> UnsafePointer<UInt8>? {
    guard let end = recordEnd(place) else { return nil }
    let text = Bytes(from: place, to: end)
    let children = children(text)
    template.pointee.children.remember(text, children, ifIt: children.isRepeatable)
    return end
  }

  @inline(__always)
  private mutating func stream(
    of template: UnsafeMutablePointer<RecordTemplates.Template>, isUserEntered: Bool
  ) -> Int? {
    let known = isUserEntered ? template.pointee.userEnteredStream : template.pointee.stream
    if known >= 0 { return known }
    guard
      let stream = stream(
        of: template.pointee.meaning, isUserEntered: isUserEntered, isNested: false)
    else { return nil }
    if isUserEntered {
      template.pointee.userEnteredStream = stream
    } else {
      template.pointee.stream = stream
    }
    return stream
  }
}

extension UInt8 {
  /// Whether the byte may be in the name of a constant: a letter, a digit, `_` or `.`.
  fileprivate var isNamePart: Bool {
    isDigit || (self | 0x20) &- 0x61 < 26 || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
  }
}
