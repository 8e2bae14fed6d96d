public import Foundation
import _HealthTestSupport

/// The first inputs of a check: small files of every shape, and what was found to matter.
public enum FuzzSeeds {
  /// The inputs that are made, which can be broken.
  public static func made(for subject: FuzzSubject) throws -> [Breakable] {
    switch subject {
    case .xml: try MadeExport.all().flatMap(texts).map { Breakable("xml", $0) }
    case .zip: try archives()
    case .gpx: try sideFiles(".gpx")
    case .ecg: try sideFiles(".csv")
    case .json: [Breakable("json", Array(OtherFormats.healthAutoExport.utf8))]
    case .csv: OtherFormats.tables.map { Breakable("csv", Array($0.utf8)) }
    case .connect: [Breakable("db", try OtherFormats.healthConnect())]
    case .units: try units().map { Breakable("txt", Array($0.utf8)) }
    }
  }

  /// Where the inputs are that the fuzzer found, a text for each subject.
  public static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  /// The inputs that the fuzzer found: a line of base 64 for each.
  public static func found(for subject: FuzzSubject) throws -> [[UInt8]] {
    let text = try String(
      contentsOf: corpus.appendingPathComponent("\(subject).txt"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      guard let data = Data(base64Encoded: String(line)) else {
        throw CocoaError(.fileReadCorruptFile)
      }
      return Array(data)
    }
  }

  // MARK: Apple's exports

  private static let longest = 6000

  /// Texts of three elements each, of which every one has a name and shape of its own.
  private static func texts(of export: MadeExport) -> [[UInt8]] {
    let text = MainText(export.main)
    return stride(from: 0, to: text.elements.count, by: 3).map { first in
      text.root + text.elements[first...].prefix(3).flatMap { $0.prefix(longest) } + MainText.end
    }
  }

  private static func archives() throws -> [Breakable] {
    var archives = try MadeExport.all().flatMap { export in
      let entries = entries(of: export)
      return [(8, false, false), (8, true, false), (0, false, true)].map {
        (method, hasDescriptor, isLong) in
        Breakable(
          entries.map { entry in
            var entry = entry
            entry.method = method
            entry.hasDescriptor = hasDescriptor
            entry.isLong = isLong
            return entry
          })
      }
    }
    archives.append(
      Breakable(
        OtherFormats.tables.enumerated().map { ZipWriter.Entry("\($0.offset).csv", $0.element) }))
    archives.append(
      Breakable([
        ZipWriter.Entry("health_connect_export.db", bytes: try OtherFormats.healthConnect())
      ]))
    return archives
  }

  /// A main text of short elements and the starts of some other files.
  private static func entries(of export: MadeExport) -> [ZipWriter.Entry] {
    let text = MainText(export.main)
    let short = text.elements.filter { $0.count < 1500 }.suffix(12)
    let main = text.documentType + text.root + short.flatMap(\.self) + MainText.end
    let others = export.files.dropFirst().filter { !$0.path.hasSuffix(".xml") }
    let starts = others.prefix(4).map { path, content in
      ZipWriter.Entry(
        path,
        bytes: path.hasSuffix(".gpx")
          ? content.prefix(1500) + Array("</trkseg></trk></gpx>".utf8)
          : Array(content.prefix(800)))
    }
    return [ZipWriter.Entry(export.files.first?.path ?? "", bytes: main)] + starts
  }

  private static func sideFiles(_ suffix: String) throws -> [Breakable] {
    try MadeExport.all().flatMap(\.files).filter { $0.path.hasSuffix(suffix) }
      .map { Breakable(String(suffix.dropFirst()), Array($0.content.prefix(3000))) }
  }

  // MARK: Units

  /// The published units of both dialects.
  private static func units() throws -> [String] {
    let texts =
      try References.table("units/hk_parse_valid.tsv").compactMap { $0["unit"] }
      + References.table("units/conformance.tsv").flatMap { row in
        ["from", "to", "ucum_from", "ucum_to"].compactMap { row[$0] }
      }
      + UnitXML.elements(
        of: String(
          decoding: References.contents("ucum/UcumFunctionalTests.xml"), as: UTF8.self)
      ).compactMap { $0.attributes["unit"] }
    return Set(texts + ["mL/min·kg", "mmol<180.1558800000541>/L", "10*3/uL", "kg{wet}.m2/s"])
      .filter { !$0.isEmpty }.sorted()
  }
}

/// The text of an export, taken apart at its top level.
private struct MainText {
  let documentType: [UInt8]
  /// The start tag of the root.
  let root: [UInt8]
  /// The first element of each name and shape, with its line end.
  var elements: [[UInt8]] = []

  static let end = Array("</HealthData>\n".utf8)

  init(_ text: [UInt8]) {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let first = lines.firstIndex { $0.starts(with: "<HealthData".utf8) } ?? 0
    documentType = Array(lines[..<first].joined(separator: [10])) + [10]
    root = Array(lines[first]) + [10]
    var known: Set<String> = []
    var element: [UInt8] = []
    for line in lines[(first + 1)...] where !line.starts(with: Self.end.dropLast()) {
      element += Array(line) + [10]
      let isOuter = line.first == UInt8(ascii: " ") && line.dropFirst().first == UInt8(ascii: "<")
      guard isOuter, line.suffix(2).elementsEqual("/>".utf8) || line.starts(with: " </".utf8) else {
        continue
      }
      if known.insert(Self.shape(of: element)).inserted { elements.append(element) }
      element = []
    }
  }

  // A regex literal within a function is parsed at each call.
  private nonisolated(unsafe) static let type = /(?:type|workoutActivityType)="[^"]*"/

  /// The names of all tags, each once, and the type.
  private static func shape(of element: [UInt8]) -> String {
    var names: [Substring] = []
    let text = String(decoding: element, as: UTF8.self)
    for tag in text.split(separator: "<") {
      let name = tag.prefix { $0 != " " && $0 != ">" && $0 != "/" }
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    let type = text.firstMatch(of: type)?.output
    return names.joined(separator: " ") + (type ?? "")
  }
}
