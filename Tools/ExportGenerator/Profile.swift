/// Whose phone it is: which devices record, and which apps write.
enum Profile: String, CaseIterable {
  /// A watch on the wrist every day.
  case watch
  /// The phone, and a watch on one day of many.
  case iphone
  /// A watch of another maker, through its app.
  case garmin
  /// The phone, and an app in which every meal is logged.
  case food
}

extension Profile {
  /// What is recorded, in the order of an export.
  var streams: [RecordStream] {
    switch self {
    case .watch: RecordStream.watch
    case .iphone: RecordStream.iphone
    case .garmin: RecordStream.garmin
    case .food:
      RecordStream.iphone.filter { !$0.name.hasPrefix("Dietary") } + RecordStream.foods
    }
  }

  /// The watch is worn on one of so many days; on none when nothing.
  var daysForOneWithWatch: Int? {
    switch self {
    case .watch: 1
    case .iphone: 15
    case .garmin, .food: nil
    }
  }

  /// Who records a run when no watch does.
  var workoutApp: Writer { self == .garmin ? .connect : .tracker }

  /// Whether a hospital hands over what it knows.
  var hasClinicalRecords: Bool { self == .watch }
}
