public import HealthQuery

extension QuestionAnswer.Column {
  /// The intervals that do not count, in order.
  public var leftOut: [LeftOutInterval] {
    lacks.sorted { $0.key < $1.key }
      .map { LeftOutInterval(start: series.starts[$0.key], lack: $0.value) }
  }
}

extension SleepAnswer {
  /// The nights that do not count, in order.
  public var leftOut: [LeftOutInterval] {
    nights.days[overCount...].map { LeftOutInterval(start: $0, lack: .notOver) }
  }
}
