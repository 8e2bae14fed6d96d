import CoreLocation
import HealthKit
import Testing

/// Records the way of a run, as apps do with what their location manager gives them.
private actor Recorder {
  private let builder: HKWorkoutRouteBuilder
  private var last: CLLocation?
  private(set) var distance: CLLocationDistance = 0

  init(_ store: HKHealthStore) { builder = HKWorkoutRouteBuilder(healthStore: store, device: nil) }

  func locationManager(didUpdateLocations locations: [CLLocation]) async throws {
    let good = locations.filter {
      $0.horizontalAccuracy >= 0 && $0.horizontalAccuracy <= 50
        && CLLocationCoordinate2DIsValid($0.coordinate)
    }
    for location in good {
      if let last { distance += location.distance(from: last) }
      last = location
    }
    if !good.isEmpty { try await builder.insertRouteData(good) }
  }

  func finish(_ workout: HKWorkout) async throws -> HKWorkoutRoute {
    try await builder.finishRoute(with: workout, metadata: nil)
  }
}

/// Ways of workouts with Core Location's names.
@Suite
struct Routes {
  private func location(_ second: TimeInterval, north: CLLocationDegrees) -> CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 50 + north, longitude: 4), altitude: 20,
      horizontalAccuracy: north > 1 ? -1 : 5, verticalAccuracy: 5, course: 0, courseAccuracy: 10,
      speed: 3, speedAccuracy: 1, timestamp: Sample.start.addingTimeInterval(second))
  }

  @Test("A recorded way is saved, and read again place by place")
  func way() async throws {
    let store = try Phone().store()
    let types: Set<HKSampleType> = [.workoutType(), HKSeriesType.workoutRoute()]
    try await store.requestAuthorization(toShare: types, read: types)
    let workout = HKWorkout(
      activityType: .running, start: Sample.start, end: Sample.start.addingTimeInterval(60))
    try await store.save(workout)
    let recorder = Recorder(store)
    try await recorder.locationManager(didUpdateLocations: [
      location(0, north: 0), location(10, north: 2), location(20, north: 0.0006),
    ])
    try await recorder.locationManager(didUpdateLocations: [location(40, north: 0.0011)])
    let route = try await recorder.finish(workout)

    var places: [CLLocation] = []
    for try await place in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
      places.append(place)
    }
    #expect(places.map(\.coordinate.latitude) == [50, 50.0006, 50.0011])
    #expect(places.allSatisfy { $0.floor?.level == nil && $0.speed == 3 })
    // A minute of latitude is a sea mile, 1852 m, everywhere within 0.6 %.
    let recorded = await recorder.distance
    #expect(abs(recorded / (0.0011 * 60 * 1852) - 1) < 0.006)
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }
}
