import Foundation
import HealthImport
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthExchange

/// The names that programs in other languages read of errors.
@Suite("Where and why of errors")
struct FailureReasonTests {
  @Test("Reasons keep their names: programs compare with them")
  func names() throws {
    let frozen = String(decoding: try References.contents("FailureReasons.txt"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    #expect(try Self.written() == frozen)
  }

  /// The cases of the reasons of each error, as they stand in the sources.
  private static func written() throws -> [String] {
    var root = References.folder
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let files = [
      "HealthExchange/Importing/ImportError", "HealthImport/ExportError", "HealthQuery/QueryError",
      "HealthStore/StoreError", "HealthStatistics/StatisticsError",
      "HealthStatistics/AnalysisError", "HealthUnits/Expressions/UnitError",
      "HealthSamples/ColumnError",
      "HealthMerge/MergeError", "HealthExchange/Output/OutputError",
    ]
    return try files.flatMap { file in
      let text = try String(
        contentsOf: root.appendingPathComponent("Sources/\(file).swift"), encoding: .utf8)
      let name = file.split(separator: "/").last ?? ""
      let lines = text.split(separator: "\n")
      let start = lines.firstIndex { $0.contains("enum Reason") }
      let indentation = lines[start ?? 0].prefix { $0 == " " }.count
      return lines.dropFirst((start ?? 0) + 1)
        .prefix { !($0.hasPrefix(String(repeating: " ", count: indentation) + "}")) }
        .compactMap { line in
          line.wholeMatch(of: #/ +case (\w+).*/#).map { "\(name).\($0.1)" }
        }
    }
  }

  @Test("An error of a question says which member it is about")
  func places() throws {
    for (error, place, reason) in [
      (
        QueryError(.unknownWord(.interval, "dya", suggestions: [], known: [])), "question.by",
        "unknownWord"
      ),
      (QueryError(.unknownType("stepps", suggestions: [])), "question.type", "unknownType"),
      (
        QueryError(.unknownSource("Anna", nil, suggestions: [])), "question.source", "unknownSource"
      ),
      (QueryError(.wrongMember("top", .count)), "question.top", "wrongMember"),
      (QueryError(.missingMember("type")), "question.type", "missingMember"),
      (QueryError(.notJSON), "question", "notJSON"),
      (
        QueryError(.analysis(AnalysisError(.parameter(name: "lags", range: "from 0")))),
        "question.lags", "parameter"
      ),
    ] {
      let facts = try #require(FailureFacts(error))
      #expect(facts.place == place && facts.reason == reason)
      #expect(facts.explanation == nil)
    }
    #expect(FailureFacts(CancellationError()) == nil)
  }
}
