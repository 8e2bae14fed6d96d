import Foundation
import Testing

@testable import hkstats

@Suite("hkstats report export.zip, as a program")
struct ReportOfExportTests {
  private let scratch: Scratch
  /// The working folder, with the export alone.
  private let folder: String
  private static let terminal = ["TERM": "xterm", "LANG": "C.UTF-8"]

  init() throws {
    scratch = try Scratch()
    folder = scratch.path("work")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var export = SmallExport()
    export.steps(1200, from: "2024-03-09T13:50:00", to: "2024-03-09T14:00:00")
    _ = try scratch.file("work/export.xml", export.data)
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments, folder: folder)
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: scratch.url("work/\(name)"))
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  @Test("An export alone becomes report.html, as with --export, and makes no store")
  func page() throws {
    let run = try run("report", "export.xml")
    #expect(run.exitCode == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    #expect(try files == ["export.xml", "report.html"])
    #expect(try self.run("report", "--export", "export.xml", "--out", "other.html").exitCode == 0)
    #expect(try bytes("report.html") == bytes("other.html"))
    #expect(String(decoding: try bytes("report.html"), as: UTF8.self).contains("1,200"))
    #expect(try self.run("types").exitCode == 66)
  }

  @Test("The sheets for a visit have a name of their own; --out gives any other")
  func names() throws {
    #expect(try run("report", "export.xml", "--for", "print").exitCode == 0)
    #expect(try run("report", "export.xml", "--out", "../page.html").exitCode == 0)
    #expect(try files == ["export.xml", "visit.html"])
    #expect(FileManager.default.fileExists(atPath: scratch.path("page.html")))
  }

  @Test("The working folder of a store's report gets the same names")
  func ofStore() throws {
    #expect(try run("import", "export.xml", "--store", "../store.sqlite").exitCode == 0)
    let run = try run("report", "--store", "../store.sqlite")
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try files == ["export.xml", "report.html"])
  }

  @Test("A pipe is reported as a file is")
  func pipe() throws {
    let text = String(decoding: try bytes("export.xml"), as: UTF8.self)
    let piped = try ProgramRun.hkstats(["report", "-"], input: text, folder: folder)
    #expect(piped.exitCode == 0, "\(piped.errors)")
    #expect(try run("report", "export.xml", "--out", "other.html").exitCode == 0)
    #expect(String(decoding: try bytes("report.html"), as: UTF8.self).contains("1,200"))
  }

  @Test("An export has one name, and no store beside it")
  func once() throws {
    for arguments in [["--export", "export.xml"], ["--store", "store.sqlite"]] {
      let run = try ProgramRun.hkstats(["report", "export.xml"] + arguments, folder: folder)
      #expect(run.exitCode == 64 && run.errors.contains("Give"), "\(run.errors)")
      #expect(run.errors.contains(arguments[0]) && run.errors.contains("export.xml"))
    }
    #expect(try files == ["export.xml"])
  }

  @Test("What cannot be written is refused before the export is read, with both ways out")
  func refusedFirst() throws {
    _ = try scratch.file("work/broken.xml", Data("no export".utf8))
    _ = try scratch.file("work/report.html", Data("old".utf8))
    let run = try run("report", "broken.xml")
    #expect(run.exitCode == 64, "\(run.errors)")
    #expect(run.errors.contains("--force") && run.errors.contains("--out NAME"), "\(run.errors)")
    #expect(try self.run("report", "broken.xml", "--out", "none/page.html").exitCode == 66)
    let own = try self.run("report", "broken.xml", "--out", "broken.xml", "--force")
    #expect(own.exitCode == 64 && own.errors.contains("not touched"), "\(own.errors)")
    #expect(try self.run("report", "broken.xml", "--force").exitCode == 65)
    #expect(try files == ["broken.xml", "export.xml", "report.html"])
    #expect(try bytes("report.html") == Data("old".utf8))
    #expect(try self.run("report", "export.xml", "--force").exitCode == 0)
    #expect(try bytes("report.html").count > 10_000)
  }

  @Test("What it reads, and the owner's store, are no place for the page, even with --force")
  func inputs() throws {
    let manager = FileManager.default
    let inner = "fold/apple_health_export"
    try manager.createDirectory(
      atPath: folder + "/" + inner, withIntermediateDirectories: true)
    try manager.copyItem(atPath: folder + "/export.xml", toPath: "\(folder)/\(inner)/export.xml")
    try manager.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "fold")
    try #require(try run("import", "export.xml", "--store", "store.sqlite").exitCode == 0)
    let export = try bytes("export.xml")
    let store = try bytes("store.sqlite")
    func expectRefusal(_ arguments: [String], in place: String? = nil) throws {
      let process = try ProgramRun.start(
        "hkstats", arguments + ["--force"], in: scratch,
        environment: ["HKSTATS_STORE": folder + "/store.sqlite"], folder: place ?? folder)
      process.waitUntilExit()
      let errors = try scratch.text("errors")
      #expect(process.terminationStatus == 64, "\(arguments): \(errors)")
      #expect(errors.contains("comes from; it was not touched"), "\(errors)")
      #expect(try bytes("\(inner)/export.xml") == export && bytes("store.sqlite") == store)
    }
    for given in ["fold", "link", "./fold/", inner] {
      try expectRefusal(["report", given, "--out", "fold/apple_health_export/export.xml"])
      try expectRefusal(["report", given, "--out", "link/apple_health_export/export.xml"])
    }
    try expectRefusal(["report", ".", "--out", "export.xml"], in: folder + "/" + inner)
    try expectRefusal(["report", "export.xml", "--out", "store.sqlite"])
    try expectRefusal(
      ["export", "--export", "fold", "--format", "csv", "--out", inner + "/export.xml"])
    try expectRefusal(["export", "--export", "export.xml", "--out", "store.sqlite"])
    // What stands at the standard input of the program.
    try export.write(to: scratch.url("input"))
    try expectRefusal(["report", "-", "--out", "../input"])
    #expect(try Data(contentsOf: scratch.url("input")) == export)
    // A page in the folder is no part of the export.
    for _ in 0..<2 {
      #expect(try run("report", "fold", "--out", "fold/page.html", "--force").exitCode == 0)
    }
  }

  @Test("A folder is no file to replace, and a name that none can have is refused at once, too")
  func noPlace() throws {
    _ = try scratch.file("work/broken.xml", Data("no export".utf8))
    try FileManager.default.createDirectory(
      atPath: folder + "/z", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder + "/y", withDestinationPath: "z")
    for name in ["z", ".", "z/", "y", "none/"] {
      for force in [[], ["--force"]] {
        let run = try ProgramRun.hkstats(
          ["report", "broken.xml", "--out", name] + force, folder: folder)
        #expect(run.exitCode == 64 && run.errors.contains("names a folder"), "\(run.errors)")
        #expect(!run.errors.contains("replaces"), "\(run.errors)")
      }
    }
    let long = String(repeating: "n", count: 300)
    let run = try run("report", "broken.xml", "--out", long)
    #expect(run.exitCode == 74 && run.errors.contains("too long"), "\(run.errors)")
    let export = try self.run("export", "--export", "broken.xml", "--out", long + ".json")
    #expect(export.exitCode == 74 && export.errors.contains("too long"), "\(export.errors)")
    #expect(try files == ["broken.xml", "export.xml", "y", "z"])
  }

  @Test("Without an export and without a store it says what to type")
  func noStore() throws {
    let run = try run("report")
    #expect(run.exitCode == 66 && run.errors.contains("hkstats report export.zip"), "\(run.errors)")
    #expect(try files == ["export.xml"])
  }

  @Test(
    "A word that is no file leads to the one that is meant, or to the types of the store",
    arguments: [
      ("exprot.xml", "Did you mean: export.xml?"), ("./exprt.xml", "Did you mean: ./export.xml?"),
      ("steps", "hkstats report --types steps"), ("Schritte", "--types Schritte"),
      ("sleep,bodyMass", "--types sleep,bodyMass"), ("nowhere.zip", "a zip, a folder or an xml"),
      ("", "a zip, a folder or an xml"), ("x", "a zip, a folder or an xml"),
      ("x/", "a zip, a folder or an xml"), (",", "a zip, a folder or an xml"),
      ("export.xml/", "Did you mean: export.xml?"), ("body mass", "--types 'body mass'"),
    ])
  func noFile(word: String, help: String) throws {
    let run = try run("report", word)
    #expect(run.exitCode == 66 && run.errors.contains("There is no file \"\(word)\"."))
    #expect(run.errors.contains(help), "\(run.errors)")
    #expect(try files == ["export.xml"])
  }

  @Test("Neither a page nor what cannot be opened is an export that is meant")
  func noExports() throws {
    _ = try scratch.file("work/report.html", Data())
    _ = try scratch.file("work/Report.PDF", Data())
    _ = try scratch.file("work/y", Data())
    for name in ["dangling.zip", "report.zip"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + name, withDestinationPath: "nowhere")
    }
    for name in ["report", "x"] {
      #expect(try !run("report", name).errors.contains("Did you mean"))
    }
    for arguments in [["report"], ["import", "--store", "store.sqlite"]] {
      let run = try ProgramRun.hkstats(arguments + ["dangling.zip"], folder: folder)
      #expect(run.exitCode == 66 && !run.errors.contains("Did you mean"), "\(run.errors)")
    }
    #expect(try run("report", "dangling.zip").errors.contains("link to a file that does not exist"))
  }

  // MARK: - A terminal

  @Test("A terminal sees both bars, then where the page is and how it is opened")
  func terminal() throws {
    let bin = scratch.path("bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
    let opener = try scratch.file("bin/xdg-open", Data("#!/bin/sh\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    for (name, hasDisplay) in [("my page.html", true), ("b.html", false)] {
      let more = ["PATH": bin, hasDisplay ? "DISPLAY" : "NO_DISPLAY": ":0"]
      let text = try ProgramRun.onTerminal(
        ["report", "export.xml", "--out", name], columns: 60,
        environment: Self.terminal.merging(more) { $1 }, showsErrors: true, folder: folder)
      #expect(text.contains("Reading ") && text.contains("Asking "), "\(text)")
      let said = try #require(text.components(separatedBy: "hkstats: ").last)
      let sentence = said.replacing("\n", with: " ")
      #expect(sentence.hasPrefix("wrote \(path)/\(name), "), "\(text)")
      #expect(said.hasSuffix("\n"), "\(text)")
      let lines = said.split(separator: "\n").filter { $0.hasPrefix("  ") }
      let url = "  file://\(path)/\(name.replacing(" ", with: "%20"))"
      #expect(lines.first ?? "" == url, "\(text)")
      #expect(lines.count == (hasDisplay ? 2 : 1), "\(text)")
      if hasDisplay { #expect(lines.last ?? "" == "  xdg-open '\(path)/\(name)'", "\(text)") }
    }
  }

  @Test("A terminal sees where the page is, whatever links and names lead there")
  func place() throws {
    let manager = FileManager.default
    for name in ["deep/er", "~"] {
      try manager.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try manager.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "deep/er")
    let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let browser = try scratch.file(
      "browser",
      Data(
        """
        #!/bin/sh
        for each; do case $each in --print-to-pdf=*) pdf=${each#*=};; esac; done
        (cd "$(dirname "$pdf")/.." && pwd -P) > \(scratch.path("parent"))
        printf '%%PDF-1.4' > "$pdf"
        """.utf8))
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
    for (typed, real) in [("link/../a", "deep/a"), ("~/a", "~/a"), ("./a", "a")] {
      for ending in ["html", "pdf"] {
        let text = try ProgramRun.onTerminal(
          ["report", "export.xml", "--out", "\(typed).\(ending)"], columns: 300,
          environment: Self.terminal.merging([PagePrinter.variable: browser]) { $1 },
          showsErrors: true, folder: folder)
        #expect(text.contains("wrote \(path)/\(real).\(ending), "), "\(text)")
        #expect(manager.fileExists(atPath: "\(path)/\(real).\(ending)"))
      }
      let parent = URL(fileURLWithPath: "\(path)/\(real)").deletingLastPathComponent().path
      #expect(try scratch.text("parent") == parent + "\n")
    }
  }

  @Test("An address is ASCII without marks that end it, and a command fits the machine")
  func opening() throws {
    let bin = scratch.path("bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
    func install(_ name: String) throws {
      let path = try scratch.file("bin/\(name)", Data("#!/bin/sh\n".utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    func lines(_ path: String, _ variables: [String: String]) -> [String] {
      OpeningLines.of(path, environment: variables.merging(["PATH": bin]) { $1 })
    }
    let name = "/tmp/Anna’s (new) page?#%.html"
    let url = "file:///tmp/Anna%E2%80%99s%20%28new%29%20page%3F%23%25.html"
    #expect(URL(string: url)?.path(percentEncoded: false) == name)
    #expect(lines(name, [:]) == [url])
    #expect(lines(name, ["DISPLAY": ":0"]) == [url])
    try install("xdg-open")
    #expect(lines(name, ["DISPLAY": "", "WAYLAND_DISPLAY": ""]) == [url])
    #expect(lines("/tmp/a.html", ["DISPLAY": ":0"]).last == "xdg-open /tmp/a.html")
    #expect(lines("/tmp/it's", ["WAYLAND_DISPLAY": "w"]).last == "xdg-open '/tmp/it'\\''s'")
    #expect(lines("/tmp/a\u{1B}[2J", ["DISPLAY": ":0"]) == ["file:///tmp/a%1B%5B2J"])
    // The Linux within Windows, whose browser sees its files below a host of their own.
    let windows = ["WSL_DISTRO_NAME": "Debian 13", "DISPLAY": ":0"]
    let shared = "file://wsl.localhost/Debian%2013/tmp/a.html"
    #expect(lines("/tmp/a.html", windows) == [shared])
    try install("explorer.exe")
    #expect(
      lines("/tmp/a.html", windows) == [shared, "explorer.exe \"$(wslpath -w /tmp/a.html)\""])
    try install("wslview")
    #expect(lines("/tmp/a.html", windows) == [shared, "wslview /tmp/a.html"])
  }

  // MARK: - Ctrl-C

  /// A folder for all that is temporary.
  private func temporary() throws -> [String: String] {
    let path = scratch.path("temporary")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return ["TMPDIR": path, "SQLITE_TMPDIR": path]
  }

  private func expectNothing(after process: Process, _ text: String) throws {
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130, "\(text)")
    #expect(text.contains("no file was written"), "\(text)")
    #expect(!(try files.contains { $0.hasSuffix(".html") || $0.hasPrefix(".") }))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("temporary")).isEmpty)
  }

  @Test("Ctrl-C while the export is read leaves nothing")
  func interruptedReading() throws {
    let pipe = scratch.path("work/pipe.xml")
    try #require(mkfifo(pipe, 0o600) == 0)
    let process = try ProgramRun.start(
      "hkstats", ["report", "pipe.xml"], in: scratch, environment: try temporary(), folder: folder)
    // This waits until the program has opened it, and then there is no end to read.
    let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
    try writer.write(contentsOf: try bytes("export.xml").prefix(200))
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    try expectNothing(after: process, try scratch.text("errors"))
  }

  @Test("Ctrl-C while the page is made leaves nothing")
  func interruptedAsking() throws {
    let made = try ProgramRun.run(
      "generate-export",
      ["--out", scratch.path("work/export.zip"), "--seed", "57", "--years", "1"])
    try #require(made.exitCode == 0, "\(made.errors)")
    let terminal = try PseudoTerminal(columns: 80)
    let process = try ProgramRun.start(
      "hkstats", ["report", "export.zip"], in: scratch,
      environment: Self.terminal.merging(try temporary()) { $1 }, errors: terminal.path,
      folder: folder)
    let text = terminal.text(of: process, after: "Asking") {
      kill(process.processIdentifier, SIGINT)
    }
    #expect(text.contains("Reading"))
    try expectNothing(after: process, text)
  }
}
