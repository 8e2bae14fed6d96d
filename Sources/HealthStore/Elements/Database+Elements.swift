import Foundation
import GRDB
import HealthSamples

/// An element in the store, and the format of the first file that contained it.
struct StoredElementName {
  let id: Int64
  /// `nil` for one that an app saved.
  let format: ImportFormat?
  /// Whether the newest export contained it, or its file.
  let isNewest: Bool
}

extension Database {
  /// The elements of a kind by key.
  func elementKeys(of kind: ElementKind) throws -> [ElementKey: [StoredElementName]] {
    var keys: [ElementKey: [StoredElementName]] = [:]
    let sources = try sources()
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT id, name, source, start, end, format, lastSeen IS NULL OR fileLastSeen IS NULL
        FROM elements WHERE kind = ? ORDER BY id
        """, arguments: [kind.storedText])
    while let row = try rows.next() {
      let format = try ImportFormat.ofElement(row.decode(atIndex: 5))
      keys[try ElementKey(row, among: sources), default: []].append(
        StoredElementName(
          id: try row.decode(atIndex: 0), format: format, isNewest: try row.decode(atIndex: 6)))
    }
    return keys
  }

  /// The elements of a kind that the owner deleted: the rows by key.
  func deletedElements(of kind: ElementKind) throws -> [ElementKey: [Int64]] {
    var keys: [ElementKey: [Int64]] = [:]
    let sources = try sources()
    let rows = try Row.fetchAll(
      self,
      sql: "SELECT id, name, source, start, end FROM deletedElements WHERE kind = ?",
      arguments: [kind.storedText])
    for row in rows {
      keys[try ElementKey(row, among: sources), default: []].append(try row.decode(atIndex: 0))
    }
    return keys
  }

  /// Deletes an element for its owner, whatever its kind; returns whether there is one.
  ///
  /// No import brings it back.
  func deleteElement(withSerial serial: Int64, revision: Revision) throws -> Bool {
    let row = try Row.fetchOne(
      self, sql: "SELECT id, name, source, start, end, kind, format FROM elements WHERE id = ?",
      arguments: [serial])
    guard let row else { return false }
    guard let kind = ElementKind(storedText: try row.decode(atIndex: 5)) else { throw Corruption() }
    var subject = kind.subject
    if try ImportFormat.ofElement(row.decode(atIndex: 6)) == nil {
      // No import can bring it back.
      subject.source = try row.decode(atIndex: 2)
    } else {
      try execute(
        sql: """
          INSERT INTO deletedElements (kind, name, source, start, end)
          SELECT kind, name, source, start, end FROM elements WHERE id = ?
          """, arguments: [serial])
    }
    try deleteElement(serial, subject, ElementKey(row, among: sources()), revision: revision)
    return true
  }

  /// The stored version of an element, given the date of the newest export.
  func element(_ id: Int64, newest: Double) throws -> ElementVersion {
    let row = try Row.fetchOne(
      cachedStatement(
        sql: "SELECT content, copies, lastSeen, fileLastSeen FROM elements WHERE id = ?"),
      arguments: [id])
    guard let row else { throw Corruption() }
    let content = ValueOwner.element(id).released([UInt8](try row.decode(Data.self, atIndex: 0)))
    return ElementVersion(
      content: content, copies: try row.decode(atIndex: 1),
      lastSeen: try row.decode(Double?.self, atIndex: 2) ?? newest,
      fileLastSeen: try row.decode(Double?.self, atIndex: 3) ?? newest)
  }

  func insertElement(
    _ kind: ElementKind, _ key: ElementKey, source: Int64?, _ element: ElementVersion,
    format: ImportFormat, newest: Double, revision: Revision
  ) throws {
    let id = revision.takeSerials(1)
    revision.add(1, from: id, to: kind.subject, in: key.span)
    try insertElement(
      id, kind, key, source: source, element.content, copies: element.copies,
      format: format.rawValue, dates: element.dates(whenNewest: newest))
  }

  /// Inserts an element that an app saved.
  func insertSavedElement(
    _ id: Int64, _ kind: ElementKind, _ key: ElementKey, source: Int64, _ content: [UInt8],
    revision: Revision
  ) throws {
    let subject = Revision.Subject(kind: kind.storedText, source: source)
    revision.add(1, from: id, to: subject, in: key.span)
    try insertElement(
      id, kind, key, source: source, content, copies: 1, format: ImportFormat.nameWithoutFile,
      dates: [nil, nil])
  }

  private func insertElement(
    _ id: Int64, _ kind: ElementKind, _ key: ElementKey, source: Int64?, _ content: [UInt8],
    copies: Int, format: String, dates: [Double?]
  ) throws {
    try cachedStatement(
      sql: """
        INSERT INTO elements
          (id, kind, name, source, start, end, copies, format, content, lastSeen, fileLastSeen,
            version)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, random())
        """
    ).execute(arguments: [
      id, kind.storedText, key.name, source, key.start, key.end, copies, format,
      Data(ValueOwner.element(id).bound(content)), dates[0], dates[1],
    ])
  }

  /// The kind and the stored bytes of an element; `nil` if there is none.
  func elementContent(
    withSerial serial: Int64
  ) throws -> (kind: ElementKind, content: [UInt8])? {
    let row = try Row.fetchOne(
      cachedStatement(sql: "SELECT kind, content FROM elements WHERE id = ?"),
      arguments: [serial])
    guard let row else { return nil }
    guard let kind = ElementKind(storedText: try row.decode(atIndex: 0)) else { throw Corruption() }
    let content = ValueOwner.element(serial).released(
      [UInt8](try row.decode(Data.self, atIndex: 1)))
    return (kind, content)
  }

  func updateElement(_ id: Int64, _ element: ElementVersion, newest: Double) throws {
    let dates = element.dates(whenNewest: newest)
    try cachedStatement(
      sql: """
        UPDATE elements
        SET content = ?, copies = ?, lastSeen = ?, fileLastSeen = ?, version = random()
        WHERE id = ?
        """
    ).execute(arguments: [
      Data(ValueOwner.element(id).bound(element.content)), element.copies, dates[0], dates[1], id,
    ])
  }

  /// Records that the newest export contained an element and its file.
  func dateElement(_ id: Int64, newest: Double) throws {
    try cachedStatement(
      sql: """
        UPDATE elements
        SET lastSeen = coalesce(lastSeen, ?), fileLastSeen = coalesce(fileLastSeen, ?),
          version = random()
        WHERE id = ?
        """
    ).execute(arguments: [newest, newest, id])
  }

  /// The next row id of a table, as SQLite would assign it.
  func nextID(in table: String) throws -> Int64 {
    let last = try Int64.fetchOne(cachedStatement(sql: "SELECT max(id) FROM \(table)")) ?? 0
    guard last >= 0, last < .max else { throw Corruption() }
    return last + 1
  }

  func deleteElement(
    _ id: Int64, _ subject: Revision.Subject, _ key: ElementKey, revision: Revision
  ) throws {
    revision.delete(id, from: subject, in: key.span)
    try cachedStatement(sql: "DELETE FROM elements WHERE id = ?").execute(arguments: [id])
  }
}

extension ImportFormat {
  /// What stands for a format where an app saved an element.
  static let nameWithoutFile = "saved"

  /// The format of the first file that contained an element; `nil` for one that an app saved.
  static func ofElement(_ text: String) throws(Corruption) -> ImportFormat? {
    if text == nameWithoutFile { return nil }
    guard let format = ImportFormat(rawValue: text) else { throw Corruption() }
    return format
  }
}

extension ElementKind {
  /// The stored name of the kind; it never changes.
  var storedText: String {
    switch self {
    case .workout: "w"
    case .route: "r"
    case .correlation: "c"
    case .activitySummary: "s"
    case .beatList: "b"
    case .electrocardiogram: "e"
    case .audiogram: "a"
    case .visionPrescription: "v"
    case .clinicalRecord: "d"
    case .characteristics: "m"
    case .savedObject: "o"
    }
  }

  /// The kind with a stored name.
  init?(storedText text: String) {
    guard let kind = Self.allCases.first(where: { $0.storedText == text }) else { return nil }
    self = kind
  }
}

extension ElementKind {
  /// The elements of the kind in the change log.
  var subject: Revision.Subject { Revision.Subject(kind: storedText) }
}

extension ElementKey {
  /// The time of the element.
  var span: ClosedRange<Double> { start...max(start, end) }

  /// A key from the columns name, source, start and end, which follow the id of the element.
  init(_ row: Row, among sources: [Int64: Source]) throws {
    let source = try row.decode(Int64?.self, atIndex: 2)
    self.init(
      name: try row.decode(atIndex: 1), source: source.flatMap { sources[$0] },
      start: try row.decode(atIndex: 3), end: try row.decode(atIndex: 4))
  }
}

extension Database {
  /// Checks that every element is readable and matches its row, and that the format table is valid.
  func verifiedElements(_ found: inout StoreVerification) throws -> StoreVerification.Count {
    let sources = try sources()
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT id, name, source, start, end, kind, copies, format, content FROM elements
        """)
    var count = StoreVerification.Count()
    while let row = try rows.next() {
      count.checked += 1
      let kind = ElementKind(storedText: try row.decode(atIndex: 5))
      do {
        let content = try ValueOwner.element(row.decode(atIndex: 0)).released(
          [UInt8](row.decode(Data.self, atIndex: 8)))
        _ = try ImportFormat.ofElement(row.decode(atIndex: 7))
        guard let kind, try row.decode(Int.self, atIndex: 6) > 0,
          try kind.columns.keyStored(in: content) == ElementKey(row, among: sources)
        else { throw Corruption() }
      } catch is Corruption {
        count.damaged += 1
        if let kind { found.damagedElements[kind, default: 0] += 1 }
      }
    }
    let formats = try String.fetchAll(
      self,
      sql: """
        SELECT format FROM \(isFormatOne ? "imports" : "files") UNION SELECT format FROM exports
        """)
    for format in formats where ImportFormat(rawValue: format) == nil { count.damaged += 1 }
    return count
  }
}

extension StoredElement {
  /// The key computed from the bytes of a row.
  fileprivate static func keyStored(in bytes: [UInt8]) throws(Corruption) -> ElementKey {
    key(of: try decode(bytes))
  }
}
