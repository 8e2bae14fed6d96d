import Testing
import _HealthFuzzing

@Suite struct FuzzReplayTests {
  @Test("Every published unit, every text that was found, and random damage to them, is an answer")
  func replay() throws {
    let replay = try FuzzReplay(of: .units)
    #expect(replay.count > 1000)
    #expect(replay.findings.isEmpty)
  }
}
