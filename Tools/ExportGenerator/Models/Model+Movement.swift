extension RecordStream.Model {
  /// Steps, which watch and phone count both.
  ///
  /// The watch writes short pieces, the phone slots of about ten minutes. Now and then a person
  /// types in a walk without either.
  static let steps = Self { day in
    day.addPieces(ofSeconds: 22...62) { walk, seconds, accuracy in
      (walk.cadence * Double(seconds) * accuracy).rounded()
    }
    if day.chance.happens(0.03) {
      let start = day.day.instant(7 * 3_600)
      day.add(
        .hand, start, start + 1_800, Double(day.chance.whole(in: 15...40) * 100),
        delay: 30_000...40_000, extra: .userEntered)
    }
  }

  /// The distance of the same walks, in kilometres.
  static let walkingDistance = Self { day in
    day.addPieces(ofSeconds: 16...46) { walk, seconds, accuracy in
      walk.speed * Double(seconds) * accuracy / 1_000
    }
  }

  /// Flights of stairs, which watch and phone count both.
  static let flights = Self { day in
    for walk in day.day.walks where day.chance.happens(0.2) {
      let end = min(walk.end, walk.start + day.chance.whole(in: 8...40))
      let flights = Double(day.chance.whole(in: 1...3))
      if walk.isWatchWorn { day.add(.watch, walk.start, end, flights, delay: 60...300) }
      if walk.isPhoneCarried { day.add(.phone, walk.start, end, flights, delay: 300...660) }
    }
  }

  /// One minute for each that is brisk.
  static let exerciseTime = Self { day in
    for walk in day.day.walks where walk.isWatchWorn && walk.cadence > 1.7 {
      for start in stride(from: walk.start, to: walk.end - 59, by: 60) where day.chance.happens(0.8)
      {
        day.add(.watch, start, start + 60, 1, delay: 20...210)
      }
    }
  }

  /// Minutes on one's feet in each slot of five.
  static let standTime = Self { day in
    var slot = 0
    var minutes = 0.0
    func close(_ day: inout DayRecorder) {
      if minutes > 0 { day.add(.watch, slot, slot + 300, min(5, minutes), delay: 30...180) }
    }
    for walk in day.day.walks where walk.isWatchWorn {
      for start in stride(from: walk.start / 300 * 300, to: walk.end, by: 300) {
        if start != slot {
          close(&day)
          (slot, minutes) = (start, 0)
        }
        let overlap = min(walk.end, start + 300) - max(walk.start, start)
        minutes += Double((overlap + 59) / 60)
      }
    }
    close(&day)
  }

  /// Whether the person stood in each waking hour.
  static let standHours = Self { day in
    let awake = day.day.wake..<day.day.bed
    for start in stride(from: day.day.start, to: day.day.end - 3_599, by: 3_600)
    where awake.overlaps(start..<(start + 3_600)) {
      let hasStood = day.day.walks.contains { $0.start < start + 3_600 && $0.end > start }
      day.add(
        .watch, start, start + 3_600, delay: -1_702...245, label: hasStood ? .stood : .idle)
    }
  }

  static let walkingSpeed = gait { walk, chance in walk.speed * 3.6 * (1 + 0.06 * chance.bell()) }
  static let walkingStepLength = gait { walk, chance in
    (walk.speed / walk.cadence * 100 + 3 * chance.bell()).rounded()
  }
  static let walkingDoubleSupport = gait(share: 0.7) { _, chance in
    (280 + 12 * chance.bell()).rounded() / 1_000
  }
  static let walkingAsymmetry = gait(share: 0.45) { _, chance in
    chance.happens(0.6) ? 0 : Double(chance.whole(in: 1...9)) / 100
  }

  // A phone that is all the person has sees short walks too.
  static let phoneWalkingSpeed = gait(shortest: 40, margin: 1) { walk, chance in
    walk.speed * 3.6 * (1 + 0.06 * chance.bell())
  }
  static let phoneWalkingStepLength = gait(shortest: 40, margin: 1) { walk, chance in
    (walk.speed / walk.cadence * 100 + 3 * chance.bell()).rounded()
  }
  static let phoneWalkingDoubleSupport = gait(share: 0.7, shortest: 40, margin: 1) { _, chance in
    (280 + 12 * chance.bell()).rounded() / 1_000
  }
  static let phoneWalkingAsymmetry = gait(share: 0.4, shortest: 40, margin: 1) { _, chance in
    chance.happens(0.6) ? 0 : Double(chance.whole(in: 1...9)) / 100
  }

  /// What the phone in a pocket sees of steady walks.
  private static func gait(
    share: Double = 0.85, shortest: Int = 101, margin: Int = 20,
    _ value: @escaping @Sendable (DayPlan.Walk, inout Chance) -> Double
  ) -> Self {
    Self { day in
      for walk in day.day.walks
      where walk.isPhoneCarried && !walk.isRun && walk.duration >= shortest {
        var start = walk.start + margin
        while start + 30 + margin < walk.end {
          let end = start + day.chance.whole(in: 6...45)
          if day.chance.happens(share) {
            day.add(.phone, start, end, value(walk, &day.chance), delay: 600...7_330)
          }
          start = end + day.gap(250...900)
        }
      }
    }
  }

  /// Minutes of daylight, once an hour outside.
  static let daylight = Self { day in
    for walk in day.day.walks where walk.isWatchWorn && walk.duration > 900 {
      day.add(
        .watch, walk.start, walk.end, Double(walk.duration / 60), delay: 60...900)
    }
  }
}

extension DayRecorder {
  /// What a piece of a walk counts, from its seconds and how well the device sees it.
  fileprivate typealias PieceValue = (DayPlan.Walk, Int, Double) -> Double

  /// Cuts each walk into the pieces that watch and phone write; `seconds` says how long most of
  /// those of the watch are.
  fileprivate mutating func addPieces(
    ofSeconds seconds: ClosedRange<Double>, value: PieceValue
  ) {
    for walk in day.walks {
      if walk.isWatchWorn { addPieces(of: walk, by: .watch, seconds: seconds, value: value) }
      if walk.isPhoneCarried { addPieces(of: walk, by: .phone, seconds: 483...601, value: value) }
    }
  }

  private mutating func addPieces(
    of walk: DayPlan.Walk, by writer: Writer, seconds: ClosedRange<Double>, value: PieceValue
  ) {
    let isWatch = writer == .watch
    let accuracy = isWatch ? 1 : 0.96
    var start = walk.start + (isWatch ? 0 : chance.whole(in: 0...4))
    while start < walk.end {
      let length = gap(isWatch && chance.happens(0.06) ? 150...509 : seconds)
      let end = min(walk.end, start + max(2, length))
      let measured = value(walk, end - start, accuracy + 0.05 * chance.bell())
      if measured > 0 {
        add(writer, start, end, measured, delay: isWatch ? 60...660 : 300...670)
      }
      start = end + (chance.happens(0.15) ? 1 : 0)
    }
  }
}
