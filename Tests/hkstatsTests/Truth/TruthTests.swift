import Foundation
import HealthSamples
import HealthStore
import Testing

@testable import generate_export

/// A profile, a version of the format and a way to pack the files.
struct ExportShape: CustomTestStringConvertible {
  let profile: Profile
  let version: ExportVersion
  let file: String

  static let all = ExportVersion.allCases.flatMap { version in
    Profile.allCases.flatMap { profile in
      ["export.zip", "export.xml"].map { Self(profile: profile, version: version, file: $0) }
    }
  }

  var testDescription: String { "\(profile) \(version.name) \(file)" }

  /// Few records of many days, in a language, units and an offset that other shapes do not have.
  var plan: ExportPlan {
    get throws {
      let number = version.rawValue * Profile.allCases.count + profile.number
      return try .sample(
        seed: UInt64(number), days: profile == .iphone ? 16 : 9,
        offset: ["+0100", "-0800", "+0545"][number % 3], version: version,
        preference: RecordUnit.Preference.allCases[number % 3], density: 0.1, profile: profile,
        language: Language.all[number % Language.all.count])
    }
  }
}

extension Profile {
  fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

@Suite("What a generated export holds is in the store, to the last number")
struct TruthTests {
  @Test("All that the truth tells, in every profile and version", arguments: ExportShape.all)
  func all(shape: ExportShape) throws {
    let export = try ImportedExport(shape.plan, as: shape.file)
    let comparison = TruthComparison(export)
    let truth = try JSONSerialization.jsonObject(with: Data(export.truth.json()))
    let keys = try #require(truth as? [String: Any]).keys
    for key in keys.sorted() { try comparison.check(key) }
    try comparison.checkNothingElse()
    try export.store.verify()
  }
}
