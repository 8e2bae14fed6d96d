import ArgumentParser
import DayTotals
import Dispatch
import Foundation
import HealthStore

/// Serves daily totals until SIGINT or SIGTERM.
@main
struct ServeDays: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve-days",
    abstract: "Serves daily totals of a store over HTTP, on 127.0.0.1 only.",
    discussion: """
      GET /days?type=stepCount&from=2026-10-18&to=2026-11-01&timezone=Europe/Paris

      The response is JSON. Ctrl-C and SIGTERM stop the server after the pending responses.
      """)

  @Option(help: "The port; 0 for any that is free.")
  var port = 8080

  @Option(help: "The store (default: $HKSTATS_STORE, else the store of hkstats).")
  var store = SampleStore.standardPath(ProcessInfo.processInfo.environment)

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
  }

  func run() async throws {
    let opened = try SampleStore(path: store, mode: .readOnly)
    let server = try await DayServer.start(
      port: port, log: { FileHandle.standardError.write(Data("\($0)\n".utf8)) },
      answer: { Reply.answering($0, from: opened) })
    FileHandle.standardOutput.write(
      Data("Listening on http://\(server.address):\(server.port)\n".utf8))
    await Self.signal()
    try await server.stop()
  }

  /// Waits for a signal to stop.
  private static func signal() async {
    let (signals, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGINT, SIGTERM].map { number in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
