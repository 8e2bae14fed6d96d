extension SavedObjects {
  /// The class of how pleasant a state of mind is, from 1 for very unpleasant to 7 for very pleasant;
  /// `nil` outside of -1...1.
  ///
  /// They are sevenths of the range: the valence in classes, rounded to the nearest.
  package static func valenceClass(of valence: Double) -> Int? {
    guard valence.magnitude <= 1 else { return nil }
    return 4 + Int(min(max((valence * 3.5).rounded(), -3), 3))
  }

  /// The type of states of mind.
  package static let stateOfMindType = "HKDataTypeStateOfMind"
  /// The type of doses of medications.
  package static let medicationDoseType = "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"
  /// The domain of the identifiers of medications.
  package static let medicationDomain = "HKHealthConceptDomainMedication"

  /// The names of properties in rows; they are stored.
  package enum Property: String {
    case kind, valence, labels, associations
    case answers
    case medication, domain, schedule, status, unit, dose, scheduledDose, scheduledDate
  }
}

extension Metadata {
  /// Adds a property, if it has a value.
  package mutating func set(_ property: SavedObjects.Property, _ value: MetadataValue?) {
    if let value { entries.append(Entry(key: property.rawValue, value)) }
  }

  /// Adds a property that is a list of raw values.
  package mutating func set(_ property: SavedObjects.Property, _ numbers: [Int]) {
    set(property, .string(numbers.map(String.init).joined(separator: " ")))
  }
}
