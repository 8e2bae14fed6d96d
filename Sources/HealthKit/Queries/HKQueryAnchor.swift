public import Foundation

/// Samples whose start, or end, must be within the period of a predicate.
public struct HKQueryOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes options from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The sample starts at or after the start of the period and before its end.
  public static let strictStartDate = HKQueryOptions(rawValue: 1 << 0)
  /// The sample ends at or after the start of the period and before its end.
  public static let strictEndDate = HKQueryOptions(rawValue: 1 << 1)
}

/// A state of a store, after which a query asks for changes.
open class HKQueryAnchor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// What a store wrote, which only that store reads.
  let text: String

  init(text: String) { self.text = text }

  /// Makes an anchor from one of the time when anchors were numbers.
  ///
  /// 0 (`HKAnchoredObjectQueryNoAnchor`) is the state before the first change.
  public convenience init(fromValue value: Int) {
    self.init(text: String(value))
  }

  /// Reads an anchor from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("anchor") else { return nil }
    self.text = text
  }

  /// Writes the anchor.
  open func encode(with coder: NSCoder) {
    coder.encodeText(text, "anchor")
  }

  /// Anchors are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The anchor itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the anchors are of the same state.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKQueryAnchor).map { $0.text == text } ?? false
  }

  /// Hashes the state.
  open override var hash: Int { text.hashValue }
}

/// A type of samples and what they must be.
open class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let type: HKSampleType
  private let condition: NSPredicate?

  /// Makes a descriptor; without a predicate it is for all samples of the type.
  public init(sampleType: HKSampleType, predicate: NSPredicate?) {
    type = sampleType
    condition = predicate
  }

  /// The type.
  open var sampleType: HKSampleType { type }

  /// What samples must be; all match without one.
  open var predicate: NSPredicate? { condition }

  /// Reads a descriptor from an archive.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeObject(of: HKSample.typeClasses, forKey: "sampleType"),
      let type = type as? HKSampleType
    else { return nil }
    self.type = type
    guard let format = coder.decodeText("predicate") else {
      condition = nil
      return
    }
    let arguments = coder.decodeObject(of: Self.argumentClasses, forKey: "arguments") as? NSArray
    guard let arguments,
      let predicate = try? NSPredicate.parsed(
        format: format, argumentArray: arguments.map { $0 })
    else { return nil }
    condition = predicate
  }

  /// Writes the type and the predicate.
  ///
  /// Traps for a predicate that is a block, which no archive can hold;
  /// `NSPredicate.formatAndArguments()` throws.
  open func encode(with coder: NSCoder) {
    coder.encode(type, forKey: "sampleType")
    guard let condition else { return }
    let parts = raising { () throws(ObjectError) in try condition.formatAndArguments() }
    coder.encodeText(parts.format, "predicate")
    coder.encode(NSArray(array: parts.arguments), forKey: "arguments")
  }

  private static let argumentClasses: [AnyClass] =
    [
      NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSUUID.self, NSNull.self,
      NSDateComponents.self, NSCalendar.self, NSTimeZone.self, HKQuantity.self, HKSource.self,
      HKSourceRevision.self, HKDevice.self, HKWorkout.self, HKWorkoutActivity.self,
      HKElectrocardiogram.self, HKHealthConceptIdentifier.self,
    ] + HKSample.typeClasses

  /// Descriptors are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The descriptor itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the descriptors ask for the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQueryDescriptor else { return false }
    return type == other.type && condition?.tree == other.condition?.tree
  }

  /// Hashes the type and the predicate.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(type)
    hasher.combine(condition?.tree)
    return hasher.finalize()
  }
}
