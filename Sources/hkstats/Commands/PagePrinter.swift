import Foundation
import HealthExchange
import HealthStore

/// A Chromium that prints a page as PDF, without a window and without a network.
struct PagePrinter {
  /// The path of the program.
  let program: String
  /// How long it may take.
  var seconds = 120.0

  /// The variable that names the program.
  static let variable = "HKSTATS_CHROMIUM"
  private static let names = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "chromium-headless-shell",
  ]

  /// Whether a file is to be a PDF, by its name.
  static func prints(_ path: String) -> Bool { path.lowercased().hasSuffix(".pdf") }

  /// The program that the environment names, or the first that its path leads to.
  static func found(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Failure) -> PagePrinter {
    if let named = environment[variable], !named.isEmpty {
      guard named.contains("/"), InstalledProgram.isRunnable(named) else {
        throw Failure(
          "\(named.printable), which \(variable) names, is no program. Give the path of a Chromium "
            + "or Chrome.", .noInput)
      }
      return PagePrinter(program: named)
    }
    if let path = InstalledProgram.path(of: names, in: environment) {
      return PagePrinter(program: path)
    }
    throw Failure(
      "A PDF is printed by Chromium or Chrome, and there is neither. Install chromium, or give "
        + "--out a name that ends in .html and print that file from any browser.", .noInput)
  }

  /// Prints a page; the file and all that the program keeps are in a private folder beside the
  /// destination, which is gone afterwards.
  func print(_ page: String, beside path: String) throws -> Data {
    let folder = try Self.privateFolder(beside: path)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do throws(OutputError) {
      let file = try TextOutput(path: "\(folder)/page.html", replacing: false)
      try file.write(page)
      try file.finish()
    } catch {
      // The file that is asked for, not one that is gone.
      throw OutputError(error.reason, path: path)
    }
    let printed = "\(folder)/page.pdf"
    let end = StartedCommand.run(
      [program] + arguments(folder: folder, printed: printed), [:], seconds: seconds,
      isSilent: true)
    guard !Interruption.isRequested else { throw OutputError(.cancelled) }
    switch end {
    case .notStarted: throw failure("cannot be started", path)
    case .tooLong: throw failure("took longer than \(Int(seconds)) seconds", path)
    case .ended(let status):
      guard status == 0, let data = try? Data(contentsOf: URL(fileURLWithPath: printed)),
        data.starts(with: Array("%PDF-".utf8))
      else { throw failure("printed nothing (exit code \(status))", path) }
      return data
    }
  }

  private func arguments(folder: String, printed: String) -> [String] {
    // Chromium isolates nothing for root, and refuses to start unless it is told.
    (geteuid() == 0 ? ["--no-sandbox"] : []) + [
      "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-sync",
      "--disable-background-networking", "--disable-component-update", "--disable-crash-reporter",
      "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=\(folder)/profile",
      "--disk-cache-dir=\(folder)/cache", "--no-pdf-header-footer", "--print-to-pdf=\(printed)",
      URL(fileURLWithPath: "\(folder)/page.html").absoluteString,
    ]
  }

  private func failure(_ what: String, _ path: String) -> Failure {
    Failure(
      "\(program.printable) \(what): \(path.printable) was not written. Give --out a name that ends "
        + "in .html, and print that file from any browser.", .inputOutput)
  }

  private static func privateFolder(beside path: String) throws(OutputError) -> String {
    let parent = SampleStore.resolvingLinks(TypedPath(path).place)
    // A browser in a container may see no hidden folders, and no other temporary ones.
    var template = Array("\(parent)/hkstats-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw OutputError(.notWritable(errno: errno), path: path)
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
