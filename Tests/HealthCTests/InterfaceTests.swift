import CHKStats
import Foundation
import HealthAnswers
import HealthQuery
import HealthStore
import Testing

@testable import HealthC

@Suite struct InterfaceTests {
  @Test("The library has the version of its header")
  func version() {
    #expect(hkstats_abi_version() == HKSTATS_ABI_VERSION)
  }

  @Test("The description has every analysis with its lists, and each parameter as a plan reads it")
  func description() throws {
    let analyses = try #require(try Self.description()["analyses"] as? [[String: Any]])
    #expect(analyses.map { $0["name"] as? String } == AnalysisMethod.all.map { $0.name })
    for analysis in analyses {
      let name = try #require(analysis["name"] as? String)
      #expect((analysis["lists"] as? [String])?.isEmpty == false, "\(name)")
      for parameter in try #require(analysis["parameters"] as? [[String: Any]]) {
        let key = try #require(parameter["name"] as? String)
        let standard = try #require(parameter["default"])
        // A default is what the plan has without the member.
        let plan = try AnalysisPlan(
          json: JSONSerialization.data(withJSONObject: ["analysis": name, key: standard]))
        let other = try AnalysisPlan(json: Data(#"{"analysis": "\#(name)"}"#.utf8))
        #expect(plan == other, "\(name) \(key)")
        for word in parameter["words"] as? [String] ?? [] {
          #expect(throws: Never.self) {
            _ = try AnalysisPlan(
              json: JSONSerialization.data(withJSONObject: ["analysis": name, key: word]))
          }
        }
      }
    }
    #expect(hkstats_describe(nil, nil) == Int32(HKSTATS_USAGE.rawValue))
  }

  @Test("The description has every member that a question may have, and no other")
  func members() throws {
    let description = try Self.description()
    let tables = try #require(description["tables"] as? [[String: Any]])
    #expect(tables.compactMap { $0["name"] as? String } == AskedTable.allCases.map(\.rawValue))
    let functions = try #require(description["functions"] as? [[String: Any]])
    let asked = try (tables + functions).map { table in
      (
        name: try #require(table["name"] as? String),
        members: try #require(table["members"] as? [[String: Any]])
      )
    }
    let store = try SampleStore.temporary()
    func refusal(_ table: String, _ question: [String: Any]) throws -> QueryError.Reason? {
      let bytes = try JSONSerialization.data(withJSONObject: question)
      let json = String(decoding: bytes, as: UTF8.self)
      do {
        switch table {
        case "hkstats_import": _ = try ImportRequest(json: json)
        case "hkstats_merge": _ = try MergeRequest(json: json)
        default:
          switch try AskedTable(table).way {
          case .found(let ask): _ = try ask(json, store)
          case .later(let ask): _ = try ask(json, store)
          }
        }
        return nil
      } catch let error as QueryError {
        return error.reason
      } catch { return nil }
    }
    // A member of each name, with what it needs beside it.
    var samples: [String: Any] = [:]
    let needed = ["least": "top", "streaks": "above"]
    for member in asked.flatMap(\.members) {
      let name = try #require(member["name"] as? String)
      if samples[name] == nil { samples[name] = try Self.value(of: member) }
    }
    for (table, members) in asked {
      let names = members.compactMap { $0["name"] as? String }
      #expect(Set(names).count == names.count)
      #expect(members.allSatisfy { ($0["about"] as? String)?.hasSuffix(".") == true }, "\(table)")
      var least: [String: Any] = [:]
      if names.contains("type") { least["type"] = "steps" }
      for name in ["kind", "analysis"] where names.contains(name) { least[name] = samples[name] }
      for (name, value) in samples {
        var question = least
        question[name] = value
        if let other = needed[name], names.contains(other) || !names.contains(name) {
          question[other] = samples[other]
        }
        let isRefused =
          switch try refusal(table, question) {
          case .unknownWord(.member, _, _, _), .memberOfAnother: true
          case .membersExclude("analysis", _): true
          default: false
          }
        #expect(isRefused == !names.contains(name), "\(name) of \(table)")
      }
      for member in members {
        let name = try #require(member["name"] as? String)
        for word in member["words"] as? [String] ?? [] {
          var question = least
          question[name] = word
          if case .unknownWord? = try refusal(table, question) {
            Issue.record("\(name) of \(table) is not \(word)")
          }
        }
      }
    }
  }

  private static func description() throws -> [String: Any] {
    var text: UnsafeMutablePointer<CChar>?
    #expect(hkstats_describe(&text, nil) == 0)
    defer { hkstats_free(text) }
    let json = Data(String(cString: try #require(text)).utf8)
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  /// A value of the kind of a member.
  private static func value(of member: [String: Any]) throws -> Any {
    switch try #require(member["kind"] as? String) {
    case "types": "steps"
    case "text", "texts": "day"
    case "word", "words": try #require((member["words"] as? [String])?.first)
    case "date": "2026"
    case "zone": "UTC"
    case "zones": [["zone": "UTC"]]
    case "truth": true
    case "count", "number": 3
    case "numbers": [120]
    default: "5min"
    }
  }
}
