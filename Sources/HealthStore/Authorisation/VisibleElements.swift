package import HealthSamples

/// What a reader sees of an element.
extension ReadPermission {
  /// A row without what the reader may not see; `nil` if nothing is left.
  func visible<Columns: StoredElement>(_ row: Columns.Row, of columns: Columns.Type) -> Columns.Row?
  {
    isOwner ? row : columns.visible(row, to: self)
  }

  /// Whether the whole element is visible by its source or its type.
  fileprivate func contains(_ type: String, _ facts: ElementFacts) -> Bool {
    contains(type, from: facts.source)
  }

  fileprivate func contains(_ link: RecordLink) -> Bool { contains(link.type, from: link.source) }
}

extension ElementKind {
  /// The identifier of the type that permits a kind; `nil` where elements have types of their own.
  package var typeIdentifier: String? {
    switch self {
    case .workout: "HKWorkoutTypeIdentifier"
    case .route: "HKWorkoutRouteTypeIdentifier"
    case .activitySummary: "HKActivitySummaryTypeIdentifier"
    case .beatList: "HKDataTypeIdentifierHeartbeatSeries"
    case .electrocardiogram: "HKDataTypeIdentifierElectrocardiogram"
    case .audiogram: "HKDataTypeIdentifierAudiogram"
    case .visionPrescription: "HKVisionPrescriptionTypeIdentifier"
    case .correlation, .clinicalRecord, .characteristics, .savedObject: nil
    }
  }
}

extension ElementKind {
  /// The types of which apps save objects that no export has.
  private static let typesOfSavedObjects: Set<String> = {
    let others = Set(allCases.filter { $0 != .beatList }.compactMap(\.typeIdentifier))
    return Set(
      Catalogue.otherTypes.filter { $0.typeClass != "HKClinicalType" }.compactMap(\.identifier)
    )
    .subtracting(others)
  }()

  /// Whether elements of the kind can be of a type, or have members of it.
  func mayHave(_ identifier: String) -> Bool {
    switch self {
    case .correlation:
      Catalogue.correlationTypes.contains { row in
        row.allowed.contains { $0.rawValue == identifier }
      }
    case .clinicalRecord: identifier.hasPrefix("HKClinicalTypeIdentifier")
    case .characteristics: identifier.hasPrefix("HKCharacteristicTypeIdentifier")
    case .savedObject: ElementKind.typesOfSavedObjects.contains(identifier)
    default: typeIdentifier == identifier
    }
  }
}

extension StoredElement {
  /// The identifier of the type of all rows; empty where rows have types of their own.
  fileprivate static var type: String { kind.typeIdentifier ?? "" }
}

extension Workouts {
  /// Without the statistics, zones and records of types that the reader may not see.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    guard permission.contains(type, row.facts) else { return nil }
    var row = row
    func isVisible(_ statistics: Statistics) -> Bool {
      permission.contains(statistics.type, row.facts)
    }
    row.statistics = row.statistics.filter(isVisible)
    row.activities = row.activities.map { activity in
      var activity = activity
      activity.statistics = activity.statistics.filter(isVisible)
      return activity
    }
    row.zoneGroups = row.zoneGroups.filter { permission.contains($0.type, row.facts) }
    row.records = row.records.filter(permission.contains)
    return row
  }
}

extension Routes {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, row.facts) ? row : nil
  }
}

extension Correlations {
  /// A correlation is as visible as all its members.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    let isVisible = row.members.allSatisfy(permission.contains)
    return isVisible && (!row.members.isEmpty || permission.contains(row.type, row.facts))
      ? row : nil
  }
}

extension ActivitySummaries {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.mayRead(type) ? row : nil
  }
}

extension BeatLists {
  /// The beats of a record show its value, too.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, from: row.record.source) && permission.contains(row.record)
      ? row : nil
  }
}

extension Electrocardiograms {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, row.facts) ? row : nil
  }
}

extension Audiograms {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, row.facts) ? row : nil
  }
}

extension VisionPrescriptions {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    let isOwn = row.source.map { permission.contains(type, from: $0) } ?? false
    return isOwn || permission.mayRead(type) ? row : nil
  }
}

extension SavedObjects {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(row.type, row.facts) ? row : nil
  }
}

extension ClinicalRecords {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(row.type, from: row.source) ? row : nil
  }
}

extension Characteristics {
  /// Only the entries of readable types.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    let entries = row.entries.filter { permission.mayRead($0.key) }
    return entries.isEmpty ? nil : Metadata(entries)
  }
}
