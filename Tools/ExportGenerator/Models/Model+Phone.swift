extension RecordStream.Model {
  /// What a phone thinks its bearer burns while walking, beside what a watch says.
  static let phoneActiveEnergy = Self { day in
    activeEnergy.addRows(&day)
    day.addPhonePieces { walk, seconds in Double(seconds) / 60 * (walk.isRun ? 10.8 : 3.4) }
  }

  /// What it thinks is burnt at rest, by quarters of an hour of the waking day.
  static let phoneBasalEnergy = Self { day in
    basalEnergy.addRows(&day)
    let rate = day.day.bodyMass * 21.6 / 86_400
    var now = day.day.wake
    while now < day.day.bed {
      let end = now + day.gap(780...1_140)
      day.add(.phone, now, end, rate * Double(end - now), delay: 200...880)
      now = end
    }
  }

  /// Music on the way, and at home.
  static let phoneHeadphoneSound = Self { day in
    headphoneSound.addRows(&day)
    var now = day.day.wake + 3_600
    while now < day.day.bed - 3_600 {
      let end = now + day.chance.whole(in: 120...900)
      day.add(.phone, now, end, 66 + 5 * day.chance.bell(), delay: 10...120)
      now = end + day.gap(600...2_700)
    }
  }
}

extension DayRecorder {
  /// Adds what the phone measures in its slots of about ten minutes.
  mutating func addPhonePieces(value: (DayPlan.Walk, Int) -> Double) {
    for walk in day.walks where walk.isPhoneCarried {
      var start = walk.start
      while start < walk.end {
        let end = min(walk.end, start + gap(483...601))
        let measured = value(walk, end - start)
        if measured > 0 { add(.phone, start, end, measured, delay: 300...670) }
        start = end
      }
    }
  }
}
