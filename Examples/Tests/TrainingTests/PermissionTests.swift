import HealthKit
import HealthKitTesting
import Testing
import Training

@MainActor
@Suite("Permission", .healthStore(.allowingAll))
struct PermissionTests {
  private let flow = PermissionFlow()

  @Test("The first launch explains why and asks; the next one shows the diary")
  func allowing() async {
    await flow.start()
    #expect(flow.state == .explanation)
    await flow.allow()
    #expect(flow.state == .ready)
    let next = PermissionFlow()
    await next.start()
    #expect(next.state == .ready)
  }

  @Test("A person who denies everything sees a diary without buttons", .healthStore(.denyingAll))
  func denying() async {
    await flow.start()
    await flow.allow()
    #expect(flow.state == .onlyReading)
  }

  @Test(
    "A person who denies workouts alone cannot record either",
    .healthStore(
      .allowing(
        share: TrainingAccess.share.subtracting([.workoutType()]), read: TrainingAccess.read)))
  func denyingWorkouts() async {
    await flow.allow()
    #expect(flow.state == .onlyReading)
  }

  @Test("A person who closes the sheet is asked again", .healthStore(.unanswered))
  func closing() async {
    await flow.allow()
    #expect(flow.state == .explanation)
    await flow.start()
    #expect(flow.state == .explanation)
  }

  @Test("An iPad without health data says so", .healthStore(.allowingAll.device(.iPad16).lenient()))
  func iPad() async {
    await flow.start()
    #expect(flow.state == .unavailable)
  }
}
