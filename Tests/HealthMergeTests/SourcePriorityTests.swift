import HealthMerge
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("The order of sources")
struct SourcePriorityTests {
  private func facts(
    _ name: String, _ kind: DeviceKind, first: Double, entered: Bool = false
  ) -> SourceFacts {
    SourceFacts(
      source: Source(name: name, isUserEntered: entered), deviceKind: kind, firstStart: first)
  }

  @Test("a source that stands twice ranks at its first place")
  func duplicates() {
    let sources = Source.named("A", "B", "C")
    let priority = SourcePriority(order: [sources[1], sources[0], sources[1], sources[2]])
    #expect(priority.order == [sources[1], sources[0], sources[2]])
    #expect(priority.rank(of: sources[2]) == 2)
    #expect(priority.rank(of: Source(name: "D")) == nil)
  }

  @Test("hand-entered, then watches, wearables, phones, others, the newest first, then by name")
  func standard() {
    let expected = [
      facts("App", .other, first: 1, entered: true), facts("New watch", .watch, first: 9),
      facts("Old watch", .watch, first: 2), facts("Ring", .wearable, first: 1),
      facts("Phone", .phone, first: 99),
      facts("Newer app", .other, first: 50), facts("An app", .other, first: 40),
      facts("The app", .other, first: 40),
    ]
    var generator = SplitMix64(seed: 3)
    for _ in 0..<50 {
      let order = SourcePriority.standard(for: expected.shuffled(using: &generator)).order
      #expect(order == expected.map(\.source))
    }
  }

  @Test("a preferred name lifts all its samples, hand-entered ones first, whatever its spelling")
  func preferred() {
    let all = [
      facts("Anna’s\u{A0}Ring", .other, first: 0, entered: true),
      facts("Anna’s\u{A0}Ring", .other, first: 0), facts("Watch", .watch, first: 5),
      facts("App", .other, first: 7, entered: true),
    ]
    let order = SourcePriority.standard(for: all, preferred: [" Anna's Ring", "nobody"]).order
    #expect(order == [all[0], all[1], all[3], all[2]].map(\.source))
    #expect(SourcePriority.unmatched([" Anna's Ring", "nobody"], in: all) == ["nobody"])
  }
}
