import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The limits on requests and connections.
public struct ServerLimits: Sendable {
  /// The most bytes of a request: request line, headers and body.
  public var requestBytes = 16_384
  /// How long a client may take to send its request.
  public var request = TimeAmount.seconds(10)
  /// How long an answer may take.
  public var answer = TimeAmount.seconds(10)
  /// How long a client may take to read the answer and close.
  public var close = TimeAmount.seconds(5)
  /// The most open connections.
  public var connections = 64
  /// The most requests that are queued or being answered.
  public var answers = 16

  /// The limits that suit one person's machine.
  public init() {}
}

/// Counts the bytes of a connection, and stops forwarding them at the limit of a request.
final class ByteLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Tells the later handlers of the pipeline that the request is too long.
  struct Exceeded {}

  private var rest: Int

  init(_ most: Int) { rest = most }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard rest >= 0 else { return }
    rest -= unwrapInboundIn(data).readableBytes
    if rest >= 0 {
      context.fireChannelRead(data)
    } else {
      context.fireUserInboundEventTriggered(Exceeded())
    }
  }
}

/// One connection: reads one request, replies and closes.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case reading(HTTPRequestHead?)
    case answering
    case closing
  }

  private let work: Work
  private var state = State.reading(nil)
  private var route = "?"
  private let began = NIODeadline.now()
  private var timer: Scheduled<Void>?

  init(_ work: Work) { self.work = work }

  func channelActive(context: ChannelHandlerContext) {
    wait(work.limits.request, context) {
      self.reply(Reply(Refusal(.requestTimeout, "The request took too long.")), context)
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    state = .closing
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .reading(let head) = state else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      state = .reading(head)
      if head.headers.contains(name: "expect") { take(head, context) }
    // A request needs no body; one within the limit is ignored.
    case .body: break
    case .end: if let head { take(head, context) }
    }
  }

  private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let path = head.uri.prefix { $0 != "?" }
    route = "\(head.method == .GET ? "GET" : "other") \(path == "/days" ? path : "other")"
    if let refusal = refusal(of: head) { return reply(Reply(refusal), context) }
    guard let reply = work.begin(head.uri, on: context.eventLoop) else {
      let busy = Refusal(.serviceUnavailable, "Too many requests at a time; try again later.")
      return self.reply(Reply(busy), context)
    }
    state = .answering
    wait(work.limits.answer, context) {
      self.reply(Reply(Refusal(.serviceUnavailable, "The answer took too long.")), context)
    }
    reply.assumeIsolated().whenSuccess { self.reply($0, context) }
  }

  private func refusal(of head: HTTPRequestHead) -> Refusal? {
    guard head.method == .GET else { return Refusal(.methodNotAllowed, "The only method is GET.") }
    // DNS rebinding: a web page whose host name resolves to this machine sends that name.
    let hosts = head.headers["host"]
    guard hosts.count == 1, let name = hosts.first?.split(separator: ":").first,
      ["127.0.0.1", "localhost"].contains(name)
    else { return Refusal(.misdirectedRequest, "The host must be 127.0.0.1 or localhost.") }
    return nil
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ByteLimit.Exceeded:
      guard case .reading = state else { return }
      let most = work.limits.requestBytes
      reply(Reply(Refusal(.payloadTooLarge, "A request has at most \(most) bytes.")), context)
    case is ChannelShouldQuiesceEvent:
      // A complete request is still answered; an incomplete one is not.
      if case .reading = state { context.close(promise: nil) }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard case .reading = state, error is HTTPParserError else {
      return context.close(promise: nil)
    }
    reply(Reply(Refusal(.badRequest, "The request cannot be read.")), context)
  }

  /// Sends the reply, and closes when the client closes or at the time limit.
  private func reply(_ reply: Reply, _ context: ChannelHandlerContext) {
    if case .closing = state { return }
    state = .closing
    let milliseconds = (NIODeadline.now() - began).nanoseconds / 1_000_000
    // The log has neither the query nor the result.
    work.log("\(route) \(reply.status.code) \(milliseconds) ms")
    var headers = HTTPHeaders([
      ("Content-Type", "application/json; charset=utf-8"),
      ("Content-Length", "\(reply.body.count)"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
    ])
    if reply.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET") }
    let head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: reply.body)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      context.close(mode: .output, promise: nil)
    }
    wait(work.limits.close, context) { context.close(promise: nil) }
  }

  private func wait(
    _ time: TimeAmount, _ context: ChannelHandlerContext, then body: @escaping () -> Void
  ) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time, body)
  }
}
