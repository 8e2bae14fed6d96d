/// The names of known and unknown elements, with their numbers.
struct ElementNames {
  /// Elements that only occur at the top level.
  ///
  /// One inside another element means that the other was never closed.
  private static let topLevel: [StaticString] = [
    "ActivitySummary", "Audiogram", "ClinicalRecord", "Correlation", "ExportDate", "Me",
    "VisionPrescription", "Workout",
  ]
  /// Elements that occur inside others (`HealthData` itself and `Record` are counted elsewhere).
  private static let inner: [StaticString] = [
    "Attachment", "FileReference", "HeartRateVariabilityMetadataList",
    "InstantaneousBeatsPerMinute", "LeftEye", "Location", "MetadataEntry", "RightEye",
    "SensitivityPoint", "WorkoutActivity", "WorkoutEvent", "WorkoutRoute", "WorkoutStatistics",
    "WorkoutZone", "WorkoutZoneGroup",
  ]
  private static let known = topLevel + inner

  private var names: CountedNames

  init() { names = CountedNames(known: Self.known.map(\.description)) }

  /// Whether an element of this name never occurs inside another one.
  func isTopLevelOnly(_ name: Bytes) -> Bool {
    Self.topLevel.contains { name.equals($0) }
  }

  /// Counts one element.
  mutating func count(_ name: Bytes) { names.count(name) }

  /// The numbers of known elements that were not read.
  var other: [String: Int] { names.counts(known: true) }
  /// The numbers of other elements.
  var unknown: [String: Int] { names.counts(known: false) }
}

/// Counters by name, for a limited number of names.
struct CountedNames {
  private static let mostNames = 256
  private static let longestName = 128

  private var table = ByteTable()
  private var counts: [Int] = []
  private var names: [String] = []
  private let knownCount: Int

  /// Counters that start with the names in `known`.
  init(known: [String] = []) {
    knownCount = known.count
    for name in known { add(name, count: 0) }
  }

  /// Counts a name; above the limit all names are counted under `…`.
  mutating func count(_ name: Bytes, times: Int = 1) {
    let key = Bytes(rebasing: name.prefix(Self.longestName))
    if counts.count < knownCount + Self.mostNames {
      let (index, isNew) = table.index(of: key)
      if !isNew {
        counts[index] += times
      } else {
        counts.append(times)
        names.append(TextDecoder.text(key).text)
      }
    } else {
      counts[table.existingIndex(of: key) ?? restIndex()] += times
    }
  }

  /// The positive counters.
  func counts(known: Bool) -> [String: Int] {
    let range = known ? 0..<knownCount : knownCount..<counts.count
    let pairs = range.lazy.filter { counts[$0] > 0 }.map { (names[$0], counts[$0]) }
    return Dictionary(pairs, uniquingKeysWith: +)
  }

  private mutating func restIndex() -> Int {
    if names.last != "…" { add("…", count: 0) }
    return names.count - 1
  }

  private mutating func add(_ name: String, count: Int) {
    var name = name
    name.withUTF8 { _ = table.index(of: $0) }
    names.append(name)
    counts.append(count)
  }
}
