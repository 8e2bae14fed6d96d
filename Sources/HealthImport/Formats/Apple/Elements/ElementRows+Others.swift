import HealthSamples

extension ElementRows {
  mutating func addCorrelation(_ node: ElementNode) {
    guard let facts = node.facts else { return skip(.correlation, node.objectionToDates) }
    guard let type = node.text("type") else { return skip(.correlation, .missingType) }
    var row = Correlations.Row()
    row.facts = facts
    row.type = type
    row.members = node.records
    if admit(.correlation, bytes: row.members.count * 128) { correlations.rows.append(row) }
  }

  mutating func addActivitySummary(_ node: ElementNode) {
    guard let day = node.text("dateComponents").flatMap(Self.day) else {
      return skip(.activitySummary, node.objectionToDates)
    }
    var row = ActivitySummaries.Row()
    row.day = day
    row.recordedEnergyUnit = node.text("activeEnergyBurnedUnit") ?? ""
    let conversion = conversions.conversion(
      from: row.recordedEnergyUnit, type: HKQuantityTypeIdentifier.activeEnergyBurned.rawValue)
    row.activeEnergy = node.number("activeEnergyBurned").flatMap { conversion($0) }
    row.activeEnergyGoal = node.number("activeEnergyBurnedGoal").flatMap { conversion($0) }
    // The first betas of iOS 14 wrote minutes where all other versions write time.
    row.moveMinutes = node.number("appleMoveTime") ?? node.number("appleMoveMinutes")
    row.moveMinutesGoal = node.number("appleMoveTimeGoal") ?? node.number("appleMoveMinutesGoal")
    row.exerciseMinutes = node.number("appleExerciseTime")
    row.exerciseMinutesGoal = node.number("appleExerciseTimeGoal")
    row.standHours = node.number("appleStandHours")
    row.standHoursGoal = node.number("appleStandHoursGoal")
    if admit(.activitySummary, bytes: 0) { activitySummaries.rows.append(row) }
  }

  /// The day number of a date such as `2020-11-20`.
  private static func day(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    return CivilDate(existing: year, month, day)?.dayNumber
  }

  mutating func addAudiogram(_ node: ElementNode) {
    guard let facts = node.facts else { return skip(.audiogram, node.objectionToDates) }
    var row = Audiograms.Row()
    row.facts = facts
    row.type = node.text("type") ?? ""
    row.points = node.all("SensitivityPoint").compactMap { child in
      guard let written = child.number("frequencyValue") else { return nil }
      // Apple writes Hz; kHz is also accepted.
      let frequency = child.text("frequencyUnit") == "kHz" ? written * 1000 : written
      guard frequency.isFinite else { return nil }
      func ear(_ side: String) -> Audiograms.Ear {
        var ear = Audiograms.Ear()
        ear.sensitivity = child.number(side + "EarValue")
        ear.isMasked = child.truth(side + "EarMasked")
        ear.clampingLowerBound = child.number(side + "EarClampingRangeLowerBound")
        ear.clampingUpperBound = child.number(side + "EarClampingRangeUpperBound")
        return ear
      }
      var point = Audiograms.Point()
      point.frequency = frequency
      point.left = ear("left")
      point.right = ear("right")
      return point
    }
    if admit(.audiogram, bytes: row.points.count * 96) { audiograms.rows.append(row) }
  }

  mutating func addVisionPrescription(_ node: ElementNode) {
    guard let issued = node.date("dateIssued") else {
      return skip(.visionPrescription, node.objectionToDates)
    }
    func eye(_ name: String) -> [VisionPrescriptions.Parameter] {
      guard let eye = node.all(name).first else { return [] }
      return ElementGrammar.lensParameters.compactMap { parameter in
        eye.number(parameter).map {
          .init(name: parameter, value: $0, unit: eye.text(parameter + "Unit") ?? "")
        }
      }
    }
    var row = VisionPrescriptions.Row()
    row.type = node.text("type") ?? ""
    row.issued = issued
    row.expires = node.date("expirationDate")
    row.brand = node.text("brand") ?? ""
    row.rightEye = eye("RightEye")
    row.leftEye = eye("LeftEye")
    row.attachments = node.all("Attachment").compactMap { $0.text("identifier") }
    row.metadata = node.metadata
    if admit(.visionPrescription, bytes: 1024) { visionPrescriptions.rows.append(row) }
  }

  mutating func addClinicalRecord(_ node: ElementNode) {
    guard let received = node.date("receivedDate") else {
      return skip(.clinicalRecord, node.objectionToDates)
    }
    var row = ClinicalRecords.Row()
    row.type = node.text("type") ?? ""
    row.identifier = node.text("identifier") ?? ""
    row.source = Source(name: node.text("sourceName") ?? "")
    row.sourceURL = node.text("sourceURL") ?? ""
    row.version = node.text("fhirVersion") ?? ""
    row.received = received
    row.path = node.text("resourceFilePath") ?? ""
    if admit(.clinicalRecord, bytes: 0) { clinicalRecords.rows.append(row) }
  }
}
