import ArgumentParser
import HealthExchange

/// Answers the messages of an assistant: the Model Context Protocol over JSON-RPC 2.0.
///
/// It keeps nothing between messages. A request that names its revision of the protocol in its own
/// `_meta`, as since 2026-07-28, is answered in that form; any other in the form of the revisions
/// that begin with `initialize`.
struct AssistantServer {
  let tools: AssistantTools

  /// Revisions in which each request names the revision.
  static let statelessRevisions = ["2026-07-28"]
  /// Revisions that begin with `initialize`, the newest first.
  static let handshakeRevisions = ["2025-11-25", "2025-06-18"]

  /// Questions have four levels, in a message of four.
  fileprivate static let deepest = 64

  /// The codes of JSON-RPC, and that of the protocol for a revision that is not supported.
  enum Code: Int {
    case notJSON = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case unsupportedRevision = -32022
  }

  /// Why a message has no result.
  fileprivate struct Refusal: Error {
    let code: Code
    let message: String
    var data: JSON?

    init(_ code: Code, _ message: String, data: JSON? = nil) {
      (self.code, self.message, self.data) = (code, message, data)
    }
  }

  /// Members of `_meta` that the protocol reserves.
  private enum Reserved {
    static let revision = "io.modelcontextprotocol/protocolVersion"
    static let capabilities = "io.modelcontextprotocol/clientCapabilities"
    static let server = "io.modelcontextprotocol/serverInfo"
  }

  /// The answer to a line; `nil` where a message has none.
  func answer(to line: MessageLines.Line) -> JSON? {
    guard case .message(let bytes) = line else {
      return Self.refused(
        Refusal(
          .invalidRequest, "A message has at most \(MessageLines.longest) bytes; it was skipped."
        ))
    }
    guard bytes.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
    do throws(JSONReader.Problem) {
      return answer(
        to: try JSONReader.value(of: bytes, deepest: Self.deepest, refusesRepeated: true), of: bytes
      )
    } catch {
      return Self.refused(Refusal(error))
    }
  }

  private func answer(to message: JSONValue, of bytes: [UInt8]) -> JSON? {
    guard let members = message.members else {
      return Self.refused(Refusal(.invalidRequest, "A message is one object; batches have none."))
    }
    // What a client answers to requests, of which this server sends none.
    if members["method"] == nil, members["result"] != nil || members["error"] != nil { return nil }
    let id = members["id"].flatMap { Self.written(id: $0, in: bytes) }
    guard members["id"] == nil || id != nil else {
      return Self.refused(Refusal(.invalidRequest, "The id of a request is a text or a number."))
    }
    guard members["jsonrpc"]?.text == "2.0", let method = members["method"]?.text else {
      return Self.refused(
        Refusal(.invalidRequest, "A request has jsonrpc \"2.0\", an id and a method."), id: id)
    }
    // A notification, such as notifications/initialized or notifications/cancelled, has no answer.
    guard let id else { return nil }
    do throws(Refusal) {
      return .object([
        .init("jsonrpc", .string("2.0")), .init("id", .written(id)),
        .init("result", .object(try result(of: method, members["params"], in: bytes))),
      ])
    } catch {
      return Self.refused(error, id: id)
    }
  }

  /// An id as it was written; `nil` for what is none.
  private static func written(id: JSONValue, in bytes: [UInt8]) -> String? {
    switch id.content {
    case .text, .number: String(decoding: bytes[id.range], as: UTF8.self)
    case .null, .truth, .list, .object: nil
    }
  }

  private static func refused(_ refusal: Refusal, id: String? = nil) -> JSON {
    .object([
      .init("jsonrpc", .string("2.0")), .init("id", id.map(JSON.written) ?? .null),
      .init(
        "error",
        .object(
          [
            .init("code", .integer(refusal.code.rawValue)),
            .init("message", .string(refusal.message)),
          ] + (refusal.data.map { [.init("data", $0)] } ?? []))),
    ])
  }

  // MARK: - Methods

  private func result(
    of method: String, _ parameters: JSONValue?, in bytes: [UInt8]
  ) throws(Refusal) -> [JSON.Member] {
    let isGiven = parameters.map { !$0.isNull } ?? false
    guard let members = isGiven ? parameters?.members : [:] else {
      throw Refusal(.invalidParameters, "params is an object.")
    }
    if method == "initialize" { return try initialization(members) }
    let isStateless = try isStateless(members)
    func whole(_ members: [JSON.Member], isCacheable: Bool = false) -> [JSON.Member] {
      guard isStateless else { return members }
      let lifetime: [JSON.Member] =
        isCacheable
        ? [.init("ttlMs", .integer(3_600_000)), .init("cacheScope", .string("private"))] : []
      return members + lifetime + [
        .init("resultType", .string("complete")),
        .init("_meta", .object([.init(Reserved.server, Self.program)])),
      ]
    }
    switch method {
    case "ping": return whole([])
    case "server/discover":
      guard isStateless else {
        throw Refusal(.invalidParameters, "params lacks _meta with \(Reserved.revision).")
      }
      return whole(
        [
          .init("supportedVersions", .array(Self.statelessRevisions.map(JSON.string))),
          .init("capabilities", Self.capabilities),
          .init("instructions", .string(tools.instructions)),
        ], isCacheable: true)
    case "tools/list":
      if let cursor = members["cursor"], !cursor.isNull {
        throw Refusal(.invalidParameters, "There is no such cursor: the list has one page.")
      }
      return whole([.init("tools", .array(tools.list))], isCacheable: true)
    case "tools/call": return whole(try call(members, in: bytes))
    default:
      throw Refusal(.unknownMethod, "There is no method \"\(method.printable.truncated(to: 80))\".")
    }
  }

  private static let capabilities = JSON.object([.init("tools", .object([]))])

  private static let program = JSON.object([
    .init("name", .string("hkstats")), .init("title", .string("Health statistics")),
    .init("version", .string(Program.configuration.version)),
  ])

  private func initialization(_ members: [String: JSONValue]) throws(Refusal) -> [JSON.Member] {
    guard let asked = members["protocolVersion"]?.text else {
      throw Refusal(.invalidParameters, "initialize lacks protocolVersion.")
    }
    let known = Self.handshakeRevisions
    return [
      .init("protocolVersion", .string(known.contains(asked) ? asked : known[0])),
      .init("capabilities", Self.capabilities), .init("serverInfo", Self.program),
      .init("instructions", .string(tools.instructions)),
    ]
  }

  /// Whether a request names its revision itself; throws where it is not one of those.
  private func isStateless(_ members: [String: JSONValue]) throws(Refusal) -> Bool {
    guard let own = members["_meta"]?.members, let revision = own[Reserved.revision] else {
      return false
    }
    guard let revision = revision.text else {
      throw Refusal(.invalidParameters, "\(Reserved.revision) is a text.")
    }
    guard Self.statelessRevisions.contains(revision) else {
      throw Refusal(
        .unsupportedRevision, "This revision of the protocol is not supported.",
        data: .object([
          .init(
            "supported",
            .array((Self.statelessRevisions + Self.handshakeRevisions).map(JSON.string))),
          .init("requested", .string(revision)),
        ]))
    }
    guard own[Reserved.capabilities]?.members != nil else {
      throw Refusal(.invalidParameters, "_meta lacks \(Reserved.capabilities).")
    }
    return true
  }

  private func call(
    _ members: [String: JSONValue], in bytes: [UInt8]
  ) throws(Refusal) -> [JSON.Member] {
    guard let name = members["name"]?.text else {
      throw Refusal(.invalidParameters, "tools/call lacks the name of a tool.")
    }
    guard let tool = tools.tool(named: name) else {
      throw Refusal(
        .invalidParameters,
        "There is no tool \"\(name.printable.truncated(to: 80))\". \(tools.names)")
    }
    let given = members["arguments"].flatMap { $0.isNull ? nil : $0 }
    guard let values = given == nil ? [:] : given?.members else {
      throw Refusal(.invalidParameters, "arguments is an object.")
    }
    let text = given.map { Array(bytes[$0.range]) } ?? Array("{}".utf8)
    let arguments = ToolArguments(members: values, text: text, message: bytes)
    let (texts, isError) = tools.call(tool, arguments)
    let structure = isError ? nil : texts.first.map { Self.structure($0, of: tool) }
    return [
      .init(
        "content",
        .array(
          texts.map { .object([.init("type", .string("text")), .init("text", .string($0))]) })),
      .init("isError", .bool(isError)),
    ] + (structure.map { [.init("structuredContent", $0)] } ?? [])
  }

  /// The document of an answer as an object, which the protocol wants; a message is one line.
  private static func structure(_ text: String, of tool: AssistantTools.Tool) -> JSON {
    // Strings of json have no line feeds: only the space between its parts has.
    let document = JSON.written(text.replacing("\n", with: ""))
    guard text.hasPrefix("[") else { return document }
    return .object([.init(tool == .samples ? "samples" : "documents", document)])
  }
}

extension AssistantServer.Refusal {
  fileprivate init(_ problem: JSONReader.Problem) {
    switch problem {
    case .notUTF8: self.init(.notJSON, "The message is not UTF-8.")
    case .notJSON(let byte): self.init(.notJSON, "The message is not JSON, from byte \(byte) on.")
    case .tooDeep:
      self.init(
        .notJSON, "The message is nested deeper than \(AssistantServer.deepest) levels.")
    case .repeatedMember:
      self.init(.invalidRequest, "An object of the message has a member twice.")
    }
  }
}
