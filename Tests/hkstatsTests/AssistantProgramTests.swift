import Foundation
import HealthAnswers
import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats mcp, for assistants")
struct AssistantProgramTests {
  private let scratch: Scratch
  private let store: String

  /// What one heart rate is, between others of its hour.
  private static let planted = "97.31"
  private static let plantedTime = "10:23:07"

  init() throws {
    scratch = try Scratch()
    store = scratch.path("store.sqlite")
    let path = try scratch.file("export.xml", Self.export.data)
    let run = try ProgramRun.hkstats(["import", path, "--store", store])
    try #require(run.exitCode == 0, "\(run.errors)")
  }

  private static var export: SmallExport {
    var export = SmallExport()
    for day in 5...9 {
      export.steps(100 * day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
      export.steps(
        240, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:20:00",
        source: SmallExport.phone)
    }
    for (time, rate) in [("10:05:00", "62"), (plantedTime, planted), ("10:40:00", "140.5")] {
      export.add(
        "HKQuantityTypeIdentifierHeartRate", rate, unit: "count/min", from: "2024-03-05T\(time)",
        to: "2024-03-05T\(time)")
    }
    export.add(
      "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore", unit: nil,
      from: "2024-03-05T22:00:00", to: "2024-03-06T05:00:00")
    let time = "startDate=\"2024-03-05 11:00:00 +0100\" endDate=\"2024-03-05 12:10:00 +0100\""
    export.add(
      lines:
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" sourceName=\"Watch\" \(time)>",
      "<MetadataEntry key=\"Place\" value=\"48.8584, 2.2945\"/>",
      "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-03-05 11:30:00 +0100\"/>",
      "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceWalkingRunning\" \(time)"
        + " sum=\"9.5\" unit=\"km\"/>",
      "</Workout>")
    return export
  }

  // MARK: - Conversations

  /// One server that reads all lines, and what it answers to each.
  private func talk(
    _ lines: [String], options: [String] = [], environment: [String: String] = [:]
  ) throws -> [[String: Any]] {
    let run = try ProgramRun.hkstats(
      ["mcp", "--store", store] + options, input: lines.map { $0 + "\n" }.joined(),
      environment: environment)
    #expect(run.exitCode == 0 && run.errors == "", "\(run.errors)")
    return try run.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func talk(_ lines: String..., options: [String] = []) throws -> [[String: Any]] {
    try talk(lines, options: options)
  }

  private func call(_ tool: String, _ arguments: String = "{}") -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
      + "{\"name\":\"\(tool)\",\"arguments\":\(arguments)}}"
  }

  private static let ping = #"{"jsonrpc":"2.0","id":"ping","method":"ping"}"#

  /// The texts of an answer of a tool, and whether it is an error.
  private func texts(_ answer: [String: Any]) throws -> (texts: [String], isError: Bool) {
    let result = try #require(answer["result"] as? [String: Any], "\(answer)")
    let content = try #require(result["content"] as? [[String: Any]])
    #expect(content.allSatisfy { $0["type"] as? String == "text" })
    let texts = content.compactMap { $0["text"] as? String }
    let isError = result["isError"] as? Bool ?? false
    let structure = result["structuredContent"] as? [String: Any]
    #expect((structure == nil) == isError)
    // The first text is the same document, of several types an array.
    if let structure {
      let text = Data(try #require(texts.first).utf8)
      let document = try JSONSerialization.jsonObject(with: text)
      if let list = (structure["documents"] ?? structure["samples"]) as? [Any] {
        #expect(NSArray(array: list).isEqual(to: try #require(document as? [Any])))
      } else {
        let members = try #require(document as? [String: Any])
        #expect(NSDictionary(dictionary: structure).isEqual(to: members))
      }
    }
    return (texts, isError)
  }

  private func ask(
    _ tool: String, _ arguments: String = "{}", options: [String] = [],
    environment: [String: String] = [:]
  ) throws -> (texts: [String], isError: Bool) {
    let answers = try talk([call(tool, arguments)], options: options, environment: environment)
    return try texts(try #require(answers.first))
  }

  private func code(_ answer: [String: Any]?) -> Int? {
    (answer?["error"] as? [String: Any])?["code"] as? Int
  }

  // MARK: - The protocol

  @Test("initialize is answered with the revision that is asked for, else with the newest")
  func handshake() throws {
    for (asked, given) in [
      ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25"),
      ("2026-07-28", "2025-11-25"),
    ] {
      let answers = try talk(
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)","#
          + #""capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, Self.ping)
      try #require(answers.count == 3)
      let result = try #require(answers[0]["result"] as? [String: Any])
      #expect(result["protocolVersion"] as? String == given)
      #expect((result["serverInfo"] as? [String: Any])?["name"] as? String == "hkstats")
      #expect((result["capabilities"] as? [String: Any])?["tools"] != nil)
      let list = try #require(answers[1]["result"] as? [String: Any])
      #expect((list["tools"] as? [Any])?.count == 10 && list["resultType"] == nil)
      #expect((answers[2]["result"] as? [String: Any])?.isEmpty == true)
      #expect(answers.map { $0["jsonrpc"] as? String } == ["2.0", "2.0", "2.0"])
    }
  }

  /// A request as since 2026-07-28, which names the revision itself.
  private func stateless(
    _ method: String, _ members: String = "", revision: String = "\"2026-07-28\"",
    capabilities: String = "{}"
  ) -> String {
    let meta =
      #"{"io.modelcontextprotocol/protocolVersion":\#(revision),"#
      + #""io.modelcontextprotocol/clientCapabilities":\#(capabilities)}"#
    return #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":{\#(members)"_meta":\#(meta)}}"#
  }

  @Test("requests that name the newest revision are answered in its form, without a handshake")
  func newest() throws {
    let answers = try talk(
      stateless("server/discover"), stateless("tools/list"),
      stateless("tools/call", #""name":"types","#),
      stateless("tools/list", revision: "\"2031-01-01\""), stateless("tools/list", revision: "1"),
      stateless("tools/list", capabilities: "null"), stateless("resources/list"),
      #"{"jsonrpc":"2.0","id":7,"method":"server/discover"}"#)
    try #require(answers.count == 8)
    let results = answers.prefix(3).compactMap { $0["result"] as? [String: Any] }
    try #require(results.count == 3)
    for result in results {
      #expect(result["resultType"] as? String == "complete")
      let meta = try #require(result["_meta"] as? [String: Any])
      let server = try #require(meta["io.modelcontextprotocol/serverInfo"] as? [String: Any])
      #expect(server["name"] as? String == "hkstats")
    }
    for result in results.prefix(2) {
      #expect(result["cacheScope"] as? String == "private" && result["ttlMs"] is Int)
    }
    #expect(results[0]["supportedVersions"] as? [String] == ["2026-07-28"])
    #expect(answers.dropFirst(3).map(code) == [-32022, -32602, -32602, -32601, -32602])
    let refusal = try #require(answers[3]["error"] as? [String: Any])
    let data = try #require(refusal["data"] as? [String: Any])
    #expect(data["requested"] as? String == "2031-01-01")
    #expect((data["supported"] as? [String])?.contains("2025-11-25") == true)
  }

  @Test("errors have the codes of JSON-RPC, and the id wherever there is one")
  func errors() throws {
    let cases: [(line: String, code: Int, id: String?)] = [
      (#"{"jsonrpc":"2.0","id":3,"method":"#, -32700, nil), ("nonsense", -32700, nil),
      (#"{"jsonrpc":"2.0","id":3,"method":"ping"} {}"#, -32700, nil),
      ("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"pi\u{0}ng\"}", -32700, nil),
      (#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, -32700, nil),
      (#"[\#(Self.ping)]"#, -32600, nil), ("[]", -32600, nil), ("3", -32600, nil),
      (#"{"jsonrpc":"2.0","id":3,"id":4,"method":"ping"}"#, -32600, nil),
      (#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, -32600, "3"),
      (#"{"id":"a","method":"ping"}"#, -32600, "a"), (#"{"jsonrpc":"2.0","id":3}"#, -32600, "3"),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":3,"method":"tools/burn"}"#, -32601, "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":"resources/list"}"#, -32601, "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#, -32602, "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#, -32602, "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}"#, -32602, "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"x"}}"#, -32602, "3"),
      (call("burn"), -32602, "1"), (call("samples", #"{"type":"steps"}"#), -32602, "1"),
      (call("types", "[]"), -32602, "1"), (call("types", "\"x\""), -32602, "1"),
    ]
    let answers = try talk(cases.map(\.line) + [Self.ping])
    try #require(answers.count == cases.count + 1)
    for (answer, (line, code, id)) in zip(answers, cases) {
      #expect(self.code(answer) == code, "\(line): \(answer)")
      let given = answer["id"].flatMap { $0 is NSNull ? nil : "\($0)" }
      #expect(given == id, "\(line)")
    }
    #expect(answers.last?["result"] != nil)
  }

  @Test("notifications, blank lines and answers of the client have no answer")
  func silence() throws {
    let answers = try talk(
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#, "", "  \r",
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#, Self.ping + "\r")
    #expect(answers.count == 1 && answers.first?["id"] as? String == "ping")
  }

  @Test("ids of every kind come back as they were written")
  func ids() throws {
    let ids = [
      "0", "-3", "1.5", "12345678901234567890123", "1e400", #""a\u00e9\n""#, #""😀""#, #""""#,
      "\"\(String(repeating: "x", count: 5_000))\"",
    ]
    let run = try ProgramRun.hkstats(
      ["mcp", "--store", store],
      input: ids.map { #"{"jsonrpc":"2.0","method":"ping","id":\#($0)}"# + "\n" }.joined())
    #expect(run.exitCode == 0)
    #expect(run.lines.map(String.init) == ids.map { #"{"jsonrpc":"2.0","id":\#($0),"result":{}}"# })
  }

  @Test("what is no message, or a huge one, is answered with an error and ends nothing")
  func hostile() throws {
    let long = String(repeating: "x", count: 1 << 20)
    var input = Data()
    func line(_ text: String) { input += Data((text + "\n").utf8) }
    line(#"{"jsonrpc":"2.0","id":1,"method":"ping","x":"\#(long)"}"#)
    line(String(repeating: "[", count: 900_000))
    line(String(repeating: #"{"a":"#, count: 150_000))
    input += Data([0xFF, 0xFE, 0xC0, 0x80, 0x0A, 0x00, 0x0A])
    line(call("statistics", #"{"type":"steps\u0000","by":"day","timezone":"A\u0000B"}"#))
    line(call("statistics", #"{"type":"steps","top":1e999,"by":"day"}"#))
    line(call("statistics", #"{"type":"steps","rolling":99999999999999999999,"by":"day"}"#))
    line(call("statistics", #"{"type":"steps","hold":1e308,"by":"day"}"#))
    line(call("statistics", #"{"type":"steps","by":"day","by":"hour"}"#))
    line(call("statistics", #"{"type":["steps",\#(String(repeating: "[", count: 70))"#))
    line(call("sleep", #"{"from":{"a":[1,2]},"by":3}"#))
    line(call("samples", #"{"type":"steps","limit":1e3}"#))
    input += Data(Self.ping.utf8)
    let run = try ProgramRun.run(
      "hkstats", ["mcp", "--store", store, "--with-samples"], input: input)
    #expect(run.exitCode == 0 && run.errors == "", "\(run.errors)")
    let answers = try run.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    try #require(answers.count == 14)
    #expect(answers.prefix(5).map(code) == [-32600, -32700, -32700, -32700, -32700])
    for answer in answers[5..<9] { #expect(try texts(answer).isError, "\(answer)") }
    #expect(answers[9...10].map(code) == [-32600, -32700])
    for answer in answers[11..<13] { #expect(try texts(answer).isError, "\(answer)") }
    #expect(answers[13]["id"] as? String == "ping")
  }

  @Test("memory does not grow with a line")
  func memory() throws {
    func peak(_ line: Data) throws -> Int {
      let input = line + Data(("\n" + Self.ping).utf8)
      let measured = try MeasuredRun(["mcp", "--store", store], input: input)
      #expect(measured.run.exitCode == 0 && measured.run.output.hasSuffix("\"result\":{}}\n"))
      return measured.peakBytes
    }
    // A run of an instant is sampled before it has its memory, on a busy machine; these take longer.
    let long = try peak(Data(repeating: UInt8(ascii: "x"), count: 20_000_000))
    let longer = try peak(Data(repeating: UInt8(ascii: "x"), count: 100_000_000))
    #expect(longer < long + 40_000_000, "\(longer) beside \(long)")
    let members = (0..<90_000).map { #""\#($0)":{}"# }.joined(separator: ",")
    let full = try peak(Data("{\(members)}".utf8))
    #expect(full < long + 100_000_000, "\(full) beside \(long)")
  }

  @Test("a thousand messages at once are answered in their order")
  func pipelined() throws {
    let lines = (0..<1_000).map { number in
      number % 50 == 0
        ? call("statistics", #"{"type":"steps","by":"day"}"#).replacing(
          "\"id\":1", with: "\"id\":\(number)")
        : #"{"jsonrpc":"2.0","id":\#(number),"method":"ping"}"#
    }
    let answers = try talk(lines)
    #expect(answers.map { $0["id"] as? Int } == (0..<1_000).map { $0 })
    #expect(
      Set(try answers.enumerated().filter { $0.offset % 50 == 0 }.map { try texts($1).texts })
        .count == 1)
  }

  @Test("each call sees what was imported before it; a reader that has gone ends it quietly")
  func alive() throws {
    let process = Process()
    process.executableURL = ProgramRun.folder.appendingPathComponent("hkstats")
    process.arguments = ["mcp", "--store", scratch.path("later.sqlite")]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": scratch.path("home"), "TZ": "UTC"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try scratch.emptyFile("errors")
    try process.run()
    func ask() throws -> (texts: [String], isError: Bool) {
      input.fileHandleForWriting.write(Data((call("types") + "\n").utf8))
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty)
        line += more
      }
      return try texts(
        try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any]))
    }
    let before = try ask()
    #expect(before.isError && before.texts[0].contains("There is no store"))
    #expect(before.texts[0].hasSuffix("(code 66)"))
    let imported = try ProgramRun.hkstats([
      "import", scratch.path("export.xml"), "--store", scratch.path("later.sqlite"),
    ])
    #expect(imported.exitCode == 0)
    let after = try ask()
    #expect(!after.isError && after.texts[0].contains("HKQuantityTypeIdentifierStepCount"))
    try output.fileHandleForReading.close()
    input.fileHandleForWriting.write(Data((call("types") + "\n").utf8))
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGPIPE)
    #expect(try scratch.text("errors") == "")
  }

  // MARK: - Tools

  /// The same JSON as a command prints.
  private func command(_ arguments: [String]) throws -> String {
    let run = try ProgramRun.hkstats(arguments + ["--format", "json", "--store", store])
    #expect(run.exitCode == 0, "\(run.errors)")
    return run.output
  }

  @Test("statistics, comparisons, nights and explanations are those that the commands print")
  func answers() throws {
    let cases: [(tool: String, arguments: String, command: String)] = [
      ("statistics", #"{"type":"steps"}"#, "stats steps"),
      ("statistics", #"{"type":"steps","by":"day"}"#, "stats steps --by day"),
      (
        "statistics", #"{"type":"steps","by":"month","per":"day","stat":"p25,median"}"#,
        "stats steps --by month --per day --stat p25,median"
      ),
      (
        "statistics", #"{"type":"steps","by":"day","bySource":true,"exclude":"Anna’s iPhone"}"#,
        "stats steps --by day --by-source --exclude Anna’s_iPhone"
      ),
      ("statistics", #"{"type":"heartRate.max","by":"hour"}"#, "stats heartRate.max --by hour"),
      ("statistics", #"{"type":"sleepAnalysis","by":"day"}"#, "stats sleepAnalysis --by day"),
      ("statistics", #"{"type":"sleep","by":"day"}"#, "stats sleep --by day"),
      (
        "statistics", #"{"type":["steps","heartRate"],"by":"week"}"#,
        "stats steps,heartRate --by week"
      ),
      ("statistics", #"{"type":"steps","by":"day","top":2}"#, "stats steps --by day --top 2"),
      (
        "statistics", #"{"type":"steps","by":"day","above":600,"streaks":true}"#,
        "stats steps --by day --above 600 --streaks"
      ),
      (
        "statistics", #"{"type":"steps","by":"year","from":"2024-03-06","to":"2024-03-08"}"#,
        "stats steps --by year --from 2024-03-06 --to 2024-03-08"
      ),
      (
        "statistics", #"{"type":"steps","by":"day","from":"2025"}"#,
        "stats steps --by day --from 2025"
      ),
      (
        "statistics", #"{"type":["steps","heartRate"],"by":"day","from":"2025"}"#,
        "stats steps,heartRate --by day --from 2025"
      ),
      (
        "compare", #"{"type":"steps","by":"day","compare":"previous"}"#,
        "stats steps --by day --compare previous"
      ),
      ("explain", #"{"type":"steps","by":"day"}"#, "stats steps --by day --explain"),
      (
        "explain", #"{"type":"steps","by":"day","from":"2024-03-06","to":"2024-03-08"}"#,
        "stats steps --by day --explain --from 2024-03-06 --to 2024-03-08"
      ),
      (
        "explain", #"{"type":"sleepAnalysis","by":"day"}"#, "stats sleepAnalysis --by day --explain"
      ),
      ("trend", #"{"type":"steps","by":"day"}"#, "trend steps --by day"),
      (
        "trend", #"{"type":["steps","heartRate"],"by":"day","confidence":0.9}"#,
        "trend steps,heartRate --by day --confidence 0.9"
      ),
      ("anomalies", #"{"from":"2024-03-06"}"#, "anomalies --from 2024-03-06"),
      ("sleep", "{}", "sleep"), ("sleep", #"{"by":"month"}"#, "sleep --by month"),
      ("sleep", #"{"from":"2025","by":"night"}"#, "sleep --from 2025"),
    ]
    let answers = try talk(cases.map { call($0.tool, $0.arguments) })
    for (answer, (tool, arguments, command)) in zip(answers, cases) {
      let (texts, isError) = try texts(answer)
      let words = command.split(separator: " ").map { String($0.replacing("_", with: " ")) }
      let printed = try self.command(words)
      #expect(!isError && texts.first == printed, "\(tool) \(arguments)")
    }
    let explained = try ask("explain", #"{"type":"steps","by":"day"}"#).texts
    #expect(explained.count == 2 && explained[1].contains("only the highest of them counts"))
    #expect(explained[1].contains("Watch, then Anna’s iPhone"))
    let highest = try ask(
      "statistics", #"{"type":"steps","by":"day","explain":true,"merge":"highest"}"#
    ).texts
    #expect(highest.count == 2 && !highest[1].contains("masked"))
    let asleep = try ask("explain", #"{"type":"sleepAnalysis","by":"day"}"#).texts
    #expect(asleep.count == 2 && asleep[1].contains("maskedBy"))
    let preferring = try ask("statistics", #"{"type":"steps","by":"day","prefer":"Nobody"}"#).texts
    #expect(preferring.count == 2 && preferring[1].contains("is called \"Nobody\""))
  }

  @Test("types say the days and the sources, not the moments")
  func types() throws {
    let (texts, isError) = try ask("types")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(texts[0].utf8)) as? [String: Any])
    let types = try #require(answer["types"] as? [[String: Any]])
    let steps = try #require(types.first { $0["name"] as? String == "stepCount" })
    #expect(!isError && steps["count"] as? Int == 10 && steps["unit"] as? String == "count")
    #expect(steps["first"] as? String == "2024-03-05" && steps["last"] as? String == "2024-03-09")
    #expect(Set(steps["sources"] as? [String] ?? []) == [SmallExport.watch, SmallExport.phone])
    let listed = try #require(
      try JSONSerialization.jsonObject(with: Data(command(["types"]).utf8)) as? [String: Any])
    let counts = (listed["types"] as? [[String: Any]] ?? []).map { $0["count"] as? Int }
    #expect(types.map { $0["count"] as? Int } == counts)
    #expect(!texts[0].contains("T10:"))
  }

  @Test("workouts are those of the command, without routes, parts and what others wrote into them")
  func workouts() throws {
    func list(_ text: String) throws -> [[String: Any]] {
      let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return try #require(answer?["workouts"] as? [[String: Any]])
    }
    let whole = try list(command(["workouts", "--activity", "running"]))
    let brief = try list(ask("workouts", #"{"activity":"running"}"#).texts[0])
    let full = try list(ask("workouts", options: ["--with-samples"]).texts[0])
    let expected = whole.map { workout in
      workout.filter { !["metadata", "events", "activities", "records"].contains($0.key) }
    }
    #expect(whole.count == 1 && whole[0]["events"] != nil && brief[0]["statistics"] != nil)
    #expect(brief as NSArray == expected as NSArray && full as NSArray == whole as NSArray)
    #expect(try ask("workouts", #"{"activity":"chess"}"#).isError)
    let none = try list(ask("workouts", #"{"from":"2025"}"#).texts[0])
    #expect(none.isEmpty)
  }

  @Test("samples are given with --with-samples alone, and no more than asked for")
  func samples() throws {
    let options = ["--with-samples"]
    let (texts, isError) = try ask("samples", #"{"type":"heartRate"}"#, options: options)
    let printed = try command(["samples", "heartRate"])
    #expect(!isError && texts[0] == printed)
    #expect(texts[0].contains(Self.planted))
    let first = try ask("samples", #"{"type":"heartRate","limit":1}"#, options: options).texts[0]
    #expect(first == (try command(["samples", "heartRate", "--limit", "1", "--oldest-first"])))
    let workouts = try ask("samples", #"{"type":"workout","limit":1}"#, options: options).texts[0]
    #expect(workouts == (try command(["samples", "workout"])))
    for arguments in [
      "{}", #"{"type":"steps","limit":0}"#, #"{"type":"steps","limit":1001}"#,
      #"{"type":"steps","limit":"5"}"#, #"{"type":"steps","limit":2.5}"#, #"{"type":"stepz"}"#,
      #"{"type":"steps","unit":"count"}"#,
    ] {
      #expect(try ask("samples", arguments, options: options).isError, "\(arguments)")
    }
    for arguments in [
      #"{"type":"heartRate.recent","by":"day"}"#, #"{"type":"steps","by":"15min"}"#,
    ] {
      #expect(try !ask("statistics", arguments, options: options).isError, "\(arguments)")
    }
  }

  @Test("a tool that fails says why in a sentence with a code")
  func failures() throws {
    let cases: [(tool: String, arguments: String, sentence: String, code: Int)] = [
      ("statistics", "{}", "The question lacks type.", 64),
      ("statistics", #"{"type":"stepz"}"#, "Did you mean: steps?", 64),
      ("statistics", #"{"type":"steps","bye":"day"}"#, "Did you mean: by?", 64),
      ("statistics", #"{"type":"steps","by":7}"#, "The member by is a text.", 64),
      ("statistics", #"{"type":"steps","from":"10/31/2024"}"#, "Did you mean: 2024-10-31?", 64),
      ("statistics", #"{"type":"steps","from":"2025","to":"2024"}"#, "must come after", 64),
      ("statistics", #"{"type":"steps","explain":true,"exact":true}"#, "Give either", 64),
      ("statistics", #"{"type":["steps","heartRate"],"explain":true}"#, "one type's own", 64),
      ("compare", #"{"type":"steps","by":"day"}"#, "The question lacks compare.", 64),
      ("explain", #"{"by":"day"}"#, "The question lacks type.", 64),
      ("explain", #"{"type":"heartRate"}"#, "is not merged", 64),
      ("explain", #"{"type":"steps","stat":"sum"}"#, "There is no member \"stat\".", 64),
      ("sleep", #"{"by":"year"}"#, "Use one of: night, week, month.", 64),
      ("sleep", #"{"from":true}"#, "The member from is a text", 64),
      ("types", #"{"type":"steps"}"#, "There is no member \"type\".", 64),
      ("workouts", #"{"activity":"runing"}"#, "running", 64),
    ]
    let answers = try talk(cases.map { call($0.tool, $0.arguments) })
    for (answer, (tool, arguments, sentence, code)) in zip(answers, cases) {
      let (texts, isError) = try texts(answer)
      #expect(isError && texts.count == 1, "\(tool) \(arguments)")
      #expect(texts[0].contains(sentence) && texts[0].hasSuffix("(code \(code))"), "\(texts)")
    }
  }

  @Test("an answer of more than 1,000 rows or 256 KiB is refused whole")
  func limits() throws {
    let (texts, isError) = try ask(
      "statistics", #"{"type":"steps","by":"hour","from":"2024-01","to":"2024-03"}"#)
    #expect(isError && texts[0].contains("1,440 rows") && texts[0].contains("longer intervals"))
    let most = try ask(
      "statistics", #"{"type":"steps","by":"day","from":"2024-01-01","to":"2026-09-27"}"#)
    #expect(!most.isError && most.texts[0].split(separator: "\n").count == 1_002)
    let more = try ask(
      "statistics", #"{"type":"steps","by":"day","from":"2024-01-01","to":"2026-09-28"}"#)
    #expect(more.isError)
    let wide = try ask(
      "statistics",
      #"{"type":"steps","by":"day","from":"2024-01-01","to":"2026-09-01","explain":true,"#
        + #""bySource":true,"stat":"sum,count,duration,coverage"}"#)
    #expect(wide.isError && wide.texts[0].contains("262 kB"), "\(wide.texts[0].prefix(200))")
    let nights = try ask("sleep", #"{"from":"2000-01-01","to":"2024-01-01"}"#)
    #expect(nights.isError && nights.texts[0].contains("rows"))
  }

  @Test("schemas name every member that a tool takes, and no other")
  func schemas() throws {
    let answers = try talk(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, options: ["--with-samples"])
    let tools = try #require((answers[0]["result"] as? [String: Any])?["tools"] as? [[String: Any]])
    #expect(
      tools.map { $0["name"] as? String } == [
        "types", "statistics", "compare", "trend", "correlate", "anomalies", "sleep", "workouts",
        "rings", "explain", "samples",
      ])
    for tool in tools {
      let name = try #require(tool["name"] as? String)
      #expect(tool["title"] is String && (tool["description"] as? String ?? "").count > 40)
      #expect((tool["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true)
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      #expect(schema["type"] as? String == "object")
      #expect(schema["additionalProperties"] as? Bool == false)
      let properties = try #require(schema["properties"] as? [String: Any])
      for facts in AnalysisMethod.all.first(where: { $0.name == name })?.facts ?? [] {
        let property = try #require(properties[facts.name] as? [String: Any], "\(facts.name)")
        #expect(property["description"] as? String == facts.about)
        #expect(property["default"] != nil && (property["enum"] != nil) == (facts.form == .word))
        // What the schema excludes, the tool refuses, by the name of the parameter.
        guard let bound = property["minimum"] ?? property["exclusiveMinimum"] else { continue }
        let low = try #require(bound as? Double) - 1
        let answer = try ask(name, #"{"type":"steps","\#(facts.name)":\#(low.plainText)}"#)
        #expect(answer.isError && answer.texts[0].contains("The \(facts.name) must be"))
      }
      let members = properties.keys.sorted()
      let refused = try ask(
        name, #"{"type":"steps","compare":"year","zzz":1}"#, options: ["--with-samples"]
      ).texts[0]
      guard name == "statistics" || name == "compare" else { continue }
      let known = refused.split(separator: "Use one of: ").last.map {
        $0.prefix { $0 != "." }.split(separator: ", ").map(String.init).sorted()
      }
      #expect(members == known, "\(name)")
    }
  }

  @Test("elements, totals of workouts, rings and nights are answered as the commands print them")
  func otherRows() throws {
    let generated = try GeneratedStore(seed: 3, version: "14")
    var asked: [(tool: String, arguments: String, words: [String])] = [
      ("workouts", #"{"by":"month"}"#, ["workouts", "--by", "month"]),
      (
        "workouts", #"{"by":"month","activity":"running","stat":"count,pace","kinds":2}"#,
        [
          "workouts", "--by", "month", "--activity", "running", "--stat", "count,pace", "--kinds",
          "2",
        ]
      ),
      ("rings", "{}", ["summary"]), ("rings", #"{"streaks":true}"#, ["summary", "--streaks"]),
      (
        "statistics", #"{"type":"heartRate","during":"sleep","stat":["min","median"]}"#,
        ["stats", "heartRate", "--during", "sleep", "--stat", "min,median"]
      ),
    ]
    for question in ElementQuestion.allCases {
      let by = question.isList ? "" : #","by":"month""#
      asked.append(
        (
          "statistics", #"{"type":"\#(question)"\#(by)}"#,
          ["stats", "\(question)"] + (question.isList ? [] : ["--by", "month"])
        ))
    }
    let lists = ["cycles", "labResults", "food"]
    for options in [["--with-samples"], []] {
      let run = try ProgramRun.hkstats(
        ["mcp", "--store", generated.path] + options,
        input: asked.map { call($0.tool, $0.arguments) + "\n" }.joined())
      let lines = run.lines
      try #require(lines.count == asked.count)
      for (question, line) in zip(asked, lines) {
        let answer = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let (texts, isError) = try texts(answer)
        guard !isError else {
          // What has a row for each element is not for every assistant.
          #expect(options.isEmpty && texts[0].contains("single elements"), "\(texts)")
          #expect(lists.contains(question.words.last ?? ""))
          continue
        }
        let printed = try ProgramRun.hkstats(
          question.words + ["--format", "json", "--store", generated.path])
        #expect(texts[0] == printed.output, "\(question.words)")
        if options.isEmpty { #expect(!lists.contains(question.words.last ?? "")) }
      }
    }
    for (tool, arguments, reason) in [
      ("workouts", #"{"stat":"count"}"#, "by"), ("workouts", #"{"by":"month","stat":"x"}"#, "x"),
      ("rings", #"{"streaks":1}"#, "streaks"), ("rings", #"{"by":"day"}"#, "by"),
      ("statistics", #"{"type":"heartRate","during":"sleep","stat":"recent"}"#, "single samples"),
      ("compare", #"{"type":"bloodPressure","compare":"year"}"#, "compare"),
      ("explain", #"{"type":"bloodPressure"}"#, "explain"),
    ] {
      let (texts, isError) = try ask(tool, arguments)
      #expect(isError && texts[0].contains(reason), "\(tool) \(arguments): \(texts)")
    }
  }

  @Test("structured answers of every tool are what its schema says, and it says each column")
  func answerSchemas() throws {
    let generated = try GeneratedStore(seed: 3, version: "14")
    let period = #""from":"2000-01-01""#
    var questions: [(tool: String, arguments: String)] = [
      ("types", "{}"), ("sleep", "{}"), ("sleep", #"{"by":"week"}"#), ("sleep", #"{"by":"month"}"#),
      ("workouts", "{}"), ("explain", #"{"type":"steps","by":"week"}"#),
      ("explain", #"{"type":"sleepAnalysis","by":"week"}"#),
      ("trend", #"{"type":"heartRate","by":"day"}"#),
      ("trend", #"{"type":"steps,heartRate,restingHeartRate","by":"day"}"#),
      ("correlate", #"{"type":"steps,heartRate,activeEnergyBurned","atLeast":14,\#(period)}"#),
      ("anomalies", "{}"), ("anomalies", #"{"type":"heartRate","threshold":0.1,\#(period)}"#),
      ("statistics", #"{"type":"steps","by":"week"}"#),
      ("statistics", #"{"type":"steps","by":"week","bySource":true,"per":"day"}"#),
      ("statistics", #"{"type":"heartRate","by":"day","stat":"mean,recent,coverage,p90"}"#),
      ("statistics", #"{"type":"sleepAnalysis","by":"week","bySource":true}"#),
      ("statistics", #"{"type":"steps","spread":true}"#),
      ("statistics", #"{"type":"steps","by":"day","gaps":true}"#),
      ("statistics", #"{"type":["steps","heartRate"],"group":"weekday"}"#),
      ("statistics", #"{"type":["steps","heartRate","sleep"],"by":"day"}"#),
      ("compare", #"{"type":"steps","by":"week","compare":"previous"}"#),
      ("compare", #"{"type":["steps","heartRate"],"by":"week","compare":"previous"}"#),
      ("workouts", #"{"by":"month"}"#),
      ("workouts", #"{"by":"month","stat":["count","pace"]}"#),
      ("rings", "{}"), ("rings", #"{"streaks":true}"#),
      ("samples", #"{"type":"bodyMass","limit":20}"#),
      ("samples", #"{"type":"sleepAnalysis","limit":20}"#),
      ("samples", #"{"type":"electrocardiograms","limit":1}"#),
    ]
    for question in ElementQuestion.allCases {
      let by = question.isList ? "" : #","by":"month""#
      questions.append(("statistics", #"{"type":"\#(question)"\#(by)}"#))
    }
    questions.append(("statistics", #"{"type":"heartRate","during":"sleep"}"#))
    let run = try ProgramRun.hkstats(
      ["mcp", "--store", generated.path, "--with-samples"],
      input: ([#"{"jsonrpc":"2.0","id":0,"method":"tools/list"}"#]
        + questions.map { call($0.tool, $0.arguments) }).map { $0 + "\n" }.joined())
    let answers = try run.lines.map { try JSONDocument(String($0)) }
    try #require(answers.count == 1 + questions.count)
    var schemas: [JSONDocument: JSONDocument] = [:]
    for tool in try #require(answers[0]["result"]?["tools"]?.elements) {
      let (name, schema) = (try #require(tool["name"]), try #require(tool["outputSchema"]))
      #expect(schema["type"] == .text("object"))
      #expect(schema["properties"]?.members?.isEmpty == false, "\(name)")
      schemas[name] = schema
    }
    for (question, answer) in zip(questions, answers.dropFirst()) {
      let result = try #require(answer["result"])
      guard result["isError"] == .truth(false), let found = result["structuredContent"] else {
        Issue.record("\(question): \(result)")
        continue
      }
      let schema = try #require(schemas[.text(question.tool)])
      #expect(JSONSchema.problems(of: found, in: schema) == [], "\(question)")
      // Columns of statistics are those of the question, and those of samples those of a kind.
      guard !["statistics", "samples"].contains(question.tool),
        !question.arguments.contains("sleepAnalysis")
      else { continue }
      for (key, list) in found.members ?? [:] where key != "documents" {
        for row in list.elements ?? [] {
          guard let columns = row.members else { continue }
          let known = schema["properties"]?[key]?["items"]?["properties"]?.members ?? [:]
          #expect(
            Set(columns.keys).subtracting(known.keys) == [], "\(question) \(key)")
        }
      }
    }
    // A schema that allowed anything would prove nothing.
    let sleep = try #require(schemas[.text("sleep")])
    let wrong = try JSONDocument(#"{"nights":[{"asleep":"7h"}],"gap":"1h"}"#)
    #expect(
      JSONSchema.problems(of: wrong, in: sleep).sorted() == [
        "$.gap: string in place of [\"number\", \"null\"]",
        "$.nights[0].asleep: string in place of [\"number\", \"null\"]",
      ])
  }

  // MARK: - What does not leave

  @Test("no answer holds a value that is no extreme of its hour, or its moment")
  func leaks() throws {
    var lines = [call("types"), call("sleep"), call("workouts")]
    for by in ["hour", "day", "week", "month", "1min", "59min", "3599s", nil] {
      for members in [
        "", #","stat":"recent""#, #","stat":["mean","first"]"#, #","bySource":true"#,
        #","from":"2024-03-05T10","to":"2024-03-05T10:24","clip":true"#,
        #","from":"2024-03-05T10","to":"2024-03-06","clip":true"#, #","group":"hour""#,
        #","top":3"#, #","compare":"previous""#,
      ] {
        for type in [#""heartRate""#, #"["heartRate","steps"]"#, #""heartRate.recent""#] {
          lines.append(
            call(
              members.contains("compare") ? "compare" : "statistics",
              #"{"type":\#(type)\#(by.map { #","by":"\#($0)""# } ?? "")\#(members)}"#))
        }
      }
    }
    for members in ["", #","clip":true"#, #","by":"1min""#, #","stat":"recent""#] {
      lines.append(
        call(
          "statistics",
          #"{"type":"heartRate","from":"2024-03-05T10:23","to":"2024-03-05T10:24"\#(members)}"#))
    }
    let answers = try talk(lines).map(texts)
    #expect(answers.contains { !$0.isError } && answers.contains { $0.isError })
    let text = answers.flatMap(\.texts).joined()
    for secret in [Self.planted, Self.plantedTime, "48.8584", "1.6218"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    for (arguments, reason) in [
      (#"{"type":"heartRate","stat":"recent"}"#, "values of single samples"),
      (#"{"type":"heartRate","by":"30min"}"#, "shorter than an hour"),
      (
        #"{"type":"steps","from":"2024-03-05T10:00","to":"2024-03-05T10:30","clip":true}"#,
        "shorter than an hour"
      ),
      (
        #"{"type":"steps","by":"day","to":"2024-03-05T00:30","from":"2024-03-04","clip":true}"#,
        "shorter than an hour"
      ),
      (#"{"type":["steps","heartRate.first"],"by":"day"}"#, "values of single samples"),
    ] {
      let (texts, isError) = try ask("statistics", arguments)
      #expect(isError && texts[0].contains(reason) && texts[0].contains("--with-samples"))
      #expect(texts[0].hasSuffix("(code 77)"))
    }
    // A change of the clock makes an hour of the calendar no shorter than asked for.
    #expect(
      try !ask(
        "statistics",
        #"{"type":"steps","by":"day","from":"2024-03-31","to":"2024-04-01","timezone":"Europe/Paris"}"#
      ).isError)
  }

  @Test("an app sees what it may read, and an unknown app nothing")
  func permissions() throws {
    let app = ["--app", "com.example.assistant"]
    let allowed = try ProgramRun.hkstats([
      "permissions", "com.example.assistant", "--allow-read", "heartRate", "--store", store,
    ])
    #expect(allowed.exitCode == 0, "\(allowed.errors)")
    let types = try ask("types", options: app).texts[0]
    #expect(types.contains("HeartRate") && !types.contains("StepCount"))
    #expect(
      try ask("statistics", #"{"type":"heartRate","by":"day"}"#, options: app).texts[0]
        == command(["stats", "heartRate", "--by", "day"]))
    // What may not be read is answered as a type of which there is nothing.
    let hidden = try ask("statistics", #"{"type":"steps","by":"day"}"#, options: app)
    let absent = try ask("statistics", #"{"type":"flightsClimbed","by":"day"}"#, options: app)
    func general(_ text: String) -> String {
      text.replacing("HKQuantityTypeIdentifierStepCount", with: "TYPE")
        .replacing("HKQuantityTypeIdentifierFlightsClimbed", with: "TYPE")
        .replacing("stepCount", with: "type").replacing("flightsClimbed", with: "type")
    }
    #expect(!hidden.isError && hidden.texts.map(general) == absent.texts.map(general))
    // Nor shows the unit that the owner prefers for it.
    let question = #"{"type":"bloodGlucose","by":"day"}"#
    let unset = try ask("statistics", question, options: app)
    let preferred = try ProgramRun.hkstats([
      "units", "prefer", "bloodGlucose", "mmol/L", "--store", store,
    ])
    #expect(preferred.exitCode == 0, "\(preferred.errors)")
    #expect(try ask("statistics", question, options: app) == unset)
    let own = try ask("statistics", question).texts[0]
    #expect(own.contains("mmol/L"), "\(own)")
    for (tool, arguments) in [
      ("sleep", "{}"), ("workouts", "{}"), ("samples", #"{"type":"steps"}"#),
      ("explain", #"{"type":"steps","by":"day"}"#),
    ] {
      let text = try ask(tool, arguments, options: app + ["--with-samples"]).texts[0]
      #expect(!text.contains("2024-03-0") && !text.contains("Anna"), "\(tool): \(text)")
    }
    let unknown = try ask("types", options: ["--app", "com.example.nobody"])
    #expect(!unknown.isError && unknown.texts[0].contains("\"types\":[]"))
    let nameless = try ProgramRun.hkstats(["mcp", "--app", "", "--store", store])
    #expect(nameless.exitCode == 64)
  }

  @Test("a locked store is answered with what to do, until it is open")
  func locked() throws {
    let phrase = ["HKSTATS_PASSPHRASE": "a passphrase of tests"]
    let encrypted = try ProgramRun.hkstats(["encrypt", "--store", store], environment: phrase)
    #expect(encrypted.exitCode == 0, "\(encrypted.errors)")
    for tool in ["types", "sleep", "workouts"] {
      let (texts, isError) = try ask(tool)
      #expect(isError && texts[0].contains("unlock") && texts[0].hasSuffix("(code 77)"))
    }
    #expect(try !ask("types", environment: phrase).isError)
  }

  // MARK: - Reading

  /// The slow twin of the reader of JSON: what a text is one value of, by replacing literals by `v`,
  /// strings by `s`, and then lists and objects of these by `v`, until nothing changes.
  private static func isJSON(_ bytes: [UInt8]) throws -> Bool {
    guard var text = String(validating: bytes, as: UTF8.self) else { return false }
    let half = #"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"#
    let unit = #"\\u(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})"#
    let blank = #"[ \t\n\r]*"#
    func replace(_ pattern: String, _ letter: String) throws -> Bool {
      let expression = try NSRegularExpression(pattern: pattern)
      let whole = NSRange(location: 0, length: text.utf16.count)
      let found = expression.stringByReplacingMatches(in: text, range: whole, withTemplate: letter)
      defer { text = found }
      return found != text
    }
    let strings = #""(?:[^"\\\x00-\x1F]|\\["\\/bfnrt]|"# + unit + "|" + half + #")*""#
    _ = try replace(strings, "\u{1}")
    _ = try replace(
      #"(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"#, "\u{2}")
    let value = "[\u{1}\u{2}]"
    let member = "\u{1}\(blank):\(blank)\(value)"
    func list(_ item: String, _ open: String, _ close: String) -> String {
      "\\\(open)\(blank)(?:\(item)(?:\(blank),\(blank)\(item))*)?\(blank)\\\(close)"
    }
    while try replace(list(value, "[", "]"), "\u{2}") || replace(list(member, "{", "}"), "\u{2}") {}
    let rest = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\r"))
    return rest == "\u{1}" || rest == "\u{2}"
  }

  @Test("a message is JSON where the slow twin says so, and documents are")
  func grammar() throws {
    var random = SplitMix64(seed: 11)
    let seeds = [
      #"{"jsonrpc":"2.0","id":-0.5e+3,"params":{"a":[1,true,null,"\u00e9\ud83d\ude00\n"]}}"#,
      #"[{"x":{}},[],"",0,1.0E-2]"#, "  {\"é\": false , \"b\" : [ ] }\t",
    ]
    let pieces = Array("{}[]\",:\\u0129eE+-.tfn \u{7f}é".utf8)
    var accepted = 0
    for round in 0..<6_000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0..<(round % 4) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        case 1: bytes.remove(at: place)
        default: bytes.insert(pieces[Int.random(in: 0..<pieces.count, using: &random)], at: place)
        }
      }
      let isJSON = try Self.isJSON(bytes)
      #expect((JSON(document: bytes) != nil) == isJSON, "\(String(decoding: bytes, as: UTF8.self))")
      var isMessage = true
      do throws(JSONReader.Problem) {
        _ = try JSONReader.value(of: bytes, deepest: 64, refusesRepeated: true)
      } catch .repeatedMember {
        continue
      } catch {
        isMessage = false
      }
      accepted += isMessage ? 1 : 0
      #expect(isMessage == isJSON, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(accepted > 1_500)
  }
}
