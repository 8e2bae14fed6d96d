public import HealthQuery
import HealthSamples
public import HealthStore

/// A question about electrocardiograms: how many of each classification.
public struct ElectrocardiogramPlan: Sendable, Hashable, Codable {
  /// The period and its intervals.
  public var period: ElementPeriod

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

/// A question about states of mind: how pleasant they were, and how often each label was given.
public struct StateOfMindPlan: Sendable, Hashable, Codable {
  /// The period and its intervals.
  public var period: ElementPeriod

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

/// A question about medications: how many doses of each were taken and skipped.
public struct MedicationPlan: Sendable, Hashable, Codable {
  /// The period and its intervals.
  public var period: ElementPeriod

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

extension SampleStore {
  /// Counts electrocardiograms: `count`, and a column for each classification as written, the most
  /// frequent first.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func electrocardiograms(
    _ plan: ElectrocardiogramPlan
  ) throws(QueryError) -> ElementColumns {
    var found: [(start: Double, classification: String)] = []
    // Voltages take memory: one electrocardiogram is read at a time.
    try each(of: .electrocardiogram, in: try plan.period.range()) { batch in
      guard case .electrocardiograms(let columns) = batch else { return }
      found += columns.rows.map {
        ($0.facts.start, $0.classification.isEmpty ? "not classified" : $0.classification)
      }
    }
    return try ElementColumns(
      "electrocardiograms", over: plan.period, starts: found.map(\.start)
    ) { answer, groups in
      answer.add("count", .counts(groups.map(\.count)))
      answer.addCounts(of: groups) { [found[$0].classification] }
    }
  }

  /// Summarises states of mind: `count`, `valence` from -1 to 1 with its least and greatest, the
  /// `classification` of its mean such as `slightlyPleasant`, and a column for each label that occurs,
  /// the most frequent first.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func statesOfMind(_ plan: StateOfMindPlan) throws(QueryError) -> ElementColumns {
    let found = try objects(of: "HKDataTypeStateOfMind", in: try plan.period.range())
    return try ElementColumns(
      "stateOfMind", over: plan.period, starts: found.map(\.facts.start)
    ) { answer, groups in
      answer.add("count", .counts(groups.map(\.count)))
      answer.addSpread("valence", unit: nil, of: groups) { found[$0].number("valence") }
      let classes = (answer["valence"] ?? []).map { valence in
        valence.flatMap(SavedObjects.valenceClass).flatMap {
          Self.name(of: $0, in: "HKStateOfMindValenceClassification")
        }
      }
      answer.add("classification", .texts(classes.map { $0 ?? "" }))
      answer.addCounts(of: groups) { row in
        (found[row].text("labels") ?? "").split(separator: " ").map { word in
          Int(word).flatMap { Self.name(of: $0, in: "HKStateOfMindLabel") } ?? String(word)
        }
      }
    }
  }

  /// Counts doses of medications: `taken` and `skipped` of all, then of each by its name.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func medications(_ plan: MedicationPlan) throws(QueryError) -> ElementColumns {
    // HKMedicationDoseEvent.LogStatus
    let states = [(name: "taken", value: 4.0), (name: "skipped", value: 5)]
    let found = try objects(
      of: "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent", in: try plan.period.range())
    let names = found.map { $0.text("medication") ?? "" }
    return try ElementColumns(
      "medications", over: plan.period, starts: found.map(\.facts.start)
    ) { answer, groups in
      for name in [nil] + Set(names).sorted().map(Optional.some) {
        for state in states {
          let counts = groups.map { group in
            group.count { row in
              (name == nil || names[row] == name) && found[row].number("status") == state.value
            }
          }
          answer.add(name.map { "\($0) \(state.name)" } ?? state.name, .counts(counts))
        }
      }
    }
  }

  private static func name(of value: Int, in enumeration: String) -> String? {
    Catalogue.enumerationCases.first {
      $0.enumeration == enumeration && $0.rawValue == value
    }?.swiftName
  }

  /// Objects of a type that no export has, in order of time.
  private func objects(
    of type: String, in range: Range<Double>
  ) throws(QueryError) -> [SavedObjects.Row] {
    var found: [SavedObjects.Row] = []
    try each(of: .savedObject, in: range) { batch in
      guard case .savedObjects(let columns) = batch else { return }
      found += columns.rows.filter { $0.type == type }
    }
    return found
  }

  /// Visits elements in one state of the store.
  func each(
    of kind: ElementKind, in range: Range<Double>, _ body: (ImportBatch) -> Void
  ) throws(QueryError) {
    try oneState { () throws(QueryError) in
      do {
        try forEachElement(of: kind, in: range) { batch in
          body(batch)
          return true
        }
      } catch let error as StoreError {
        throw QueryError(.store(error))
      } catch {
        // The body throws nothing.
        return
      }
    }
  }
}

extension SavedObjects.Row {
  fileprivate func number(_ name: String) -> Double? {
    let value = properties.entries.first { $0.key == name }?.typed
    if case .number(let number)? = value { return number }
    return nil
  }

  fileprivate func text(_ name: String) -> String? {
    properties.entries.first { $0.key == name }?.value
  }
}
