import Foundation
import NIOCore
import NIOPosix

@testable import DayTotals

extension DayServer {
  /// Runs a body, and then stops the server.
  func serve(_ body: () async throws -> Void) async throws {
    do { try await body() } catch {
      try await stop()
      throw error
    }
    try await stop()
  }
}

/// A client that sends raw bytes, and reads until the server closes.
final class Client: Sendable {
  private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private init(_ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>) { self.channel = channel }

  static func connect(to port: Int) async throws -> Client {
    Client(
      try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: "127.0.0.1", port: port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel(wrappingChannelSynchronously: channel)
          }
        })
  }

  /// Sends texts 20 ms apart, and returns the bytes that the server sends until it closes.
  func send(_ texts: [String]) async throws -> Answer {
    let bytes = try await channel.executeThenClose { inbound, outbound in
      for text in texts {
        // Writing fails when the server has closed.
        do { try await outbound.write(ByteBuffer(string: text)) } catch { break }
        try await Task.sleep(for: .milliseconds(20))
      }
      var bytes = Data()
      do {
        for try await part in inbound { bytes.append(contentsOf: part.readableBytesView) }
      } catch let error as IOError where error.errnoCode == ECONNRESET {}
      return bytes
    }
    return Answer(text: String(decoding: bytes, as: UTF8.self))
  }

  static func send(_ texts: [String], to port: Int) async throws -> Answer {
    try await connect(to: port).send(texts)
  }

  /// Sends a GET request for a target.
  static func get(_ target: String, from port: Int) async throws -> Answer {
    try await send(["GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"], to: port)
  }
}

/// The response of a server.
struct Answer {
  let text: String

  /// The number of the status line; `nil` of an empty response.
  var status: Int? { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
  var head: String { parts.first ?? "" }
  var body: String { parts.last ?? "" }
  private var parts: [String] { text.components(separatedBy: "\r\n\r\n") }

  /// The body, decoded as a list of days.
  func days() throws -> Days { try JSONDecoder().decode(Days.self, from: Data(body.utf8)) }
  /// The words of a refusal.
  var refusal: String? {
    try? JSONDecoder().decode([String: String].self, from: Data(body.utf8))["error"]
  }

  struct Days: Decodable {
    struct Day: Decodable {
      let day: String
      let total: Double?
    }
    let type: String
    let unit: String
    let timeZone: String
    let days: [Day]
  }
}
