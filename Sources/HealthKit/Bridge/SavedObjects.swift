// Objects that no export has, as rows of the core and back.
internal import HealthSamples

private typealias PropertyName = SavedObjects.Property

extension Metadata {
  private func value(_ name: PropertyName) -> MetadataValue? {
    entries.first { $0.key == name.rawValue }?.typed
  }

  fileprivate func number(_ name: PropertyName) -> Double? {
    if case .number(let number)? = value(name) { number } else { nil }
  }

  fileprivate func text(_ name: PropertyName) -> String? {
    if case .string(let text)? = value(name) { text } else { nil }
  }

  fileprivate func date(_ name: PropertyName) -> Date? {
    if case .date(let instant)? = value(name) {
      Date(timeIntervalSinceReferenceDate: instant)
    } else {
      nil
    }
  }

  /// A case of an enumeration; `nil` for a number that it does not have.
  fileprivate func one<Case: RawRepresentable<Int>>(_ name: PropertyName) -> Case? {
    number(name).flatMap(Int.init(exactly:)).flatMap(Case.init(rawValue:))
  }

  /// Cases of an enumeration; `nil` if one of the numbers is none.
  fileprivate func several<Case: RawRepresentable<Int>>(_ name: PropertyName) -> [Case]? {
    guard let words = text(name)?.split(separator: " ") else { return nil }
    let cases = words.compactMap { Int($0).flatMap(Case.init(rawValue:)) }
    return cases.count == words.count ? cases : nil
  }
}

extension SavedObjects.Row {
  /// The row of a sample that no export has; `nil` for one of another class.
  ///
  /// A sample that was made from a row becomes the same row.
  init?(_ sample: HKSample) {
    self.init()
    if let row = sample.facts.element?.row as? Self {
      self = row
      return
    }
    facts = ElementFacts(sample)
    type = sample.sampleType.identifier
    switch sample {
    case let sample as HKStateOfMind:
      properties.set(.kind, .number(Double(sample.kind.rawValue)))
      properties.set(.valence, .number(sample.valence))
      properties.set(.labels, sample.labels.map(\.rawValue))
      properties.set(.associations, sample.associations.map(\.rawValue))
    case let sample as HKGAD7Assessment:
      properties.set(.answers, sample.answers.map(\.rawValue))
    case let sample as HKPHQ9Assessment:
      properties.set(.answers, sample.answers.map(\.rawValue))
    case let sample as HKCDADocumentSample:
      document = sample.document?.documentData.map(Array.init) ?? []
    case let sample as HKMedicationDoseEvent:
      let content = sample.content
      properties.set(.medication, .string(content.medication.text))
      properties.set(.domain, .string(content.medication.domain.rawValue))
      properties.set(.schedule, .number(Double(content.schedule.rawValue)))
      properties.set(.status, .number(Double(content.status.rawValue)))
      properties.set(.unit, .string(content.unit.unitString))
      properties.set(.dose, content.dose.map(MetadataValue.number))
      properties.set(.scheduledDose, content.scheduledDose.map(MetadataValue.number))
      properties.set(
        .scheduledDate,
        content.scheduledDate.map { .date($0.timeIntervalSinceReferenceDate) })
    case let sample as HKHeartbeatSeriesSample:
      columns = [sample.beats.offsets, sample.beats.areAfterGaps.map { $0 ? 1 : 0 }]
    default: return nil
    }
  }

  /// The row of the single measurements of a sample; `nil` for a sample of one.
  init?(measurementsOf sample: HKQuantitySample) {
    guard let series = sample.series else { return nil }
    self.init()
    facts = ElementFacts(sample)
    facts.metadata = Metadata()
    type = sample.sampleType.identifier
    columns = [series.values, series.starts, series.ends]
  }

  /// The measurements of a sample; `nil` in a row of something else.
  var measurements: QuantitySeries? {
    guard columns.count == 3 else { return nil }
    return QuantitySeries(values: columns[0], starts: columns[1], ends: columns[2])
  }

  /// The sample; `nil` where the row is not one of its type.
  func object(uuid: UUID) -> HKSample? {
    let facts = ObjectFacts(facts, uuid: uuid, of: self)
    let start = Date(timeIntervalSinceReferenceDate: self.facts.start)
    let end = Date(timeIntervalSinceReferenceDate: self.facts.end)
    switch type {
    case HKObjectType.stateOfMindType().identifier:
      guard let kind: HKStateOfMind.Kind = properties.one(.kind),
        let valence = properties.number(.valence),
        let labels: [HKStateOfMind.Label] = properties.several(.labels),
        let associations: [HKStateOfMind.Association] = properties.several(.associations)
      else { return nil }
      return HKStateOfMind(
        HKStateOfMind.Content(
          kind: kind, valence: valence, labels: labels, associations: associations),
        date: start, facts: facts)
    case HKScoredAssessmentTypeIdentifier.GAD7.rawValue:
      let answers: [HKGAD7Assessment.Answer]? = properties.several(.answers)
      return answers.map { HKGAD7Assessment(unchecked: $0, date: start, facts: facts) }
    case HKScoredAssessmentTypeIdentifier.PHQ9.rawValue:
      let answers: [HKPHQ9Assessment.Answer]? = properties.several(.answers)
      return answers.map { HKPHQ9Assessment(unchecked: $0, date: start, facts: facts) }
    case HKDocumentTypeIdentifier.CDA.rawValue:
      let contents = document.isEmpty ? nil : try? HKCDADocument(parsing: Data(document))
      return HKCDADocumentSample(contents, start: start, end: end, facts: facts)
    case HKObjectType.medicationDoseEventType().identifier:
      return doseContent.map {
        HKMedicationDoseEvent($0, start: start, end: end, facts: facts)
      }
    case HKDataTypeIdentifierHeartbeatSeries:
      guard columns.count == 2 else { return nil }
      return HKHeartbeatSeriesSample(
        .init(offsets: columns[0], areAfterGaps: columns[1].map { $0 != 0 }), start: start,
        end: end, facts: facts)
    default: return nil
    }
  }

  private var doseContent: HKMedicationDoseEvent.Content? {
    guard let medication = properties.text(.medication), let domain = properties.text(.domain),
      let schedule: HKMedicationDoseEvent.ScheduleType = properties.one(.schedule),
      let status: HKMedicationDoseEvent.LogStatus = properties.one(.status),
      let unit = properties.text(.unit).flatMap({ try? HKUnit.parsed($0) })
    else { return nil }
    let content = HKMedicationDoseEvent.Content(
      medication: HKHealthConceptIdentifier(
        domain: HKHealthConceptDomain(rawValue: domain), text: medication),
      schedule: schedule, status: status, unit: unit, dose: properties.number(.dose),
      scheduledDose: properties.number(.scheduledDose),
      scheduledDate: properties.date(.scheduledDate))
    return content.isConsistent ? content : nil
  }
}
