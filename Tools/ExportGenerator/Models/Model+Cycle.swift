extension DayPlan {
  /// What the person notes of her cycle; nothing on most days.
  fileprivate var cycleNote: Bleed.Note? {
    Bleed(day: index, seed: variation).flatMap { $0.note(ofDay: index - $0.firstDay) }
  }
}

extension RecordStream {
  /// What a person notes of her cycle.
  static let cycles = [menstrualFlow, category("IntermenstrualBleeding", .spotting)]

  static let menstrualFlow = category("MenstrualFlow", .menstrualFlow)
}

extension RecordStream.Model {
  fileprivate static let menstrualFlow = Self { day in
    guard case .flow(let label, let extra)? = day.day.cycleNote else { return }
    let time = day.day.wake + 1_800
    day.add(.hand, time, time, delay: 20...600, label: label, extra: extra)
  }

  fileprivate static let spotting = Self { day in
    guard case .spotting? = day.day.cycleNote else { return }
    let time = day.day.wake + 1_800
    day.add(
      .hand, time, time, delay: 20...600, label: .notApplicable, extra: .userEntered)
  }
}
