import Foundation
import NIOCore
import NIOPosix

@testable import DayTotals

/// A client that sends bytes as they are, and takes all that comes until the server closes.
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

  /// Sends texts, a moment apart, and gives what came back when the server has closed.
  func send(_ texts: [String]) async throws -> Answer {
    let bytes = try await channel.executeThenClose { inbound, outbound in
      for text in texts {
        // A server that has closed already takes no more.
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

  /// Asks for a target as any client does.
  static func get(_ target: String, from port: Int) async throws -> Answer {
    try await send(["GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"], to: port)
  }
}

/// What a server sent.
struct Answer {
  let text: String

  /// The number of the status line; `nil` when nothing came.
  var status: Int? { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
  var head: String { parts.first ?? "" }
  var body: String { parts.last ?? "" }
  private var parts: [String] { text.components(separatedBy: "\r\n\r\n") }

  /// The body as a list of days.
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
