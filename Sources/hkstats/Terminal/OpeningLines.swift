import Foundation
import HealthExchange
import HealthReport

/// How a person opens a page from the terminal in which it was written.
enum OpeningLines {
  /// The URL of a file, then the command that opens it, where there is one.
  ///
  /// - Parameters:
  ///   - path: the path from the root
  ///   - environment: the variables of the terminal's session
  /// - Returns: a line each
  static func of(
    _ path: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    let url = url(of: path, windows: distribution(environment))
    return [url] + [command(path, environment)].compactMap(\.self)
  }

  /// The URL in ASCII, so that terminals see its end.
  private static func url(of path: String, windows distribution: String?) -> String {
    // The browser is one of Windows, which has the files of Linux below this host.
    let whole = distribution.map { "/\($0)\(path)" } ?? path
    let host = distribution == nil ? "" : "wsl.localhost"
    return "file://\(host)" + (whole.addingPercentEncoding(withAllowedCharacters: plain) ?? whole)
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  /// The command that opens a file in a window of this machine; `nil` where there is none.
  private static func command(_ path: String, _ environment: [String: String]) -> String? {
    guard !path.hasControls else { return nil }
    func has(_ name: String) -> Bool {
      InstalledProgram.path(of: [name], in: environment) != nil
    }
    guard distribution(environment) == nil else {
      if has("wslview") { return "wslview \(path.shellWord)" }
      // A program of Windows takes paths of Windows.
      return has("explorer.exe") ? "explorer.exe \"$(wslpath -w \(path.shellWord))\"" : nil
    }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      !environment[$0, default: ""].isEmpty
    }
    return hasDisplay && has("xdg-open") ? "xdg-open \(path.shellWord)" : nil
  }

  /// The name of the Linux within Windows; `nil` elsewhere.
  private static func distribution(_ environment: [String: String]) -> String? {
    environment["WSL_DISTRO_NAME"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
