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
          fhirVersion: record.fhirVersion))
    }
  }

  /// Appends a hearing test, four times a year.
  mutating func appendAudiogram(of day: DayPlan) {
    var chance = Chance(seed: day.variation, stream: 0x61, day: day.index)
    guard day.index % 90 == 6 else { return }
    let start = day.instant(18 * 3_600)
    text.append(" <Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"")
    text.append("Hörtest &amp; Co\" sourceVersion=\"3.1\"")
    text.append(created: start + 400, start: start, end: start + 360, offset: plan.offset)
    text.append(">\n")
    for frequency in [125, 250, 500, 1_000, 2_000, 4_000, 8_000] {
      text.append("  <SensitivityPoint frequencyValue=\"")
      text.append(whole: frequency)
      text.append("\" frequencyUnit=\"Hz\"")
      appendEar("left", 12 + 6 * chance.bell())
      // Now and then a test misses an ear.
      if !chance.happens(0.08) { appendEar("right", 15 + 6 * chance.bell()) }
      text.append("/>\n")
      count("SensitivityPoint")
    }
    text.append(" </Audiogram>\n")
    count("Audiogram")
  }

  private mutating func appendEar(_ ear: StaticString, _ level: Double) {
    appendAttribute(ear, "EarValue")
    text.append(sixDigits: level.rounded())
    appendAttribute(ear, "EarUnit")
    text.append("dBHL")
    if plan.version.hasAudiogramRanges {
      appendAttribute(ear, "EarClampingRangeLowerBound")
      text.append("-10")
      appendAttribute(ear, "EarClampingRangeUpperBound")
      text.append("120")
    }
    text.append("\"")
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
    guard day.index % 330 == 5 else { return }
    let issued = day.start + 40_000
    text.append(" <VisionPrescription type=\"HKVisionPrescriptionTypeGlasses\" dateIssued=\"")
    text.append(date: issued, offset: plan.offset)
    text.append("\" expirationDate=\"")
    text.append(date: issued + 2 * 365 * 86_400, offset: plan.offset)
    text.append("\" brand=\"Œil &amp; Cie\">\n")
    appendEye("RightEye", &chance)
    appendEye("LeftEye", &chance)
    text.append("  <Attachment identifier=\"")
    text.append(verbatim: UniqueName(seed: UInt64(bitPattern: Int64(issued))).text)
    text.append("\"/>\n </VisionPrescription>\n")
    count("Attachment")
    count("VisionPrescription")
  }

  private mutating func appendEye(_ name: StaticString, _ chance: inout Chance) {
    text.append("  <")
    text.append(name)
    appendMeasure("sphere", "D", (-8 + 4 * chance.bell()).rounded() / 4)
    appendMeasure("cylinder", "D", -0.75)
    appendMeasure("axis", "deg", Double(chance.whole(in: 1...180)))
    if chance.happens(0.5) { appendMeasure("add", "D", 1.25) }
    appendMeasure("vertex", "mm", 12)
    appendMeasure("farPD", "mm", 31.5)
    appendMeasure("nearPD", "mm", 30)
    text.append("/>\n")
    count(name.description)
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
