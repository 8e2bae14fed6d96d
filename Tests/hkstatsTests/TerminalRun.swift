import Foundation
import Testing

/// A terminal of some columns, as programs see one, and what they wrote to it.
final class PseudoTerminal {
  private let descriptor: Int32
  private let device: Int32
  /// The device that programs open.
  let path: String

  init(columns: Int) throws {
    // What is written arrives as it is.
    var mode = termios()
    cfmakeraw(&mode)
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    var (descriptor, device): (Int32, Int32) = (-1, -1)
    try #require(openpty(&descriptor, &device, nil, &mode, &size) == 0)
    (self.descriptor, self.device) = (descriptor, device)
    path = String(cString: try #require(ttyname(device)))
  }

  deinit {
    close(descriptor)
    close(device)
  }

  /// What a program writes until it ends.
  ///
  /// - Parameters:
  ///   - process: the program
  ///   - mark: a text that is waited for
  ///   - act: what is done once it has been written
  /// - Returns: the text
  func text(
    of process: Process, after mark: String? = nil, _ act: () -> Void = {}
  ) -> String {
    var mark = mark
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let isRunning = process.isRunning
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&ready, 1, isRunning ? 50 : 0) > 0, ready.revents & Int16(POLLIN) != 0 {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer[..<count] }
        if let awaited = mark, String(decoding: bytes, as: UTF8.self).contains(awaited) {
          mark = nil
          act()
        }
      } else if !isRunning {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}

extension ProgramRun {
  /// Runs `hkstats` with standard output, or standard error, on a terminal.
  static func onTerminal(
    _ arguments: [String], columns: Int, environment: [String: String],
    showsErrors: Bool = false, folder: String? = nil
  ) throws -> String {
    let scratch = try Scratch()
    let terminal = try PseudoTerminal(columns: columns)
    let process = try start(
      "hkstats", arguments, in: scratch, environment: environment,
      output: showsErrors ? nil : terminal.path, errors: showsErrors ? terminal.path : nil,
      folder: folder)
    let text = terminal.text(of: process)
    process.waitUntilExit()
    return text
  }
}
