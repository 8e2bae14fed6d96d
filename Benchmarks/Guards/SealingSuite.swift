import Foundation
import Harness
import HealthImport
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Samples

extension Suite {
  /// SealedPages: questions to a sealed store and an import into one, beside one in the clear.
  ///
  /// Each opens the store anew, so that pages come from the file.
  static let sealing = Suite(name: "sealing") { workplace in
    let export = try workplace.export("16MB", as: "xml")
    let keyFile = "\(workplace.folder)/key"
    let key = StoreKey.keyFile(keyFile)
    let paths = ["clear", "sealed"].map { "\(workplace.folder)/\($0).sqlite" }
    for path in paths { try add(export, to: SampleStore(path: path, mode: .readWrite)) }
    try SampleStore.encrypt(path: paths[1], passphrase: "correct horse", keyFile: keyFile)
    let empty = "\(workplace.folder)/empty.sqlite"
    try SampleStore.encrypt(path: empty, passphrase: "correct horse", keyFile: keyFile)

    func answer(_ path: String, _ plan: StatisticsPlan) throws -> StatisticsColumns {
      try SampleStore(path: path, mode: .readOnly, key: path == paths[0] ? nil : key)
        .statistics(plan).intervals
    }
    let questions = [CalendarInterval.Alignment.day, .month].map { interval in
      var plan = StatisticsPlan(type: SampleType(.stepCount), timeZone: .gmt)
      plan.interval = CalendarInterval(interval)
      return (interval, plan)
    }
    var problems: [Problem] = []
    for (interval, plan) in questions {
      let counts = try paths.map { try answer($0, plan).counts }
      guard counts[0] == counts[1], !counts[0].isEmpty else {
        throw ProblemError("The sealed store has another answer.")
      }
      problems.append(
        Problem(
          floor: Way("in the clear") { keep(try answer(paths[0], plan)) },
          ways: [
            Way("steps by \(interval), sealed, beside in the clear") {
              keep(try answer(paths[1], plan))
            }
          ]))
    }
    func opened(_ original: String?) throws -> SampleStore {
      let path = workplace.vacant()
      if let original { try FileManager.default.copyItem(atPath: original, toPath: path) }
      return try SampleStore(path: path, mode: .readWrite, key: original == nil ? nil : key)
    }
    var store = try opened(nil)
    problems.append(
      Problem(
        floor: Way("in the clear", prepare: { store = try opened(nil) }) {
          try add(export, to: store)
        },
        ways: [
          Way(
            "an import of xml, sealed, beside in the clear",
            prepare: { store = try opened(empty) },
            work: { try add(export, to: store) })
        ]))
    return problems
  }

  private static func add(_ export: String, to store: SampleStore) throws {
    var reader = try ImportReader(path: export)
    let session = try store.beginImport()
    while let batch = try reader.next() { try session.add(batch) }
    _ = try session.finish()
  }
}
