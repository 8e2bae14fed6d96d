import Foundation
import _HealthTestSupport

/// Runs a check over every input that is made, every one that was found, and random damage to them.
public struct FuzzReplay {
  /// How many inputs were read.
  public private(set) var count = 0
  /// What was wrong, with the input that shows it.
  public private(set) var findings: [String] = []

  /// How often each input is broken.
  private static let times = 2

  public init(of subject: FuzzSubject) throws {
    let check = try FuzzCheck(of: subject)
    let made = try FuzzSeeds.made(for: subject)
    let found = try FuzzSeeds.found(for: subject).map { Breakable("\(subject)", $0) }
    for (index, input) in (made + found).enumerated() {
      replay(input.bytes, check)
      var generator = SplitMix64(seed: UInt64(index))
      for _ in 0..<Self.times { replay(input.broken(using: &generator), check) }
    }
  }

  private mutating func replay(_ input: [UInt8], _ check: FuzzCheck) {
    count += 1
    do {
      try check.check(input)
    } catch {
      findings.append("\(error): \(Data(input).base64EncodedString())")
    }
  }
}
