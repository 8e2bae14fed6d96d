/// A version of the format: what iOS wrote into exports at some time.
enum ExportVersion: Int, CaseIterable {
  /// iOS 8: no document type, compact dates, hours summed up.
  case ios8
  /// iOS 9 to 11.
  case version3
  /// iOS 12: routes stand inside their workouts.
  case version8
  /// The first of iOS 14: as ``version11``, with other names in the rings.
  case version11a
  /// iOS 14 and 15: routes are files.
  case version11
  /// iOS 16.0 and 16.1: not well-formed; statistics in place of totals.
  case version12
  /// iOS 16.2 to 17.
  case version13
  /// iOS 18 and 26.
  case version14
  /// iOS 27, which kept the document type of ``version14``: heart rate zones of workouts.
  case ios27
}

extension ExportVersion: Comparable {
  static func < (one: Self, two: Self) -> Bool { one.rawValue < two.rawValue }

  /// What `--dtd` calls the versions, in their order.
  static let names = ["ios8", "3", "8", "11a", "11", "12", "13", "14", "ios27"]

  /// What `--dtd` calls the version.
  var name: String { Self.names[rawValue] }

  /// Whether the files of this version are well-formed XML.
  var isWellFormed: Bool { self != .ios8 && self != .version12 }
  /// Whether records describe the device that made them.
  var hasDevices: Bool { self > .ios8 }
  /// Whether records of heart rate variability list their beats.
  var hasBeats: Bool { self >= .version8 }
  /// Whether there are elements beside records, and files beside the main one.
  var hasOtherElements: Bool { self > .ios8 }
  /// Whether events of workouts say how long they took.
  var hasEventDurations: Bool { self >= .version8 }
  /// Whether workouts have statistics and activities, and no totals.
  var hasWorkoutStatistics: Bool { self >= .version12 }
  /// Whether workouts say how long the heart beat in each of its zones.
  var hasZones: Bool { self >= .ios27 }
  /// Whether workouts hold records of the effort.
  var hasEfforts: Bool { self >= .version14 }
  /// Whether nights have stages; if not, people are asleep or not.
  var hasSleepStages: Bool { self >= .version12 }
  /// Whether levels of menstrual flow are called bleeding; iOS 18 renamed them.
  var hasBleeding: Bool { self >= .version14 }
  /// Whether `Me` says something of cardio fitness medications: files of iOS 14 and 15 do, although
  /// their document type does not know it.
  var hasCardioFitnessMedications: Bool { self == .version11 || self >= .version13 }
  var hasClinicalRecords: Bool { self >= .version8 }
  var hasElectrocardiograms: Bool { self >= .version8 }
  var hasAudiograms: Bool { self >= .version11a }
  /// Whether points of an audiogram say which range was measured.
  var hasAudiogramRanges: Bool { self >= .version14 }
  var hasVisionPrescriptions: Bool { self >= .version12 }
  /// Whether a device description ends in a date.
  var hasDeviceDates: Bool { self >= .version14 }
  /// What a device description calls Apple.
  var manufacturer: String { self <= .version8 ? "Apple" : "Apple Inc." }

  /// What follows a time of day in twelve hours; iOS 16.4 made the space a narrow one.
  var halvesOfDay: (morning: StaticString, afternoon: StaticString) {
    self < .version13 ? (" AM", " PM") : ("\u{202F}AM", "\u{202F}PM")
  }

  /// Where a workout's route is.
  enum RouteShape {
    case missing, inline, file
  }

  var routes: RouteShape {
    self < .version8 ? .missing : self == .version8 ? .inline : .file
  }
}
