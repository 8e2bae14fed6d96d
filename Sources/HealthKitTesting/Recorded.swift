// What test files write down of a store, a device and a person, the same on every platform.
public import HealthKit

/// A device on which an app runs.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public enum TestDevice: Sendable, Hashable, CaseIterable {
  /// A phone.
  case iPhone
  /// An iPad with iPadOS 16, which has no health data.
  case iPad16
  /// Apple Vision Pro that a guest uses: nothing is asked, saved or deleted.
  case visionGuest
}

// MARK: Calls

/// What apps call on a health store.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public enum Call: String, Sendable, Hashable, CaseIterable {
  /// A request for permissions, or the question whether one would ask.
  case requestAuthorization
  /// Saving objects, and relating samples to workouts.
  case save
  /// Deleting objects.
  case delete
  /// Executing a query, in any of its forms.
  case query
  /// Reading a characteristic.
  case characteristics
  /// Reading the zones that the person prefers for workouts.
  case workoutZones
  /// Enabling and disabling background delivery.
  case backgroundDelivery
  /// A method of a builder.
  case builder
  /// A step or an activity of a workout session, its mirroring, or its recovery.
  case workoutSession
  /// A method of the attachment store.
  case attachment
  /// Any other call with a completion handler.
  case other
}

/// A call that an app has made.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct RecordedCall: Sendable {
  /// What it called.
  public let call: Call
  /// The bundle identifier of the app.
  public let app: String
  /// When, by the clock of the store.
  public let date: Date
  /// The types that the call names.
  public let types: Set<HKObjectType>
  /// The objects that it saves or deletes.
  public let objects: [HKObject]
  /// The query that it executes.
  public let query: HKQuery?
}

// MARK: Recordings

/// An electrocardiogram as a watch records it.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct RecordedECG: Sendable {
  /// How many voltages a second has.
  public var hertz: Double
  /// The voltages, in microvolts.
  public var microvolts: [Double]
  /// What the watch found.
  public var classification: HKElectrocardiogram.Classification
  /// The symptoms that the person noted: empty for none, `nil` for a person who was not asked.
  public var symptoms: Set<HKCategoryTypeIdentifier>?
  /// The mean heart rate that the watch found, in beats a minute; `nil` for none.
  public var averageHeartRate: Double?
  /// When it starts; it ends when it is loaded otherwise.
  public var start: Date?

  /// Makes an electrocardiogram of voltages in microvolts, which are read as they are given.
  public init(
    hertz: Double = 512, microvolts: [Double],
    classification: HKElectrocardiogram.Classification = .sinusRhythm,
    symptoms: Set<HKCategoryTypeIdentifier>? = nil, averageHeartRate: Double? = nil,
    start: Date? = nil
  ) {
    (self.hertz, self.microvolts, self.classification) = (hertz, microvolts, classification)
    (self.symptoms, self.averageHeartRate, self.start) = (symptoms, averageHeartRate, start)
  }

  /// Makes an electrocardiogram of voltages in millivolts, the last digit of which may change.
  public init(
    hertz: Double = 512, millivolts: [Double],
    classification: HKElectrocardiogram.Classification = .sinusRhythm,
    symptoms: Set<HKCategoryTypeIdentifier>? = nil, averageHeartRate: Double? = nil,
    start: Date? = nil
  ) {
    self.init(
      hertz: hertz, microvolts: millivolts.map { $0 * 1_000 }, classification: classification,
      symptoms: symptoms, averageHeartRate: averageHeartRate, start: start)
  }
}

/// A hearing test as headphones make it.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct RecordedAudiogram: Sendable {
  /// The thresholds at one frequency.
  public struct Point: Sendable {
    /// The frequency.
    public var hertz: Double
    /// The threshold of the left ear, in dBHL; `nil` for an ear that was not tested.
    public var left: Double?
    /// The threshold of the right ear, in dBHL; `nil` for an ear that was not tested.
    public var right: Double?

    /// Makes a point.
    public init(hertz: Double, left: Double?, right: Double?) {
      (self.hertz, self.left, self.right) = (hertz, left, right)
    }
  }

  /// The points, by ascending frequency.
  public var points: [Point]
  /// When it starts; it ends when it is loaded otherwise.
  public var start: Date?

  /// Makes a hearing test.
  public init(_ points: [Point], start: Date? = nil) {
    (self.points, self.start) = (points, start)
  }
}

/// What a person sets in the Health app; what is `nil` stays as it is.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct RecordedPerson: Sendable {
  /// Year, month and day of birth, of the Gregorian calendar.
  public var dateOfBirth: DateComponents?
  /// The sex.
  public var biologicalSex: HKBiologicalSex?
  /// The blood type.
  public var bloodType: HKBloodType?
  /// The skin type.
  public var fitzpatrickSkinType: HKFitzpatrickSkinType?
  /// Whether the person uses a wheelchair.
  public var wheelchairUse: HKWheelchairUse?
  /// Whether the person follows energy or the time of moving.
  public var activityMoveMode: HKActivityMoveMode?

  /// Makes a person of whom the given is known.
  public init(
    dateOfBirth: DateComponents? = nil, biologicalSex: HKBiologicalSex? = nil,
    bloodType: HKBloodType? = nil, fitzpatrickSkinType: HKFitzpatrickSkinType? = nil,
    wheelchairUse: HKWheelchairUse? = nil, activityMoveMode: HKActivityMoveMode? = nil
  ) {
    (self.dateOfBirth, self.biologicalSex, self.bloodType) = (dateOfBirth, biologicalSex, bloodType)
    self.fitzpatrickSkinType = fitzpatrickSkinType
    (self.wheelchairUse, self.activityMoveMode) = (wheelchairUse, activityMoveMode)
  }
}
