import Testing
import _HealthFuzzing

@Suite("What a fuzzer may find in files")
struct FuzzReplayTests {
  @Test(
    "Every input that was made or found, and random damage to it, keeps what readers promise",
    arguments: FuzzSubject.files)
  func replay(subject: FuzzSubject) throws {
    let replay = try FuzzReplay(of: subject)
    #expect(replay.count > 2)
    #expect(replay.findings.isEmpty)
  }
}
