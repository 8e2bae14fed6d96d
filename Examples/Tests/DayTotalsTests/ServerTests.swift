import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SampleExport
import Synchronization
import Testing

@testable import DayTotals

/// The lines of a log.
private final class Lines: Sendable {
  let all = Mutex<[String]>([])
}

@Suite("The server")
struct ServerTests {
  private static let question = "/days?type=stepCount&from=2026-10-18&to=2026-10-19"

  private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits()
    change(&limits)
    return limits
  }

  /// Serves the replies of `answer` while a body runs.
  private func serving(
    _ limits: ServerLimits = ServerLimits(), log: Lines = Lines(),
    answer: @escaping @Sendable (String) -> Reply = { _ in Reply(.ok, ["secret": 4711]) },
    _ body: (DayServer) async throws -> Void
  ) async throws {
    let server = try await DayServer.start(
      limits: limits, log: { line in log.all.withLock { $0.append(line) } }, answer: answer)
    try await server.serve { try await body(server) }
  }

  @Test("The server listens on the loopback address only")
  func loopback() async throws {
    try await serving { server in
      #expect(server.address == "127.0.0.1" && server.port > 0)
      #expect(try await Client.get(Self.question, from: server.port).status == 200)
      let others = try System.enumerateDevices().compactMap(\.address).filter {
        $0.protocol == .inet && $0.ipAddress?.hasPrefix("127.") == false
      }
      for address in others {
        let host = try #require(address.ipAddress)
        await #expect(throws: (any Error).self) {
          try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(2)).connect(host: host, port: server.port).get().close()
        }
      }
    }
  }

  @Test("Requests with a foreign host name, as of DNS rebinding, are refused")
  func hosts() async throws {
    try await serving { server in
      for host in ["Host: example.com\r\n", "", "Host: localhost\r\nHost: example.com\r\n"] {
        let answer = try await Client.send(
          ["GET \(Self.question) HTTP/1.1\r\n\(host)\r\n"], to: server.port)
        #expect(answer.status == 421 && !answer.text.contains("secret"))
      }
      for host in ["127.0.0.1", "127.0.0.1:\(server.port)", "localhost"] {
        let answer = try await Client.send(
          ["GET \(Self.question) HTTP/1.1\r\nHost: \(host)\r\n\r\n"], to: server.port)
        #expect(answer.status == 200)
      }
    }
  }

  @Test("A request that is too long is refused, whichever part is long")
  func size() async throws {
    try await serving(limits { $0.requestBytes = 2000 }) { server in
      let long = String(repeating: "x", count: 3000)
      for text in [
        "GET /days?type=\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /days HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n",
        "GET /days HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000\r\n\r\n\(long)",
        "GET /days HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 500) + "\r\n",
        long,
      ] {
        let answer = try await Client.send([text], to: server.port)
        #expect(answer.status == 413 || answer.status == 400)
        #expect(!answer.text.contains("secret"))
      }
      #expect(try await Client.get(Self.question, from: server.port).status == 200)
    }
  }

  @Test("Input that is not HTTP is refused")
  func garbage() async throws {
    try await serving { server in
      for text in ["\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let answer = try await Client.send([text], to: server.port)
        #expect(answer.status == 400 || answer.status == 421 || answer.status == 505)
      }
    }
  }

  @Test("A request that is incomplete at the time limit is refused, also while bytes still arrive")
  func slowClients() async throws {
    try await serving(limits { $0.request = .milliseconds(200) }) { server in
      let began = ContinuousClock.now
      let half = try await Client.send(["GET /days HTTP/1.1\r\n"], to: server.port)
      #expect(half.status == 408)
      let drops = (["GET /days HTTP/1.1\r\n"] + Array(repeating: "A: b\r\n", count: 30))
      #expect(try await Client.send(drops, to: server.port).status == 408)
      #expect(try await Client.send([], to: server.port).status == 408)
      #expect(ContinuousClock.now - began < .seconds(9))
    }
  }

  @Test("A slow answer times out, and requests over the limit are refused")
  func slowAnswers() async throws {
    let gate = DispatchSemaphore(value: 0)
    @Sendable func answer(_ target: String) -> Reply {
      gate.wait()
      return Reply(.ok, ["secret": 1])
    }
    let few = limits { limits in
      limits.answer = .milliseconds(300)
      limits.answers = 2
    }
    try await serving(few, answer: answer) { server in
      let port = server.port
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<4 { group.addTask { try await Client.get(Self.question, from: port) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 503 })
      #expect(answers.count { $0.refusal?.contains("Too many") == true } == 2)
      #expect(answers.count { $0.refusal?.contains("too long") == true } == 2)
      for _ in 0..<2 { gate.signal() }
      // Until the threads are free.
      gate.signal()
      var status: Int?
      for _ in 0..<50 where status != 200 {
        status = try await Client.get(Self.question, from: port).status
        gate.signal()
      }
      #expect(status == 200)
      for _ in 0..<8 { gate.signal() }
    }
  }

  @Test("More connections than the limit are closed at once")
  func connections() async throws {
    try await serving(limits { $0.connections = 2 }) { server in
      let held = [
        try await Client.connect(to: server.port), try await Client.connect(to: server.port),
      ]
      // The server accepts connections in their order.
      #expect(try await Client.get(Self.question, from: server.port).status == nil)
      for client in held { _ = try await client.send(["x\r\n\r\n"]) }
      var status: Int?
      for _ in 0..<100 where status != 200 {
        status = try await Client.get(Self.question, from: server.port).status
      }
      #expect(status == 200)
    }
  }

  @Test("The log has neither queries nor results")
  func log() async throws {
    let kept = Lines()
    try await serving(log: kept) { server in
      _ = try await Client.get(Self.question, from: server.port)
      _ = try await Client.get("/people/Anna", from: server.port)
      _ = try await Client.send(
        ["DELETE /days HTTP/1.1\r\nHost: localhost\r\n\r\n"], to: server.port)
      _ = try await Client.send(["nonsense\r\n\r\n"], to: server.port)
    }
    let all = kept.all.withLock { $0 }
    #expect(all.count == 4)
    for (line, start) in zip(
      all, ["GET /days 200 ", "GET other 200 ", "other /days 405 ", "? 400 "])
    {
      #expect(line.hasPrefix(start) && line.hasSuffix(" ms"), "\(line)")
    }
    #expect(!all.joined().contains("4711") && !all.joined().contains("2026"))
  }

  @Test("Stopping answers complete requests, closes idle connections, and refuses new ones")
  func stop() async throws {
    let (began, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try await DayServer.start(answer: { _ in
      began.signal()
      gate.wait()
      return Reply(.ok, ["late": 1])
    })
    let port = server.port
    let idle = try await Client.connect(to: port)
    async let asked = Client.get(Self.question, from: port)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        began.wait()
        continuation.resume()
      }
    }
    async let stopped: Void = server.stop()
    #expect(try await idle.send([]).text.isEmpty)
    await #expect(throws: (any Error).self) { try await Client.connect(to: port) }
    gate.signal()
    let answer = try await asked
    #expect(answer.status == 200 && answer.body == #"{"late":1}"#)
    try await stopped
  }

  @Test("The program serves a store, and exits with code 0 after SIGINT")
  func program() async throws {
    let folder = try TemporaryFolder()
    let process = try Program("serve-days").start(
      ["--port", "0"], environment: ["HKSTATS_STORE": SampleExport.shared.get().path],
      output: folder.path("output"))
    defer { process.terminate() }
    func output() -> String {
      (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? ""
    }
    var port: Int?
    for _ in 0..<500 where port == nil {
      try await Task.sleep(for: .milliseconds(20))
      let text = output()
      if text.hasSuffix("\n") {
        port = text.dropLast().split(separator: ":").last.flatMap { Int($0) }
      }
    }
    let found = try #require(port)
    let answer = try await Client.get(Self.question, from: found)
    #expect(answer.status == 200)
    #expect(try answer.days().days.count == 1)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(!output().contains("2026"))

    let missing = try Program("serve-days").run(["--store", folder.path("none")])
    #expect(missing.exitCode != 0)
  }
}
