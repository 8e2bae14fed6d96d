import Foundation

extension JSON {
  /// A document of JSON as it stood in a file, on one line: white space between its parts is left
  /// out, every digit stays, and what could steer a terminal is escaped.
  ///
  /// `nil` when the bytes are no JSON that every reader takes (RFC 8259): in another encoding than
  /// UTF-8 or with its mark, with a comma too many, nested deeper than readers go, or with halves
  /// of characters.
  package init?(document: [UInt8]) {
    guard let text = String(validating: document, as: UTF8.self),
      (try? JSONReader.value(of: document, deepest: Self.deepest, refusesRepeated: false)) != nil,
      (try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)) != nil
    else { return nil }
    var kept = ""
    kept.reserveCapacity(document.count)
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isQuoted {
        isQuoted = isEscaped || scalar != "\""
        isEscaped = !isEscaped && scalar == "\\"
        if scalar.isControl {
          kept += Self.escape(UInt16(truncatingIfNeeded: scalar.value))
          continue
        }
      } else if scalar == "\"" {
        isQuoted = true
      } else if [" ", "\t", "\n", "\r"].contains(scalar) {
        continue
      }
      kept.unicodeScalars.append(scalar)
    }
    self = .written(kept)
  }

  /// Readers differ in how deep they go; many stop at 512.
  private static let deepest = 200

  /// A document: JSON where it is some, else its text.
  package static func documentOrText(_ document: [UInt8]) -> JSON {
    JSON(document: document) ?? .string(text(of: document))
  }

  /// The text of a document in whichever encoding its first bytes name.
  package static func text(of document: [UInt8]) -> String {
    let units = [[0xFE, 0xFF], [0xFF, 0xFE]].firstIndex { document.starts(with: $0) }
    guard let units, document.count.isMultiple(of: 2) else {
      return String(decoding: document, as: UTF8.self)
    }
    return String(
      decoding: stride(from: 0, to: document.count, by: 2).map { place -> UInt16 in
        let pair = (UInt16(document[place]), UInt16(document[place + 1]))
        return units == 0 ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
      }, as: UTF16.self)
  }
}
