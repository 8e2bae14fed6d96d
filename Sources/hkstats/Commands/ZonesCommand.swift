import ArgumentParser
import Foundation
import HealthQuery
import HealthStore

/// `hkstats zones`: the time zones that samples name.
struct ZonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "The time zones that the samples name, one after another.",
    discussion: """
      Some samples, sleep above all, say in which zone they were taken. This is the list that \
      --timezone recorded goes by. Keep it in a file, correct the moments at which you arrived, \
      and give it to any question with --timezone-file. A moment without an offset is one of the \
      zone in its line.

      EXAMPLES:
        hkstats zones
        hkstats zones > zones.txt
        hkstats stats steps --by day --timezone-file zones.txt
      """)

  @OptionGroup var query: QueryOptions

  func run() throws {
    try query.withStore { opened in
      let zones = try ZoneOptions.recordedZones(in: opened.store)
      let output = StandardOutput()
      try output.line(zones.first.identifier)
      for change in zones.changes {
        let moment = LocalTime(change.instant, in: change.zone).isoText
        try output.line("\(moment) \(change.zone.identifier)")
      }
      try output.flush()
    }
  }
}
