/// One tag, taken apart byte by byte.
struct NaiveTag {
  enum Kind: Equatable {
    case start
    case end
    case markup(terminator: [UInt8])
    case malformed
    case incomplete
  }

  var kind = Kind.incomplete
  var name = ""
  var isClosed = false
  var next = 0
  /// Names and raw values in their order; a word without a value has none.
  var attributes: [(name: String, value: [UInt8]?)] = []

  /// The first value under a name.
  func attribute(_ name: String) -> [UInt8]? {
    attributes.first { $0.name == name && $0.value != nil }?.value
  }

  init(_ text: [UInt8], at start: Int) {
    var place = start + 1
    func byte() -> UInt8? { place < text.count ? text[place] : nil }
    func skipSpace() {
      while let next = byte(), [0x20, 0x09, 0x0A, 0x0D].contains(next) { place += 1 }
    }
    func word() -> [UInt8] {
      var word: [UInt8] = []
      while let next = byte(), !Array(" \t\n\r=/><\"'".utf8).contains(next) {
        word.append(next)
        place += 1
      }
      return word
    }

    switch byte() {
    case nil: return
    case UInt8(ascii: "!"):
      for (opening, end) in [("<!--", "-->"), ("<![CDATA[", "]]>")] {
        let rest = text[start...].prefix(opening.utf8.count)
        guard opening.utf8.starts(with: rest) else { continue }
        if rest.count < opening.utf8.count { return }
        kind = .markup(terminator: Array(end.utf8))
        next = start + opening.utf8.count
        return
      }
      (kind, next) = (.markup(terminator: [UInt8(ascii: ">")]), start + 2)
      return
    case UInt8(ascii: "?"):
      (kind, next) = (.markup(terminator: Array("?>".utf8)), start + 2)
      return
    case UInt8(ascii: "/"):
      place += 1
      name = String(decoding: word(), as: UTF8.self)
      skipSpace()
      guard let close = byte() else { return }
      (kind, next) = (close == UInt8(ascii: ">") ? .end : .malformed, place + 1)
      return
    default: break
    }

    let nameBytes = word()
    if nameBytes.isEmpty {
      kind = byte() == nil ? .incomplete : .malformed
      return
    }
    name = String(decoding: nameBytes, as: UTF8.self)
    while true {
      skipSpace()
      guard let first = byte() else { return }
      if first == UInt8(ascii: ">") || first == UInt8(ascii: "/") {
        isClosed = first == UInt8(ascii: "/")
        if isClosed { place += 1 }
        guard let last = byte() else { return }
        (kind, next) = (last == UInt8(ascii: ">") ? .start : .malformed, place + 1)
        return
      }
      let attribute = word()
      skipSpace()
      guard let sign = byte() else { return }
      if attribute.isEmpty {
        kind = .malformed
        return
      }
      let attributeName = String(decoding: attribute, as: UTF8.self)
      guard sign == UInt8(ascii: "=") else {
        attributes.append((attributeName, nil))
        continue
      }
      place += 1
      skipSpace()
      guard let quote = byte() else { return }
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        kind = .malformed
        return
      }
      place += 1
      var value: [UInt8] = []
      while let next = byte(), next != quote {
        value.append(next)
        place += 1
      }
      // A tag that begins on a new line inside a value: a quote was lost.
      if let lineBreak = value.firstIndex(of: 0x0A), value[lineBreak...].contains(0x3C) {
        kind = .malformed
        return
      }
      if byte() == nil { return }
      place += 1
      attributes.append((attributeName, value))
    }
  }
}
