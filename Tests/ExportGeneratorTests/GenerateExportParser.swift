import Foundation
import FoundationXML

@testable import ExportGenerator

/// An export as a parser of another house reads it: strict, and knowing nothing of health.
final class GenerateExportParser: NSObject, XMLParserDelegate {
  private(set) var elements: [String: Int] = [:]
  /// Records at top level by type.
  private(set) var records: [String: Int] = [:]
  /// Attributes of elements that are few.
  private(set) var rare: [(name: String, attributes: [String: String])] = []
  private var path: [String] = []
  private var hasError = false

  private static let common: Set = [
    "Record", "MetadataEntry", "InstantaneousBeatsPerMinute", "HealthData", "Location", "trkpt",
  ]

  /// Reads a text without its document type, in which this parser crashes.
  init(_ text: String) {
    super.init()
    let start = text.range(of: "<HealthData ")?.lowerBound ?? text.startIndex
    let parser = XMLParser(data: Data(text[start...].utf8))
    parser.delegate = self
    // What it returns is true for some errors too.
    _ = parser.parse()
  }

  /// Whether every rule of XML holds.
  var isWellFormed: Bool { !hasError && path.isEmpty && !(elements.isEmpty && records.isEmpty) }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { hasError = true }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if name == "Record" {
      if path.last == "HealthData" {
        records[attributes["type"] ?? "", default: 0] += 1
      } else {
        elements["Record in \(path.last ?? "")", default: 0] += 1
      }
    } else if !["HealthData", "ExportDate", "Me"].contains(name) {
      elements[name, default: 0] += 1
    }
    if !Self.common.contains(name) { rare.append((name, attributes)) }
    path.append(name)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    _ = path.popLast()
  }

  /// The attributes of the elements of a name, in order.
  func attributes(of name: String) -> [[String: String]] {
    rare.filter { $0.name == name }.map(\.attributes)
  }
}
