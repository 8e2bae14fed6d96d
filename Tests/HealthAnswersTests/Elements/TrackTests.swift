import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Ways along routes")
struct TrackTests {
  /// A walk to the north at random speeds, with stops.
  private func walk(_ count: Int, seed: UInt64) -> LocationColumns {
    var random = SplitMix64(seed: seed)
    var places = LocationColumns()
    var (time, latitude, altitude) = (0.0, 48.0, 100.0)
    for _ in 0..<count {
      places.append(
        time: time, latitude: latitude, longitude: 2, altitude: altitude, horizontalAccuracy: 5)
      time += Double(Int.random(in: 1...20, using: &random))
      let metres = Bool.random(using: &random) ? Double.random(in: 0...60, using: &random) : 0
      latitude += metres / 111_195
      altitude += Double.random(in: -2...2.2, using: &random)
    }
    return places
  }

  /// The least time over a stretch, by asking every pair of steps.
  ///
  /// Within two steps the time is linear in the place of the beginning, so its least is at one of
  /// the ends of the places that both steps allow.
  private func slowest(_ track: Track, over metres: Double) -> Double? {
    let (times, ways) = (track.times, track.distances)
    /// The instants at which a step reaches a place: two if it stands still there.
    func instants(_ step: Int, _ way: Double) -> [Double] {
      let (from, to) = (ways[step], ways[step + 1])
      if from == to { return way == from ? [times[step], times[step + 1]] : [] }
      guard way >= from, way <= to else { return [] }
      return [times[step] + (way - from) / (to - from) * (times[step + 1] - times[step])]
    }
    var best: Double?
    let steps = 0..<max(0, track.count - 1)
    for first in steps {
      for last in steps where last >= first {
        let ends = [ways[first], ways[first + 1], ways[last] - metres, ways[last + 1] - metres]
        for begin in ends {
          // The same place in two roundings.
          for end in [begin + metres, ways[last], ways[last + 1]]
          where abs(end - begin - metres) < 1e-6 {
            for one in instants(first, begin) {
              for other in instants(last, end) where other >= one {
                best = min(best ?? .infinity, other - one)
              }
            }
          }
        }
      }
    }
    return best
  }

  @Test("The fastest stretch is that of every pair of steps", arguments: 0..<60)
  func fastest(seed: UInt64) throws {
    let track = Track(walk(2 + Int(seed), seed: seed))
    for metres in [1, 40, 137, 500, track.length] where metres > 0 && metres <= track.length {
      let found = try #require(track.shortestTime(over: metres))
      let known = try #require(slowest(track, over: metres))
      #expect(abs(found - known) < 1e-5, "\(metres)")
    }
    #expect(track.shortestTime(over: track.length + 1) == nil)
  }

  @Test("At an even speed every stretch takes its length, also between locations")
  func even() throws {
    var places = LocationColumns()
    for row in 0..<200 {
      places.append(
        time: Double(row) * 10, latitude: Double(row) * 30 / 111_195.0797, longitude: 0,
        altitude: 0)
    }
    let track = Track(places)
    for metres in [10.0, 31, 100, 1000, 5000] {
      let found = try #require(track.shortestTime(over: metres))
      #expect(abs(found - metres / 3) < 1e-3 * metres)
    }
  }

  @Test("A quarter of a meridian is a quarter of the circumference, whatever the steps")
  func meridian() {
    for steps in [1, 7, 90] {
      var places = LocationColumns()
      for row in 0...steps {
        places.append(
          time: Double(row), latitude: 90 * Double(row) / Double(steps), longitude: 17, altitude: 0)
      }
      #expect(abs(Track(places).length - .pi / 2 * 6_371_008.7714) < 1e-3)
    }
  }

  @Test("Uncertain locations and those that go back in time are left out")
  func leftOut() {
    var places = LocationColumns()
    for (time, latitude, accuracy) in [
      (0.0, 0.0, 5.0), (1, 0.5, 400), (2, 0.001, 50), (2, 0.9, 5), (1, 0.9, 5), (3, 0.002, 5),
    ] {
      places.append(
        time: time, latitude: latitude, longitude: 0, altitude: 0, horizontalAccuracy: accuracy)
    }
    let track = Track(places)
    #expect(track.times == [0, 2, 3])
    #expect(abs(track.length - 0.002 * 111_195.08) < 0.1)
    #expect(Track(LocationColumns()).length == 0)
    #expect(Track(LocationColumns()).shortestTime(over: 1) == nil)
  }

  @Test("A climb counts from three metres on, and ups less downs are the change of level")
  func climbs() {
    func track(_ altitudes: [Double?]) -> Track {
      var places = LocationColumns()
      for (row, altitude) in altitudes.enumerated() {
        places.append(
          time: Double(row), latitude: Double(row) / 1e4, longitude: 0, altitude: altitude)
      }
      return Track(places)
    }
    #expect(track([0, 1, 0, 2, 0, 2.9]).elevationGain == 0)
    #expect(track([0, 10, 0, 10]).elevationGain == 20)
    #expect(track((0...100).map(Double.init)).elevationGain == 99)
    #expect(track([150, nil, 152, 153, nil, nil, 169, nil]).elevationGain == 19)
    #expect(track([nil, -2, nil, 2]).elevationGain == 4)
    #expect(track([nil, nil, 7, nil]).elevationGain == nil)
    #expect(track([]).elevationGain == nil)
    for seed in 0..<20 {
      let way = Track(walk(300, seed: UInt64(seed)))
      let (gains, losses) = way.climbs()
      #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 <= $1 })
      for row in 0..<way.count {
        // What is not yet counted is less than a climb.
        let (first, altitude) = (way.altitudes[0] ?? .nan, way.altitudes[row] ?? .nan)
        #expect(abs(altitude - (first + gains[row] - losses[row])) < Track.leastClimb)
      }
    }
  }

  @Test("A gap between segments is no way, no climb and no quick stretch", arguments: 0..<20)
  func gaps(seed: UInt64) throws {
    let places = walk(150, seed: seed)
    var all = LocationColumns()
    var parts: [LocationColumns] = []
    for part in 0..<3 {
      var own = LocationColumns()
      for row in part * 50..<part * 50 + 50 {
        // Each segment is elsewhere, and a day later.
        let time = places.times[row] + Double(part) * 86_400
        let latitude = places.latitudes[row] + Double(part)
        let altitude = places.altitude(row: row).map { $0 + Double(part) * 500 }
        own.append(time: time, latitude: latitude, longitude: 2, altitude: altitude)
        all.append(
          time: time, latitude: latitude, longitude: 2, altitude: altitude,
          beginsSegment: row % 50 == 0)
      }
      parts.append(own)
    }
    let track = Track(all)
    let tracks = parts.map { Track($0) }
    #expect(abs(track.length - tracks.reduce(0) { $0 + $1.length }) < 1e-6)
    let (gains, losses) = track.climbs()
    #expect(
      abs((gains.last ?? 0) - tracks.reduce(0) { $0 + ($1.climbs().gains.last ?? 0) }) < 1e-9)
    #expect(
      abs((losses.last ?? 0) - tracks.reduce(0) { $0 + ($1.climbs().losses.last ?? 0) }) < 1e-9)
    for metres in [1.0, 50, 400] {
      let known = tracks.compactMap { $0.shortestTime(over: metres) }.min()
      if let known { #expect(abs(try #require(track.shortestTime(over: metres)) - known) < 1e-5) }
    }
    var workout = WorkoutPlanTests.workout("Running", start: 0, seconds: 3 * 86_400)
    workout.duration = nil
    let splits = workout.splits(
      every: 100, along: [track], heartRates: SampleColumns(type: SampleType(.heartRate)))
    #expect(abs(splits.reduce(0) { $0 + $1.distance } - track.length) < 1e-6)
    #expect(splits.count == Int((track.length / 100).rounded(.up)))
  }

  @Test("A segment whose first location is uncertain still begins after a gap")
  func uncertainStart() {
    var places = LocationColumns()
    for (time, latitude, accuracy, begins) in [
      (0.0, 0.0, 5.0, true), (10, 0.001, 5, false), (20, 1, 400, true), (30, 2, 5, false),
      (40, 2.001, 5, false),
    ] {
      places.append(
        time: time, latitude: latitude, longitude: 0, altitude: 0, horizontalAccuracy: accuracy,
        beginsSegment: begins)
    }
    #expect(abs(Track(places).length - 0.002 * 111_195.08) < 0.1)
  }

  @Test("A location far from the time of its workout counts no more than one that is not there")
  func otherYear() {
    let places = walk(60, seed: 3)
    var route = Routes.Row()
    (route.workoutStart, route.workoutEnd) = (places.times[0], places.times[59])
    for stray in [0, 7, 59] {
      route.locations = LocationColumns()
      for row in 0..<places.count {
        route.locations.append(
          time: places.times[row] + (row == stray ? 5e8 : 0), latitude: places.latitudes[row],
          longitude: 2, altitude: places.altitude(row: row))
      }
      let rest = Track(places.keeping((0..<60).filter { $0 != stray }))
      #expect(Track(route).times == rest.times && Track(route).length == rest.length)
    }
  }

  @Test("Locations without an altitude climb neither up nor down", arguments: 0..<20)
  func missingAltitudes(seed: UInt64) {
    let places = walk(100, seed: seed)
    var random = SplitMix64(seed: seed + 500)
    var (all, known) = (LocationColumns(), LocationColumns())
    for row in 0..<places.count {
      let altitude = Bool.random(using: &random) ? places.altitude(row: row) : nil
      all.append(
        time: places.times[row], latitude: places.latitudes[row], longitude: 2, altitude: altitude)
      guard let altitude else { continue }
      known.append(
        time: places.times[row], latitude: places.latitudes[row], longitude: 2, altitude: altitude)
    }
    #expect(Track(all).elevationGain == Track(known).elevationGain)
    #expect(Track(all).climbs().losses.last == Track(known).climbs().losses.last)
    #expect(Track(all).length == Track(places).length)
  }
}
