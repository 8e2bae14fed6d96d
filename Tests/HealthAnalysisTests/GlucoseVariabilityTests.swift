import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct GlucoseVariabilityTests {
  @Test("MODD and CONGA are those of iglu and NumPy, also with a gap of four hours")
  func differenceReferences() throws {
    for reference in try MeasureReferences.read().glucose {
      let readings = try GlucoseReadings(times: reference.times, values: reference.values)
      for (name, expected) in reference.numpy {
        let hours = try #require(Double(name))
        let found = try readings.differences(hours: hours, nearest: 0)
        #expect(Double(found.count) == expected.count, "\(name)")
        #expect(agrees(found.meanMagnitude, expected.mean, 1e-13))
        #expect(agrees(try #require(found.standardDeviation), expected.sd, 1e-13))
        // Readings on a grid have no other near enough.
        #expect(try readings.differences(hours: hours, nearest: 140) == found)
      }
      let (day, hour) = (
        try readings.differences(hours: 24, nearest: 0),
        try readings.differences(hours: 1, nearest: 0)
      )
      #expect(agrees(day.meanMagnitude, reference.iglu["modd"] ?? 0, 1e-13))
      #expect(agrees(day.standardDeviation ?? 0, reference.iglu["conga24"] ?? 0, 1e-13))
      #expect(agrees(hour.standardDeviation ?? 0, reference.iglu["conga1"] ?? 0, 1e-13))
    }
  }

  @Test("Events are those of iglu, in number and mean length")
  func eventReferences() throws {
    for reference in try MeasureReferences.read().glucose {
      let readings = try GlucoseReadings(times: reference.times, values: reference.values)
      for level in GlucoseEvent.Level.allCases {
        let events = try readings.events(level, hold: 300)
        let expected = try #require(reference.events[level.rawValue])
        #expect(Double(events.count) == expected.count, "\(level)")
        guard !events.isEmpty else { continue }
        #expect(
          agrees(events.map(\.duration).compensatedMean / 60, expected.minutes, 1e-13), "\(level)")
      }
      let extended = try readings.events(.low, hold: 300).filter(\.isExtended)
      #expect(Double(extended.count) == reference.events["extended"]?.count)
      #expect(extended.map(\.duration) == [(reference.events["extended"]?.minutes ?? 0) * 60])
      #expect(agrees(try readings.rangesBySamples().inTightRange, reference.tight, 1e-13))
    }
  }

  @Test("MAGE is that of iglu, and near to it where that package fills a part of a gap")
  func excursionReferences() throws {
    for (index, reference) in try MeasureReferences.read().glucose.enumerated() {
      let found = try GlucoseReadings(times: reference.times, values: reference.values).excursions()
      let tolerance = index == 0 ? 1e-13 : 0.01
      #expect(agrees(found.standardDeviation, reference.sd, 1e-13))
      for (value, name) in [
        (found.meanAmplitude, "service"), (found.meanRise, "plus"), (found.meanFall, "minus"),
        (found.meanOfBoth, "avg"),
      ] {
        #expect(agrees(try #require(value), reference.mage[name] ?? 0, tolerance), "\(name)")
      }
    }
  }

  @Test("Excursions are the moves of the longest way on which each costs a standard deviation")
  func excursionTwin() throws {
    var random = SplitMix64(seed: 611)
    for _ in 0..<120 {
      let count = Int.random(in: 2...12, using: &random)
      let values = (0..<count).map { _ in Double.random(in: 40...300, using: &random) }
      let readings = try GlucoseReadings(
        times: values.indices.map { Double($0) * 300 }, values: values)
      let found = try readings.excursions()
      #expect(
        found.all.map(\.change)
          == SlowGlucose.excursions(values, threshold: found.standardDeviation))
      #expect(zip(found.all.dropFirst(), found.all).allSatisfy { $0.start == $1.end })
      #expect(
        zip(found.all.dropFirst(), found.all).allSatisfy { ($0.change > 0) != ($1.change > 0) })
      // Backwards in time falls are rises.
      let back = try GlucoseReadings(times: readings.times, values: values.reversed()).excursions()
      #expect(back.all.map { -$0.change }.reversed() == found.all.map(\.change))
    }
  }

  @Test("Excursions do not heed levels, grow with the scale, and do not lead over a gap")
  func excursionLaws() throws {
    let values: [Double] = [100, 120, 110, 180, 170, 90, 95, 200, 150, 60]
    let times = values.indices.map { Double($0) * 900 }
    let plain = try GlucoseReadings(times: times, values: values).excursions()
    #expect(plain.all.map(\.change) == [80, -90, 110, -140])
    #expect(plain.meanAmplitude == 95 && plain.meanRise == 95)
    #expect(plain.meanFall == 115 && plain.meanOfBoth == 105)
    #expect(plain.all[0].start == 0 && plain.all[0].end == 2700)
    let moved = try GlucoseReadings(times: times, values: values.map { $0 + 64 }).excursions()
    let grown = try GlucoseReadings(times: times, values: values.map { $0 * 2 }).excursions()
    #expect(moved.all.map(\.change) == plain.all.map(\.change))
    #expect(grown.all.map(\.change) == plain.all.map { $0.change * 2 })
    #expect(grown.standardDeviation == 2 * plain.standardDeviation)
    // A day lies between the first four and the others.
    let later = times.map { $0 > 2700 ? $0 + 86_400 : $0 }
    let apart = try GlucoseReadings(times: later, values: values).excursions()
    #expect(apart.all.map(\.change) == [80, -80, 110, -140])
    #expect(apart.standardDeviation == plain.standardDeviation)
    // Steps over gaps are no excursions.
    let steps = try GlucoseReadings(times: [0, 20_000, 40_000], values: [100, 200, 300])
    #expect(try steps.excursions().all.isEmpty)
    #expect(try steps.excursions().meanAmplitude == nil)
    #expect(try steps.excursions().meanOfBoth == nil)
    #expect(try steps.excursions(gap: 20_000).all.map(\.change) == [200])
  }

  @Test("Differences are those of the nearest of all readings the hours before")
  func differenceTwin() throws {
    var random = SplitMix64(seed: 612)
    for _ in 0..<80 {
      var time = 0.0
      var times: [Double] = []
      for _ in 0..<Int.random(in: 2...60, using: &random) {
        time += Double(Int.random(in: 1...5, using: &random)) * 240
        times.append(time)
      }
      let values = times.map { _ in Double.random(in: 40...300, using: &random) }
      let readings = try GlucoseReadings(times: times, values: values)
      for (hours, nearest) in [(1.0, 450.0), (0.5, 100), (2, 0), (0.2, 300)] {
        let slow = SlowGlucose.differences(
          times: times, values: values, seconds: hours * 3600, nearest: nearest)
        guard !slow.isEmpty else {
          #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
            try readings.differences(hours: hours, nearest: nearest)
          }
          continue
        }
        let found = try readings.differences(hours: hours, nearest: nearest)
        #expect(found.count == slow.count)
        #expect(
          agrees(
            found.meanMagnitude, slow.reduce(0) { $0 + $1.magnitude } / Double(slow.count), 1e-12))
        #expect((found.standardDeviation == nil) == (slow.count == 1))
      }
    }
  }

  @Test("A day like the one before has no daily difference, and a steady rise no CONGA")
  func differenceLaws() throws {
    let times = (0..<96 * 3).map { Double($0) * 900 }
    let rows = times.indices
    let same = try GlucoseReadings(times: times, values: rows.map { 80 + Double($0 % 96) })
    #expect(try same.differences(hours: 24).meanMagnitude == 0)
    #expect(try same.differences(hours: 24).count == 192)
    let rising = try GlucoseReadings(times: times, values: rows.map { 80 + Double($0) / 4 })
    let hour = try rising.differences(hours: 1)
    #expect(hour.standardDeviation == 0 && hour.meanMagnitude == 1)
    #expect(try rising.differences(hours: 24).meanMagnitude == 24)
  }

  @Test("Events are those of the minutes of a curve, with readings some minutes apart and gaps")
  func eventTwin() throws {
    var random = SplitMix64(seed: 613)
    var counted = 0
    for _ in 0..<150 {
      var minute = 0
      var times: [Int] = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        times.append(minute)
        minute += [1, 3, 5, 5, 5, 5, 7, 15, 15, 40].randomElement(using: &random) ?? 5
      }
      var level = 70.0
      let values = times.map { _ in
        if Int.random(in: 0..<3, using: &random) == 0 {
          level = [45, 60, 69, 70, 120, 180, 181, 240, 260].randomElement(using: &random) ?? 70
        }
        return level
      }
      let end = minute + 20
      let readings = try GlucoseReadings(times: times.map { Double($0) * 60 }, values: values)
      let curve = (0..<end).map { now in
        times.lastIndex { $0 <= now }.flatMap { now - times[$0] < 15 ? values[$0] : nil }
      }
      let edges: [(GlucoseEvent.Level, (Double) -> Bool)] = [
        (.veryLow, { $0 < 54 }), (.low, { $0 < 70 }), (.high, { $0 > 180 }),
        (.veryHigh, { $0 > 250 }),
      ]
      for (level, isBeyond) in edges {
        let slow = SlowGlucose.events(curve.map { $0.map(isBeyond) }, needed: 15)
        let found = try readings.events(level, end: Double(end) * 60)
        #expect(
          found.map { Int($0.start / 60)..<Int($0.end / 60) } == slow, "\(level)")
        for (event, minutes) in zip(found, slow) {
          let beyond = curve[minutes].compactMap(\.self)
          let isLow = level == .low || level == .veryLow
          #expect(event.extreme == (isLow ? beyond.min() : beyond.max()))
          let after = curve[minutes.upperBound...].prefix(15)
          #expect(event.isCutOff == !(after.count == 15 && !after.contains(nil)))
          #expect(event.longestRun <= event.duration)
        }
        counted += found.count
      }
    }
    #expect(counted > 100)
  }

  @Test("Fifteen minutes begin an event and end it, fewer do neither")
  func eventRules() throws {
    func events(_ values: [Double], step: Double = 300) throws -> [GlucoseEvent] {
      try GlucoseReadings(times: values.indices.map { Double($0) * step }, values: values)
        .events(.low)
    }
    #expect(try events([90, 65, 65, 90, 90, 90]).isEmpty)
    #expect(try events([90, 65, 65, 65, 90, 90, 90]).map(\.duration) == [900])
    // Ten minutes up are part of it, and ten minutes down after them.
    let one = try events([65, 65, 65, 90, 90, 60, 60, 90, 90, 90])
    #expect(one.map(\.duration) == [2100] && one[0].extreme == 60 && one[0].longestRun == 900)
    #expect(try events([65, 65, 65, 90, 90, 90, 60, 60, 60]).map(\.isCutOff) == [false, true])
    // A sensor that is some seconds too quick or too slow.
    #expect(try events([65, 65, 65, 90, 90, 90], step: 295).count == 1)
    #expect(try events([90, 65, 90], step: 905).count == 1)
    #expect(try events([65, 65, 65, 90, 90, 90], step: 280).isEmpty)
    let long = try events(Array(repeating: 60, count: 24) + [90, 90, 90])
    #expect(long.map(\.isExtended) == [true] && long[0].duration == 7200)
    #expect(
      try events(Array(repeating: 60, count: 23) + [90, 90, 90]).map(\.isExtended) == [false])
    // Two hours with ten minutes between them are not in a row.
    let broken = Array(repeating: 60.0, count: 20) + [90, 90] + Array(repeating: 60.0, count: 20)
    #expect(try events(broken).map(\.isExtended) == [false])
    // No event leads over half an hour without data.
    let apart = try GlucoseReadings(
      times: [0, 300, 600, 2400, 2700, 3000], values: Array(repeating: 60, count: 6))
    #expect(try apart.events(.low).map(\.isCutOff) == [true, true])
    #expect(try apart.events(.low).map(\.end) == [1500, 3300])
    #expect(try apart.events(.low, end: 700).map(\.end) == [])
    #expect(try apart.events(.low, end: 900).map(\.end) == [900])
    #expect(try GlucoseReadings(times: [], values: []).events(.high).isEmpty)
  }

  @Test("Readings in moles are judged by the edges of moles, the tight range as well")
  func units() throws {
    let moles: [Double] = [3.8, 3.9, 7.8, 7.9, 10, 10.1]
    let readings = try GlucoseReadings(
      times: moles.indices.map { Double($0) * 900 }, values: moles.map { $0 * 18.0156 },
      millimoles: moles)
    #expect(try readings.events(.low).map(\.start) == [0])
    #expect(try readings.events(.high).map(\.start) == [4500])
    #expect(agrees(try readings.rangesBySamples().inTightRange, 2.0 / 6, 1e-15))
    let mass = try GlucoseReadings(
      times: [0, 900, 1800, 2700], values: [69, 70, 140, 140.5])
    #expect(try mass.rangesBySamples().inTightRange == 0.5)
    #expect(try mass.rangesByTime().inTightRange == 0.5)
    #expect(try mass.rangesByTime().inTightRange <= mass.rangesByTime().inRange)
    let hour = try #require(try mass.profile(hours: [0, 0, 0, 1]).hours.first)
    #expect(agrees(try #require(hour.ranges).inTightRange, 2.0 / 3, 1e-15))
  }

  @Test("Days and nights are weighed readings of their hours, and together all")
  func parts() throws {
    let readings = try GlucoseReadings(
      times: [0, 300, 600, 2400, 2700], values: [60, 100, 150, 200, 130])
    let hours = [5, 5, 6, 6, 7]
    let night = try #require(try readings.part(0..<6, hours: hours, end: 3000))
    #expect(night.statistics.mean == 80 && night.measuredTime == 600)
    #expect(night.ranges?.low == 0.5 && night.ranges?.inTightRange == 0.5)
    let day = try #require(try readings.part(6..<24, hours: hours, end: 3000))
    // The reading before the gap stands for 15 minutes.
    #expect(day.measuredTime == 1500 && day.statistics.count == 3)
    #expect(day.ranges?.high == 0.2 && day.ranges?.inTightRange == 0.2)
    let all = try #require(try readings.part(0..<24, hours: hours, end: 3000))
    #expect(try all.statistics == readings.statistics())
    #expect(try all.ranges == readings.rangesByTime(end: 3000))
    #expect(try readings.part(8..<24, hours: hours) == nil)
    // Readings after the end have no share.
    let late = try readings.part(7..<8, hours: hours, end: 2500)
    #expect(late?.measuredTime == 0 && late?.ranges == nil)
    #expect(throws: AnalysisError(.lengthsDiffer(x: 5, y: 1))) {
      try readings.part(0..<6, hours: [1])
    }
    #expect(throws: AnalysisError(.outOfRange, row: 4)) {
      try readings.part(0..<6, hours: [5, 5, 6, 6, 24])
    }
  }

  @Test("Too little, constant or broken input is refused with a reason")
  func refusals() throws {
    let none = try GlucoseReadings(times: [], values: [])
    let one = try GlucoseReadings(times: [0], values: [100])
    let flat = try GlucoseReadings(times: [0, 300, 600], values: [100, 100, 100])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 2))) { try none.excursions() }
    #expect(throws: AnalysisError(.tooFewPoints(count: 1, needed: 2))) { try one.excursions() }
    #expect(throws: AnalysisError(.constant)) { try flat.excursions() }
    for gap in [0, -1, 86_401, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try flat.excursions(gap: gap) }
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try none.differences(hours: 1)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try one.differences(hours: 1)
    }
    for hours in [0, -1, Double.nan, .infinity, 1e9] {
      #expect(throws: AnalysisError.self) { try flat.differences(hours: hours, nearest: 0) }
    }
    for nearest in [-1, Double.nan, 1800, .infinity] {
      #expect(throws: AnalysisError.self) { try flat.differences(hours: 1, nearest: nearest) }
    }
    for hold in [0, Double.nan, 1e6] {
      #expect(throws: AnalysisError.self) { try flat.events(.low, hold: hold) }
    }
    #expect(throws: AnalysisError.self) { try flat.events(.low, end: .nan) }
  }
}
