import Testing

@testable import HealthKit

/// A test double, as clients write them; archives take only classes at the top of a file.
final class ImitatedSex: HKBiologicalSexObject, @unchecked Sendable {
  override var biologicalSex: HKBiologicalSex { .female }
}

/// The answers about a person: every value of every class is read, archived and compared.
@Suite
struct CharacteristicTests {
  @Test("Biological sex")
  func biologicalSex() throws {
    try check(HKBiologicalSexObject.init(_:), value: \.biologicalSex, of: HKBiologicalSex.self)
    #expect(HKBiologicalSexObject().biologicalSex == .notSet)
  }

  @Test("Blood type")
  func bloodType() throws {
    try check(HKBloodTypeObject.init(_:), value: \.bloodType, of: HKBloodType.self)
    #expect(HKBloodTypeObject().bloodType == .notSet)
  }

  @Test("Skin type")
  func skinType() throws {
    try check(
      HKFitzpatrickSkinTypeObject.init(_:), value: \.skinType, of: HKFitzpatrickSkinType.self)
    #expect(HKFitzpatrickSkinTypeObject().skinType == .notSet)
  }

  @Test("Use of a wheelchair")
  func wheelchairUse() throws {
    try check(HKWheelchairUseObject.init(_:), value: \.wheelchairUse, of: HKWheelchairUse.self)
    #expect(HKWheelchairUseObject().wheelchairUse == .notSet)
  }

  @Test("What counts towards the goal of movement")
  func activityMoveMode() throws {
    try check(
      HKActivityMoveModeObject.init(_:), value: \.activityMoveMode, of: HKActivityMoveMode.self)
    #expect(HKActivityMoveModeObject().activityMoveMode == .activeEnergy)
  }

  @Test("A subclass that answers itself is compared by its answer, within its class")
  func subclass() throws {
    let answer: HKBiologicalSexObject = ImitatedSex()
    #expect(answer.biologicalSex == .female)
    #expect(answer == ImitatedSex())
    #expect(answer != HKBiologicalSexObject(.female))
    #expect(HKBiologicalSexObject(.female) != answer)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: answer, requiringSecureCoding: true)
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: ImitatedSex.self, from: data) == answer)
  }

  @Test("An archive without a value, or with one that is none of its enumeration, is refused")
  func badArchives() throws {
    let archives = try [nil, 77].map { value in
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      if let value { archiver.encode(value, forKey: "bloodType") }
      archiver.finishEncoding()
      return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }
    for archive in archives { #expect(HKBloodTypeObject(coder: archive) == nil) }
  }

  private func check<Object: NSObject & NSCopying & NSSecureCoding, Value>(
    _ make: (Value) -> Object, value: KeyPath<Object, Value>, of type: Value.Type
  ) throws where Value: RawRepresentable<Int> & Hashable {
    let values = (0...20).compactMap(Value.init(rawValue:))
    #expect(values.count >= 2)
    #expect(Object.supportsSecureCoding)
    var objects: Set<Object> = []
    for expected in values {
      let object = make(expected)
      #expect(object[keyPath: value] == expected)
      #expect(object.copy() as? Object == object)
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
      #expect(read == object && read?.hash == object.hash)
      #expect(read?[keyPath: value] == expected)
      objects.insert(object)
    }
    #expect(objects.count == values.count)
  }
}
