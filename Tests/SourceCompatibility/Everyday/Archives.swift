import HealthKit
import Testing

/// What apps keep between launches.
@Suite
struct Archives {
  private func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
  }

  @Test("Units, quantities, types, anchors and devices come back equal")
  func values() throws {
    let unit = HKUnit(from: "mg/dL")
    #expect(try copy(unit) == unit)
    let quantity = HKQuantity(unit: unit, doubleValue: 98.6)
    #expect(try copy(quantity) == quantity)
    #expect(try copy(HKQuantityType(.stepCount)) == HKQuantityType(.stepCount))
    let device = HKDevice(
      name: "Meter", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
    #expect(try copy(device) == device)
  }

  @Test("A sample comes back with its identity, its dates and its metadata")
  func samples() throws {
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
    let sample = HKQuantitySample(
      type: HKQuantityType(.heartRate),
      quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 61.5), start: start,
      end: start, metadata: [HKMetadataKeyExternalUUID: "x"])
    let read = try #require(try copy(sample))
    #expect(read.uuid == sample.uuid)
    #expect(read.startDate == start)
    #expect(read.quantity == sample.quantity)
    #expect(read.metadata?[HKMetadataKeyExternalUUID] as? String == "x")
  }

  @Test("A class that an app wrote holds HealthKit's values in its own archive")
  func own() throws {
    let note = Note(quantity: HKQuantity(unit: .count(), doubleValue: 3), type: .stepCount)
    let read = try #require(try copy(note))
    #expect(read.quantity == note.quantity)
    #expect(read.type == .stepCount)
  }
}

/// A class of an app.
final class Note: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let quantity: HKQuantity
  let type: HKQuantityTypeIdentifier

  init(quantity: HKQuantity, type: HKQuantityTypeIdentifier) {
    self.quantity = quantity
    self.type = type
  }

  init?(coder: NSCoder) {
    guard let quantity = coder.decodeObject(of: HKQuantity.self, forKey: "quantity"),
      let type = coder.decodeObject(of: NSString.self, forKey: "type")
    else { return nil }
    self.quantity = quantity
    self.type = HKQuantityTypeIdentifier(rawValue: String(describing: type))
  }

  func encode(with coder: NSCoder) {
    coder.encode(quantity, forKey: "quantity")
    coder.encode(type.rawValue as NSString, forKey: "type")
  }
}
