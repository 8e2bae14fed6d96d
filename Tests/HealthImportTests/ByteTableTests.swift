import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Strings of bytes are numbered")
struct ByteTableTests {
  @Test("as by a dictionary, in the order of their first coming")
  func againstDictionary() {
    var random = SplitMix64(seed: 5)
    var table = ByteTable()
    var numbers: [[UInt8]: Int] = [:]
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...20, using: &random)
      let key = (0..<length).map { _ in UInt8.random(in: 0...1, using: &random) }
      let expected = numbers[key]
      let found = key.withUnsafeBufferPointer { key in
        #expect(table.existingIndex(of: key) == expected)
        return table.index(of: key)
      }
      #expect(found.index == expected ?? numbers.count)
      #expect(found.isNew == (expected == nil))
      numbers[key] = found.index
    }
    #expect(table.count == numbers.count)
  }
}
