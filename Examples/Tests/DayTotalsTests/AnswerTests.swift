import Foundation
import HealthSamples
import HealthStore
import NIOHTTP1
import SampleExport
import Testing

@testable import DayTotals

@Suite("Answers of the server")
struct AnswerTests {
  /// Serves the sample's store while a body runs.
  private func serving(_ body: (Int) async throws -> Void) async throws {
    let store = try SampleStore(path: SampleExport.shared.get().path, mode: .readOnly)
    let server = try await DayServer.start(answer: { Reply.answering($0, from: store) })
    try await server.serve { try await body(server.port) }
  }

  @Test("Every day's total is that of the generator, also when the clocks change")
  func totals() async throws {
    let sample = try SampleExport.shared.get()
    try await serving { port in
      for (name, identifier, unit) in [
        ("stepCount", "HKQuantityTypeIdentifierStepCount", "count"),
        ("steps", "HKQuantityTypeIdentifierStepCount", "count"),
        ("flightsClimbed", "HKQuantityTypeIdentifierFlightsClimbed", "count"),
      ] {
        let answer = try await Client.get(
          "/days?type=\(name)&from=2026-10-18&to=2026-11-01&timezone=Europe/Paris", from: port)
        #expect(answer.status == 200)
        let days = try answer.days()
        #expect(days.type == identifier && days.unit == unit && days.timeZone == "Europe/Paris")
        #expect(days.days.map(\.day) == (18...31).map { "2026-10-\($0)" })
        let sums = try #require(sample.sums[identifier])
        for day in days.days {
          let (total, wanted) = (day.total ?? 0, sums[day.day]?.merged ?? 0)
          #expect(abs(total - wanted) < 1e-6 * max(1, wanted), "\(name) \(day.day)")
        }
        #expect(days.days.contains { ($0.total ?? 0) > 0 })
      }
    }
  }

  @Test("A day without samples is null, not zero")
  func empty() async throws {
    try await serving { port in
      let answer = try await Client.get(
        "/days?type=stepCount&from=2020-01-01&to=2020-01-03&timezone=Europe%2FParis", from: port)
      #expect(answer.status == 200)
      #expect(
        answer.body
          == #"{"days":[{"day":"2020-01-01","total":null},{"day":"2020-01-02","total":null}],"#
          + #""timeZone":"Europe/Paris","type":"HKQuantityTypeIdentifierStepCount","unit":"count"}"#
      )
      #expect(answer.head.contains("Content-Type: application/json"))
      #expect(answer.head.contains("Cache-Control: no-store"))
    }
  }

  @Test(
    "A refusal names the missing or wrong parameter",
    arguments: [
      ("", "type"), ("?type=", "type"), ("?type=stepCount", "from"),
      ("?type=stepCount&from=2026-10-18", "to"),
      ("?type=stepCont&from=2026-10-18&to=2026-10-19", "stepCount"),
      ("?type=heartRate&from=2026-10-18&to=2026-10-19", "adds up"),
      ("?type=sleepAnalysis&from=2026-10-18&to=2026-10-19", "adds up"),
      ("?type=stepCount&from=2026-02-30&to=2026-10-19", "from"),
      ("?type=stepCount&from=yesterday&to=2026-10-19", "from"),
      ("?type=stepCount&from=2026-10-18&to=2026-10", "to"),
      ("?type=stepCount&from=2026-10-18&to=2026-10-18", "after"),
      ("?type=stepCount&from=2026-10-19&to=2026-10-18", "after"),
      ("?type=stepCount&from=1900-01-01&to=2026-10-18", "at most"),
      ("?type=stepCount&type=steps&from=2026-10-18&to=2026-10-19", "more than once"),
      ("?type=stepCount&from=2026-10-18&to=2026-10-19&timezone=Mars", "timezone"),
      ("?type=stepCount&from=2026-10-18&to=2026-10-19&by=week", "parameter"),
    ])
  func refusals(query: String, word: String) throws {
    let error = #expect(throws: Refusal.self) { try DayQuestion(target: "/days" + query) }
    let refusal = try #require(error)
    #expect(refusal.status == .badRequest)
    #expect(refusal.words.contains(word), "\(refusal.words)")
  }

  @Test("A refusal is JSON with a status of its own")
  func statuses() async throws {
    try await serving { port in
      let bad = try await Client.get("/days?type=nothing", from: port)
      #expect(bad.status == 400 && bad.refusal?.contains("type") == true)
      let other = try await Client.get("/", from: port)
      #expect(other.status == 404 && other.refusal?.contains("/days") == true)
      let posted = try await Client.send(
        ["POST /days HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"], to: port)
      #expect(posted.status == 405 && posted.head.contains("Allow: GET"))
    }
  }

  @Test("An unreadable store is a server error, and the response has no path")
  func faults() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("store.sqlite")
    try FileManager.default.copyItem(atPath: SampleExport.shared.get().untouched, toPath: path)
    let store = try SampleStore(path: path, mode: .readOnly)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let end = try file.seekToEnd()
    let start: UInt64 = 32_768
    #expect(end > 4 * start)
    try file.seek(toOffset: start)
    try file.write(contentsOf: Data(repeating: 7, count: Int(end - start)))
    try file.close()
    let reply = Reply.answering(
      "/days?type=stepCount&from=2026-10-18&to=2026-10-19", from: store)
    #expect(reply.status == .internalServerError)
    let words = String(decoding: reply.body, as: UTF8.self)
    #expect(words.contains("hkstats verify") && !words.contains(path))
  }
}
