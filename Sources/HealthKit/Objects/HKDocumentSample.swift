internal import FoundationXML

/// A document; each kind has its own class.
open class HKDocumentSample: HKSample, @unchecked Sendable {
  /// The type.
  open var documentType: HKDocumentType {
    // Samples of this class are made with no other type.
    (sampleType as? HKDocumentType) ?? HKDocumentType(.CDA)
  }
}

/// A document in the format CDA.
open class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
  private let contents: HKCDADocument?

  init(_ document: HKCDADocument?, start: Date, end: Date, facts: ObjectFacts) {
    contents = document
    super.init(type: HKDocumentType(.CDA), start: start, end: end, facts: facts)
  }

  /// Makes a sample of an XML document; the dates count where the document states none.
  ///
  /// The document is not checked against the schema of HL7: its root must be a `ClinicalDocument`.
  ///
  /// - Throws: `HKError.errorInvalidArgument` for data that are no such document. Traps for an end
  ///   before the start.
  public convenience init(
    data documentData: Data, start startDate: Date, end endDate: Date, metadata: [String: Any]?
  ) throws {
    raising { () throws(ObjectError) in
      try Self.check(
        type: HKDocumentType(.CDA), start: startDate, end: endDate, metadata: metadata)
    }
    let document = try throwingInvalidArgument { () throws(ObjectError) in
      try HKCDADocument(parsing: documentData)
    }
    let effective = document.effectiveDate
    self.init(
      document, start: effective ?? startDate, end: effective ?? endDate,
      facts: ObjectFacts(metadata: metadata))
  }

  /// Makes a sample of an XML document.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps or throws
  public static func validated(
    data: Data, start: Date, end: Date, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKCDADocumentSample {
    try check(type: HKDocumentType(.CDA), start: start, end: end, metadata: metadata)
    let document = try HKCDADocument(parsing: data)
    let effective = document.effectiveDate
    return HKCDADocumentSample(
      document, start: effective ?? start, end: effective ?? end,
      facts: ObjectFacts(metadata: metadata))
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    if let data = coder.decodeBytes("document") {
      guard let document = try? HKCDADocument(parsing: data) else { return nil }
      contents = document
    } else {
      contents = nil
    }
    super.init(coder: coder)
  }

  /// Writes the document.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(contents?.documentData as NSData?, forKey: "document")
  }

  /// The document; `nil` where a query left it out.
  open var document: HKCDADocument? { contents }

  /// The same sample without the text of its document.
  var withoutData: HKCDADocumentSample {
    HKCDADocumentSample(
      contents.map(HKCDADocument.init(withoutDataOf:)), start: startDate, end: endDate,
      facts: facts)
  }
}

/// An XML document in the format CDA, release 2.
open class HKCDADocument: NSObject, @unchecked Sendable {
  private let data: Data?
  private let texts: [CDAReader.Field: String]
  /// The date that the document states.
  let effectiveDate: Date?

  init(parsing data: Data) throws(ObjectError) {
    let reader = CDAReader()
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    guard parser.parse(), reader.isCompleteDocument else { throw ObjectError(.invalidDocument) }
    self.data = data
    texts = reader.texts
    effectiveDate = reader.effectiveDate
  }

  init(withoutDataOf other: HKCDADocument) {
    data = nil
    (texts, effectiveDate) = (other.texts, other.effectiveDate)
  }

  /// The document as it was given; `nil` where a query left it out.
  open var documentData: Data? { data }
  /// The title.
  open var title: String { texts[.title] ?? "" }
  /// The name of the person whom it is about.
  open var patientName: String { texts[.patient] ?? "" }
  /// The name of who wrote it.
  open var authorName: String { texts[.author] ?? "" }
  /// The name of the organisation that keeps it.
  open var custodianName: String { texts[.custodian] ?? "" }
}

/// Reads title, names and date of a document.
private final class CDAReader: NSObject, XMLParserDelegate {
  enum Field: CaseIterable {
    case title, patient, author, custodian

    /// The elements from the root on.
    var path: [String] {
      switch self {
      case .title: ["ClinicalDocument", "title"]
      case .patient: ["ClinicalDocument", "recordTarget", "patientRole", "patient", "name"]
      case .author: ["ClinicalDocument", "author", "assignedAuthor", "assignedPerson", "name"]
      case .custodian:
        [
          "ClinicalDocument", "custodian", "assignedCustodian",
          "representedCustodianOrganization", "name",
        ]
      }
    }
  }

  /// The fields whose element has ended: of several names the first counts.
  private(set) var texts: [Field: String] = [:]
  private(set) var effectiveDate: Date?
  private var isDocument = false
  private var path: [String] = []
  /// The field whose element the parser is in, and its text so far.
  private var current: (field: Field, text: String)?

  /// Whether the root is that of a document, and has ended: the parser does not report a missing end.
  var isCompleteDocument: Bool { isDocument && path.isEmpty }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if path.isEmpty { isDocument = Self.local(name) == "ClinicalDocument" }
    path.append(Self.local(name))
    if path == ["ClinicalDocument", "effectiveTime"], let value = attributes["value"] {
      effectiveDate = Self.instant(value)
    }
    // The parts of a name are elements of their own.
    current?.text += " "
    if let field = Field.allCases.first(where: { $0.path == path }), texts[field] == nil {
      current = (field, "")
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    current?.text += " "
    if let (field, text) = current, field.path == path {
      texts[field] = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      current = nil
    }
    path.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    // A text comes in several parts: around each entity, and wherever a buffer of the parser ends.
    current?.text += string
  }

  private static func local(_ name: String) -> String {
    String(name.split(separator: ":").last ?? "")
  }

  /// The instant of a text such as `20260131` or `20260131084500+0100`; UTC without a zone.
  private static func instant(_ text: String) -> Date? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let numbers = Array(digits)
    func number(_ range: Range<Int>) -> Int? {
      range.upperBound <= numbers.count ? Int(String(numbers[range])) : nil
    }
    guard let year = number(0..<4) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone(text.dropFirst(digits.count)) ?? .gmt
    return calendar.date(
      from: DateComponents(
        year: year, month: number(4..<6) ?? 1, day: number(6..<8) ?? 1,
        hour: number(8..<10) ?? 0, minute: number(10..<12) ?? 0, second: number(12..<14) ?? 0))
  }

  private static func zone(_ text: Substring) -> TimeZone? {
    // Fractions of a second come before the zone.
    guard let sign = text.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    let digits = text[text.index(after: sign)...]
    guard digits.count == 4, let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2))
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return TimeZone(secondsFromGMT: text[sign] == "-" ? -seconds : seconds)
  }
}

/// A file that belongs to an object.
///
/// The type of its contents is an identifier: Linux has no `UTType`. Two attachments are
/// equal when their identifiers are.
open class HKAttachment: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let identity: UUID
  private let file: String
  private let type: String
  private let bytes: Int
  private let created: Date
  private let entries: [String: Any]?

  init(
    identifier: UUID, name: String, contentType: String = "public.data", size: Int,
    creationDate: Date, metadata: [String: Any]?
  ) {
    identity = identifier
    type = contentType
    file = name
    bytes = size
    created = creationDate
    entries = metadata
  }

  /// Reads an attachment from an archive.
  public required init?(coder: NSCoder) {
    guard let identity = coder.decodeText("identifier").flatMap(UUID.init(uuidString:)),
      let file = coder.decodeText("name"), let bytes = coder.decodeWhole("size"),
      let created = coder.decodeDate("creationDate")
    else { return nil }
    self.identity = identity
    self.file = file
    type = coder.decodeText("contentType") ?? "public.data"
    self.bytes = bytes
    self.created = created
    entries = coder.decodeMetadata("metadata")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encodeText(identity.uuidString, "identifier")
    coder.encodeText(file, "name")
    coder.encodeText(type, "contentType")
    coder.encode(bytes, forKey: "size")
    coder.encodeDate(created, "creationDate")
    coder.encodeMetadata(entries, "metadata")
  }

  /// Attachments are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The attachment itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// What identifies the attachment.
  open var identifier: UUID { identity }
  /// The name of the file.
  open var name: String { file }
  /// The identifier of the type of the contents, such as `public.jpeg`.
  open var contentTypeIdentifier: String { type }
  /// Bytes.
  open var size: Int { bytes }
  /// When it was made.
  open var creationDate: Date { created }
  /// More facts.
  open var metadata: [String: Any]? { entries }

  /// Whether the object has the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKAttachment)?.identity == identity
  }

  /// Hashes the identifier.
  open override var hash: Int { identity.hashValue }
}
