extension SavedObjects {
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
