import CHKStats
import Foundation
import HealthAnswers
import HealthC
import Testing

@Suite struct InterfaceTests {
  @Test("The library has the version of its header")
  func version() {
    #expect(hkstats_abi_version() == HKSTATS_ABI_VERSION)
  }

  @Test("The description has every analysis with its lists, and each parameter as a plan reads it")
  func description() throws {
    var text: UnsafeMutablePointer<CChar>?
    #expect(hkstats_describe(&text, nil) == 0)
    defer { hkstats_free(text) }
    let json = Data(String(cString: try #require(text)).utf8)
    let analyses = try #require(
      try (JSONSerialization.jsonObject(with: json) as? [String: Any])?["analyses"]
        as? [[String: Any]])
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
}
