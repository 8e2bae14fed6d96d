import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Locations at plausible times")
struct PlausibleLocationsTests {
  private func locations(_ times: [Double]) -> LocationColumns {
    var locations = LocationColumns()
    for (row, time) in times.enumerated() {
      locations.append(time: time, latitude: Double(row) / 1000, longitude: 2, altitude: nil)
    }
    return locations
  }

  private func compare(_ times: [Double], _ workout: ClosedRange<Double>?) {
    let rows = locations(times).plausibleRows(around: workout)
    #expect(rows == NaiveLocations.plausibleRows(times, around: workout), "\(times)")
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 && times[$0] <= times[$1] })
  }

  @Test("The rows are those of the slow twin, for all short routes")
  func short() {
    let values = [-9000.0, -3600, 0, 1800, 5400, 1e9]
    func visit(_ times: [Double]) {
      compare(times, 0...1800)
      compare(times, nil)
      guard times.count < 5 else { return }
      for value in values { visit(times + [value]) }
    }
    visit([])
  }

  @Test("The rows are those of the slow twin, for random routes", arguments: 0..<40)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var time = 0.0
    let times = (0..<60).map { _ in
      time += Double(Int.random(in: -1...60, using: &random))
      return Int.random(in: 0..<8, using: &random) == 0
        ? Double(Int.random(in: -20_000...20_000, using: &random)) : time
    }
    compare(times, 0...2000)
    compare(times, 0...0)
    compare(times, nil)
  }

  @Test("As few as possible are left out")
  func fewest() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<200 {
      let times = (0..<8).map { _ in Double(Int.random(in: 0..<6, using: &random)) }
      let kept = locations(times).plausibleRows(around: nil).count
      let most = (0..<256).filter { subset in
        let chosen = (0..<8).filter { subset >> $0 & 1 == 1 }.map { times[$0] }
        return zip(chosen, chosen.dropFirst()).allSatisfy { $0 <= $1 }
      }.map(\.nonzeroBitCount).max()
      #expect(kept == most)
    }
  }

  @Test("One location in another year is left out wherever it stands", arguments: [-8e8, 5e8])
  func otherYear(distance: Double) {
    for stray in 0..<50 {
      var times = (0..<50).map { Double($0) * 30 }
      times[stray] += distance
      var route = Routes.Row()
      (route.workoutStart, route.workoutEnd) = (0, 1500)
      // The route is as long as its stray location says.
      (route.facts.start, route.facts.end) = (min(0, distance), max(1500, distance))
      route.locations = locations(times)
      #expect(route.leaveOutImplausible() == 1)
      #expect(route.locations.times == (0..<50).filter { $0 != stray }.map { Double($0) * 30 })
      #expect(route.leaveOutImplausible() == 0)
    }
  }

  @Test(
    "A route that goes on after its workout, and one of a workout with a wrong time, stay whole")
  func whole() {
    let times = (0..<100).map { Double($0) * 60 }
    for workout in [0.0...600, 3000...3000, 6e8...6e8 + 60] {
      #expect(locations(times).plausibleRows(around: workout) == Array(times.indices))
    }
  }

  @Test(
    "Segments are put in order of time, and stay apart whichever of their locations are left out")
  func segments() {
    var route = Routes.Row()
    (route.workoutStart, route.workoutEnd) = (0, 1000)
    for (time, begins) in [
      (500.0, true), (510, false), (1e9, true), (520, false), (-1e9, true), (0, true), (10, false),
    ] {
      route.locations.append(
        time: time, latitude: time / 1e9, longitude: 0, altitude: 1, beginsSegment: begins)
    }
    #expect(route.locations.segmentStarts == [2, 4, 5])
    #expect(route.leaveOutImplausible() == 2)
    #expect(route.locations.times == [0, 10, 500, 510, 520])
    #expect(route.locations.segmentStarts == [2, 4])
    #expect(route.locations.segments == [0..<2, 2..<4, 4..<5])
    #expect(route.locations.isSound)
  }
}
