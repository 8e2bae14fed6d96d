import Foundation
import HealthSamples
import HealthSignatures
import HealthStore
import HealthUnits
import Testing

@testable import hkstats

@Suite("hkstats verify --signatures")
struct SignatureProgramTests {
  private let scratch: Scratch
  private let store: SampleStore
  private let key = SigningKey()

  init() throws {
    scratch = try Scratch()
    store = try SampleStore(path: scratch.path("store.sqlite"), mode: .readWrite)
    _ = try scratch.file("scale.pem", Data(key.verificationKey.pem.utf8))
  }

  /// Saves a sample with a signature, which may be over another value or altered.
  private func save(
    _ value: Double, signed signedValue: Double? = nil, by key: SigningKey, start: Double,
    type: SampleType = SampleType(.bodyMass), label: String = "lb", unit: String = "lb",
    altered: (String) -> String = { $0 }
  ) throws {
    let sample = try SignedSample(
      type: type.identifier, start: start, end: start, value: signedValue ?? value, unit: unit)
    let text = altered(try key.sign(sample).base64)
    try store.save([
      NewSample(
        type: type, source: Source(name: "Scale"), start: start, end: start, value: value,
        label: label,
        metadata: Metadata([.init(key: "HKDigitalSignature", value: text, kind: .string)]))
    ])
  }

  private func verify(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(
      ["verify", "--store", scratch.path("store.sqlite")] + arguments)
  }

  @Test("Signed samples are valid to the bit after the store, others are counted by what is wrong")
  func counts() throws {
    let key = scratch.path("scale.pem")
    let none = try verify("--signatures", "--key", key)
    #expect(none.exitCode == 0 && none.output.contains("No sample"))
    for row in 0..<40 {
      try save(Double(row) / 7 + 140, by: self.key, start: 700_000_000 + Double(row) / 3)
    }
    try save(-0.0, by: self.key, start: 600_000_000)
    try save(
      2, by: self.key, start: 600_000_000, type: SampleType(.sleepAnalysis),
      label: "HKCategoryValueSleepAnalysisAwake", unit: "")
    let valid = try verify("--signatures", "--key", key)
    #expect(valid.exitCode == 0, "\(valid.errors)")
    #expect(valid.output.contains("Weight"))
    let other = SigningKey()
    let otherKey = try scratch.file("other.pem", Data(other.verificationKey.pem.utf8))
    try save(150, signed: 151, by: self.key, start: 1000)
    try save(150, by: other, start: 2000)
    try save(150, by: other, start: 3000)
    try save(150, by: self.key, start: 4000) { _ in "not a signature" }
    let found = try verify("--signatures", "--key", key, "--json")
    #expect(found.exitCode == 65)
    let types = try found.rows("types")
    #expect(types.map { $0["valid"] as? Int } == [1, 41])
    for (word, count) in [
      "signed": 45, "valid": 41, "changed": 1, "unproven": 2, "unreadable": 1,
    ] {
      #expect(types.last?[word] as? Int == count, "\(word)")
    }
    let samples = try found.rows("reasons").compactMap { $0["samples"] as? Int }
    #expect(samples == [2, 1, 1])
    let both = try verify("--signatures", "--key", key, "--key", otherKey, "--json")
    #expect(try both.rows("types").last?["valid"] as? Int == 43)
    let table = try verify("--signatures", "--key", key)
    #expect(table.exitCode == 65 && table.output.contains("Not valid: 2 samples"))
    // No output tells a value.
    #expect(!(table.output + found.output).contains("15"))
  }

  @Test("Keys that are missing or not keys are refused")
  func keys() throws {
    #expect(try verify("--signatures").exitCode == 64)
    #expect(try verify("--key", scratch.path("scale.pem")).exitCode == 64)
    #expect(try verify("--signatures", "--key", scratch.path("nothing")).exitCode == 66)
    let secret = try scratch.file("private.pem", Data(key.pem.utf8))
    let refused = try verify("--signatures", "--key", secret)
    #expect(refused.exitCode == 65 && refused.errors.contains("PEM"))
  }
}
