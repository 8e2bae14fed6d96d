/// Seeded documents in the dialect of exports, from what Apple writes to what nobody should.
public struct RandomExport {
  private var random: SplitMix64

  /// Makes a source of documents.
  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A document of about `count` elements.
  public mutating func document(_ count: Int) -> [UInt8] {
    var text = chance(80) ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : "\u{FEFF}"
    if chance(70) {
      let traps = [
        "<!-- <HealthData><Record/> > ' -->", "<?x <HealthData> ?>",
        "<!ENTITY e \"<HealthData locale='x'>\">", "<!ENTITY e SYSTEM '<HealthData>'>",
        "<!ATTLIST Record a CDATA #IMPLIED", "device CDATA #IMPLIED >",
      ]
      let declared = traps.filter { _ in chance(30) }.joined(separator: "\n")
      text += "<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record*)>\n\(declared)\n]>\n"
    }
    text += "<HealthData locale=\"en_US\">\n <ExportDate value=\"2024-05-01 08:00:00 +0100\"/>\n"
    for _ in 0..<count { text += chance(75) ? record() : other() }
    return Array((text + "</HealthData>\n").utf8)
  }

  /// `document` with some bytes changed, removed or added, perhaps cut.
  public mutating func damaged(_ document: [UInt8]) -> [UInt8] {
    var bytes = document
    let syntax = Array("<>\"'/=& ;\n\u{1}R!-?".utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let byte = chance(50) ? pick(syntax) : UInt8.random(in: 0...255, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: bytes[place] = byte
      case 5..<7: bytes.remove(at: place)
      case 7..<9: bytes.insert(byte, at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func record() -> String {
    let (type, unit, value) = meaning()
    var attributes = [
      ("type", type), ("sourceName", source()), ("sourceVersion", pick(["9.0", "15.1"])),
    ]
    if chance(70) { attributes.append(("device", device())) }
    if let unit { attributes.append(("unit", unit)) }
    if chance(95) { attributes.append(("creationDate", date())) }
    attributes += [("startDate", date()), ("endDate", date())]
    if let value { attributes.append(("value", value)) }
    if chance(3) { attributes.append(("novelty", "1")) }
    if chance(3) { attributes.append(pick(attributes)) }
    if chance(3) { attributes.remove(at: Int.random(in: 0..<attributes.count, using: &random)) }
    if chance(5) { attributes.shuffle(using: &random) }
    return element("Record", attributes, children: chance(25) ? children() : nil)
  }

  private mutating func meaning() -> (type: String, unit: String?, value: String?) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: ("HKQuantityTypeIdentifierStepCount", "count", number())
    case 8..<12: ("HKQuantityTypeIdentifierHeartRate", "count/min", number())
    case 12:
      ("HKQuantityTypeIdentifierBodyMass", pick(["kg", "lb", "furlong", "", "km"]), number())
    case 13: ("HKQuantityTypeIdentifierNovel", pick(["m", "km", "kg", "furlong"]), number())
    case 14: ("HKDataTypeNovel", nil, pick(["A", "B"]))
    case 15: ("HKCategoryTypeIdentifierMindfulSession", nil, nil)
    case 16: ("", "count", number())
    default:
      (
        "HKCategoryTypeIdentifierSleepAnalysis", nil,
        pick([
          "HKCategoryValueSleepAnalysisInBed", "HKCategoryValueSleepAnalysisNovel", "3", "",
          "a&amp;b", "HKCategoryValueSleepAnalysisInBed",
        ])
      )
    }
  }

  private mutating func number() -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: "\(Int.random(in: 0..<2000, using: &random))"
    case 4..<8: "\(Double(Int.random(in: 0..<999_999, using: &random)) / pick([1e2, 1e4, 1e6]))"
    case 8: "\(Double(bitPattern: random.next()))"
    case 9: pick(["5.91532e-05", "1e999", "12345678901234567890.5", "-0", "+7", "1e22", "1e-23"])
    case 10:
      pick(["", "abc", "1.", ".5", "0x10", "nan", "1,5", " 4", "9&#50;", "1e", "-", "4\u{B}2"])
    default: "\(UInt64.random(in: 0 ... .max, using: &random))"
    }
  }

  private mutating func source() -> String {
    pick([
      "Sam’s Apple\u{A0}Watch", "Sam’s iPhone", "Sam’s iPhone", "Tom &amp; Co", "Tom & Co",
      "a\u{B}b",
      "&lt;x&gt;", "&#x2019;&#8217;&#0;&#11;&#xD800;", "&bogus;", "it's \u{1F551}", "",
    ])
  }

  private mutating func device() -> String {
    let address = String(random.next() >> UInt64(pick([8, 28, 60])), radix: 16)
    return pick([
      "&lt;&lt;HKDevice: 0x\(address)&gt;, name:iPhone, hardware:iPhone10,1, software:14.3&gt;",
      "&lt;&lt;HKDevice: 0x\(address)&gt;, name:Apple Watch, model:Watch, hardware:Watch5,4&gt;",
      "&#60;&lt;HKDevice: 0x\(address)&gt;, name:other&gt;", "plain", "",
      "&lt;&lt;HKDevice: 0x\(address)", "&lt;&lt;HKDevice: 0x&gt;&gt;",
    ])
  }

  private mutating func date() -> String {
    func padded(_ range: Range<Int>) -> String {
      let text = String(Int.random(in: range, using: &random))
      return text.count < 2 ? "0" + text : text
    }
    switch Int.random(in: 0..<40, using: &random) {
    case 0:
      return pick([
        "2023-02-29 08:00:00 +0100", "2024-02-29 23:59:60 -0330", "0001-01-01 00:00:00 +0000",
        "9999-12-31 23:59:59 +0000", "1850-06-01 12:00:00 +0100", "2024-13-01 08:00:00 +0100", "",
        "2024-05-01 24:00:00 +0100", "2024-05-01T08:00:00 +0100", "2024-05-01 08:00:00 +2500",
        "2024-05-01 08:00:00 Z", "1900-02-29 00:00:00 +0000", "2024-05-01 08:0&#48;:00 +0100",
      ])
    case 1: return "20140104" + padded(0..<24) + padded(0..<60) + "00-0800"
    default:
      return "2024-0\(pick([1, 2, 3]))-" + padded(1..<30) + " " + padded(0..<24) + ":"
        + padded(0..<60) + ":" + padded(0..<60) + pick([" +0100", " +0100", " +0100", " -0530"])
    }
  }

  private mutating func children() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        text += element(
          "MetadataEntry", [("key", "HKWasUserEntered"), ("value", pick(["1", "0"]))])
      case 1:
        text +=
          "\n  <HeartRateVariabilityMetadataList>"
          + element("InstantaneousBeatsPerMinute", [("bpm", "62"), ("time", "00:20:37,80")])
          + "</HeartRateVariabilityMetadataList>"
      case 2:
        text += pick(["<!-- <Record/> -->", "<Novel><Deeper/></Novel>", "<![CDATA[<a]]>", "x"])
      default:
        text += element(
          "MetadataEntry",
          [
            ("key", "HKMetadataKeyHeartRateMotionContext"),
            ("value", pick(["0", "1", "a&#10;b\u{B}"])),
          ])
      }
    }
    return text + "\n "
  }

  private mutating func other() -> String {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1:
      element(
        "Correlation",
        facts([
          (
            "type",
            pick(["HKCorrelationTypeIdentifierFood", "HKCorrelationTypeIdentifierFood", ""])
          )
        ]),
        children: pick(["", metadata()]) + record() + record() + pick(["", record()]))
    case 2..<5: workout()
    case 5, 6:
      element(
        "ActivitySummary",
        [
          ("dateComponents", pick(["2020-11-20", "2020-02-30", "0001-01-01", "2024-2-3", "x"])),
          ("activeEnergyBurned", number()), ("activeEnergyBurnedGoal", pick(["0", "500"])),
          ("activeEnergyBurnedUnit", pick(["Cal", "kJ", "kcal", "m"])),
          (pick(["appleMoveTime", "appleMoveMinutes"]), number()), ("appleStandHours", "11"),
        ])
    case 7:
      element(
        "Audiogram", facts([("type", "HKDataTypeIdentifierAudiogram")]),
        children: element(
          "SensitivityPoint",
          [
            ("frequencyValue", number()), ("frequencyUnit", pick(["Hz", "kHz"])),
            ("leftEarValue", number()), ("rightEarMasked", pick(["true", "0", "x"])),
            ("leftEarClampingRangeLowerBound", "-10"), ("novelty", "1"),
          ]) + metadata())
    case 8:
      element(
        "VisionPrescription",
        [("type", "Glasses"), ("dateIssued", date()), ("expirationDate", date())],
        children: element(
          "RightEye", [("sphere", number()), ("sphereUnit", "D"), ("axis", number())])
          + element("LeftEye", [("add", number())]) + element("Attachment", [("identifier", "A1")])
          + metadata())
    case 9:
      element(
        "ClinicalRecord",
        [
          ("type", "AllergyIntolerance"), ("identifier", "7"), ("sourceName", source()),
          ("fhirVersion", "4.0.1"), ("receivedDate", date()),
        ])
    case 10:
      element(
        "Me",
        [
          ("HKCharacteristicTypeIdentifierBiologicalSex", source()),
          ("HKCharacteristicTypeIdentifierDateOfBirth", "1980-01-01"),
        ])
    case 11: element("Novelty", [("a", "1")], children: element("Inner", []) + record())
    case 12:
      pick(["<!-- a > b <Record/> -->", "<?go <Record?>", "<![CDATA[<Record/>]]>", "<", "text"])
    default: "</Stray>\n"
    }
  }

  private mutating func facts(_ first: [(String, String)]) -> [(String, String)] {
    first + [
      ("sourceName", source()), ("device", device()), ("creationDate", date()),
      ("startDate", date()), ("endDate", date()),
    ]
  }

  private mutating func metadata() -> String {
    element(
      "MetadataEntry", [("key", pick(["HKWasUserEntered", "meal"])), ("value", pick(["1", "0"]))])
  }

  private mutating func workout() -> String {
    var attributes = facts([
      (
        "workoutActivityType",
        pick(["HKWorkoutActivityTypeRunning", "HKWorkoutActivityTypeCycling"])
      ),
      ("duration", number()), ("durationUnit", pick(["min", "hr", "s"])),
    ])
    if chance(50) {
      attributes += [("totalDistance", number()), ("totalDistanceUnit", pick(["km", "mi", "x"]))]
      attributes += [("totalEnergyBurned", "120"), ("totalEnergyBurnedUnit", "Cal")]
    }
    var children = ""
    for _ in 0..<Int.random(in: 0...5, using: &random) { children += workoutPart(0) }
    return element("Workout", attributes, children: chance(10) ? nil : children)
  }

  private mutating func workoutPart(_ depth: Int) -> String {
    switch Int.random(in: 0..<(depth == 0 ? 9 : 4), using: &random) {
    case 0: metadata()
    case 1:
      element(
        "WorkoutEvent",
        [("type", "HKWorkoutEventTypePause"), ("date", date()), ("duration", number())],
        children: chance(20) ? metadata() : nil)
    case 2:
      element(
        "WorkoutStatistics",
        [
          (
            "type",
            pick([
              "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierHeartRate",
            ])
          ), ("startDate", date()), ("sum", number()), ("minimum", number()),
          ("unit", pick(["Cal", "count/min", "kJ"])),
        ])
    case 3:
      pick([record(), "<Novel><WorkoutEvent date=\"x\"/></Novel>", "<FileReference path=\"y\"/>"])
    case 4:
      element(
        "WorkoutActivity", [("uuid", "1"), ("startDate", date()), ("duration", "3")],
        children: workoutPart(1) + workoutPart(1))
    case 5, 6: route()
    case 7:
      element(
        "WorkoutZoneGroup", [("type", "heartRate"), ("source", "user"), ("unit", "count/min")],
        children: element(
          "WorkoutZone", [("minimum", "100"), ("duration", "2"), ("durationUnit", "min")])
          + element("WorkoutZone", [("maximum", number())]))
    default: record()
    }
  }

  private mutating func route() -> String {
    var children = metadata()
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      children += element(
        "Location",
        [
          ("date", date()), ("latitude", number()), ("longitude", "2.35"), ("altitude", "35.1"),
          ("speed", number()), (pick(["course", "latitude"]), "3"),
        ])
    }
    if chance(50) { children += element("FileReference", [("path", "/workout-routes/r.gpx")]) }
    return element("WorkoutRoute", facts([]), children: children)
  }

  private mutating func element(
    _ name: String, _ attributes: [(String, String)], children: String? = nil
  ) -> String {
    let isApple = chance(90)
    var text = "\n <" + name
    for (key, value) in attributes {
      let quote = isApple || value.contains("'") ? "\"" : pick(["\"", "'"])
      let space = isApple ? " " : pick([" ", "\n  ", "\r\n\t"])
      text += space + key + (isApple ? "=" : pick(["=", " = "])) + quote + value + quote
    }
    guard let children else { return text + (isApple ? "/>" : pick(["/>", " />", "></\(name)>"])) }
    return text + ">" + children + "</\(name)>"
  }
}
