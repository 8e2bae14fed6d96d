extension Truth {
  /// A workout; what it does not say is missing.
  struct Workout: Encodable {
    let activity: String
    let source: String
    let start: Int
    let end: Int
    /// Without pauses.
    let minutes: Double
    let kilometres: Double?
    let kilocalories: Double?
    /// Its own statistics, where the version has those.
    let statistics: [Statistics]
    let activities: [Activity]
    /// By what follows `HKWorkoutEventType`.
    let events: [String: Events]
    let zones: [Zone]
    let metadata: Int
    /// The routes of its parts, in order; empty where routes stand inside the workout.
    let routes: [String]
    /// Points of all its routes.
    let points: Int
    /// The score of a record that stands inside it, and whether that one stands at top level too.
    let effort: Double?
    let isEffortAtTopLevel: Bool
  }

  /// What was measured of one type over a workout or one of its parts.
  struct Statistics: Encodable {
    let type: String
    let unit: String
    let start: Int
    let end: Int
    var sum: Double?
    var average: Double?
    var minimum: Double?
    var maximum: Double?
  }

  /// A part of a workout.
  struct Activity: Encodable {
    let start: Int
    let end: Int
    /// Without pauses.
    let minutes: Double
    let statistics: [Statistics]
    let events: Int
  }

  /// The events of one kind.
  struct Events: Encodable {
    var count = 0
    /// How long they took, where the version says it.
    var seconds = 0
  }

  /// How long the heart beat between two bounds, the lowest and the highest of which are open.
  struct Zone: Encodable {
    let minimum: Int?
    let maximum: Int?
    let minutes: Double
  }

  /// A route with its points.
  struct Route: Encodable {
    /// The name of its file; empty where the points stand in the main file.
    let path: String
    let start: Int
    let points: Int
    /// Of the first and of the last point.
    let latitudes: [Double]
    let longitudes: [Double]
  }

  /// Records that belong together.
  struct Correlation: Encodable {
    let type: String
    let source: String
    let start: Int
    let end: Int
    let members: [Member]
    let metadata: Int
    /// The name of the food, if it is one of the diary.
    var food: String?

    /// One of the records, which has the times and the source of the correlation.
    struct Member: Encodable {
      let type: String
      let value: Double
      /// Whether it does not stand at top level too.
      let isAlone: Bool
      let metadata: Int
    }
  }

  /// A day that was not over when the export was made.
  struct Unfinished: Encodable {
    let date: String
    /// How many days are over before it.
    let wholeDays: Int
    /// Of counting types: the mean of the merged sums of those of the whole days that have any.
    var means: [String: Double] = [:]
  }

  /// A menstrual cycle.
  struct Cycle: Encodable {
    let firstDay: String
    /// The days to the next one; missing of the last.
    let length: Int?
    /// The days from the first to the last of its bleed.
    let bleedLength: Int
  }

  /// The rings of a day.
  struct Summary: Encodable {
    let date: String
    let kilocalories: Double
    let goal: Double
    let exerciseMinutes: Int
    let standHours: Int
  }

  /// The beats behind a heart rate variability.
  struct BeatList: Encodable {
    let source: String
    let start: Int
    let end: Int
    let beats: Int
    /// Of the rates of all beats, in beats a minute.
    let sum: Int
    /// Of the last beat, in seconds after the start.
    let last: Double
  }

  struct Electrocardiogram: Encodable {
    let path: String
    let start: Int
    /// As the language has it.
    let classification: String
    /// Voltages a second.
    let rate: Double
    let voltages: Int
    /// Of all voltages, in microvolts.
    let sum: Double
  }

  /// A hearing test.
  struct Audiogram: Encodable {
    let start: Int
    let end: Int
    let points: [Point]

    struct Point: Encodable {
      /// In Hz.
      let frequency: Int
      let left: Ear?
      let right: Ear?
    }

    struct Ear: Encodable {
      /// In dBHL.
      let level: Double
      /// Missing, with the bounds, where the version does not say it.
      var isMasked: Bool?
      var lowerBound: Double?
      var upperBound: Double?
    }
  }

  /// New glasses.
  struct Prescription: Encodable {
    let issued: Int
    let expires: Int
    let brand: String
    /// Numbers of the lenses, by their attributes.
    let right: [String: Double]
    let left: [String: Double]
    let attachment: String
  }

  struct ClinicalRecord: Encodable {
    let path: String
    let type: String
    let identifier: String
    let fhirVersion: String
    let received: Int
    /// The length of its resource.
    let bytes: Int
  }
}
