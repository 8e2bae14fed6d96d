import Foundation
import HealthSamples
import _HealthTestSupport

@testable import HealthKit

/// Random samples of every class that an app can save.
struct RandomObjects {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The types of all samples.
  static let types: Set<HKSampleType> = [
    HKObjectType.workoutType(), HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(),
    HKCorrelationType(.bloodPressure), HKCorrelationType(.food),
    HKObjectType.audiogramSampleType(), HKObjectType.visionPrescriptionType(),
    HKObjectType.stateOfMindType(), HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
    HKDocumentType(.CDA), HKQuantityType(.stepCount), HKQuantityType(.heartRate),
    HKCategoryType(.sleepAnalysis),
  ]

  /// The types that an app asks for to save and read them all.
  static let permitted: Set<HKSampleType> = types.filter { !($0 is HKCorrelationType) }
    .union([
      HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
      HKQuantityType(.dietaryCaffeine), HKQuantityType(.dietaryFatTotal),
    ])

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func truth() -> Bool { Bool.random(using: &random) }
  private mutating func decimal() -> Double { Double(number(-800..<800)) / 8 }

  private mutating func metadata() -> [String: Any]? {
    truth() ? nil : ["a": number(0..<3), HKMetadataKeyExternalUUID: "x\(number(0..<9))"]
  }

  private mutating func device() -> HKDevice? { [nil, Trial.watch, Trial.scale][number(0..<3)] }

  private mutating func span() -> (start: Date, end: Date) {
    let start = Double(number(0..<40)) / 2
    return (Trial.date(start), Trial.date(start + Double(number(0..<8)) / 2))
  }

  private func quantity(
    _ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ value: Double, _ start: Date, _ end: Date
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: start, end: end)
  }

  mutating func workout() -> HKWorkout {
    let (start, end) = span()
    let length = end.timeIntervalSince(start)
    let activities = (0..<number(0..<3)).map { index in
      let configuration = HKWorkoutConfiguration()
      configuration.activityType = [.swimming, .cycling, .running][index]
      configuration.locationType = [.unknown, .indoor, .outdoor][number(0..<3)]
      if index == 0 {
        configuration.swimmingLocationType = .pool
        configuration.lapLength = HKQuantity(unit: .yard(), doubleValue: 25)
      }
      return HKWorkoutActivity(
        workoutConfiguration: configuration, start: start, end: truth() ? end : nil,
        metadata: metadata())
    }
    let events = (0..<number(0..<3)).map { _ in
      let type: HKWorkoutEventType = [.lap, .segment, .marker][number(0..<3)]
      return HKWorkoutEvent(
        type: type,
        dateInterval: DateInterval(start: start, duration: type == .lap ? length : 0),
        metadata: metadata())
    }
    let types: [HKWorkoutActivityType] = [.running, .swimming, .swimBikeRun, .yoga]
    return HKWorkout(
      .init(
        activity: types[number(0..<4)], duration: length / 2,
        events: events.isEmpty ? nil : events, activities: activities,
        energy: truth() ? HKQuantity(unit: .kilocalorie(), doubleValue: 300) : nil,
        distance: truth() ? HKQuantity(unit: .mile(), doubleValue: Double(number(1..<9))) : nil,
        flights: truth() ? HKQuantity(unit: .count(), doubleValue: 7) : nil,
        strokes: truth() ? HKQuantity(unit: .count(), doubleValue: 70) : nil),
      start: start, end: end, facts: ObjectFacts(device: device(), metadata: metadata()))
  }

  mutating func route() -> HKWorkoutRoute {
    let (start, end) = span()
    var locations = LocationColumns()
    let count = number(1..<9)
    locations.columns = (0..<LocationColumns.columnCount).map { _ in
      (0..<count).map { _ in decimal() }
    }
    return HKWorkoutRoute(
      locations, start: start, end: end, facts: ObjectFacts(device: device(), metadata: metadata()))
  }

  mutating func heartbeats() -> HKHeartbeatSeriesSample {
    let (start, end) = span()
    let count = number(0..<9)
    return HKHeartbeatSeriesSample(
      .init(
        offsets: (0..<count).map { Double($0) * 0.8 },
        areAfterGaps: (0..<count).map { _ in truth() }
      ),
      start: start, end: end, facts: ObjectFacts(device: device(), metadata: metadata()))
  }

  mutating func bloodPressure() -> HKCorrelation {
    let (start, end) = span()
    let unit = HKUnit.millimeterOfMercury()
    return HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: start, end: end,
      objects: [
        quantity(.bloodPressureSystolic, unit, Double(number(100..<180)), start, end),
        quantity(.bloodPressureDiastolic, unit, Double(number(60..<100)), start, end),
      ], device: device(), metadata: metadata())
  }

  mutating func meal() -> HKCorrelation {
    let (start, end) = span()
    var objects: Set<HKSample> = [
      quantity(.dietaryCaffeine, .gramUnit(with: .milli), Double(number(1..<99)), start, end)
    ]
    if truth() { objects.insert(quantity(.dietaryFatTotal, .gram(), 5, start, end)) }
    return HKCorrelation(
      type: HKCorrelationType(.food), start: start, end: end, objects: objects,
      metadata: [HKMetadataKeyFoodType: "Ramen"])
  }

  mutating func audiogram() -> HKAudiogramSample {
    let (start, end) = span()
    let points = (1...number(2..<5)).map { index in
      HKAudiogramSensitivityPoint(
        unchecked: HKQuantity(unit: .hertz(), doubleValue: Double(index) * 500),
        [
          HKAudiogramSensitivityTest(
            unchecked: HKQuantity(
              unit: .decibelHearingLevel(), doubleValue: Double(number(0..<60))),
            masked: truth(), side: .left, range: nil)
        ])
    }
    return HKAudiogramSample(
      sensitivityPoints: points, start: start, end: end, device: device(), metadata: metadata())
  }

  mutating func prescription() -> HKVisionPrescription {
    let (start, end) = span()
    let sphere = HKQuantity(unit: .diopter(), doubleValue: Double(number(-8..<8)) / 4)
    if truth() {
      return HKContactsPrescription(
        rightEyeSpecification: HKContactsLensSpecification(
          sphere: sphere, cylinder: nil, axis: nil, addPower: nil, baseCurve: nil, diameter: nil),
        leftEyeSpecification: nil, brand: "Clear", dateIssued: start,
        expirationDate: truth() ? end : nil, device: device(), metadata: metadata())
    }
    return HKGlassesPrescription(
      rightEyeSpecification: nil,
      leftEyeSpecification: HKGlassesLensSpecification(
        sphere: sphere, cylinder: nil, axis: nil, addPower: nil, vertexDistance: nil, prism: nil,
        farPupillaryDistance: HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 31),
        nearPupillaryDistance: nil),
      dateIssued: start, expirationDate: nil, device: device(), metadata: metadata())
  }

  mutating func stateOfMind() -> HKStateOfMind {
    HKStateOfMind(
      date: span().start, kind: truth() ? .dailyMood : .momentaryEmotion,
      valence: Double(number(-8..<9)) / 8, labels: truth() ? [] : [.worried, .happy],
      associations: truth() ? [.weather] : [], metadata: metadata())
  }

  mutating func assessment() -> HKScoredAssessment {
    let date = span().start
    if truth() {
      let answers: [HKGAD7Assessment.Answer] = (0..<7).map { _ in truth() ? .notAtAll : .severalDays
      }
      return HKGAD7Assessment(date: date, answers: answers, metadata: metadata())
    }
    let answers: [HKPHQ9Assessment.Answer] = (0..<8).map { _ in truth() ? .notAtAll : .severalDays }
    return HKPHQ9Assessment(
      date: date, answers: answers + [truth() ? .preferNotToAnswer : .nearlyEveryDay],
      metadata: metadata())
  }

  mutating func document() -> HKCDADocumentSample {
    let (start, end) = span()
    let text = """
      <ClinicalDocument><title>Visit \(number(0..<9)) &amp; more</title></ClinicalDocument>
      """
    let document = raising { () throws(ObjectError) in try HKCDADocument(parsing: Data(text.utf8)) }
    return HKCDADocumentSample(
      document, start: start, end: end, facts: ObjectFacts(metadata: metadata()))
  }

  /// A quantity of one measurement, or of several.
  mutating func measurement() -> HKQuantitySample {
    let (start, end) = span()
    let type = HKQuantityType(truth() ? .stepCount : .heartRate)
    let unit = type.identifier.hasSuffix("StepCount") ? HKUnit.count() : HKUnit(from: "count/min")
    let count = number(1..<5)
    let values = (0..<count).map { _ in Double(number(1..<99)) }
    let sum = values.reduce(0, +)
    let length = end.timeIntervalSince(start) / Double(count)
    let starts = (0..<count).map { start.timeIntervalSinceReferenceDate + Double($0) * length }
    return HKQuantitySample.make(
      type, type.aggregationStyle == .cumulative ? sum : sum / Double(count), unit, start: start,
      end: end, facts: ObjectFacts(device: device(), metadata: metadata()),
      series: count == 1
        ? nil : QuantitySeries(values: values, starts: starts, ends: starts.map { $0 + length }))
  }

  mutating func sleep() -> HKCategorySample {
    let (start, end) = span()
    return HKCategorySample(
      type: HKCategoryType(.sleepAnalysis), value: number(0..<6), start: start, end: end,
      device: device(), metadata: metadata())
  }

  /// A sample of any class.
  mutating func object() -> HKSample {
    switch number(0..<13) {
    case 0, 1: workout()
    case 2: route()
    case 3: heartbeats()
    case 4: bloodPressure()
    case 5: meal()
    case 6: audiogram()
    case 7: prescription()
    case 8: stateOfMind()
    case 9: assessment()
    case 10: document()
    case 11: sleep()
    default: measurement()
    }
  }
}

extension HKSample {
  /// All properties of a sample except its source, as text.
  var words: String {
    func text(_ metadata: [String: Any]?) -> String {
      (metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: ",")
    }
    func text(_ quantity: HKQuantity?, _ unit: HKUnit) -> String {
      quantity.map { String(format: "%.9g", $0.doubleValue(for: unit)) } ?? "-"
    }
    var parts = [
      sampleType.identifier, uuid.uuidString, "\(startDate.timeIntervalSinceReferenceDate)",
      "\(endDate.timeIntervalSinceReferenceDate)", device?.text ?? "", text(metadata),
    ]
    switch self {
    case let one as HKWorkout:
      parts += [
        "\(one.workoutActivityType.rawValue)", "\(one.duration)", text(one.totalDistance, .meter()),
        text(one.totalEnergyBurned, .kilocalorie()), text(one.totalFlightsClimbed, .count()),
        text(one.totalSwimmingStrokeCount, .count()),
      ]
      for event in one.workoutEvents ?? [] {
        parts.append("\(event.type.rawValue) \(event.dateInterval) \(text(event.metadata))")
      }
      for activity in one.workoutActivities {
        let place = activity.workoutConfiguration
        parts += [
          activity.uuid.uuidString, "\(activity.startDate)", "\(activity.endDate as Date?)",
          text(activity.metadata), "\(place.activityType.rawValue) \(place.locationType.rawValue)",
          "\(place.swimmingLocationType.rawValue) \(text(place.lapLength, .meter()))",
        ]
      }
    case let one as HKWorkoutRoute: parts.append("\(one.locations.columns)")
    case let one as HKHeartbeatSeriesSample:
      parts.append("\(one.beats.offsets) \(one.beats.areAfterGaps)")
    case let one as HKCorrelation: parts += one.objects.map(\.words).sorted()
    case let one as HKAudiogramSample:
      for point in one.sensitivityPoints {
        parts.append(text(point.frequency, .hertz()))
        for test in point.tests {
          parts.append("\(test.side.rawValue) \(test.masked) \(test.sensitivity)")
        }
      }
    case let one as HKVisionPrescription:
      parts += ["\(one.prescriptionType.rawValue)", "\(one.expirationDate as Date?)"]
      if let glasses = one as? HKGlassesPrescription {
        parts += [glasses.rightEye, glasses.leftEye].map {
          "\(text($0?.sphere, .diopter())) \(text($0?.farPupillaryDistance, .meter()))"
        }
      }
      if let contacts = one as? HKContactsPrescription {
        parts += [contacts.rightEye, contacts.leftEye].map { text($0?.sphere, .diopter()) }
        parts.append(contacts.brand)
      }
    case let one as HKStateOfMind:
      parts.append(
        "\(one.kind.rawValue) \(one.valence) \(one.labels.map(\.rawValue)) "
          + "\(one.associations.map(\.rawValue))")
    case let one as HKGAD7Assessment: parts.append("\(one.score) \(one.answers.map(\.rawValue))")
    case let one as HKPHQ9Assessment: parts.append("\(one.score) \(one.answers.map(\.rawValue))")
    case let one as HKCDADocumentSample:
      parts.append(one.document?.documentData?.base64EncodedString() ?? "none")
    case let one as HKQuantitySample:
      parts += ["\(one.quantity)", "\(one.count)", "\(one.series as QuantitySeries?)"]
    case let one as HKCategorySample: parts.append("\(one.value)")
    default: break
    }
    return parts.joined(separator: "; ")
  }
}
