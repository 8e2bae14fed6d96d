import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server of day totals on this machine, over HTTP/1.1.
///
/// The server listens on 127.0.0.1 only. Any local account can connect; there is no
/// authentication. Each connection carries one request.
public final class DayServer: Sendable {
  /// The port, which the system chooses for 0.
  public let port: Int
  /// The address that it listens on.
  public let address: String

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let work: Work
  private let connections: Connections

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free
  ///   - limits: the limits on requests and connections
  ///   - log: gets a line for each reply, without query and result
  ///   - answer: replies to a target, on a background thread
  /// - Returns: the listening server
  /// - Throws: an error of the socket, such as a port that is in use
  public static func start(
    port: Int = 0, limits: ServerLimits = ServerLimits(),
    log: @escaping @Sendable (String) -> Void = { _ in },
    answer: @escaping @Sendable (String) -> Reply
  ) async throws -> DayServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let work = Work(limits: limits, log: log, answer: answer)
    let connections = Connections(most: limits.connections)
    do {
      let channel = try await ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 64)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            guard connections.add(channel) else { throw ChannelError.eof }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ByteLimit(limits.requestBytes))
            try pipeline.configureHTTPServerPipeline(
              withPipeliningAssistance: false, withErrorHandling: false)
            try pipeline.addHandler(Connection(work))
          }
        }
        .bind(host: "127.0.0.1", port: port).get()
      return DayServer(channel, group, work, connections)
    } catch {
      try? await work.pool.shutdownGracefully()
      try? await group.shutdownGracefully()
      throw error
    }
  }

  private init(
    _ channel: any Channel, _ group: MultiThreadedEventLoopGroup, _ work: Work,
    _ connections: Connections
  ) {
    (self.channel, self.group, self.work, self.connections) = (channel, group, work, connections)
    port = channel.localAddress?.port ?? 0
    address = channel.localAddress?.ipAddress ?? ""
  }

  /// Stops listening, answers the complete requests, and closes the other connections.
  ///
  /// Returns when all connections are closed; the limits bound how long an answer takes.
  public func stop() async throws {
    try? await channel.close()
    await connections.finish()
    try await work.pool.shutdownGracefully()
    try await group.shutdownGracefully()
  }
}

/// The open connections of a server.
final class Connections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    var isEnding = false
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int) { self.most = most }

  /// Adds a connection; `false` at the limit, and while the server stops.
  func add(_ channel: any Channel) -> Bool {
    let key = ObjectIdentifier(channel)
    let isIn = state.withLock { state in
      guard !state.isEnding, state.open.count < most else { return false }
      state.open[key] = channel
      return true
    }
    if isIn {
      channel.closeFuture.whenComplete { [self] _ in
        _ = state.withLock { $0.open.removeValue(forKey: key) }
      }
    }
    return isIn
  }

  /// Tells all connections to close, and waits until they have.
  func finish() async {
    let channels = state.withLock { state in
      state.isEnding = true
      return Array(state.open.values)
    }
    for channel in channels {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
    for channel in channels { try? await channel.closeFuture.get() }
  }
}

/// The state that all connections share, and the threads that read the store.
final class Work: Sendable {
  let limits: ServerLimits
  let log: @Sendable (String) -> Void
  let pool = NIOThreadPool(numberOfThreads: 2)
  private let answer: @Sendable (String) -> Reply
  private let begun = Mutex(0)

  init(
    limits: ServerLimits, log: @escaping @Sendable (String) -> Void,
    answer: @escaping @Sendable (String) -> Reply
  ) {
    (self.limits, self.log, self.answer) = (limits, log, answer)
    pool.start()
  }

  /// Answers a target on a background thread; `nil` at the limit of requests.
  func begin(_ target: String, on loop: any EventLoop) -> EventLoopFuture<Reply>? {
    let isFree = begun.withLock { begun in
      guard begun < limits.answers else { return false }
      begun += 1
      return true
    }
    guard isFree else { return nil }
    return pool.runIfActive(eventLoop: loop) { [answer, self] in
      defer { begun.withLock { $0 -= 1 } }
      return answer(target)
    }
  }
}
