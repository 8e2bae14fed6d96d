import HealthSamples

/// Builds one top-level element, tag by tag, within limits.
struct ElementBuilder {
  /// The result of a tag.
  enum Outcome {
    /// The element continues.
    case open
    /// The element is complete.
    case complete(ElementNode)
    /// The element is complete but has more parts or text than any real one.
    case tooLarge(name: String)
  }

  static let mostParts = 1 << 17
  static let mostLocations = 1 << 20
  private static let mostTextBytes = 1 << 22

  /// The open elements, the outermost first.
  private var stack: [ElementNode] = []
  /// The depth of skipped open elements.
  private var passedOver = 0
  private var partCount = 0
  private var locationCount = 0
  private var textBytes = 0
  private var isTooLarge = false
  /// Repeated attributes of a tag.
  private(set) var duplicates = 0
  /// Removed or replaced characters.
  private(set) var replaced = 0
  /// Locations without a date or without degrees.
  private(set) var leftOutLocations = 0

  init() {}

  /// Whether an element is being built.
  var isOpen: Bool { !stack.isEmpty }
  /// The name of the outermost element.
  var name: String { stack.first?.name ?? "" }

  /// Whether an element of this name is expected here.
  func takes(_ name: Bytes) -> Bool {
    guard let parent = stack.last else { return true }
    return passedOver == 0
      && ElementGrammar.isKnown(child: String(decoding: name, as: UTF8.self), of: parent.name)
  }

  /// Adds an expected start tag.
  mutating func open(
    _ name: Bytes, _ attributes: UnsafeBufferPointer<TagScanner.Attribute>, isClosed: Bool,
    unknown: inout CountedNames
  ) -> Outcome {
    var node = ElementNode(name: String(decoding: name, as: UTF8.self))
    let isLocation = node.name == "Location" && stack.last?.name == "WorkoutRoute"
    if !isLocation {
      partCount += 1
      textBytes += attributes.reduce(0) { $0 + $1.value.count + 64 }
      isTooLarge = isTooLarge || partCount > Self.mostParts || textBytes > Self.mostTextBytes
    }
    for attribute in attributes where attribute.value.baseAddress != nil && !isTooLarge {
      let key = String(decoding: attribute.name, as: UTF8.self)
      if !ElementGrammar.isKnown(attribute: key, of: node.name) { unknown.count(attribute.name) }
      let value = TextDecoder.text(attribute.value)
      if node.add(key, value.text) {
        replaced += value.replaced
      } else {
        duplicates += 1
      }
    }
    if isLocation {
      add(location: node)
      if !isClosed { passedOver += 1 }
      return .open
    }
    stack.append(node)
    return isClosed ? close() : .open
  }

  /// Adds a start tag of an element that is only counted, together with its contents.
  mutating func passOver(isClosed: Bool) {
    if !isClosed { passedOver += 1 }
  }

  /// Adds an end tag.
  mutating func close() -> Outcome {
    if passedOver > 0 {
      passedOver -= 1
      return .open
    }
    guard let node = stack.popLast() else { return .open }
    guard stack.isEmpty else {
      if !isTooLarge { stack[stack.count - 1].children.append(node) }
      return .open
    }
    return isTooLarge ? .tooLarge(name: node.name) : .complete(node)
  }

  /// Adds a record to the innermost open element, unless it is inside a skipped one.
  mutating func add(_ record: RecordLink) {
    guard passedOver == 0, !stack.isEmpty else { return }
    partCount += 1
    if partCount > Self.mostParts { isTooLarge = true }
    if !isTooLarge { stack[stack.count - 1].records.append(record) }
  }

  /// A location only takes memory for its numbers, because a long route has very many.
  private mutating func add(location: ElementNode) {
    locationCount += 1
    if locationCount > Self.mostLocations { isTooLarge = true }
    guard !isTooLarge else { return }
    guard let time = location.date("date"),
      let latitude = location.number("latitude"), abs(latitude) <= 90,
      let longitude = location.number("longitude"), abs(longitude) <= 180
    else {
      leftOutLocations += 1
      return
    }
    stack[stack.count - 1].locations.append(
      time: time, latitude: latitude, longitude: longitude,
      altitude: location.number("altitude"),
      horizontalAccuracy: location.number("horizontalAccuracy"),
      verticalAccuracy: location.number("verticalAccuracy"), course: location.number("course"),
      speed: location.number("speed"))
  }
}
