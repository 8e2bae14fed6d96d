/// A hearing test.
open class HKAudiogramSample: HKSample, @unchecked Sendable {
  private let points: [HKAudiogramSensitivityPoint]

  /// The most points of a hearing test.
  static let mostPoints = 30

  init(
    _ points: [HKAudiogramSensitivityPoint], start: Date, end: Date, facts: ObjectFacts
  ) {
    self.points = points
    super.init(type: HKObjectType.audiogramSampleType(), start: start, end: end, facts: facts)
  }

  /// Makes a hearing test.
  ///
  /// Traps for an end before the start, for more than 30 points, and for frequencies that do not
  /// ascend; ``validated(sensitivityPoints:start:end:device:metadata:)`` throws.
  public convenience init(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
    device: HKDevice?, metadata: [String: Any]?
  ) {
    raising { () throws(ObjectError) in
      try Self.check(sensitivityPoints, startDate, endDate, metadata)
    }
    self.init(
      sensitivityPoints, start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a hearing test; see
  /// ``init(sensitivityPoints:start:end:device:metadata:)``.
  public convenience init(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
    metadata: [String: Any]?
  ) {
    self.init(
      sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil,
      metadata: metadata)
  }

  /// Makes a hearing test.
  ///
  /// - Throws: ``ObjectError`` where the initializers trap
  public static func validated(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start: Date, end: Date,
    device: HKDevice? = nil, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKAudiogramSample {
    try check(sensitivityPoints, start, end, metadata)
    return HKAudiogramSample(
      sensitivityPoints, start: start, end: end,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  private static func check(
    _ points: [HKAudiogramSensitivityPoint], _ start: Date, _ end: Date, _ metadata: [String: Any]?
  ) throws(ObjectError) {
    try check(
      type: HKObjectType.audiogramSampleType(), start: start, end: end, metadata: metadata)
    guard points.count <= mostPoints else {
      throw ObjectError(.tooManyPoints(maximum: mostPoints))
    }
    let frequencies = points.map { $0.frequency.doubleValue(for: .hertz()) }
    guard zip(frequencies, frequencies.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw ObjectError(.frequenciesNotAscending)
    }
  }

  /// Reads a hearing test from an archive.
  public required init?(coder: NSCoder) {
    guard let points = coder.decodeMany(HKAudiogramSensitivityPoint.self, "sensitivityPoints")
    else { return nil }
    self.points = points
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeMany(points, "sensitivityPoints")
  }

  /// The hearing thresholds, by frequency.
  open var sensitivityPoints: [HKAudiogramSensitivityPoint] { points }
}

/// The hearing thresholds at one frequency.
open class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, @unchecked Sendable {
  private let tone: HKQuantity
  private let results: [HKAudiogramSensitivityTest]

  init(unchecked frequency: HKQuantity, _ tests: [HKAudiogramSensitivityTest]) {
    tone = frequency
    results = tests
  }

  /// Makes a point from the thresholds of one or both ears.
  ///
  /// Deprecated: use ``init(frequency:tests:)``.
  ///
  /// - Throws: `HKError.errorInvalidArgument` without any threshold, for a frequency that is not
  ///   positive, and for units of something else
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public convenience init(
    frequency: HKQuantity, leftEarSensitivity: HKQuantity?, rightEarSensitivity: HKQuantity?
  ) throws {
    let ears: [(HKAudiogramSensitivityTestSide, HKQuantity?)] = [
      (.left, leftEarSensitivity), (.right, rightEarSensitivity),
    ]
    let tests = try ears.compactMap { side, sensitivity in
      try sensitivity.map {
        try HKAudiogramSensitivityTest(
          sensitivity: $0, type: .air, masked: false, side: side, clampingRange: nil)
      }
    }
    try self.init(frequency: frequency, tests: tests)
  }

  /// Makes a point from tests, at most one for each ear.
  ///
  /// - Throws: `HKError.errorInvalidArgument` without any test, for two tests of an ear, for a
  ///   frequency that is not positive, and for units of something else
  public convenience init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
    try throwingInvalidArgument { () throws(ObjectError) in try Self.check(frequency, tests) }
    self.init(unchecked: frequency, tests)
  }

  private static func check(
    _ frequency: HKQuantity, _ tests: [HKAudiogramSensitivityTest]
  ) throws(ObjectError) {
    try HKQuantity.check(
      frequency, in: .hertz(), "Frequency", of: "HKAudiogramSensitivityPoint")
    let hertz = try frequency.value(in: .hertz())
    guard hertz.isFinite, hertz > 0 else { throw ObjectError(.frequencyNotPositive) }
    guard !tests.isEmpty else { throw ObjectError(.missingSensitivity) }
    guard Set(tests.map(\.side)).count == tests.count else {
      throw ObjectError(.repeatedSide)
    }
  }

  /// Reads a point from an archive.
  public required init?(coder: NSCoder) {
    guard let tone = coder.decodeQuantity("frequency", in: .hertz()),
      let results = coder.decodeMany(HKAudiogramSensitivityTest.self, "tests")
    else { return nil }
    self.tone = tone
    self.results = results
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(tone, forKey: "frequency")
    coder.encodeMany(results, "tests")
  }

  /// Points are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The frequency of the tone.
  open var frequency: HKQuantity { tone }
  /// The tests of the ears.
  open var tests: [HKAudiogramSensitivityTest] { results }
  /// The threshold of the left ear.
  ///
  /// Deprecated: use ``tests``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var leftEarSensitivity: HKQuantity? { results.first { $0.side == .left }?.sensitivity }
  /// The threshold of the right ear.
  ///
  /// Deprecated: use ``tests``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var rightEarSensitivity: HKQuantity? { results.first { $0.side == .right }?.sensitivity }

  /// Whether the object is a point with the same frequency and tests.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityPoint else { return false }
    return tone == other.tone && results == other.results
  }

  /// Hashes the frequency.
  open override var hash: Int { tone.hash }
}

/// The threshold of one ear at one frequency.
open class HKAudiogramSensitivityTest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let level: HKQuantity
  private let conduction: HKAudiogramConductionType
  private let isMasked: Bool
  private let ear: HKAudiogramSensitivityTestSide
  private let range: HKAudiogramSensitivityPointClampingRange?

  /// Makes a test.
  ///
  /// - Throws: `HKError.errorInvalidArgument` for a threshold in a unit of something else
  public init(
    sensitivity: HKQuantity, type: HKAudiogramConductionType, masked: Bool,
    side: HKAudiogramSensitivityTestSide, clampingRange: HKAudiogramSensitivityPointClampingRange?
  ) throws {
    try throwingInvalidArgument { () throws(ObjectError) in
      try HKQuantity.check(
        sensitivity, in: .decibelHearingLevel(), "Hearing Sensitivity",
        of: "HKAudiogramSensitivityTest")
    }
    level = sensitivity
    conduction = type
    isMasked = masked
    ear = side
    range = clampingRange
  }

  init(
    unchecked sensitivity: HKQuantity, masked: Bool, side: HKAudiogramSensitivityTestSide,
    range: HKAudiogramSensitivityPointClampingRange?
  ) {
    level = sensitivity
    conduction = .air
    isMasked = masked
    ear = side
    self.range = range
  }

  /// Reads a test from an archive.
  public required init?(coder: NSCoder) {
    guard let level = coder.decodeQuantity("sensitivity", in: .decibelHearingLevel()),
      let conduction = coder.decodeCase(HKAudiogramConductionType.self, "type"),
      let ear = coder.decodeCase(HKAudiogramSensitivityTestSide.self, "side")
    else { return nil }
    self.level = level
    self.conduction = conduction
    self.ear = ear
    isMasked = coder.decodeBool(forKey: "masked")
    range = coder.decodeOne(HKAudiogramSensitivityPointClampingRange.self, "clampingRange")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(level, forKey: "sensitivity")
    coder.encode(conduction.rawValue, forKey: "type")
    coder.encode(isMasked, forKey: "masked")
    coder.encode(ear.rawValue, forKey: "side")
    coder.encode(range, forKey: "clampingRange")
  }

  /// Tests are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The test itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The hearing threshold.
  open var sensitivity: HKQuantity { level }
  /// How the tone came to the ear.
  open var type: HKAudiogramConductionType { conduction }
  /// Whether the other ear was masked with noise.
  open var masked: Bool { isMasked }
  /// The ear.
  open var side: HKAudiogramSensitivityTestSide { ear }
  /// What the test can measure; `nil` when not recorded.
  open var clampingRange: HKAudiogramSensitivityPointClampingRange? { range }

  /// Whether the object is a test with the same properties.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityTest else { return false }
    return level == other.level && conduction == other.conduction && isMasked == other.isMasked
      && ear == other.ear && range == other.range
  }

  /// Hashes threshold and ear.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(level)
    hasher.combine(ear)
    return hasher.finalize()
  }
}

/// The thresholds that a hearing test can measure.
open class HKAudiogramSensitivityPointClampingRange: NSObject, NSCopying, NSSecureCoding,
  @unchecked Sendable
{
  private let lower: HKQuantity?
  private let upper: HKQuantity?

  init(unchecked lower: Double?, _ upper: Double?) {
    func level(_ value: Double?) -> HKQuantity? {
      value.map { HKQuantity(unit: .decibelHearingLevel(), doubleValue: $0) }
    }
    self.lower = level(lower)
    self.upper = level(upper)
  }

  /// Makes a range of hearing levels, in dBHL.
  ///
  /// - Throws: `HKError.errorInvalidArgument` without any bound, and for a lower bound that is not
  ///   below the upper one
  public convenience init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
    let (lower, upper) = (lowerBound?.doubleValue, upperBound?.doubleValue)
    try throwingInvalidArgument { () throws(ObjectError) in
      guard lower != nil || upper != nil, lower ?? -.infinity < upper ?? .infinity else {
        throw ObjectError(.clampingRange)
      }
    }
    self.init(unchecked: lower, upper)
  }

  /// Reads a range from an archive.
  public required init?(coder: NSCoder) {
    lower = coder.decodeQuantity("lowerBound", in: .decibelHearingLevel())
    upper = coder.decodeQuantity("upperBound", in: .decibelHearingLevel())
  }

  /// Writes both bounds.
  open func encode(with coder: NSCoder) {
    coder.encode(lower, forKey: "lowerBound")
    coder.encode(upper, forKey: "upperBound")
  }

  /// Ranges are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The range itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The lowest level that the test can measure; `nil` when there is none.
  open var lowerBound: HKQuantity? { lower }
  /// The highest level that the test can measure; `nil` when there is none.
  open var upperBound: HKQuantity? { upper }

  /// Whether the object is a range with the same bounds.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityPointClampingRange else { return false }
    return lower == other.lower && upper == other.upper
  }

  /// Hashes both bounds.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(lower)
    hasher.combine(upper)
    return hasher.finalize()
  }
}
