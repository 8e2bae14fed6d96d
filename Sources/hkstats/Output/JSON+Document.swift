import Foundation

extension JSON {
  /// A document of JSON as it stood in a file, on one line: white space between its parts is left
  /// out, every digit stays.
  ///
  /// `nil` when the bytes are no JSON.
  init?(document: [UInt8]) {
    let isDocument = try? JSONSerialization.jsonObject(with: Data(document))
    guard isDocument != nil else { return nil }
    var kept: [UInt8] = []
    kept.reserveCapacity(document.count)
    var isQuoted = false
    var isEscaped = false
    for byte in document {
      if isQuoted {
        isQuoted = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        continue
      }
      kept.append(byte)
    }
    guard let text = String(validating: kept, as: UTF8.self) else { return nil }
    self = .written(text)
  }
}
