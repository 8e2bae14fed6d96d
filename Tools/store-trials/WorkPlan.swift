import Foundation
import HealthSamples
import HealthStore
import _HealthTestSupport

/// What a writer does, step after step, and what a store then holds.
///
/// Both follow from a seed, so a reader can compute each state that was committed.
struct WorkPlan {
  enum Action {
    /// Saves samples; a workout with them, to which they belong, when it has one.
    case save(count: Int, hasWorkout: Bool)
    case importing(count: Int)
    /// Deletes all samples of earlier steps: by UUID, or by time and value.
    case delete(steps: [Int], byUUID: Bool)
    case setZone(String)
    case compact
  }

  private let seed: UInt64
  /// How many samples each step has left that brought some.
  private(set) var live: [Int: Int] = [:]
  /// How many samples each saved workout has, by its step.
  private(set) var workouts: [Int: Int] = [:]
  private(set) var zone: String?
  private var imported: Set<Int> = []
  private(set) var step = 0

  static let types = [
    StoreRecords.steps, StoreRecords.energy, StoreRecords.heartRate, StoreRecords.sleep,
  ]
  private static let labels = ["count", "kcal", "count/min", "HKCategoryValueSleepAnalysisInBed"]
  private static let origin = 7e8
  private static let mostSaved = 60

  init(seed: UInt64) { self.seed = seed }

  /// Begins the next step.
  mutating func next() -> Action {
    step += 1
    var chance = SplitMix64(seed: seed &+ UInt64(step) &* 0x9E37)
    let draw = Int.random(in: 0..<100, using: &chance)
    switch draw {
    case 0..<45:
      let count = [1, 1, 1, 7, 60].randomElement(using: &chance) ?? 1
      live[step] = count
      if count == 7 { workouts[step] = count }
      return .save(count: count, hasWorkout: count == 7)
    case 45..<65:
      let count = [10, 500, 5_000].randomElement(using: &chance) ?? 10
      live[step] = count
      imported.insert(step)
      return .importing(count: count)
    case 65..<88 where !live.isEmpty:
      let steps = live.keys.sorted().shuffled(using: &chance)
      let chosen = Array(steps.prefix(max(1, steps.count - 30)))
      let byUUID = chosen.allSatisfy { !imported.contains($0) } && draw < 76
      for step in chosen {
        live[step] = nil
        // Without its samples a workout stays.
        if workouts[step] != nil { workouts[step] = byUUID ? nil : 0 }
      }
      return .delete(steps: chosen, byUUID: byUUID)
    case 88..<94:
      zone = step % 2 == 0 ? "Europe/Paris" : "Asia/Tokyo"
      return .setZone(step % 2 == 0 ? "Europe/Paris" : "Asia/Tokyo")
    default: return .compact
    }
  }

  // MARK: Samples

  /// The samples of a step lie in an hour of its own, and their value is its number.
  private static func start(_ step: Int, _ index: Int, of count: Int) -> Double {
    origin + Double(step) * 3_600 + (Double(index) * 3_000 / Double(count)).rounded(.down)
  }

  private static func span(_ step: Int) -> Range<Double> {
    origin + Double(step) * 3_600..<origin + Double(step + 1) * 3_600
  }

  private static func uuid(_ step: Int, _ index: Int) -> UUID {
    let bytes: [UInt8] = withUnsafeBytes(of: (Int64(step), Int64(index) | 1 << 62)) { Array($0) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private static func source(_ step: Int) -> Source { Source(name: "Source \(step % 3)") }

  /// The workout of a step, with the UUID of the sample after the last that any step has.
  private static func workout(_ step: Int) -> NewElement {
    var workouts = Workouts()
    var row = Workouts.Row()
    row.facts.source = source(step)
    row.facts.start = span(step).lowerBound
    row.facts.end = span(step).upperBound
    row.activity = "HKWorkoutActivityTypeCycling"
    workouts.rows = [row]
    return NewElement(.workouts(workouts), uuid: uuid(step, mostSaved))
  }

  /// Performs the action of a step.
  static func perform(_ action: Action, step: Int, in store: SampleStore) throws {
    let kind = step % types.count
    let value = types[kind].canonicalUnit == nil ? 0 : Double(step)
    switch action {
    case .save(let count, let hasWorkout):
      let samples = (0..<count).map { index in
        let start = start(step, index, of: count)
        return NewSample(
          type: types[kind], source: source(step), start: start, end: start, value: value,
          label: labels[kind], created: start, origin: Origin(), metadata: Metadata(),
          uuid: uuid(step, index))
      }
      guard hasWorkout else {
        try store.save(samples)
        return
      }
      var objects = NewObjects()
      objects.samples = samples
      let workout = workout(step)
      objects.elements = [workout]
      objects.associations = samples.compactMap(\.uuid).map {
        Association(workout.uuid, $0, .workout)
      }
      try store.save(objects)
    case .importing(let count):
      var batch = RecordColumns(type: types[kind], source: source(step))
      for index in 0..<count {
        // Equal ones would be copies of one another.
        let start = start(step, index, of: count)
        try batch.append(
          start: start, end: start + Double(index % 7), value: value, label: labels[kind],
          creation: start)
      }
      let session = try store.beginImport()
      try session.add(batch)
      _ = try session.finish()
    case .delete(let steps, let byUUID):
      if byUUID {
        try store.delete(steps.flatMap { step in (0...mostSaved).map { uuid(step, $0) } })
      } else {
        let spans = steps.map(span).sorted { $0.lowerBound < $1.lowerBound }
        guard let first = spans.first, let last = spans.last else { return }
        let wanted = Set(steps)
        try store.delete(.samples(), in: first.lowerBound..<last.upperBound) { batch, row in
          wanted.contains(Self.step(at: batch.starts[row]))
        }
      }
    case .setZone(let zone): try store.setDefaultZone(zone)
    case .compact: try store.compact()
    }
  }

  private static func step(at start: Double) -> Int {
    Int(((start - origin) / 3_600).rounded(.down))
  }

  // MARK: States

  /// What is wrong with a store that should be in the state of this plan; `nil` when nothing is.
  func difference(_ state: State) -> String? {
    if state.zone != zone { return "the zone is not that of step \(step)" }
    if state.workouts != workouts {
      return "after step \(step): workouts with samples \(state.workouts), not \(workouts)"
    }
    if state.live == live { return nil }
    let missing = live.filter { state.live[$0.key] != $0.value }.keys.sorted()
    let excess = state.live.filter { live[$0.key] != $0.value }.keys.sorted()
    return "after step \(step): steps \(missing) are missing or not whole, \(excess) are too many"
  }

  /// The samples and the workout of each step, and the zone.
  struct State: Equatable {
    var live: [Int: Int] = [:]
    var workouts: [Int: Int] = [:]
    var zone: String?

    init(of store: SampleStore) throws {
      try store.verify()
      try store.snapshot {
        zone = try store.defaultZone()
        try store.forEachIdentifiedElement(of: .workout) { found in
          guard case .workouts(let columns) = found.element, let row = columns.rows.first,
            case let step = WorkPlan.step(at: row.facts.start),
            found.uuid == WorkPlan.uuid(step, WorkPlan.mostSaved)
          else { throw TrialError("a workout is another one") }
          workouts[step] = try store.associations(.workout, of: [found.uuid]).count
          return true
        }
        for type in WorkPlan.types {
          for batch in try store.records(of: type) {
            for row in 0..<batch.count {
              let step = WorkPlan.step(at: batch.starts[row])
              let value = type.canonicalUnit == nil ? 0 : Double(step)
              guard batch.values[row] == value, batch.source == WorkPlan.source(step) else {
                throw TrialError("a sample of step \(step) is another one")
              }
              live[step, default: 0] += 1
            }
          }
        }
      }
    }
  }
}
