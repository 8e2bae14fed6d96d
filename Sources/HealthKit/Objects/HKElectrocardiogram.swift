/// An electrocardiogram; its voltages are what an electrocardiogram query delivers.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
  /// What the signal shows.
  public enum Classification: Int, Sendable {
    /// Nothing was found out.
    case notSet = 0
    /// A regular rhythm.
    case sinusRhythm
    /// Atrial fibrillation.
    case atrialFibrillation
    /// The heart beats too slowly for a result.
    case inconclusiveLowHeartRate
    /// The heart beats too fast for a result.
    case inconclusiveHighHeartRate
    /// The signal is too bad for a result.
    case inconclusivePoorReading
    /// There is no result for another reason.
    case inconclusiveOther
    /// A newer version of the classification, or one in words that are not known.
    case unrecognized = 100
  }

  /// Where the signal was measured.
  public enum Lead: Int, Sendable {
    /// Between the wrist of the watch and the other hand.
    case appleWatchSimilarToLeadI = 1
  }

  /// Whether the person felt symptoms.
  public enum SymptomsStatus: Int, Sendable {
    /// The person was not asked.
    case notSet = 0
    /// None.
    case none
    /// Some; samples of their types tell which.
    case present
  }

  /// What an electrocardiogram has besides the facts of a sample.
  struct Content: Sendable, Hashable {
    var classification = Classification.notSet
    var symptoms = SymptomsStatus.notSet
    /// Beats per minute; `nil` when not recorded.
    var heartRate: Double?
    /// Measurements per second; `nil` when not recorded.
    var frequency: Double?
    /// In microvolts, at equal distances from the start on.
    var voltages: [Double] = []
  }

  let content: Content

  init(_ content: Content, start: Date, end: Date, facts: ObjectFacts) {
    self.content = content
    super.init(
      type: HKObjectType.electrocardiogramType(), start: start, end: end, facts: facts)
  }

  /// Reads an electrocardiogram from an archive.
  public required init?(coder: NSCoder) {
    guard
      let classification = coder.decodeCase(Classification.self, "classification"),
      let symptoms = coder.decodeCase(SymptomsStatus.self, "symptomsStatus"),
      let voltages = coder.decodeColumns(1, "voltages")
    else { return nil }
    content = Content(
      classification: classification, symptoms: symptoms,
      heartRate: coder.decodeNumber("averageHeartRate"),
      frequency: coder.decodeNumber("samplingFrequency"), voltages: voltages[0])
    super.init(coder: coder)
  }

  /// Writes all properties and voltages.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(content.classification.rawValue, forKey: "classification")
    coder.encode(content.symptoms.rawValue, forKey: "symptomsStatus")
    if let rate = content.heartRate { coder.encode(rate, forKey: "averageHeartRate") }
    if let frequency = content.frequency { coder.encode(frequency, forKey: "samplingFrequency") }
    coder.encodeColumns([content.voltages], "voltages")
  }

  /// What the signal shows.
  open var classification: Classification { content.classification }
  /// Whether the person felt symptoms.
  open var symptomsStatus: SymptomsStatus { content.symptoms }
  /// How many voltages there are.
  open var numberOfVoltageMeasurements: Int { content.voltages.count }

  /// The mean heart rate; `nil` when not recorded.
  open var averageHeartRate: HKQuantity? {
    content.heartRate.map {
      HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: $0)
    }
  }

  /// How often the voltage was measured; `nil` when not recorded.
  open var samplingFrequency: HKQuantity? {
    content.frequency.map { HKQuantity(unit: .hertz(), doubleValue: $0) }
  }

  /// A voltage at an instant.
  open class VoltageMeasurement: NSObject, NSCopying, @unchecked Sendable {
    private let offset: TimeInterval
    private let microvolts: Double

    init(offset: TimeInterval, microvolts: Double) {
      self.offset = offset
      self.microvolts = microvolts
    }

    /// Seconds since the start of the electrocardiogram.
    open var timeSinceSampleStart: TimeInterval { offset }

    /// The voltage of a lead; `nil` for one that was not measured.
    open func quantity(for lead: Lead) -> HKQuantity? {
      HKQuantity(unit: .voltUnit(with: .micro), doubleValue: microvolts)
    }

    /// The measurement itself, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is the same voltage at the same distance from the start.
    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? VoltageMeasurement else { return false }
      return offset == other.offset && microvolts == other.microvolts
    }

    /// Hashes distance and voltage.
    open override var hash: Int {
      var hasher = Hasher()
      hasher.combine(offset)
      hasher.combine(microvolts)
      return hasher.finalize()
    }
  }

  /// The measurement of an index.
  ///
  /// Without a sampling frequency the measurements are at equal distances over the sample.
  func measurement(at index: Int) -> VoltageMeasurement {
    let offset =
      content.frequency.map { Double(index) / $0 }
      ?? endDate.timeIntervalSince(startDate) * Double(index) / Double(content.voltages.count)
    return VoltageMeasurement(offset: offset, microvolts: content.voltages[index])
  }
}
