public import Foundation
internal import HealthSamples
import Synchronization

/// The builder of a workout session, which collects by itself: the samples of its data source's types
/// that any app saves for the time in which the session runs, and the session's pauses.
///
/// Only types that the app has asked for are collected.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
  private struct Live: @unchecked Sendable {
    weak var delegate: (any HKLiveWorkoutBuilderDelegate)?
    var source: HKLiveWorkoutDataSource?
    var collectsEvents = true
    /// The query that collects now.
    var query: HKQuery?
    /// The zones in which the last samples are, by type.
    var zones: [HKQuantityType: CurrentZone] = [:]
  }

  /// The zone in which the last sample is, and when that began.
  private struct CurrentZone {
    var index: Int
    var start: Double
  }

  private weak var session: HKWorkoutSession?
  private let live = Mutex(Live())
  private let queue: DispatchQueue

  init(of session: HKWorkoutSession) {
    self.session = session
    queue = session.queue
    super.init(
      access: session.access, configuration: session.workoutConfiguration, device: .local())
  }

  deinit {
    live.withLock { $0.query }?.stop()
  }

  /// The session; weak.
  open var workoutSession: HKWorkoutSession? { session }

  /// The delegate, which is called in the background, one call at a time; weak.
  open var delegate: (any HKLiveWorkoutBuilderDelegate)? {
    get { live.withLock { Unchecked($0.delegate) }.value }
    set {
      let delegate = Unchecked(newValue)
      live.withLock { $0.delegate = delegate.value }
    }
  }

  /// What is collected; nothing without one.
  open var dataSource: HKLiveWorkoutDataSource? {
    get { live.withLock { $0.source } }
    set {
      let old = live.withLock { live in
        defer { live.source = newValue }
        return live.source
      }
      old?.setUser(nil)
      newValue?.setUser(self)
      didChangePhase()
    }
  }

  /// Whether the pauses of the session are added as events; it must be set before collection begins.
  open var shouldCollectWorkoutEvents: Bool {
    get { live.withLock { $0.collectsEvents } }
    set { live.withLock { $0.collectsEvents = newValue } }
  }

  /// The seconds from the start to now, without pauses.
  open var elapsedTime: TimeInterval { elapsedTime(at: access.host.now()) }

  /// The current part of the workout; `nil` where none was begun.
  open var currentWorkoutActivity: HKWorkoutActivity? {
    workoutActivities.last { $0.endDate == nil }
  }

  // MARK: Collecting

  override func didChangePhase() {
    access.deliver(on: queue) { [weak self] in self?.observe() }
  }

  /// Begins, changes or ends collection, as the data source and the phase require.
  private func observe() {
    let (phase, start) = progress.withLock { ($0.phase, $0.start) }
    let source = dataSource
    var query: HKQuery?
    if phase == .collecting, let start, let source {
      query = self.query(source.descriptors(from: start, in: access))
    }
    let old = live.withLock { live in
      defer { live.query = query }
      return live.query
    }
    old?.stop()
    if let query {
      raising { () throws(ObjectError) in try query.execute(in: access, isOfApp: false) }
    }
  }

  private func query(_ descriptors: [HKQueryDescriptor]) -> HKQuery? {
    guard !descriptors.isEmpty else { return nil }
    let collect:
      @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void = { [weak self] query, added, deleted, _, _ in
        self?.collect(added ?? [], deleted ?? [])
      }
    let query = HKAnchoredObjectQuery(
      queryDescriptors: descriptors, anchor: nil, limit: HKObjectQueryNoLimit,
      resultsHandler: collect)
    query.updateHandler = collect
    // It goes on when the store is unlocked.
    query.outliveErrors()
    return query
  }

  private func collect(_ added: [HKSample], _ deleted: [HKDeletedObject]) {
    guard let session else { return }
    let types = append(added.filter { session.ran(at: $0.startDate) })
      .union(remove(Set(deleted.map(\.uuid))))
    if !types.isEmpty { didCollect(types) }
  }

  override func didCollect(_ types: Set<HKSampleType>) {
    tell { $0.workoutBuilder($1, didCollectDataOf: types) }
    queue.async { [weak self] in self?.updateZones(of: types) }
  }

  /// Tells of each sample that is later than those before and in another zone.
  private func updateZones(of types: Set<HKSampleType>) {
    let progress = progress.withLock { $0 }
    guard progress.phase == .collecting, let start = progress.start else { return }
    for type in HKWorkoutZoneConfiguration.types where types.contains(type) {
      guard let samples = progress.zoneSamples(of: type) else {
        // All were deleted.
        live.withLock { $0.zones[type] = nil }
        continue
      }
      var current = live.withLock { $0.zones[type] }
      let isShorter = current.map { samples.values[samples.values.count - 1].start < $0.start }
      for (index, value) in samples.values.enumerated() {
        // Where the last sample was deleted the one before it counts again.
        let isLast = index == samples.values.count - 1
        guard isShorter == true ? isLast : current.map({ $0.start < value.start }) ?? true else {
          continue
        }
        let (zone, end) = (samples.zone(of: value), Date(timeIntervalSinceReferenceDate: value.end))
        if zone != current?.index {
          let group = samples.group(
            of: index + 1, from: start, to: end, without: progress.pauses(from: start, to: end))
          let update = HKLiveWorkoutZoneUpdate(group, from: current?.index, to: zone, at: end)
          delegate?.workoutBuilder(self, didUpdateWorkoutZone: update)
        }
        current = CurrentZone(index: zone, start: value.start)
      }
      live.withLock { $0.zones[type] = current }
    }
  }

  /// Adds an event of the session.
  func collect(_ event: HKWorkoutEvent) {
    guard shouldCollectWorkoutEvents else { return }
    let isAdded = progress.withLock { progress in
      guard progress.phase == .collecting, let start = progress.start,
        event.dateInterval.start >= start
      else { return false }
      progress.events.append(event)
      return true
    }
    if isAdded { tell { $0.workoutBuilderDidCollectEvent($1) } }
  }

  /// Adds an activity that the session began.
  func begin(_ activity: HKWorkoutActivity) {
    let isAdded = progress.withLock { progress in
      guard progress.phase == .collecting else { return false }
      progress.activities.append(activity)
      return true
    }
    guard isAdded else { return }
    dataSource?.follow(activity.workoutConfiguration)
    tell { $0.workoutBuilder($1, didBegin: activity) }
  }

  /// Ends an activity of the session.
  func end(_ activity: HKWorkoutActivity, on date: Date) {
    let ended = progress.withLock { progress -> HKWorkoutActivity? in
      guard let place = progress.activities.firstIndex(of: activity) else { return nil }
      // Metadata may have been added since.
      var facts = progress.activities[place].facts
      facts.end = date
      progress.activities[place] = HKWorkoutActivity(facts: facts)
      return progress.activities[place]
    }
    if let ended { tell { $0.workoutBuilder($1, didEnd: ended) } }
  }

  private func tell(
    _ body: @escaping @Sendable (any HKLiveWorkoutBuilderDelegate, HKLiveWorkoutBuilder) -> Void
  ) {
    access.deliver(on: queue) { [self] in
      if let delegate { body(delegate, self) }
    }
  }
}

/// The delegate of a live builder.
@preconcurrency
public protocol HKLiveWorkoutBuilderDelegate: NSObjectProtocol {
  /// Samples of some types were added, or deleted ones removed: their statistics are new.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)
  /// An event of the session was added.
  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)
  /// A part of the workout began.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)
  /// A part of the workout ended.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity)
  /// The person came into another zone.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
  )
}

/// The optional methods of a delegate.
extension HKLiveWorkoutBuilderDelegate {
  /// Does nothing.
  public func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
  ) {}
  /// Does nothing.
  public func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
  ) {}
  /// Does nothing.
  public func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
  ) {}
}

/// Which samples a live builder collects.
open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
  private struct Choice: @unchecked Sendable {
    var predicates: [HKQuantityType: NSPredicate?] = [:]
    /// Whether the app has chosen types itself.
    var isOwn = false
    weak var user: HKLiveWorkoutBuilder?
  }

  private let choice = Mutex(Choice())

  /// Makes a source of the types that a watch measures in a workout: heart rate, energy, and the
  /// distance where the activity has one; of no types without a configuration.
  public init(
    healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?
  ) {
    super.init()
    let types = configuration?.measuredTypes ?? []
    choice.withLock { choice in
      for type in types { choice.predicates.updateValue(nil, forKey: type) }
    }
  }

  /// The types.
  open var typesToCollect: Set<HKQuantityType> { choice.withLock { Set($0.predicates.keys) } }

  /// Collects a type, of samples that match a predicate.
  open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
    let predicate = Unchecked(predicate)
    change { $0.predicates.updateValue(predicate.value, forKey: quantityType) }
  }

  /// Collects a type no longer.
  open func disableCollection(for quantityType: HKQuantityType) {
    change { $0.predicates[quantityType] = nil }
  }

  private func change(_ body: (inout Choice) -> Void) {
    let user = choice.withLock { choice in
      body(&choice)
      choice.isOwn = true
      return choice.user
    }
    user?.didChangePhase()
  }

  func setUser(_ builder: HKLiveWorkoutBuilder?) { choice.withLock { $0.user = builder } }

  /// Takes the types of an activity that begins, unless the app has chosen some.
  func follow(_ configuration: HKWorkoutConfiguration) {
    let types = configuration.measuredTypes
    let user = choice.withLock { choice -> HKLiveWorkoutBuilder? in
      guard !choice.isOwn, types != Set(choice.predicates.keys) else { return nil }
      choice.predicates = [:]
      for type in types { choice.predicates.updateValue(nil, forKey: type) }
      return choice.user
    }
    user?.didChangePhase()
  }

  /// The samples to collect, from a date on; only of types that the app has asked for.
  func descriptors(from start: Date, in session: HealthSession) -> [HKQueryDescriptor] {
    guard let permissions = try? session.permissions() else { return [] }
    let isLater = HKQuery.predicateForSamples(
      withStart: start, end: nil, options: .strictStartDate)
    let predicates = choice.withLock { Unchecked($0.predicates) }.value
    return predicates.filter { permissions[$0.key.identifier] != nil }
      .sorted { $0.key.identifier < $1.key.identifier }
      .map { type, predicate in
        HKQueryDescriptor(
          sampleType: type,
          predicate: TreePredicate(.all([isLater.tree] + (predicate.map { [$0.tree] } ?? []))))
      }
  }
}

extension HKWorkoutConfiguration {
  /// The types that a watch measures in such a workout.
  fileprivate var measuredTypes: Set<HKQuantityType> {
    var types: Set<HKQuantityType> = [
      HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
      HKQuantityType(.basalEnergyBurned),
    ]
    let withDistance: [HKWorkoutActivityType] = [
      .walking, .running, .hiking, .cycling, .handCycling, .swimming, .wheelchairWalkPace,
      .wheelchairRunPace, .downhillSkiing, .snowboarding, .snowSports, .stairClimbing,
    ]
    if withDistance.contains(activityType) {
      types.insert(
        HKQuantityType(Catalogue.distanceType(ofWorkoutActivity: activityType.constant)))
    }
    return types
  }
}
