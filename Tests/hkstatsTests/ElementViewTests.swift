import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStore
import Testing

@testable import hkstats

@Suite("Answers to questions about elements, as tables")
struct ElementViewTests {
  private let generated: GeneratedStore
  private let store: SampleStore
  private let paris: TimeZone

  init() throws {
    paris = try #require(TimeZone(identifier: "Europe/Paris"))
    generated = try GeneratedStore(seed: 3, version: "14")
    store = try SampleStore(path: generated.path, mode: .readOnly)
  }

  @Test("Every question has a table, and names find it in any style")
  func reports() throws {
    for question in ElementQuestion.allCases { try check(question) }
  }

  private func check(_ question: ElementQuestion) throws {
    #expect(ElementQuestion(named: question.rawValue.uppercased()) == question)
    #expect(ElementQuestion(named: "steps") == nil)
    let interval = CalendarInterval(.month)
    let found = try AnsweredElements(
      question, over: ElementPeriod(timeZone: ZoneTimeline(paris), interval: interval), in: store)
    let answer = found.columns
    for format in ListFormat.allCases {
      let path = generated.scratch.path("\(question).\(format)")
      let output = try TextOutput(path: path, replacing: false)
      try ElementView(found).answerView
        .write(as: format, style: .plain, to: output)
      try output.finish()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      switch format {
      case .json:
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let rows = document?[answer.rows == .intervals ? "intervals" : answer.question]
        #expect((rows as? [[String: Any]])?.count == answer.count)
      case .ndjson, .csv, .tsv:
        let lines = text.split(separator: "\n").count
        #expect(!text.prefix { $0 != "\n" }.contains(",_"))
        #expect(lines == answer.count + (format == .ndjson ? 0 : 1))
      case .table:
        let title = text.prefix { $0 != "," }.lowercased().filter(\.isLetter)
        #expect(title.hasPrefix(answer.question.lowercased()))
      }
    }
    let chart = ElementView(found).chart(width: 80, style: .plain)
    #expect(answer.count == 0 || !chart.isEmpty)
  }
}
