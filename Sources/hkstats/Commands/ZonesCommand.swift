import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthStore

/// `hkstats zones`: the time zones of samples, and the default zone of queries.
struct ZonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "The time zones of the samples, and that of questions.",
    discussion: """
      Some samples, sleep above all, say in which zone they were taken. This is the list that \
      --timezone recorded goes by. Keep it in a file, correct the moments at which you arrived, \
      and give it to any question with --timezone-file. A moment without an offset is one of the \
      zone in its line.

      Without --timezone a question goes by the zone that is set in the store, else by the offsets \
      with which dates of Health Auto Export and Health Connect are written, else by the zone of \
      the machine.

      EXAMPLES:
        hkstats zones
        hkstats zones set Europe/Paris
        hkstats zones reset
        hkstats zones > zones.txt
        hkstats stats steps --by day --timezone-file zones.txt
      """,
    subcommands: [List.self, Set.self, Reset.self],
    defaultSubcommand: List.self)
}

extension ZonesCommand {
  /// `hkstats zones`: lists them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The zones that the samples name, one after another, after the one that is set.",
      usage: "hkstats zones [<options>]")

    @OptionGroup var query: QueryOptions
    @OptionGroup var form: FormatOptions<ListFormat>

    func run() throws {
      try query.ask { opened in
        let setting = try opened.store.defaultZone()
        // The default zone is shown if no sample has a zone.
        let isEmpty = try setting != nil && opened.store.recordedZones().zoneTable.isEmpty
        return (
          setting, try opened.store.assumedZones(),
          isEmpty ? nil : try ZoneOptions.recordedZones(in: opened.store)
        )
      } show: { (setting: String?, assumed: ZoneTimeline, recorded: ZoneTimeline?) in
        if form.format == .table {
          try write(setting: setting, assumed, recorded)
        } else {
          try form.write(answerView(setting: setting, assumed, recorded))
        }
      }
    }

    /// Writes the text that `--timezone-file` reads.
    private func write(
      setting: String?, _ assumed: ZoneTimeline, _ recorded: ZoneTimeline?
    ) throws {
      let output = TextOutput(.standardOutput)
      let isOfMachine = assumed == ZoneTimeline(.current)
      try output.line(
        setting.map { "# Questions go by \($0), as it is set in the store." }
          ?? "# Questions go by "
          + (isOfMachine
            ? "\(assumed.identifier), the zone of this machine"
            : "these, with which dates are written") + "; hkstats zones set ZONE sets another.")
      if let recorded {
        try output.line(recorded.first.name)
        for change in recorded.changes {
          let time = LocalTime(change.instant, in: change.zone).isoText
          try output.line("\(time) \(change.zone.name)")
        }
      }
      try output.flush()
    }

    private func answerView(
      setting: String?, _ assumed: ZoneTimeline, _ recorded: ZoneTimeline?
    ) -> AnswerView {
      let changes = recorded?.changes ?? []
      let names = (recorded.map { [$0.first.name] } ?? []) + changes.map(\.zone.name)
      let rows = AnswerRows(Array(names.enumerated()))
      return AnswerView(
        AnswerTable(
          "zones", list: "zones", count: rows.count, zones: recorded ?? ZoneTimeline(.gmt),
          head: [
            .init("timezone", .string(setting ?? assumed.identifier)),
            .init("isSet", .bool(setting != nil)),
          ],
          [
            rows.instant("from", about: "null of the first") {
              $0.offset == 0 ? nil : changes[$0.offset - 1].instant
            },
            rows.word("zone", \.element),
          ]))
    }
  }

  /// `hkstats zones set ZONE`: sets the default zone.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the zone whose days questions mean where they name none.",
      discussion: """
        EXAMPLES:
          hkstats zones set Europe/Paris
        """)

    @Argument(help: "The zone, such as Europe/Paris.", completion: .zones)
    var zone: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func run() throws {
      let name = try TimeZone.named(zone).name
      try storeOptions.openForChanging().setDefaultZone(name)
      try form.write(
        saying: ["Questions go by \(name) from now on."],
        [.init("timezone", .string(name)), .init("isSet", .bool(true))])
    }
  }

  /// `hkstats zones reset`: removes the default zone.
  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget the zone that is set.",
      discussion: """
        EXAMPLES:
          hkstats zones reset
        """)

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func run() throws {
      let store = try storeOptions.openForChanging()
      try store.setDefaultZone(nil)
      let zones = try store.assumedZones().identifier
      try form.write(
        saying: ["No zone is set any more: questions go by \(zones)."],
        [.init("timezone", .string(zones)), .init("isSet", .bool(false))])
    }
  }
}
