import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthSignatures
import HealthStore

/// `hkstats verify`: checks the store.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Whether the store is whole, by every checksum.",
    discussion: """
      Reads everything: the pages of the database and their indexes, the digests of its tables, \
      each sample and each workout, and what the tables say of them. What is damaged is named, \
      with its type, source and days; the rest can still be asked. Nothing is changed. Of an \
      encrypted store it also counts what was saved while it was locked and waits for hkstats unlock.

      The exit code is 0 when all is whole, 65 when something is damaged, 74 when the file cannot \
      be read.

      With --signatures it checks the digital signatures of samples instead: CMS with ECDSA, P-256 \
      and SHA-256, with a copy of the sample in the form that the documentation of \
      HealthSignatures describes. Valid: one of the given keys signed the sample as it is. Changed: \
      one of them signed another one. Unproven: none of them made the signature, or it was altered. \
      Unreadable: not of that form. The exit code is 0 when all signed samples are valid, else 65.

      EXAMPLES:
        hkstats verify
        hkstats verify --store health.sqlite --format json
        hkstats verify --signatures --key scale.pem
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Check the digital signatures of samples instead.")
  var signatures = false

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "With --signatures: a PEM file with a public key or certificate that you trust. May repeat.",
      valueName: "file"),
    completion: .file())
  var keys: [String] = []

  @Flag(help: ArgumentHelp("The same as --format json.", visibility: .hidden))
  var json = false

  @OptionGroup var form: ChangeFormatOptions

  private var isJSON: Bool { json || form.format == .json }

  func validate() throws {
    guard signatures == !keys.isEmpty else {
      throw ValidationError("--signatures needs --key, and --key needs --signatures.")
    }
  }

  func run() throws {
    if signatures { return try verifySignatures() }
    let opened = try store.openForVerifying()
    let found = try opened.verification()
    let output = TextOutput(.standardOutput)
    if isJSON {
      try output.line(Self.json(found).text)
    } else {
      var table = Table(columns: [.words("part"), .numbers("checked"), .numbers("damaged")])
      for part in StoreVerification.Part.allCases {
        let count = found[part]
        table.add([
          part.rawValue, NumberText.grouped(count.checked), NumberText.grouped(count.damaged),
        ])
      }
      for line in table.lines(style: form.display.style) { try output.line(line) }
      try writeDamage(found, to: output)
      try writeWaiting(found.waitingSaves, to: output)
    }
    try output.flush()
    guard found.isWhole else {
      throw Failure(
        "\(opened.path.printable): the store is damaged. Import the exports again into a new "
          + "store; what is not named can still be asked.", .badData)
    }
  }

  private func verifySignatures() throws {
    let keys = try keys.map { path throws(Failure) in try VerificationKey(path: path) }
    let opened = try store.openForReading()
    let found = try SignatureFindings(opened, keys: keys)
    let output = TextOutput(.standardOutput)
    if isJSON {
      try output.line(found.json.text)
    } else {
      try found.write(to: output, style: form.display.style)
    }
    try output.flush()
    guard found.isValid else {
      throw Failure(
        "\(opened.path.printable): not every signed sample is valid by the given keys.", .badData)
    }
  }

  private func writeDamage(_ found: StoreVerification, to output: TextOutput) throws {
    guard !found.isWhole else { return try output.line("All of it is whole.") }
    let zones = ZoneTimeline(.current)
    for chunk in found.damagedChunks {
      let first = LocalTime(chunk.firstStart, in: zones).dateText
      let last = LocalTime(chunk.lastEnd, in: zones).dateText
      let type = chunk.type.map { TypeName.short($0.identifier) } ?? "an unknown type"
      let source = chunk.source?.description ?? "an unknown source"
      try output.line(
        "Damaged: chunk \(chunk.id), \(NumberText.grouped(chunk.count)) samples of "
          + "\(type.printable) from \(source.printable), \(first) to \(last)")
    }
    for (kind, count) in found.damagedElements.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try output.line("Damaged: \(NumberText.grouped(count)) of kind \(kind.rawValue)")
    }
  }

  private func writeWaiting(
    _ saves: StoreVerification.WaitingSaves, to output: TextOutput
  ) throws {
    if saves.count > 0 {
      let count = AmountText.count(saves.count, "save")
      try output.line("\(count) \(saves.count == 1 ? "waits" : "wait") for hkstats unlock.")
    }
    if saves.unreadableBytes > 0 {
      let count = AmountText.count(saves.unreadableBytes, "byte")
      try output.line("Of what waits for hkstats unlock \(count) cannot be read by its lengths.")
    }
    if let left = saves.left {
      try output.line("Not read, because it may be another's: \(left.printable)")
    }
    if let aside = saves.aside {
      try output.line("Saves that could not be read or made: \(aside.printable)")
    }
  }

  private static func json(_ found: StoreVerification) -> JSON {
    let zones = ZoneTimeline(.current)
    return .object([
      .init("whole", .bool(found.isWhole)),
      .init(
        "parts",
        .object(
          StoreVerification.Part.allCases.map { part in
            let count = found[part]
            return .init(
              part.rawValue,
              .object([
                .init("checked", .integer(count.checked)),
                .init("damaged", .integer(count.damaged)),
              ]))
          })),
      .init(
        "damagedChunks",
        .array(
          found.damagedChunks.map { chunk in
            .object([
              .init("chunk", .integer(Int(chunk.id))),
              .init("type", .optional(chunk.type?.identifier)),
              .init("source", .optional(chunk.source?.description)),
              .init("samples", .integer(chunk.count)),
              .init("first", .string(LocalTime(chunk.firstStart, in: zones).isoText)),
              .init("last", .string(LocalTime(chunk.lastEnd, in: zones).isoText)),
            ])
          })),
      .init(
        "damagedElements",
        .object(
          found.damagedElements.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            .init($0.key.rawValue, .integer($0.value))
          })),
      .init(
        "waitingSaves",
        .object([
          .init("count", .integer(found.waitingSaves.count)),
          .init("unreadableBytes", .integer(found.waitingSaves.unreadableBytes)),
          .init("left", .optional(found.waitingSaves.left)),
          .init("aside", .optional(found.waitingSaves.aside)),
        ])),
    ])
  }
}
