import Foundation
import Synchronization

// What `%@` of `String(format:)` and `NSLog` prints, which on Apple's platforms takes any object.

/// The texts of objects that were formatted.
///
/// CoreFoundation reads an argument of `%@` after it is encoded, and knows no object but its own:
/// it gets the text of the description. Texts live as long as the object, which the caller holds while
/// it formats; an object whose description changes has several.
private final class FormattedTexts: Sendable {
  static let shared = FormattedTexts()

  private struct Entry: @unchecked Sendable {
    weak var object: NSObject?
    var texts: [NSString]
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The count at which entries of objects that are gone are removed.
    var limit = 64
  }

  private let state = Mutex(State())

  /// The address of an object's text.
  func encoding(_ object: NSObject) -> [Int] {
    let description = object.description
    return state.withLock { state in
      let key = ObjectIdentifier(object)
      var entry = state.entries[key].flatMap { $0.object === object ? $0 : nil }
      if let text = entry?.texts.first(where: { $0.isEqual(to: description) }) {
        return [Int(bitPattern: Unmanaged.passUnretained(text).toOpaque())]
      }
      if state.entries.count >= state.limit {
        state.entries = state.entries.filter { $0.value.object != nil }
        state.limit = max(64, 2 * state.entries.count)
      }
      let text = NSString(string: description)
      entry = Entry(object: object, texts: (entry?.texts ?? []) + [text])
      state.entries[key] = entry
      return [Int(bitPattern: Unmanaged.passUnretained(text).toOpaque())]
    }
  }
}

/// An object that `%@` prints.
protocol FormattedObject: NSObject {}

extension FormattedObject {
  /// What `%@` prints.
  public var _cVarArgEncoding: [Int] { FormattedTexts.shared.encoding(self) }
}

extension HKActivityMoveModeObject: FormattedObject, CVarArg {}
extension HKActivitySummary: FormattedObject, CVarArg {}
extension HKAttachment: FormattedObject, CVarArg {}
extension HKAttachmentStore: FormattedObject, CVarArg {}
extension HKAudiogramSensitivityPoint: FormattedObject, CVarArg {}
extension HKAudiogramSensitivityPointClampingRange: FormattedObject, CVarArg {}
extension HKAudiogramSensitivityTest: FormattedObject, CVarArg {}
extension HKBiologicalSexObject: FormattedObject, CVarArg {}
extension HKBloodTypeObject: FormattedObject, CVarArg {}
extension HKCDADocument: FormattedObject, CVarArg {}
extension HKClinicalCoding: FormattedObject, CVarArg {}
extension HKDeletedObject: FormattedObject, CVarArg {}
extension HKDevice: FormattedObject, CVarArg {}
extension HKFHIRResource: FormattedObject, CVarArg {}
extension HKFHIRVersion: FormattedObject, CVarArg {}
extension HKFitzpatrickSkinTypeObject: FormattedObject, CVarArg {}
extension HKHealthConceptIdentifier: FormattedObject, CVarArg {}
extension HKHealthStore: FormattedObject, CVarArg {}
extension HKLensSpecification: FormattedObject, CVarArg {}
extension HKLiveWorkoutDataSource: FormattedObject, CVarArg {}
extension HKLiveWorkoutZoneUpdate: FormattedObject, CVarArg {}
extension HKMedicationConcept: FormattedObject, CVarArg {}
extension HKObject: FormattedObject, CVarArg {}
extension HKObjectType: FormattedObject, CVarArg {}
extension HKQuantity: FormattedObject, CVarArg {}
extension HKQuantitySeriesSampleBuilder: FormattedObject, CVarArg {}
extension HKQuery: FormattedObject, CVarArg {}
extension HKQueryAnchor: FormattedObject, CVarArg {}
extension HKQueryDescriptor: FormattedObject, CVarArg {}
extension HKSeriesBuilder: FormattedObject, CVarArg {}
extension HKSource: FormattedObject, CVarArg {}
extension HKSourceRevision: FormattedObject, CVarArg {}
extension HKStatistics: FormattedObject, CVarArg {}
extension HKStatisticsCollection: FormattedObject, CVarArg {}
extension HKUnit: FormattedObject, CVarArg {}
extension HKUserAnnotatedMedication: FormattedObject, CVarArg {}
extension HKVisionPrism: FormattedObject, CVarArg {}
extension HKWheelchairUseObject: FormattedObject, CVarArg {}
extension HKWorkoutActivity: FormattedObject, CVarArg {}
extension HKWorkoutBuilder: FormattedObject, CVarArg {}
extension HKWorkoutConfiguration: FormattedObject, CVarArg {}
extension HKWorkoutEffortRelationship: FormattedObject, CVarArg {}
extension HKWorkoutEvent: FormattedObject, CVarArg {}
extension HKWorkoutSession: FormattedObject, CVarArg {}
