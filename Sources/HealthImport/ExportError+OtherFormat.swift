extension ExportError {
  /// Files that people take for exports, recognised by their first bytes or the names inside.
  public enum OtherFormat: Sendable, Hashable, CaseIterable {
    case clinicalDocument
    case database
    case fit
    case gpx
    case healthAutoExportTable
    case json
    case pdf
    case picture
    case spreadsheet
    case takeout
    case tcx
    case webPage
    case xml
  }

  /// The error with the format of the file, where that is recognised.
  func naming(_ probe: FileProbe) -> ExportError {
    guard [.notAnExport, .noExportInside].contains(reason) else { return self }
    if let format = OtherFormat(probe) { return ExportError(.otherFormat(format), path: path) }
    guard case .file(let file) = probe.contents, !probe.head.contains(0),
      let names = SimpleHealthExportReader.columnNames(of: file)
    else { return self }
    if names[0].lowercased().hasPrefix("date"), names[1].hasSuffix(")") {
      return ExportError(.otherFormat(.healthAutoExportTable), path: path)
    }
    let missing = SimpleHealthExportReader.missingColumns(
      among: names, type: TextFile.open(file).healthType)
    return missing.isEmpty ? self : ExportError(.missingColumns(missing), path: path)
  }
}

extension ExportError.OtherFormat {
  /// What it is, and what to do.
  var explanation: String {
    switch self {
    case .clinicalDocument:
      "a clinical document (CDA), which repeats a part of the export that it came with; import the "
        + "whole zip or folder"
    case .database: "a database without the tables of Health Connect"
    case .fit:
      "a FIT file of another program; hkstats reads what that program wrote to Apple Health"
    case .gpx: "a GPX track; import the whole zip or folder that it came with"
    case .healthAutoExportTable: "a csv of Health Auto Export; export json there"
    case .json: "JSON without the data of Health Auto Export"
    case .pdf: "a PDF"
    case .picture: "a picture"
    case .spreadsheet: "a spreadsheet; save it as csv and import that"
    case .takeout: "an archive of Google Takeout; import a backup of Health Connect instead"
    case .tcx:
      "a TCX file of another program; hkstats reads what that program wrote to Apple Health"
    case .webPage: "a web page"
    case .xml: "XML without HealthData"
    }
  }

  /// The format of a file or an archive; `nil` if it is not recognised.
  init?(_ probe: FileProbe) {
    let names = probe.names
    if case .archive = probe.contents {
      if names.contains("xl/workbook.xml") {
        self = .spreadsheet
      } else if names.contains(where: { $0.hasPrefix("takeout/") }) {
        self = .takeout
      } else {
        return nil
      }
      return
    }
    let head = probe.head
    if let known = Self.magic.first(where: { head.dropFirst($0.place).starts(with: $0.bytes) }) {
      self = known.format
      return
    }
    switch probe.firstCharacter {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
    case .less:
      let text = String(decoding: head, as: UTF8.self).lowercased()
      self = Self.roots.first { text.contains($0.opening) }?.format ?? .xml
    default: return nil
    }
  }

  /// First bytes from a place on.
  private static let magic: [(place: Int, bytes: [UInt8], format: Self)] = [
    (0, Array("%PDF-".utf8), .pdf), (0, Array("SQLite format 3\0".utf8), .database),
    (8, Array(".FIT".utf8), .fit), (0, [0xFF, 0xD8, 0xFF], .picture),
    (0, [0x89, 0x50, 0x4E, 0x47], .picture), (0, Array("GIF8".utf8), .picture),
    (4, Array("ftyphei".utf8), .picture),
  ]

  /// Start tags in lower case.
  private static let roots: [(opening: String, format: Self)] = [
    ("<clinicaldocument", .clinicalDocument), ("<gpx", .gpx), ("<trainingcenterdatabase", .tcx),
    ("<html", .webPage), ("<!doctype html", .webPage),
  ]
}

extension SimpleHealthExportReader {
  /// The names in the first line of a table, at least two; `nil` if the file is no table.
  fileprivate static func columnNames(of file: File) -> [String]? {
    var text = SeparatedText(source: StoredBytes(file: file))
    guard let names = try? text.next(), names.count > 1 else { return nil }
    let next = try? text.next()
    return next == nil || next?.count == names.count ? names : nil
  }
}
