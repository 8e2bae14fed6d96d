extension ExportWriter where Sink: ~Copyable {
  /// Appends where the resources of a visit are.
  mutating func appendClinicalRecords(of day: DayPlan) {
    for record in plan.clinicalRecords(of: day) {
      text.append(
        verbatim: """
           <ClinicalRecord type="\(record.type)" identifier="\(record.identifier)" \
          sourceName="\(ClinicalPlan.source)" \
          sourceURL="\(ClinicalPlan.server)\(record.type)/\(record.identifier)" \
          fhirVersion="\(record.fhirVersion)" receivedDate="
          """)
      text.append(date: record.received, offset: plan.offset)
      text.append(verbatim: "\" resourceFilePath=\"\(record.path)\"/>\n")
      count("ClinicalRecord")
      truth.clinicalRecords.append(
        Truth.ClinicalRecord(
          path: record.path, type: record.type, identifier: record.identifier,
          fhirVersion: record.fhirVersion, received: record.received,
          bytes: record.resource.utf8.count))
    }
  }

  /// Appends a hearing test, four times a year.
  mutating func appendAudiogram(of day: DayPlan) {
    var chance = Chance(seed: day.variation, stream: 0x61, day: day.index)
    let start = day.instant(18 * 3_600)
    guard day.index % 90 == 6, start + 400 <= plan.exported else { return }
    text.append(" <Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"")
    text.append("Hörtest &amp; Co\" sourceVersion=\"3.1\"")
    text.append(created: start + 400, start: start, end: start + 360, offset: plan.offset)
    text.append(">\n")
    var points: [Truth.Audiogram.Point] = []
    for frequency in [125, 250, 500, 1_000, 2_000, 4_000, 8_000] {
      text.append("  <SensitivityPoint frequencyValue=\"")
      text.append(whole: frequency)
      text.append("\" frequencyUnit=\"Hz\"")
      let left = appendEar("left", 12 + 6 * chance.bell(), isMasked: false)
      // Now and then a test misses an ear.
      let right =
        chance.happens(0.08)
        ? nil : appendEar("right", 15 + 6 * chance.bell(), isMasked: frequency > 2_000)
      points.append(.init(frequency: frequency, left: left, right: right))
      text.append("/>\n")
      count("SensitivityPoint")
    }
    text.append(" </Audiogram>\n")
    count("Audiogram")
    truth.audiograms.append(Truth.Audiogram(start: start, end: start + 360, points: points))
  }

  /// Appends what was measured of an ear; in newer versions whether the other one heard noise.
  private mutating func appendEar(
    _ ear: StaticString, _ level: Double, isMasked: Bool
  ) -> Truth.Audiogram.Ear {
    var known = Truth.Audiogram.Ear(level: level.rounded())
    appendAttribute(ear, "EarValue")
    text.append(sixDigits: known.level)
    appendAttribute(ear, "EarUnit")
    text.append("dBHL")
    if plan.version.hasAudiogramRanges {
      (known.isMasked, known.lowerBound, known.upperBound) = (isMasked, -10, 120)
      appendAttribute(ear, "EarMasked")
      text.append(isMasked ? "true" : "false")
      appendAttribute(ear, "EarClampingRangeLowerBound")
      text.append("-10")
      appendAttribute(ear, "EarClampingRangeUpperBound")
      text.append("120")
    }
    text.append("\"")
    return known
  }

  /// Ends the attribute before, except the first of the ear, and begins another.
  private mutating func appendAttribute(_ ear: StaticString, _ name: StaticString) {
    text.append(name.description == "EarValue" ? " " : "\" ")
    text.append(ear)
    text.append(name)
    text.append("=\"")
  }

  /// Appends new glasses, about once a year.
  mutating func appendPrescription(of day: DayPlan) {
    var chance = Chance(seed: day.variation, stream: 0x76, day: day.index)
    let issued = day.start + 40_000
    guard day.index % 330 == 5, issued <= plan.exported else { return }
    text.append(" <VisionPrescription type=\"HKVisionPrescriptionTypeGlasses\" dateIssued=\"")
    text.append(date: issued, offset: plan.offset)
    text.append("\" expirationDate=\"")
    text.append(date: issued + 2 * 365 * 86_400, offset: plan.offset)
    text.append("\" brand=\"Œil &amp; Cie\">\n")
    let right = appendEye("RightEye", &chance)
    let left = appendEye("LeftEye", &chance)
    let attachment = UniqueName(seed: UInt64(bitPattern: Int64(issued))).text
    text.append("  <Attachment identifier=\"")
    text.append(verbatim: attachment)
    text.append("\"/>\n </VisionPrescription>\n")
    count("Attachment")
    count("VisionPrescription")
    truth.prescriptions.append(
      Truth.Prescription(
        issued: issued, expires: issued + 2 * 365 * 86_400, brand: "Œil & Cie", right: right,
        left: left, attachment: attachment))
  }

  private mutating func appendEye(
    _ name: StaticString, _ chance: inout Chance
  ) -> [String: Double] {
    var measures: [(name: StaticString, unit: StaticString, value: Double)] = [
      ("sphere", "D", (-8 + 4 * chance.bell()).rounded() / 4), ("cylinder", "D", -0.75),
      ("axis", "deg", Double(chance.whole(in: 1...180))),
    ]
    if chance.happens(0.5) { measures.append(("add", "D", 1.25)) }
    measures += [("vertex", "mm", 12), ("farPD", "mm", 31.5), ("nearPD", "mm", 30)]
    text.append("  <")
    text.append(name)
    for measure in measures { appendMeasure(measure.name, measure.unit, measure.value) }
    text.append("/>\n")
    count(name.description)
    return Dictionary(uniqueKeysWithValues: measures.map { ($0.name.description, $0.value) })
  }

  private mutating func appendMeasure(_ name: StaticString, _ unit: StaticString, _ value: Double) {
    text.append(" ")
    text.append(name)
    text.append("=\"")
    text.append(sixDigits: value)
    text.append("\" ")
    text.append(name)
    text.append("Unit=\"")
    text.append(unit)
    text.append("\"")
  }
}
