import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct PackedIntegersTests {
  private func roundTrip(_ numbers: [Int64]) throws -> (numbers: [Int64], size: Int) {
    var writer = ByteWriter()
    numbers.withUnsafeBufferPointer { PackedIntegers.append($0, to: &writer) }
    let size = writer.bytes.count
    writer.appendChecksum()
    var reader = try ByteReader(checked: writer.bytes)
    var read = [Int64](repeating: 7, count: numbers.count)
    try read.withUnsafeMutableBufferPointer { try PackedIntegers.read($0, from: &reader) }
    #expect(reader.isAtEnd)
    return (read, size)
  }

  @Test("reads back every width at every length", arguments: 0...64)
  func widths(width: Int) throws {
    var random = SplitMix64(seed: UInt64(width))
    let highest: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
    for count in [0, 1, 2, 7, 8, 9, 63, 64, 65, 1_000, PackedIntegers.blockCount] {
      let base = Int64.random(in: -5...5, using: &random)
      let numbers = (0..<count).map { _ in
        base &+ Int64(bitPattern: UInt64.random(in: 0...highest, using: &random))
      }
      let (read, size) = try roundTrip(numbers)
      #expect(read == numbers)
      #expect(size <= (count * width + 7) / 8 + 14)
    }
  }

  @Test("keeps a few far numbers apart instead of widening all", arguments: [-1, 1] as [Int64])
  func exceptions(sign: Int64) throws {
    var numbers = (0..<1_000).map { Int64($0 % 16) }
    for place in [0, 500, 999] { numbers[place] = sign * Int64.max / 3 }
    let (read, size) = try roundTrip(numbers)
    #expect(read == numbers)
    #expect(size < 1_000 / 2 + 60)
  }

  @Test("takes no bits for equal numbers")
  func constant() throws {
    let (read, size) = try roundTrip(Array(repeating: -12, count: 1_024))
    #expect(read == Array(repeating: -12, count: 1_024))
    #expect(size <= 4)
  }

  @Test("reads back the extremes")
  func extremes() throws {
    for numbers in [[Int64.min, .max], [.max, .min, 0], [.min, .min, .min + 1]] as [[Int64]] {
      let (read, _) = try roundTrip(numbers)
      #expect(read == numbers)
    }
  }
}
