import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

private let issued = Date(timeIntervalSinceReferenceDate: 700_000_000.125)

private func diopters(_ value: Double) -> HKQuantity {
  HKQuantity(unit: .diopter(), doubleValue: value)
}

private func degrees(_ value: Double) -> HKQuantity {
  HKQuantity(unit: .degreeAngle(), doubleValue: value)
}

private func millimetres(_ value: Double) -> HKQuantity {
  HKQuantity(unit: .meterUnit(with: .milli), doubleValue: value)
}

private func prism(_ value: Double) -> HKQuantity {
  HKQuantity(unit: .prismDiopter(), doubleValue: value)
}

private func reason(_ body: () throws -> Any) -> ObjectError.Reason? {
  do {
    _ = try body()
    return nil
  } catch { return (error as? ObjectError)?.reason }
}

@Suite struct PrescriptionTests {
  private func glass(_ eye: HKVisionEye) -> HKGlassesLensSpecification {
    HKGlassesLensSpecification(
      sphere: diopters(-2.25), cylinder: diopters(-0.5), axis: degrees(180),
      addPower: diopters(1 / 3), vertexDistance: millimetres(12),
      prism: HKVisionPrism(amount: prism(1.5), angle: degrees(15), eye: eye),
      farPupillaryDistance: millimetres(32), nearPupillaryDistance: millimetres(30))
  }

  private func contact() -> HKContactsLensSpecification {
    HKContactsLensSpecification(
      sphere: diopters(-3), cylinder: nil, axis: nil, addPower: nil,
      baseCurve: millimetres(8.6), diameter: millimetres(14.2))
  }

  @Test("lenses and prescriptions are kept by archives")
  func archives() throws {
    let lens = glass(.right)
    let copy = try archived(lens)
    #expect(copy == lens && copy.hash == lens.hash)
    #expect(copy.addPower?.value.bitPattern == (1.0 / 3).bitPattern)
    #expect(copy.prism?.eye == .right && copy.vertexDistance == millimetres(12))
    #expect(lens != glass(.left))
    #expect(lens.copy() as? HKGlassesLensSpecification == lens)
    let glasses = HKGlassesPrescription(
      rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: issued,
      expirationDate: issued + 1,
      device: .local(), metadata: ["HKMetadataKeyGlassesPrescriptionDescription": "reading"])
    let read = try archivedObject(glasses)
    #expect(read == glasses && read.rightEye == lens && read.leftEye == nil)
    #expect(read.dateIssued == issued && read.expirationDate == issued + 1)
    #expect(read.prescriptionType == .glasses && read.device == .local())
    #expect(read.sampleType == HKObjectType.visionPrescriptionType())
    let contacts = HKContactsPrescription(
      rightEyeSpecification: contact(), leftEyeSpecification: contact(), brand: "Ä",
      dateIssued: issued,
      expirationDate: nil, device: nil, metadata: nil)
    let other = try archivedObject(contacts)
    #expect(other == contacts && other.brand == "Ä" && other.leftEye == contact())
    #expect(other.prescriptionType == .contacts && other.expirationDate == nil)
    #expect(contacts.copy() as? HKVisionPrescription == contacts)
    for type in [HKVisionPrescriptionType.glasses, .contacts] {
      let plain = HKVisionPrescription(
        type: type, dateIssued: issued, expirationDate: nil, device: nil, metadata: nil)
      #expect(try archivedObject(plain).prescriptionType == type)
    }
  }

  @Test("the parts of a prism make the prism again", arguments: [HKVisionEye.left, .right])
  func prisms(eye: HKVisionEye) throws {
    for angle in stride(from: 0.0, to: 360, by: 7.5) {
      let first = HKVisionPrism(amount: prism(2), angle: degrees(angle), eye: eye)
      let second = HKVisionPrism(
        verticalAmount: first.verticalAmount, verticalBase: first.verticalBase,
        horizontalAmount: first.horizontalAmount, horizontalBase: first.horizontalBase, eye: eye)
      #expect((second.amount.doubleValue(for: .prismDiopter()) - 2).magnitude < 1e-14)
      #expect((second.angle.doubleValue(for: .degreeAngle()) - angle).magnitude < 1e-12)
      let isUp = (1..<180).contains(angle)
      #expect(
        first.verticalBase
          == (angle.truncatingRemainder(dividingBy: 180) == 0
            ? .none : isUp ? .up : .down))
      #expect(try archived(first) == first)
    }
    // The base in lies on the examiner's right for a right eye.
    let inwards = HKVisionPrism(
      verticalAmount: prism(0), verticalBase: .none, horizontalAmount: prism(3),
      horizontalBase: .in, eye: eye)
    #expect(inwards.angle == degrees(eye == .right ? 0 : 180))
    let up = HKVisionPrism(
      verticalAmount: prism(3), verticalBase: .up, horizontalAmount: prism(0),
      horizontalBase: .none, eye: eye)
    #expect(up.angle == degrees(90) && up.amount == prism(3))
    #expect(up != inwards)
  }

  @Test("lenses, prisms and prescriptions that cannot be have a reason")
  func errors() {
    let bad = HKQuantity(unit: .gram(), doubleValue: 1)
    let power = ObjectError.Reason.unitOfProperty(
      objectClass: "HKLensSpecification", dimension: "Optical Power", unit: "g")
    #expect(reason { try HKGlassesLensSpecification.validated(sphere: bad) } == power)
    #expect(reason { try HKContactsLensSpecification.validated(sphere: bad) } == power)
    #expect(
      reason { try HKContactsLensSpecification.validated(sphere: diopters(1), diameter: bad) }
        == .unitOfProperty(objectClass: "HKLensSpecification", dimension: "Length", unit: "g"))
    #expect(
      reason { try HKGlassesLensSpecification.validated(sphere: diopters(1), axis: bad) }
        == .unitOfProperty(objectClass: "HKLensSpecification", dimension: "Angle", unit: "g"))
    #expect(
      reason {
        try HKVisionPrism.validated(amount: prism(-1), angle: degrees(1), eye: .left)
      } == .negativePrism)
    #expect(
      reason { try HKVisionPrism.validated(amount: bad, angle: degrees(1), eye: .left) }
        == .unitOfProperty(objectClass: "HKVisionPrism", dimension: "Prism", unit: "g"))
    #expect(
      reason {
        try HKVisionPrism.validated(
          verticalAmount: prism(1), verticalBase: .in, horizontalAmount: prism(1),
          horizontalBase: .out, eye: .left)
      } == .prismBase)
    #expect(
      reason {
        try HKGlassesPrescription.validated(
          rightEyeSpecification: nil, leftEyeSpecification: nil, dateIssued: issued,
          expirationDate: nil)
      } == .missingLens)
    #expect(
      reason {
        try HKContactsPrescription.validated(
          rightEyeSpecification: contact(), leftEyeSpecification: nil, brand: "x",
          dateIssued: issued,
          expirationDate: issued - 1)
      } == .expiresBeforeIssue)
    #expect(
      reason {
        try HKVisionPrescription.validated(
          type: .glasses, dateIssued: issued, expirationDate: issued - 1)
      } == .expiresBeforeIssue)
  }
}

@Suite struct ClinicalRecordTests {
  @Test("every clinical type has a record that archives keep")
  func records() throws {
    let types = try References.table("catalogue/other_types.tsv").compactMap {
      $0["identifier_string"]
    }.filter { $0.hasPrefix("HKClinicalTypeIdentifier") }
    #expect(types.count == 9)
    for identifier in types {
      let type = HKClinicalType(HKClinicalTypeIdentifier(rawValue: identifier))
      let resource = HKFHIRResource(
        version: .primaryR4(), type: .observation, identifier: "1",
        data: Data("{\"resourceType\":\"Observation\"}".utf8),
        sourceURL: URL(string: "https://example.com/1"))
      let record = HKClinicalRecord(
        type: type, displayName: "Ä", resource: resource, date: issued, facts: ObjectFacts())
      let copy = try archivedObject(record)
      #expect(copy == record && copy.clinicalType == type && copy.displayName == "Ä")
      #expect(copy.fhirResource == resource && copy.fhirResource?.hash == resource.hash)
      #expect(copy.fhirResource?.sourceURL == resource.sourceURL)
      #expect(record.copy() as? HKClinicalRecord == record)
    }
    let one = HKFHIRResource(
      version: .primaryR4(), type: .condition, identifier: "1", data: Data(), sourceURL: nil)
    let other = HKFHIRResource(
      version: .primaryDSTU2(), type: .condition, identifier: "1", data: Data(), sourceURL: nil)
    #expect(one != other)
    #expect(try archived(one).sourceURL == nil)
  }

  @Test("versions are three numbers")
  func versions() throws {
    let r4 = try HKFHIRVersion(fromVersionString: "4.0.1")
    #expect(r4 == .primaryR4() && r4.hash == HKFHIRVersion.primaryR4().hash)
    #expect(r4.fhirRelease == .r4)
    #expect(r4.majorVersion == 4 && r4.minorVersion == 0 && r4.patchVersion == 1)
    #expect(HKFHIRVersion.primaryDSTU2().stringRepresentation == "1.0.2")
    #expect(HKFHIRVersion.primaryDSTU2().fhirRelease == .dstu2)
    let other = try HKFHIRVersion(fromVersionString: "5.12.0")
    #expect(other.fhirRelease == .unknown && other.stringRepresentation == "5.12.0")
    #expect(try archived(other) == other)
    for text in ["", "4", "4.0", "4.0.1.0", "4..1", "a.b.c", "4.0.-1", " 4.0.1", "4.0.１"] {
      #expect(throws: HKError.self) { try HKFHIRVersion(fromVersionString: text) }
    }
  }
}

@Suite struct DocumentTests {
  private let document = """
    <?xml version="1.0" encoding="UTF-8"?>
    <ClinicalDocument xmlns="urn:hl7-org:v3">
      <title>Visit &amp; <b>plan</b></title>
      <effectiveTime value="20260131084500+0100"/>
      <recordTarget><patientRole><patient>
        <name><given>Ada</given> <family>Ä.</family></name><name>Other</name>
      </patient></patientRole></recordTarget>
      <author><assignedAuthor><assignedPerson><name>Dr. B</name></assignedPerson>
      </assignedAuthor></author>
      <custodian><assignedCustodian><representedCustodianOrganization><name>House</name>
      </representedCustodianOrganization></assignedCustodian></custodian>
      <component><section><title>Not the title</title></section></component>
    </ClinicalDocument>
    """

  @Test("a document has its title, its names and its date")
  func fields() throws {
    let data = Data(document.utf8)
    let sample = try HKCDADocumentSample(
      data: data, start: issued, end: issued, metadata: ["HKExternalUUID": "x"])
    let contents = try #require(sample.document)
    #expect(contents.documentData == data)
    #expect(contents.title == "Visit & plan")
    #expect(contents.patientName == "Ada Ä.")
    #expect(contents.authorName == "Dr. B")
    #expect(contents.custodianName == "House")
    let date = try Date("2026-01-31T07:45:00Z", strategy: .iso8601)
    #expect(sample.startDate == date && sample.endDate == date)
    #expect(sample.documentType == HKDocumentType(.CDA))
    let copy = try archivedObject(sample)
    #expect(copy == sample && copy.document?.documentData == data)
    #expect(copy.document?.title == contents.title)
    let undated = Data("<ClinicalDocument/>".utf8)
    let fallback = try HKCDADocumentSample.validated(data: undated, start: issued, end: issued + 5)
    #expect(fallback.startDate == issued && fallback.endDate == issued + 5)
    #expect(fallback.document?.title == "")
    let without = HKCDADocumentSample(nil, start: issued, end: issued, facts: ObjectFacts())
    #expect(try archivedObject(without).document == nil)
  }

  @Test("a text is the same in whatever parts the parser delivers it")
  func texts() throws {
    let word = String(repeating: "abcdefghij", count: 5000)
    let text = """
      <ClinicalDocument><title>R&amp;D
       for O&#x2019;Neill\t \(word)</title><title>Other</title></ClinicalDocument>
      """
    let sample = try HKCDADocumentSample(
      data: Data(text.utf8), start: issued, end: issued, metadata: nil)
    #expect(sample.document?.title == "R&D for O\u{2019}Neill \(word)")
  }

  @Test(
    "what is no document is refused",
    arguments: ["", "x", "<html/>", "<ClinicalDocument>", "<ClinicalDocument></x>"])
  func errors(text: String) {
    let data = Data(text.utf8)
    #expect(throws: HKError.self) {
      try HKCDADocumentSample(data: data, start: issued, end: issued, metadata: nil)
    }
    #expect(
      reason { try HKCDADocumentSample.validated(data: data, start: issued, end: issued) }
        == .invalidDocument)
    #expect(
      reason { try HKCDADocumentSample.validated(data: data, start: issued, end: issued - 1) }
        == .endBeforeStart)
  }

  @Test("an attachment is kept by an archive")
  func attachment() throws {
    let attachment = HKAttachment(
      identifier: UUID(), name: "scan.pdf", size: 1 << 40, creationDate: issued,
      metadata: ["page": 3])
    let copy = try archived(attachment)
    #expect(copy == attachment && copy.hash == attachment.hash)
    #expect(copy.name == "scan.pdf" && copy.size == 1 << 40 && copy.creationDate == issued)
    #expect(copy.metadata?["page"] as? Int == 3)
    #expect(attachment.copy() as? HKAttachment == attachment)
    let other = HKAttachment(
      identifier: UUID(), name: "scan.pdf", size: 1, creationDate: issued, metadata: nil)
    #expect(other != attachment)
  }
}

@Suite struct MedicationTests {
  private func identifier(_ text: String) -> HKHealthConceptIdentifier {
    HKHealthConceptIdentifier(domain: .medication, text: text)
  }

  @Test("a dose has a time and a quantity of the schedule exactly when it is scheduled")
  func doses() throws {
    for status in 1...6 {
      for schedule in [HKMedicationDoseEvent.ScheduleType.asNeeded, .schedule] {
        let isScheduled = schedule == .schedule
        var content = HKMedicationDoseEvent.Content(
          medication: identifier("a"), schedule: schedule,
          status: try #require(.init(rawValue: status)), unit: .count(), dose: 1.0 / 3,
          scheduledDose: isScheduled ? 2 : nil, scheduledDate: isScheduled ? issued : nil)
        let dose = HKMedicationDoseEvent(
          content, start: issued, end: issued, facts: ObjectFacts())
        let copy = try archivedObject(dose)
        #expect(copy == dose && copy.content == content)
        #expect(copy.doseQuantity?.bitPattern == (1.0 / 3).bitPattern)
        #expect(copy.scheduledDate == content.scheduledDate)
        #expect(copy.scheduledDoseQuantity == content.scheduledDose)
        #expect(copy.medicationConceptIdentifier == identifier("a"))
        #expect(copy.logStatus.rawValue == status && copy.scheduleType == schedule)
        #expect(copy.unit == .count())
        #expect(copy.medicationDoseEventType == HKObjectType.medicationDoseEventType())
        content.scheduledDate = isScheduled ? nil : issued
        let odd = HKMedicationDoseEvent(content, start: issued, end: issued, facts: ObjectFacts())
        #expect((try? archivedObject(odd)) == nil)
      }
    }
  }

  @Test("medications are kept by archives")
  func medications() throws {
    let codes: Set = [
      HKClinicalCoding(
        system: "http://www.nlm.nih.gov/research/umls/rxnorm", version: nil, code: "5640"),
      HKClinicalCoding(system: "x", version: "2", code: "1"),
    ]
    let concept = HKMedicationConcept(
      identifier: identifier("a"), displayText: "Ä", generalForm: .init(rawValue: "tablet"),
      relatedCodings: codes)
    let copy = try archived(concept)
    #expect(copy == concept && copy.hash == concept.hash)
    #expect(copy.relatedCodings == codes && copy.displayText == "Ä")
    #expect(copy.generalForm == concept.generalForm)
    #expect(copy.identifier.domain == .medication && copy.identifier != identifier("b"))
    #expect(Set(copy.relatedCodings.map(\.code)) == ["5640", "1"])
    for (nickname, flag) in [("n", true), (nil, false)] {
      let medication = HKUserAnnotatedMedication(
        medication: concept, nickname: nickname, isArchived: flag, hasSchedule: !flag)
      let read = try archived(medication)
      #expect(read == medication && read.hash == medication.hash)
      #expect(read.nickname == nickname && read.isArchived == flag && read.hasSchedule == !flag)
      #expect(read.medication.relatedCodings == codes)
      #expect(medication.copy() as? HKUserAnnotatedMedication == medication)
      #expect(
        read
          != HKUserAnnotatedMedication(
            medication: concept, nickname: nickname, isArchived: !flag, hasSchedule: !flag))
    }
  }
}

@Suite struct ObjectTrapTests {
  @Test("initializers trap with the words of the errors")
  func samples() async throws {
    let points = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let points = try (1...31).map {
        try HKAudiogramSensitivityPoint(
          frequency: HKQuantity(unit: .hertz(), doubleValue: Double($0)),
          leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 1),
          rightEarSensitivity: nil)
      }
      _ = HKAudiogramSample(
        sensitivityPoints: points, start: Trial.date(0), end: Trial.date(0), metadata: nil)
    }
    expectWords("sensitivityPoints may contain at most 30 points", points)
    let order = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let points = try [2, 1].map {
        try HKAudiogramSensitivityPoint(
          frequency: HKQuantity(unit: .hertz(), doubleValue: $0),
          leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 1),
          rightEarSensitivity: nil)
      }
      _ = HKAudiogramSample(
        sensitivityPoints: points, start: Trial.date(0), end: Trial.date(0), device: nil,
        metadata: nil)
    }
    expectWords("sensitivityPoints must have unique frequencies in ascending order", order)
    let valence = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKStateOfMind(
        date: Trial.date(0), kind: .dailyMood, valence: 1.5, labels: [], associations: [])
    }
    expectWords("valence must be between -1 and 1", valence)
    let answers = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKGAD7Assessment(date: Trial.date(0), answers: [.notAtAll])
    }
    expectWords("HKScoredAssessmentTypeIdentifierGAD7 requires 7 answers", answers)
    let question = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKPHQ9Assessment(
        date: Trial.date(0), answers: Array(repeating: .preferNotToAnswer, count: 9))
    }
    expectWords("HKPHQ9AssessmentAnswerPreferNotToAnswer is only valid for the last", question)
  }

  @Test("prescriptions and lenses trap with the words of the errors")
  func prescriptions() async throws {
    let expired = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKVisionPrescription(
        type: .glasses, dateIssued: Trial.date(0), expirationDate: Trial.date(0) - 9, device: nil,
        metadata: nil)
    }
    expectWords("expirationDate must be equal to or later than dateIssued", expired)
    let glasses = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKGlassesPrescription(
        rightEyeSpecification: nil, leftEyeSpecification: nil, dateIssued: Trial.date(0),
        expirationDate: nil, device: nil,
        metadata: nil)
    }
    expectWords("A prescription requires the lens specification of at least one eye", glasses)
    let contacts = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKContactsPrescription(
        rightEyeSpecification: nil, leftEyeSpecification: nil, brand: "", dateIssued: Trial.date(0),
        expirationDate: nil,
        device: nil, metadata: nil)
    }
    expectWords("A prescription requires the lens specification of at least one eye", contacts)
    let sphere = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKContactsLensSpecification(
        sphere: HKQuantity(unit: .gram(), doubleValue: 1), cylinder: nil, axis: nil,
        addPower: nil, baseCurve: nil, diameter: nil)
    }
    expectWords("HKLensSpecification requires unit of type Optical Power", sphere)
    let base = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let amount = HKQuantity(unit: .prismDiopter(), doubleValue: 1)
      _ = HKVisionPrism(
        verticalAmount: amount, verticalBase: .out, horizontalAmount: amount,
        horizontalBase: .up, eye: .left)
    }
    expectWords("verticalBase must be up or down", base)
    let amount = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKVisionPrism(
        amount: HKQuantity(unit: .prismDiopter(), doubleValue: -1),
        angle: HKQuantity(unit: .degreeAngle(), doubleValue: 1), eye: .left)
    }
    expectWords("The amount of a prism must be zero or more", amount)
    let document = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try HKCDADocumentSample(
        data: Data(), start: Trial.date(0), end: Trial.date(0) - 9, metadata: nil)
    }
    expectWords("startDate must be equal to or earlier than endDate", document)
  }
}
