import Foundation
import HealthSamples
import HealthStore
import Testing

@testable import generate_export

/// A profile and a version of the format.
struct ExportShape: CustomTestStringConvertible {
  let profile: Profile
  let version: ExportVersion

  static let all = ExportVersion.allCases.flatMap { version in
    Profile.allCases.map { Self(profile: $0, version: version) }
  }

  var testDescription: String { "\(profile) \(version.name)" }

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
  @Test("Of an archive all that the truth tells", arguments: ExportShape.all)
  func archive(shape: ExportShape) throws {
    let export = try ImportedExport(shape.plan, as: "export.zip")
    let truth = try JSONSerialization.jsonObject(with: Data(export.truth.json()))
    let keys = try #require(truth as? [String: Any]).keys.sorted()
    try TruthComparison(export).check(keys)
  }

  @Test("Of a main file alone all but the files beside it", arguments: ExportShape.all)
  func mainFile(shape: ExportShape) throws {
    let export = try ImportedExport(shape.plan, as: "export.xml", detail: .counts)
    try TruthComparison(export).check(
      ["bytes", "records", "elements", "routes", "electrocardiograms", "clinicalRecords"])
  }
}
