/// Device descriptions: the text of a device is the same, the address in it is a fresh one for
/// every 400 rows, as the queries of an exporting phone make them.
struct DeviceText {
  private let seed: UInt64
  /// `, name:…, software:…` by writer and version; empty without a device.
  private let endings: [[[UInt8]]]
  private var rows = 0
  private var page = -1
  private var openings: [[UInt8]] = []

  private static let rowsOfPage = 400

  init(seed: UInt64, exportVersion: ExportVersion) {
    self.seed = seed
    let date = exportVersion.hasDeviceDates ? ", creation date:2024-08-14 23:49:07 +0000" : ""
    endings = Writer.allCases.map { writer in
      writer.versions.map { version in
        writer.deviceFields(manufacturer: exportVersion.manufacturer)
          .map { [UInt8]("&gt;, \($0)\(version)\(date)&gt;\"".utf8) } ?? []
      }
    }
  }

  /// Appends the attribute, if the writer has a device.
  mutating func append(_ writer: Writer, version: Int, to text: inout TextBuffer) {
    if rows / Self.rowsOfPage != page { turnPage() }
    rows += 1
    let ending = endings[writer.rawValue][version]
    guard !ending.isEmpty else { return }
    text.append(openings[writer.rawValue])
    text.append(ending)
  }

  private mutating func turnPage() {
    page = rows / Self.rowsOfPage
    var chance = Chance(seed: seed, stream: 0x64, day: page)
    openings = Writer.allCases.map { _ in
      let address = 0x2_8000_0000 + (chance.bits() >> 36) << 4
      return [UInt8](" device=\"&lt;&lt;HKDevice: 0x\(String(address, radix: 16))".utf8)
    }
  }
}
