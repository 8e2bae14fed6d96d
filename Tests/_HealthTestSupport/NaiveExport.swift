public import HealthSamples

/// A slow, obvious reader of exports, for comparison: the whole text in memory, one rule after
/// the other, nothing remembered.
///
/// What a unit means is asked of a closure, which says whether a type refuses a unit.
public struct NaiveExport {
  /// One record.
  public struct Record: Hashable, Sendable {
    public var type = ""
    public var source = ""
    public var isUserEntered = false
    public var version = ""
    public var device = ""
    public var label = ""
    public var value = 0.0
    public var start = 0.0
    public var end = 0.0
    public var created = RecordColumns.notRecorded
    public var metadata = Metadata()
    /// Whether it stands inside another element.
    public var isNested = false

    public init() {}
  }

  public private(set) var records: [Record] = []
  /// Skipped records by type.
  public private(set) var skipped: [String: Int] = [:]
  /// Elements that are neither records nor read, by name.
  public private(set) var elements: [String: Int] = [:]
  /// Elements of the top level that are complete.
  public private(set) var nodes: [Node] = []
  /// The beats of records of the top level, as written, with the offset of their start from UTC.
  public private(set) var beats: [Beats] = []
  public private(set) var nestedRecords = 0
  public private(set) var malformedElements = 0
  public private(set) var duplicateAttributes = 0
  public private(set) var replacedCharacters = 0
  public private(set) var isCut = false

  /// One element with what stands inside of it.
  public struct Node {
    public let name: String
    public var attributes: [String: String] = [:]
    public var children: [Node] = []
    public var records: [Record] = []
  }

  /// The beats of a record.
  public struct Beats {
    public let record: Record
    public let offset: Double
    public var beats: [(rate: Double, time: String)] = []
  }

  private var open: [Node] = []
  private var passedOver = 0
  private var openReplaced = 0
  private var openDuplicates = 0

  private let text: [UInt8]
  private let refuses: (_ type: String, _ unit: String) -> Bool
  private var isCategory: [String: Bool] = [:]

  /// Reads `text`.
  public init(
    _ text: [UInt8], refuses: @escaping (_ type: String, _ unit: String) -> Bool
  ) {
    self.text = text
    self.refuses = refuses
    read()
  }

  private static let topLevel: Set<String> = [
    "ActivitySummary", "Audiogram", "ClinicalRecord", "Correlation", "ExportDate", "Me",
    "VisionPrescription", "Workout",
  ]

  // MARK: The walk

  private mutating func read() {
    guard var place = root() else {
      isCut = true
      return
    }
    if place < 0 { return }
    var depth = 0
    var incomplete = 0
    while let tag = index(of: [0x3C], from: place) {
      let parsed = NaiveTag(text, at: tag)
      switch parsed.kind {
      case .start where parsed.name == "Record":
        if let next = record(parsed, isNested: depth > 0) {
          nestedRecords += depth > 0 ? 1 : 0
          place = next
        } else {
          incomplete += 1
          place = tag + 1
        }
      case .start:
        if depth > 0, Self.topLevel.contains(parsed.name) {
          malformedElements += 1
          depth = 0
          open = []
        }
        start(parsed, depth: depth)
        if !parsed.isClosed { depth += 1 }
        place = parsed.next
      case .end:
        if parsed.name == "HealthData" {
          malformedElements += incomplete
          return
        }
        depth = max(0, depth - 1)
        end()
        place = parsed.next
      case .markup(let terminator):
        guard let end = index(of: terminator, from: parsed.next) else {
          isCut = true
          return
        }
        place = end + terminator.count
      case .malformed:
        malformedElements += 1
        place = tag + 1
      case .incomplete:
        incomplete += 1
        place = tag + 1
      }
    }
    isCut = true
  }

  // MARK: Elements of the top level

  /// Whether records belong to the element that is open.
  private var isGathering: Bool { !open.isEmpty && passedOver == 0 }

  private static let children: [String: String] = [
    "Audiogram": "MetadataEntry SensitivityPoint", "Correlation": "MetadataEntry",
    "VisionPrescription": "Attachment LeftEye MetadataEntry RightEye",
    "Workout":
      "MetadataEntry WorkoutActivity WorkoutEvent WorkoutRoute WorkoutStatistics WorkoutZoneGroup",
    "WorkoutActivity": "MetadataEntry WorkoutEvent WorkoutStatistics",
    "WorkoutEvent": "MetadataEntry", "WorkoutRoute": "FileReference Location MetadataEntry",
    "WorkoutZoneGroup": "WorkoutZone",
  ]

  private mutating func start(_ tag: NaiveTag, depth: Int) {
    let known = open.last.map { Self.children[$0.name] ?? "" }?.split(separator: " ").map(
      String.init)
    let isKnown = known?.contains(tag.name) ?? (depth == 0 && Self.topLevel.contains(tag.name))
    guard isKnown, passedOver == 0 else {
      elements[tag.name, default: 0] += 1
      if !open.isEmpty, !tag.isClosed { passedOver += 1 }
      return
    }
    if open.isEmpty { (passedOver, openReplaced, openDuplicates) = (0, 0, 0) }
    var node = Node(name: tag.name)
    for case (let name, let value?) in tag.attributes {
      if node.attributes[name] != nil {
        openDuplicates += 1
        continue
      }
      let text = NaiveText(value)
      node.attributes[name] = text.text
      openReplaced += text.replaced
    }
    open.append(node)
    if tag.isClosed { end() }
  }

  private mutating func end() {
    if open.isEmpty { return }
    if passedOver > 0 {
      passedOver -= 1
      return
    }
    let node = open.removeLast()
    if open.isEmpty {
      nodes.append(node)
      replacedCharacters += openReplaced
      duplicateAttributes += openDuplicates
    } else {
      open[open.count - 1].children.append(node)
    }
  }

  /// Behind the start tag of the root, -1 when it is closed at once, `nil` when there is none.
  private func root() -> Int? {
    var place = 0
    while place < text.count {
      func isHere(_ opening: String) -> Bool { text[place...].starts(with: opening.utf8) }
      if let (opening, end) = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")]
        .first(where: { isHere($0.0) })
      {
        guard let found = index(of: Array(end.utf8), from: place + opening.count) else {
          return nil
        }
        place = found + end.count
      } else if isHere("<!") {
        guard let end = declarationEnd(place + 1) else { return nil }
        place = end
      } else if isHere("<HealthData") {
        let tag = NaiveTag(text, at: place)
        if tag.kind == .incomplete { return nil }
        if tag.kind == .start, tag.name == "HealthData" { return tag.isClosed ? -1 : tag.next }
        place += 1
      } else {
        place += 1
      }
    }
    return nil
  }

  /// Behind a declaration: behind `>` or `[`, or before the next `<`, outside of quotes.
  private func declarationEnd(_ start: Int) -> Int? {
    var place = start
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = text[(place + 1)...].firstIndex(of: text[place]) else { return nil }
        place = end + 1
      case UInt8(ascii: "<"): return place
      case UInt8(ascii: ">"), UInt8(ascii: "["): return place + 1
      default: place += 1
      }
    }
    return nil
  }

  private func index(of part: [UInt8], from start: Int) -> Int? {
    guard start <= text.count - part.count else { return nil }
    return (start...(text.count - part.count)).first { text[$0...].starts(with: part) }
  }

  // MARK: One record

  /// Reads a record and says where it ends; `nil` when the text ends before.
  private mutating func record(_ tag: NaiveTag, isNested: Bool) -> Int? {
    var children: [NaiveTag] = []
    var malformed = 0
    var end = tag.next
    if !tag.isClosed {
      guard let found = self.end(of: tag, &children, &malformed) else { return nil }
      end = found
    }
    malformedElements += malformed
    var record = Record()
    record.isNested = isNested
    var replaced = 0
    var depth = 0
    var beats: [(rate: Double, time: String)]?
    for child in children {
      if case .end = child.kind {
        depth = max(0, depth - 1)
        continue
      }
      if depth == 0, child.name == "MetadataEntry", let key = child.attribute("key") {
        let key = NaiveText(key)
        let value = NaiveText(child.attribute("value") ?? [])
        record.metadata.entries.append(Metadata.Entry(key: key.text, value: value.text))
        replaced += key.replaced + value.replaced
        if key.text == "HKWasUserEntered",
          ["1", "true", "yes"].contains(value.text.lowercased())
        {
          record.isUserEntered = true
        }
      } else if depth == 0, child.name == "HeartRateVariabilityMetadataList" {
        beats = beats ?? []
      } else if depth == 1, child.name == "InstantaneousBeatsPerMinute", beats != nil {
        if let rate = child.attribute("bpm").flatMap({ NaiveText.number(NaiveText($0).text) }),
          let time = child.attribute("time").map({ NaiveText($0).text }), NaiveExport.hasTime(time)
        {
          beats?.append((rate, time))
        } else {
          malformedElements += 1
        }
      } else {
        elements[child.name, default: 0] += 1
      }
      if !child.isClosed { depth += 1 }
    }
    countDuplicates(tag)
    let count = records.count
    fill(&record, from: tag, replaced: replaced)
    if records.count > count {
      if isGathering {
        open[open.count - 1].records.append(records[count])
      } else if open.isEmpty, let beats {
        let start = NaiveText(tag.attribute("startDate") ?? []).text
        self.beats.append(
          Beats(record: records[count], offset: NaiveText.offset(start), beats: beats))
      }
    }
    return end
  }

  private func end(
    of record: NaiveTag, _ children: inout [NaiveTag], _ malformed: inout Int
  ) -> Int? {
    var place = record.next
    while let start = index(of: [0x3C], from: place) {
      let tag = NaiveTag(text, at: start)
      place = tag.next
      switch tag.kind {
      case .start where tag.name == "Record" || Self.topLevel.contains(tag.name):
        malformed += 1
        return start
      case .end where tag.name == "HealthData" || Self.topLevel.contains(tag.name):
        malformed += 1
        return start
      case .end where tag.name == "Record": return tag.next
      case .start, .end: children.append(tag)
      case .markup(let terminator):
        guard let end = index(of: terminator, from: tag.next) else { return nil }
        place = end + terminator.count
      case .malformed:
        malformed += 1
        place = start + 1
      case .incomplete: return nil
      }
    }
    return nil
  }

  private mutating func countDuplicates(_ tag: NaiveTag) {
    var seen: Set<String> = []
    for (name, value) in tag.attributes where value != nil {
      let name = name == "source" ? "sourceName" : name
      let known: Set<String> = [
        "type", "sourceName", "sourceVersion", "device", "unit", "value", "creationDate",
        "startDate", "endDate",
      ]
      if known.contains(name), !seen.insert(name).inserted { duplicateAttributes += 1 }
    }
  }

  private mutating func fill(_ record: inout Record, from tag: NaiveTag, replaced: Int) {
    func text(_ name: String) -> NaiveText? { tag.attribute(name).map { NaiveText($0) } }
    for case (let name, let value?) in tag.attributes
    where ["recordCount", "min", "max", "average"].contains(name) || name.hasPrefix("HK") {
      let text = NaiveText(value).text
      record.metadata.entries.append(.init(key: name, value: text))
      if name == "HKWasUserEntered", ["1", "true", "yes"].contains(text.lowercased()) {
        record.isUserEntered = true
      }
    }
    guard let type = text("type"), tag.attribute("type") != [] else {
      skipped["", default: 0] += 1
      return
    }
    record.type = type.text
    let unit = text("unit")
    let hasUnit = tag.attribute("unit").map { !$0.isEmpty } ?? false
    if isCategory[type.text] == nil {
      if let known = Catalogue.type(type.text) {
        isCategory[type.text] = known.style == nil
      } else if type.text.hasPrefix("HKCategoryTypeIdentifier") || !hasUnit {
        isCategory[type.text] = true
      }
    }
    var value = text("value")
    if value == nil, Catalogue.type(type.text)?.style != .cumulative { value = text("average") }
    var labelReplaced = 0
    if isCategory[type.text] == true {
      record.label = value?.text ?? ""
      record.value = Self.value(ofConstant: record.label)
    } else {
      guard let unit, hasUnit, !refuses(type.text, unit.text) else {
        skipped[type.text, default: 0] += 1
        return
      }
      isCategory[type.text] = false
      guard let value, let number = NaiveText.number(value.text) else {
        skipped[type.text, default: 0] += 1
        return
      }
      record.label = unit.text
      record.value = number
      labelReplaced = unit.replaced
    }
    guard let start = text("startDate").flatMap({ NaiveText.date($0.text) }),
      let end = text("endDate").flatMap({ NaiveText.date($0.text) })
    else {
      skipped[type.text, default: 0] += 1
      return
    }
    (record.start, record.end) = (start, end)
    if let created = text("creationDate").flatMap({ NaiveText.date($0.text) }) {
      record.created = created
    }
    let source = tag.attributes.first {
      ($0.name == "sourceName" || $0.name == "source") && $0.value != nil
    }
    let name = NaiveText(source?.value ?? [])
    record.source = name.text
    record.version = text("sourceVersion")?.text ?? ""
    record.device = NaiveText.device(text("device")?.text ?? "")
    records.append(record)
    let others = ["sourceVersion", "device", "value", "creationDate", "startDate", "endDate"]
    replacedCharacters += replaced + type.replaced + labelReplaced + name.replaced
    replacedCharacters += others.reduce(0) { $0 + (text($1)?.replaced ?? 0) }
  }

  private static func value(ofConstant name: String) -> Double {
    if name.isEmpty { return 0 }
    if let value = Catalogue.rawValue(ofCategoryConstant: name) { return Double(value) }
    if let number = NaiveText.number(name) { return number }
    var hash: UInt64 = 2_166_136_261
    for byte in name.utf8 { hash = ((hash ^ UInt64(byte)) * 16_777_619) % 4_294_967_296 }
    return Double(hash + 4_294_967_296)
  }
}
