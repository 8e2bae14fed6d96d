import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats report prints PDF, as a program")
final class ReportPrintingTests: StoreSuite {
  /// Where reports are written.
  private var folder: URL { scratch.url("reports") }

  override init() throws {
    try super.init()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    var export = SmallExport()
    export.steps(1200, from: "2024-03-09T13:50:00", to: "2024-03-09T14:00:00")
    try load(export)
  }

  /// A program in the place of a browser: a shell script that knows the page, the PDF and the folder of
  /// both.
  private func browser(_ script: String) throws -> String {
    let path = scratch.path("browser")
    let text = """
      #!/bin/sh
      printf '%s\\n' "$@" > \(scratch.path("arguments"))
      for each; do case $each in --print-to-pdf=*) pdf=${each#*=};; esac; done
      folder=$(dirname "$pdf")
      \(script)
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func report(
    _ name: String, with browser: String?, _ arguments: String...
  ) throws -> ProgramRun {
    try ProgramRun.hkstats(
      ["report", "--store", store, "--out", folder.appendingPathComponent(name).path] + arguments,
      environment: browser.map { [PagePrinter.variable: $0] } ?? ["PATH": "/nowhere"])
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("A name that ends in .pdf gets what a browser prints of a private page; nothing is left")
  func prints() throws {
    let browser = try browser(
      """
      stat -c %a "$folder" "$folder/page.html" > \(scratch.path("modes"))
      { printf '%%PDF-1.4\\n'; cat "$folder/page.html"; } > "$pdf"
      mkdir "$folder/profile"
      echo noise; echo noise >&2
      """)
    let run = try report("doctor.PDF", with: browser, "--language", "en-US")
    #expect(run.exitCode == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    #expect(try files == ["doctor.PDF"])
    let path = folder.appendingPathComponent("doctor.PDF").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("%PDF-1.4\n<!doctype html>") && text.hasSuffix("</html>\n"))
    #expect(text.contains("@page { size: letter; }"))
    #expect(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try scratch.text("modes") == "700\n600\n")
    let arguments = try scratch.text("arguments").split(separator: "\n")
    #expect(arguments.contains("--headless") && arguments.contains("--no-pdf-header-footer"))
    #expect(arguments.contains("--no-sandbox") == (geteuid() == 0))
    #expect(arguments.contains { $0.hasPrefix("--host-resolver-rules=") })
    #expect(arguments.last?.hasPrefix("file:///") == true)
    let data = try #require(arguments.first { $0.hasPrefix("--user-data-dir=") })
    #expect(data.contains("/reports/hkstats-"))
  }

  @Test("A file that is there is replaced by --force alone, and no browser is started for it")
  func replaces() throws {
    let browser = try browser("printf '%%PDF-1.4 new' > \"$pdf\"")
    let path = folder.appendingPathComponent("doctor.pdf").path
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try report("doctor.pdf", with: browser).exitCode == 64)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("arguments")))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try report("doctor.pdf", with: browser, "--force").exitCode == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "%PDF-1.4 new")
    #expect(try files == ["doctor.pdf"])
  }

  @Test(
    "A browser that fails or prints something else leaves nothing",
    arguments: ["exit 3", "exit 0", "echo '<html>' > \"$pdf\"", "kill -9 $$"])
  func failures(script: String) throws {
    let run = try report("doctor.pdf", with: browser(script))
    #expect(run.exitCode == 74 && run.errors.contains(".html"), "\(run.errors)")
    #expect(try files.isEmpty)
  }

  @Test("A disk that is full is what failed, and the PDF is named, not a folder that is gone")
  func fullDisk() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let path = folder.appendingPathComponent("doctor.pdf").path
    // A limit of the shell fails as a full disk does; the page is longer.
    process.arguments = [
      "-c", "ulimit -f 80; exec \"$@\"", "sh",
      ProgramRun.folder.appendingPathComponent("hkstats").path, "report", "--store", store,
      "--out", path,
    ]
    process.environment = [
      "TZ": "UTC", "PATH": "/usr/bin:/bin", "HKSTATS_NOW": ProgramRun.now,
      PagePrinter.variable: try browser("exit 0"),
    ]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74, "\(text)")
    #expect(text.contains("\(path) cannot be written") && !text.contains("folder"), "\(text)")
    #expect(try files.isEmpty)
  }

  @Test("A browser that takes too long is ended")
  func tooLong() throws {
    let printer = PagePrinter(program: try browser("exec sleep 60"), seconds: 0.3)
    let start = ContinuousClock.now
    #expect(throws: Failure.self) {
      try printer.print("<p>", beside: folder.appendingPathComponent("doctor.pdf").path)
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(try files.isEmpty)
  }

  @Test("Ctrl-C ends the browser, too, and leaves nothing")
  func interrupted() throws {
    let browser = try browser("exec sleep 60")
    let process = try ProgramRun.start(
      "hkstats",
      ["report", "--store", store, "--out", folder.appendingPathComponent("doctor.pdf").path],
      in: scratch, environment: [PagePrinter.variable: browser])
    let deadline = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: scratch.path("arguments")),
      ContinuousClock.now < deadline
    {
      usleep(20_000)
    }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try files.isEmpty)
  }

  @Test("Without a browser it is said before anything is asked, and what to do instead")
  func none() throws {
    let run = try ProgramRun.hkstats(
      ["report", "--store", scratch.path("nowhere.sqlite"), "--out", scratch.path("doctor.pdf")],
      environment: ["PATH": "/nowhere"])
    #expect(run.exitCode == 66)
    #expect(run.errors.contains("Install chromium") && run.errors.contains(".html"))
    let wrong = try report("doctor.pdf", with: scratch.path("no such browser"))
    #expect(wrong.exitCode == 66 && wrong.errors.contains(PagePrinter.variable))
    #expect(try report("doctor.html", with: nil).exitCode == 0)
    #expect(try files == ["doctor.html"])
  }

  @Test("A browser is found by its name in the path, one that is named before all others")
  func finds() throws {
    let browser = try browser("exit 0")
    let first = scratch.url("first")
    let second = scratch.url("second")
    for url in [first, second] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    try FileManager.default.copyItem(
      atPath: browser, toPath: second.appendingPathComponent("google-chrome").path)
    let path = ["PATH": ":relative:\(first.path):\(second.path)"]
    #expect(try PagePrinter.found(in: path).program == second.path + "/google-chrome")
    try FileManager.default.copyItem(
      atPath: browser, toPath: second.appendingPathComponent("chromium").path)
    #expect(try PagePrinter.found(in: path).program == second.path + "/chromium")
    let named = path.merging([PagePrinter.variable: browser]) { $1 }
    #expect(try PagePrinter.found(in: named).program == browser)
  }

  @Test("In a terminal it says which file was written, and its address")
  func terminal() throws {
    let browser = try browser("printf '%%PDF-1.4 new' > \"$pdf\"")
    let path = folder.appendingPathComponent("doctor.pdf").path
    let text = try ProgramRun.onTerminal(
      ["report", "--store", store, "--out", path], columns: 200,
      environment: ["TERM": "dumb", PagePrinter.variable: browser], showsErrors: true)
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.count == 2 && lines[0].hasPrefix("hkstats: wrote \(path), "), "\(text)")
    #expect(lines.last == "  file://\(path)", "\(text)")
  }
}
