// What the owner puts into a store, without permission: fixtures of tests stand in for devices, clinics
// and the Health app.
internal import HealthSamples
package import HealthStore

extension HKHealthStore {
  /// The store as its owner sees it.
  package func ownersStore() throws(HKError) -> SampleStore { try session.owner() }

  /// Saves samples with the app of this store's host as their source, all or none; those that the
  /// store has already are left out.
  ///
  /// - Parameters:
  ///   - samples: samples of any class
  ///   - electrocardiogram: the one among them with which the others were noted
  /// - Throws: `HKError` as saving does, but for permission
  package func saveAsOwner(
    _ samples: [HKSample], notedWith electrocardiogram: HKElectrocardiogram? = nil
  ) throws(HKError) {
    try Self.saveAsOwners([(self, samples)], notedWith: electrocardiogram)
  }

  /// Saves the samples of several apps on one file, all or none, as the form for one does.
  package static func saveAsOwners(
    _ batches: [(app: HKHealthStore, samples: [HKSample])],
    notedWith electrocardiogram: HKElectrocardiogram? = nil
  ) throws(HKError) {
    guard let store = try batches.first?.app.session.owner() else { return }
    do {
      let known = try store.known(batches.flatMap(\.samples))
      var all = NewObjects()
      var places = 0
      for (app, samples) in batches {
        let new = samples.filter { !known.contains($0.uuid) }
        let objects = try ObjectsToSave(new, of: app.session.host).objects(knownTo: store)
        all.samples += objects.samples
        // A row has its place among all samples that are saved together.
        for var rows in objects.rows {
          rows.places = rows.places.map { $0 + places }
          all.rows.append(rows)
        }
        places = 1 + (all.rows.flatMap(\.places).max() ?? -1)
        all.elements += objects.elements
        all.associations += objects.associations
        if let electrocardiogram {
          all.associations += new.filter { $0 !== electrocardiogram }.map {
            Association(electrocardiogram.uuid, $0.uuid, .electrocardiogram)
          }
        }
      }
      guard !all.samples.isEmpty || !all.rows.isEmpty || !all.elements.isEmpty else { return }
      try store.save(all)
    } catch {
      throw HKError(error)
    }
  }

  /// Sets the characteristics that are given, all or none, as the person does in the Health app.
  ///
  /// - Returns: their identifiers
  /// - Throws: `HKError` if the store cannot be reached
  @discardableResult
  package func setCharacteristics(
    dateOfBirth: DateComponents?, biologicalSex: HKBiologicalSex?, bloodType: HKBloodType?,
    fitzpatrickSkinType: HKFitzpatrickSkinType?, wheelchairUse: HKWheelchairUse?,
    activityMoveMode: HKActivityMoveMode?
  ) throws(HKError) -> [HKCharacteristicTypeIdentifier] {
    let store = try session.owner()
    let given: [HKCharacteristicTypeIdentifier: Bool] = [
      .dateOfBirth: dateOfBirth != nil, .biologicalSex: biologicalSex != nil,
      .bloodType: bloodType != nil, .fitzpatrickSkinType: fitzpatrickSkinType != nil,
      .wheelchairUse: wheelchairUse != nil, .activityMoveMode: activityMoveMode != nil,
    ]
    let person = Characteristics(
      biologicalSex: HKBiologicalSexObject(biologicalSex ?? .notSet),
      bloodType: HKBloodTypeObject(bloodType ?? .notSet),
      fitzpatrickSkinType: HKFitzpatrickSkinTypeObject(fitzpatrickSkinType ?? .notSet),
      wheelchairUse: HKWheelchairUseObject(wheelchairUse ?? .notSet),
      activityMoveMode: HKActivityMoveModeObject(activityMoveMode ?? .activeEnergy),
      dateOfBirthComponents: dateOfBirth)
    do throws(StoreError) {
      var values: [String: String?] = [:]
      for entry in person.rows.flatMap(\.entries)
      where given[HKCharacteristicTypeIdentifier(rawValue: entry.key)] ?? false {
        values[entry.key] = .some(entry.value)
      }
      try store.setCharacteristics(values)
    } catch {
      throw HKError(error)
    }
    return given.filter(\.value).map(\.key)
  }

  /// Sets the activity rings of a day, as an import does: no app can save them.
  package func setActivitySummary(
    _ summary: HKActivitySummary, ofYear year: Int, month: Int, day: Int
  ) throws(HKError) {
    let store = try session.owner()
    summary.day = CivilDate(year: year, month: month, day: day).dayNumber
    guard var row = ActivitySummaries.Row(summary) else { return }
    row.recordedEnergyUnit = "kcal"
    do throws(StoreError) {
      // An export of the Health app that lacks the day, loaded before or later, has no say about it:
      // each format is tracked on its own. What is loaded last decides.
      let last = try store.imports().compactMap(\.exportedAt).max()
      let session = try store.beginImport(from: .healthAutoExport)
      try session.add(.activitySummaries(ActivitySummaries([row])))
      _ = try session.finish(
        file: "fixture", exported: (last ?? 0) + 1, incomplete: [.activitySummary])
    } catch {
      throw HKError(error)
    }
  }
}

extension HKElectrocardiogram {
  /// An electrocardiogram as a watch records it, with an identity.
  package static func recorded(
    _ microvolts: [Double], hertz: Double, _ classification: Classification,
    _ symptoms: SymptomsStatus, heartRate: Double?, start: Date, device: HKDevice?, uuid: UUID
  ) -> HKElectrocardiogram {
    HKElectrocardiogram(
      Content(
        classification: classification, symptoms: symptoms, heartRate: heartRate,
        frequency: hertz, voltages: microvolts),
      start: start, end: start.addingTimeInterval(Double(microvolts.count) / hertz),
      facts: .recorded(uuid, by: device))
  }
}

extension HKHeartbeatSeriesSample {
  /// A series of heartbeats at ascending dates, which starts with the first, with an identity.
  ///
  /// Before the beats at some places others were not seen.
  package static func recorded(
    _ dates: [Date], afterGaps gaps: Set<Int>, device: HKDevice?, uuid: UUID
  ) -> HKHeartbeatSeriesSample {
    let (start, end) = (dates.first ?? .distantPast, dates.last ?? .distantPast)
    return HKHeartbeatSeriesSample(
      Beats(
        offsets: dates.map { $0.timeIntervalSince(start) },
        areAfterGaps: dates.indices.map(gaps.contains)),
      start: start, end: end, facts: .recorded(uuid, by: device))
  }
}

extension HKAudiogramSample {
  /// A hearing test with an identity.
  ///
  /// - Throws: `HKError.errorInvalidArgument` for what no hearing test can have
  package static func recorded(
    _ points: [HKAudiogramSensitivityPoint], start: Date, end: Date, device: HKDevice?, uuid: UUID
  ) throws(HKError) -> HKAudiogramSample {
    try throwingInvalidArgument { () throws(ObjectError) in
      _ = try validated(sensitivityPoints: points, start: start, end: end)
    }
    return HKAudiogramSample(
      points, start: start, end: end, facts: .recorded(uuid, by: device))
  }
}

extension HKClinicalRecord {
  /// A document as a clinic sends it, with the clinic's identifier and an identity of the store.
  package static func received(
    _ resource: Data, identifier: String, _ type: HKClinicalTypeIdentifier, version: String,
    from clinic: String, at date: Date, uuid: UUID
  ) -> HKClinicalRecord {
    var row = ClinicalRecords.Row()
    (row.type, row.identifier, row.version) = (type.rawValue, identifier, version)
    row.source = Source(name: clinic)
    row.received = date.timeIntervalSinceReferenceDate
    row.resource = Array(resource)
    return row.object(uuid: uuid)
  }
}

extension ObjectFacts {
  fileprivate static func recorded(_ uuid: UUID, by device: HKDevice?) -> ObjectFacts {
    ObjectFacts(uuid: uuid, sourceRevision: HealthHost.revision, device: device, metadata: nil)
  }
}

extension HKCategorySample {
  /// A sample with an identity.
  ///
  /// - Throws: ``ObjectError`` for what no sample of the type can have
  package static func recorded(
    _ type: HKCategoryType, _ value: Int, start: Date, end: Date, device: HKDevice?, uuid: UUID
  ) throws(ObjectError) -> HKCategorySample {
    _ = try validated(type: type, value: value, start: start, end: end)
    return HKCategorySample(
      type, value, start: start, end: end, facts: .recorded(uuid, by: device))
  }

  /// The raw value of a constant of a type, such as `HKCategoryValueSleepAnalysisAsleepCore`; `nil`
  /// for one of another type.
  package static func value(of constant: String, _ type: HKCategoryType) -> Int? {
    let type = Catalogue.categoryTypes.first { $0.identifier.rawValue == type.identifier }
    return Catalogue.enumerationCases.first {
      $0.enumeration == type?.enumeration && $0.constant == constant
    }?.rawValue
  }
}

extension HKQuantitySample {
  /// The unit in which the quantity was given.
  package var recordedUnit: HKUnit { unit }
}
