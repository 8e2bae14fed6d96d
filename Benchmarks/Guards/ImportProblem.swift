import Floors
import HealthImport
import HealthStore
import Samples

/// An export to import, and what to compare that with.
struct ImportProblem {
  private let text: String
  private let archive: String

  /// The problem, after the reader, the store and expat have found the same number of records.
  static func checked(in workplace: Workplace) throws -> Self {
    let problem = ImportProblem(
      text: try workplace.export("8MB", as: "xml"), archive: try workplace.export("8MB", as: "zip"))
    let expected = problem.countByExpat()
    guard expected > 0 else { throw ProblemError("\(problem.text) has no records.") }
    let counts = [
      try problem.countByReader(archive: false), try problem.countByReader(archive: true),
      try problem.countByStore(),
    ]
    guard counts.allSatisfy({ $0 == expected }) else {
      throw ProblemError("expat counts \(expected) records, others \(counts).")
    }
    return problem
  }

  func countByExpat() -> Int { floor_count_records(text) }

  func countByReader(archive: Bool) throws -> Int {
    var reader = try ImportReader(path: archive ? self.archive : text)
    while try reader.next() != nil {}
    return reader.summary.read - reader.summary.nestedRecords
  }

  /// Everything into a store that is gone afterwards.
  func countByStore() throws -> Int {
    var reader = try ImportReader(path: text)
    let session = try SampleStore.temporary().beginImport()
    while let batch = try reader.next() { try session.add(batch) }
    let report = try session.finish()
    let stored = report.types.values.reduce(0) {
      $0 + $1.new + $1.known + $1.duplicates + $1.repeating
    }
    return stored + reader.summary.skipped.values.reduce(0, +) - reader.summary.nestedRecords
  }
}
