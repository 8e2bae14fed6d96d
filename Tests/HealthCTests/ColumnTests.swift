import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthC

@Suite("Columns of Arrow")
struct ColumnTests {
  @Test("Instants are microseconds since 1970, rounded once, ties to even", arguments: 0..<20)
  func microseconds(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let spread = [1, 1e3, 1e6, 1e9, 2e9, 1e10, 1e11][seed % 7]
    var instants = (0..<500).map { _ in
      let instant = Double.random(in: -spread...spread, using: &random)
      return Bool.random(using: &random) ? instant.rounded() : instant
    }
    instants += [0, 0.5e-6, 1.5e-6, -0.5e-6, 2.5e-6, 1e-7, -978_307_200]
    // The slow twin: what C prints without decimals.
    let expected = instants.map { instant in
      (Int64(String(format: "%.0f", instant * 1e6)) ?? 0) + 978_307_200_000_000
    }
    let places = zip(Microseconds.column(of: instants), expected).enumerated()
    #expect(places.allSatisfy { $0.element.0 == $0.element.1 })
  }

  @Test("Bits are packed, the least significant first")
  func bits() throws {
    var random = SplitMix64(seed: 1)
    for count in 0...40 {
      let bits = (0..<count).map { _ in Bool.random(using: &random) }
      let buffer = ArrowBuffer(bits: bits)
      for index in 0..<count {
        let byte = buffer.address.load(fromByteOffset: index / 8, as: UInt8.self)
        #expect((byte >> (index % 8)) & 1 == (bits[index] ? 1 : 0))
      }
    }
  }

  @Test("Numbers without gaps are the storage of the array itself")
  func sharesNumbers() throws {
    let numbers = (0..<1000).map(Double.init)
    let column = ArrowColumn(.reals(numbers))
    let own = numbers.withUnsafeBytes { $0.baseAddress }
    #expect(column.buffers.count == 2 && column.buffers[0] == nil && column.nullCount == 0)
    #expect(column.buffers[1]?.address == own)
  }

  @Test("Gaps are counted, and words are a dictionary in the order of their first use")
  func gaps() {
    let numbers = ArrowColumn(.reals([1, nil, 3, nil]))
    #expect(numbers.nullCount == 2 && numbers.buffers[0] != nil)
    let words = ArrowColumn(.words(["b", nil, "a", "b"]))
    #expect(words.nullCount == 1 && words.dictionary?.count == 2)
    let codes = words.buffers[1].map { buffer in
      (0..<4).map { buffer.address.load(fromByteOffset: 4 * $0, as: Int32.self) }
    }
    #expect(codes == [0, 0, 1, 0])
  }
}
