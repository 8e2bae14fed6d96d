public import Foundation
public import FoundationXML

/// A document as a parser of another house reads it.
public final class XMLTree: NSObject, XMLParserDelegate {
  public struct Element {
    public let name: String
    public let attributes: [String: String]
    public fileprivate(set) var children: [Element] = []
    fileprivate var characters = ""

    /// The text of the first child of a name.
    public func text(_ name: String) -> String {
      children.first { $0.name == name }?.characters.trimmingCharacters(in: .whitespacesAndNewlines)
        ?? ""
    }
  }

  private var open: [Element] = [Element(name: "", attributes: [:])]

  /// Reads a text.
  public init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  /// The one element that holds all others.
  public var root: Element { open[0].children.first ?? open[0] }

  /// The elements of a name, in order.
  public func all(_ name: String) -> [Element] {
    func within(_ element: Element) -> [Element] {
      (element.name == name ? [element] : []) + element.children.flatMap(within)
    }
    return within(root)
  }

  public func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(Element(name: name, attributes: attributes))
  }

  public func parser(_ parser: XMLParser, foundCharacters text: String) {
    open[open.count - 1].characters += text
  }

  public func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard let element = open.popLast() else { return }
    open[open.count - 1].children.append(element)
  }

  /// The children of each element in the order of the schema, with how many there may be.
  private static let schema: [String: [(name: String, count: ClosedRange<Int>)]] = [
    "TrainingCenterDatabase": [("Activities", 0...1)], "Activities": [("Activity", 0...100_000)],
    "Activity": [("Id", 1...1), ("Lap", 1...1000), ("Notes", 0...1)],
    "Lap": [
      ("TotalTimeSeconds", 1...1), ("DistanceMeters", 1...1), ("MaximumSpeed", 0...1),
      ("Calories", 1...1), ("AverageHeartRateBpm", 0...1), ("MaximumHeartRateBpm", 0...1),
      ("Intensity", 1...1), ("Cadence", 0...1), ("TriggerMethod", 1...1), ("Track", 0...1000),
      ("Notes", 0...1),
    ],
    "Track": [("Trackpoint", 1...1_000_000)],
    "Trackpoint": [
      ("Time", 1...1), ("Position", 0...1), ("AltitudeMeters", 0...1), ("DistanceMeters", 0...1),
      ("HeartRateBpm", 0...1), ("Cadence", 0...1), ("SensorState", 0...1),
    ],
    "Position": [("LatitudeDegrees", 1...1), ("LongitudeDegrees", 1...1)],
    "HeartRateBpm": [("Value", 1...1)], "AverageHeartRateBpm": [("Value", 1...1)],
    "MaximumHeartRateBpm": [("Value", 1...1)],
  ]

  /// What is not as the schema of TCX 2 says.
  public var violations: [String] {
    var found: [String] = root.name == "TrainingCenterDatabase" ? [] : ["root"]
    func check(_ element: Element) {
      let text = element.characters.trimmingCharacters(in: .whitespacesAndNewlines)
      if let order = Self.schema[element.name] {
        if !text.isEmpty { found.append("text in \(element.name)") }
        let places = element.children.map { child in order.firstIndex { $0.name == child.name } }
        if places.contains(nil) { found.append("child of \(element.name)") }
        let known = places.compactMap(\.self)
        if known != known.sorted() { found.append("order in \(element.name)") }
        for (place, part) in order.enumerated()
        where !part.count.contains(known.count { $0 == place }) {
          found.append("\(part.name) in \(element.name)")
        }
      } else {
        let isRight =
          switch element.name {
          case "Value": (1...255).contains(Int(text) ?? 0)
          case "Calories": (0...65_535).contains(Int(text) ?? -1)
          case "LatitudeDegrees": (-90.0...90).contains(Double(text) ?? .nan)
          case "LongitudeDegrees": (-180.0..<180).contains(Double(text) ?? .nan)
          case "Time", "Id": text.hasSuffix("Z") && text.count >= 20
          case "Intensity": ["Active", "Resting"].contains(text)
          case "TriggerMethod": text == "Manual"
          case "Notes": !text.isEmpty
          default: Double(text) != nil && !text.contains("e")
          }
        if !isRight || !element.children.isEmpty { found.append(element.name) }
      }
      for child in element.children { check(child) }
    }
    check(root)
    for activity in all("Activity")
    where !["Running", "Biking", "Other"].contains(activity.attributes["Sport"] ?? "") {
      found.append("Sport")
    }
    return found
  }
}
