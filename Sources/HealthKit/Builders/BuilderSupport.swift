import Foundation
internal import HealthSamples
internal import HealthStatistics
internal import HealthStore
import Synchronization

/// The content and the metadata of a series builder, until it is finished or discarded.
final class Collected<Content>: Sendable {
  /// Why nothing more can be done.
  private enum End: String {
    case finished = "The builder is finished"
    case discarded = "The builder was discarded"
  }

  private struct State: @unchecked Sendable {
    var content: Content
    var metadata: [String: Any] = [:]
    /// How it ended; `nil` while it collects.
    var end: End?

    func checkOpen() throws(HKError) {
      if let end { throw .invalid(end.rawValue) }
    }
  }

  private let state: Mutex<State>

  /// Begins with some content.
  init(_ content: Content) { state = Mutex(State(content: content)) }

  /// Changes the content.
  ///
  /// - Throws: `errorInvalidArgument` once the builder was finished or discarded, or what the body
  ///   throws
  func change(_ body: (inout Content) throws -> Void) throws {
    try state.withLock { state in
      try state.checkOpen()
      try body(&state.content)
    }
  }

  /// Adds metadata for a type, after what was asked before; an entry replaces that of its key.
  func add(
    _ metadata: [String: Any], for type: HKSampleType, in session: HealthSession,
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = Unchecked(metadata)
    session.perform(.builder, completion) { [self] _ in
      try state.withLock { state in
        try state.checkOpen()
        state.metadata = try ObjectMetadata.adding(metadata.value, to: state.metadata, for: type)
      }
    }
  }

  /// Ends the collection with the result of a body for the content and the metadata; if the store
  /// is locked, collection goes on.
  func finish<Value>(_ body: (Content, [String: Any]) throws -> Value) throws -> Value {
    let (content, metadata) = try state.withLock { state in
      try state.checkOpen()
      state.end = .finished
      return (state.content, state.metadata)
    }
    do {
      return try body(content, metadata)
    } catch HKError.errorDatabaseInaccessible {
      state.withLock { state in
        if state.end == .finished { state.end = nil }
      }
      throw HKError(.errorDatabaseInaccessible)
    }
  }

  /// Ends the collection without a result.
  func discard(leaving content: Content) {
    state.withLock { $0 = State(content: content, end: .discarded) }
  }
}

extension ObjectFacts {
  /// The facts of an object that a builder makes: it has no metadata if none were added.
  init(device: HKDevice?, added metadata: [String: Any]) {
    self.init(device: device, metadata: metadata.isEmpty ? nil : metadata)
  }
}

extension HealthSession {
  /// Saved samples as the store has them; as they are while it is locked, which is no failure to
  /// save them.
  func readBack<Sample: HKSample>(_ samples: [Sample]) throws -> [Sample] {
    let uuids = HKQuery.predicateForObjects(with: Set(samples.map(\.uuid)))
    let types = Set(samples.map(\.sampleType))
    let stored: [HKSample]
    do {
      stored = try SampleRequest(
        types.map { ($0, uuids) }, order: .store([]), limit: nil
      ).samples(in: reader())
    } catch HKError.errorDatabaseInaccessible {
      return samples
    }
    let found = Dictionary(stored.map { ($0.uuid, $0) }) { first, _ in first }
    return samples.map { found[$0.uuid] as? Sample ?? $0 }
  }

  /// A saved sample as the store has it; as it is while the store is locked.
  func readBack<Sample: HKSample>(_ sample: Sample) throws -> Sample {
    try readBack([sample]).first ?? sample
  }

  /// Saves those of some samples that the store does not have: all of them, or none.
  func saveUnknown(_ samples: [HKSample]) throws {
    var known: Set<UUID> = []
    do {
      known = try reader().known(samples)
    } catch HKError.errorDatabaseInaccessible {
      // The journal of a locked store leaves out what the store has.
    }
    let new = samples.filter { !known.contains($0.uuid) }
    if !new.isEmpty { try save(new) }
  }

  /// Saves a workout together with its relations to samples; returns the workout as the store has
  /// it.
  ///
  /// A body makes the workout from the samples that the store has.
  func save(
    with samples: [HKSample], _ make: ([HKSample]) throws -> HKWorkout
  ) throws -> HKWorkout {
    let store = try reader()
    let known = try store.known(samples)
    let members = samples.filter { known.contains($0.uuid) }
    let workout = try make(members)
    let saving = try ObjectsToSave([workout], of: host)
    try checkSharing(of: saving.types)
    var objects = try saving.objects(knownTo: store)
    objects.associations += members.map { Association(workout.uuid, $0.uuid, .workout) }
    try store.save(objects)
    return try readBack(workout)
  }
}

extension HKStatistics {
  /// The statistics of samples of one type with those that the type can have; `nil` without samples.
  ///
  /// Each sample counts whole, or with its part in a span: an amount by its share of the time.
  /// Nothing is merged: samples of several sources all count.
  ///
  /// - Complexity: O(*n* log *n*)
  static func ofSamples(
    _ samples: [HKQuantitySample], in span: (start: Double, end: Double)? = nil
  ) -> HKStatistics? {
    guard let type = samples.first?.quantityType else { return nil }
    let unit = HKUnit(type.core.unit)
    let style = type.core.style ?? .discreteArithmetic
    var (starts, ends, values): ([Double], [Double], [Double]) = ([], [], [])
    for one in samples.flatMap(\.measurements) {
      guard var value = one.quantity.number(in: unit) else { continue }
      var start = one.interval.start.timeIntervalSinceReferenceDate
      var end = one.interval.end.timeIntervalSinceReferenceDate
      if let span {
        let part = (start: max(start, span.start), end: min(end, span.end))
        let isInstant = start == end
        guard isInstant ? span.start <= start && start < span.end : part.start < part.end else {
          continue
        }
        if style.isCumulative, !isInstant { value *= (part.end - part.start) / (end - start) }
        (start, end) = part
      }
      starts.append(start)
      ends.append(end)
      values.append(value)
    }
    guard !values.isEmpty else { return nil }
    let wanted = [Statistic.sum, .mean, .min, .max, .recent].filter { $0.isAvailable(for: style) }
    // Statistics do not depend on the source.
    let columns = try? SampleColumns(
      type: type.core, source: Source(name: ""), starts: starts, ends: ends, values: values)
    guard let table = try? columns?.overallStatistics(of: wanted), table.count == 1 else {
      return nil
    }
    return HKStatistics(StatisticsTable(type: type, unit: unit, intervals: table), row: 0)
  }

  /// The statistics of samples by type; see ``ofSamples(_:in:)``.
  static func byType(
    _ samples: [HKSample], in span: (start: Double, end: Double)? = nil
  ) -> [HKQuantityType: HKStatistics] {
    Dictionary(grouping: samples.compactMap { $0 as? HKQuantitySample }, by: \.quantityType)
      .compactMapValues { ofSamples($0, in: span) }
  }
}
