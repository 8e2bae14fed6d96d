import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

extension TerminalSheet {
  /// Asks a sheet through pipes, and gives its answer and its output.
  static func run<Answer>(
    _ input: String, _ ask: (TerminalSheet) async -> Answer
  ) async throws -> (answer: Answer, shown: String) {
    let (answers, output) = (Pipe(), Pipe())
    try answers.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try answers.fileHandleForWriting.close()
    let answer = await ask(
      TerminalSheet(
        input: answers.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor))
    withExtendedLifetime(answers) {}
    try output.fileHandleForWriting.close()
    let shown = try output.fileHandleForReading.readToEnd() ?? Data()
    return (answer, String(decoding: shown, as: UTF8.self))
  }
}

@Suite struct TerminalSheetTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)
  private let variability = HKQuantityType(.heartRateVariabilitySDNN)

  private func request(
    share: Set<HKSampleType>, read: Set<HKObjectType>, name: String = "Diary"
  ) -> AuthorisationRequest {
    var host = HealthHost(environment: [:])
    (host.bundleIdentifier, host.name) = ("com.example.diary", name)
    (host.shareUsage, host.readUsage) = ("to log what you enter", "to chart it")
    return AuthorisationRequest(host, share: share, read: read)
  }

  private func ask(
    _ request: AuthorisationRequest, _ answers: String
  ) async throws -> (answer: AuthorisationAnswer?, shown: String) {
    try await TerminalSheet.run(answers) { await $0.answer(request) }
  }

  @Test("The sheet shows the app, its reasons and the types by readable names, to save and to read")
  func shown() async throws {
    let (answer, shown) = try await ask(
      request(share: [mass], read: [steps, variability, HKObjectType.workoutType()]), "y\nn\n")
    #expect(answer?.share == [mass] && answer?.read == [])
    #expect(shown.contains("Diary (com.example.diary)"))
    let parts = shown.components(separatedBy: "It wants to read:")
    try #require(parts.count == 2)
    #expect(parts[0].contains("It wants to save:\n  Body Mass\n"))
    #expect(parts[0].contains("to log what you enter") && !parts[0].contains("Step Count"))
    #expect(
      parts[1].contains("\n  Heart Rate Variability SDNN\n  Step Count\n  Workout\n"))
    #expect(parts[1].contains("to chart it") && !parts[1].contains("Body Mass"))
  }

  @Test("The owner answers for all types, for none, or for each")
  func answers() async throws {
    let both: Set<HKSampleType> = [steps, mass]
    for (answers, share, read) in [
      ("y\ny\n", both, both), ("n\nn\n", [], []), ("YES\nNo\n", both, []),
      ("each\ny\nn\nn\n", [mass], []), ("n\neach\nn\ny\n", [], [steps]),
      ("maybe\n\ny\n n \n", both, []),
    ] as [(String, Set<HKSampleType>, Set<HKSampleType>)] {
      let (answer, shown) = try await ask(request(share: both, read: both.union([])), answers)
      #expect(answer?.share == share && answer?.read == read, "\(answers)")
      #expect(shown.contains("Please answer") == answers.hasPrefix("maybe"))
    }
  }

  @Test(
    "Input that ends before the last answer is no answer",
    arguments: ["", "y\n", "y\neach\ny\n", "y\ny"])
  func endOfInput(_ answers: String) async throws {
    let (answer, _) = try await ask(request(share: [steps], read: [steps, mass]), answers)
    #expect(answer == nil)
  }

  @Test("Control characters in the name of an app are not printed")
  func controls() async throws {
    let (_, shown) = try await ask(
      request(share: [steps], read: [], name: "Di\u{1B}[31mary\r\u{202E}"), "y\n")
    #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" || $0 == "\u{202E}" })
    #expect(shown.contains("Di"))
  }

  @Test("Every type has a readable name of its own")
  func names() {
    let types: [HKObjectType] =
      HKQuantityType.types.values.map { $0 } + HKCategoryType.types.values.map { $0 }
    let names = types.map { ReadableName.of($0.identifier) }
    #expect(Set(names).count == types.count)
    #expect(!names.contains { $0.contains("HK") || $0.contains("Identifier") || $0.isEmpty })
    #expect(ReadableName.of("HKVisionPrescriptionTypeIdentifier") == "Vision Prescription")
    #expect(ReadableName.of("HKDataTypeStateOfMind") == "State Of Mind")
    #expect(ReadableName.of("HKQuantityTypeIdentifierVO2Max") == "VO2 Max")
  }
}
