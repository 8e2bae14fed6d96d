@_spi(Queues) import HealthSamples
import Testing
import _HealthTestSupport

@Suite struct PriorityQueueTests {
  @Test("The first value, and the priority after it, are those of a sorted list")
  func matchesSortedList() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      var queue = PriorityQueue<Int, String>()
      var list: [Int] = []
      for _ in 0..<60 {
        let priority = Int.random(in: 0..<20, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          queue.removeFirst()
          if !list.isEmpty { list.removeFirst() }
        case 1 where !list.isEmpty:
          queue.replaceFirst(by: "\(priority)", priority: priority)
          list[0] = priority
        default:
          queue.insert("\(priority)", priority: priority)
          list.append(priority)
        }
        list.sort()
        #expect(queue.first?.priority == list.first)
        #expect(queue.first?.value == list.first.map { "\($0)" })
        #expect(queue.secondPriority == list.dropFirst().first)
        #expect(queue.count == list.count && queue.isEmpty == list.isEmpty)
      }
    }
  }
}
