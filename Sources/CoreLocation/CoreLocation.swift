// The names of Core Location for the places of routes, on Linux: code that reads or makes locations
// compiles with `import CoreLocation` on both systems. There is no location manager: a machine without
// receiver has no place.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
@_exported public import Foundation
public import HealthKit

/// A place on the way of a workout, at a time.
public typealias CLLocation = RouteLocation
/// A point of the earth, WGS 84.
public typealias CLLocationCoordinate2D = RouteLocation.Coordinate
/// A storey of a building.
public typealias CLFloor = RouteLocation.Floor

/// A latitude or longitude, in degrees.
public typealias CLLocationDegrees = Double
/// A distance, in metres.
public typealias CLLocationDistance = Double
/// An uncertainty, in metres.
public typealias CLLocationAccuracy = Double
/// A speed, in metres per second.
public typealias CLLocationSpeed = Double
/// The uncertainty of a speed, in metres per second.
public typealias CLLocationSpeedAccuracy = Double
/// A direction, in degrees from north.
public typealias CLLocationDirection = Double
/// The uncertainty of a direction, in degrees.
public typealias CLLocationDirectionAccuracy = Double

/// A point that is not on the earth.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a point.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a point is on the earth: within ±90° and ±180°.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  coordinate.isValid
}
