import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Slices and binary search")
struct SliceTests {
  /// All sequences of up to six small numbers.
  private static let sequences: [[Int]] = (1...6).reduce(into: [[]]) { all, count in
    all += all.filter { $0.count == count - 1 }.flatMap { one in (0..<3).map { one + [$0] } }
  }

  @Test("A binary search finds what a scan finds, in arrays, ranges and slices")
  func partitions() {
    for numbers in Self.sequences.map({ $0.sorted() }) {
      for bound in -1...4 {
        let scanned = numbers.firstIndex { $0 >= bound } ?? numbers.endIndex
        #expect(numbers.partitioningIndex { $0 >= bound } == scanned)
        #expect(numbers.indices.partitioningIndex { numbers[$0] >= bound } == scanned)
        let slice = numbers.dropFirst(2)
        #expect(
          slice.partitioningIndex { $0 >= bound }
            == slice.firstIndex { $0 >= bound } ?? slice.endIndex)
      }
    }
  }

  @Test("A binary search asks about each element at most once, and about few")
  func asksFew() {
    for count in [0, 1, 2, 3, 1_000, 1_023, 1_024] {
      for bound in [0, count / 3, count] {
        var asked: [Int] = []
        _ = (0..<count).partitioningIndex {
          asked.append($0)
          return $0 >= bound
        }
        #expect(Set(asked).count == asked.count)
        #expect(asked.count <= count.bitWidth - count.leadingZeroBitCount)
      }
    }
  }

  @Test("Chunks are the longest runs, and joined give the whole")
  func chunks() {
    for numbers in Self.sequences {
      let runs = numbers.chunked { $0 <= $1 }
      #expect(runs.flatMap { $0 } == numbers)
      #expect(runs.allSatisfy { !$0.isEmpty && Array($0) == $0.sorted() })
      #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.last ?? 0 > $1.first ?? 0 })
      let keyed = numbers.chunked(on: { $0 % 2 })
      #expect(keyed.flatMap(\.1) == numbers)
      #expect(keyed.allSatisfy { key, run in run.allSatisfy { $0 % 2 == key } })
      #expect(zip(keyed, keyed.dropFirst()).allSatisfy { $0.0 != $1.0 })
      for size in 1...4 {
        let pieces = numbers.chunks(ofCount: size)
        #expect(pieces.flatMap { $0 } == numbers)
        #expect(pieces.dropLast().allSatisfy { $0.count == size })
        #expect(pieces.last.map { 1...size ~= $0.count } ?? true)
      }
    }
  }

  @Test("Each element stays once, where it stands first")
  func uniques() {
    for numbers in Self.sequences {
      var first: [Int] = []
      for number in numbers where !first.contains(number) { first.append(number) }
      #expect(numbers.uniqued() == first)
    }
  }
}
