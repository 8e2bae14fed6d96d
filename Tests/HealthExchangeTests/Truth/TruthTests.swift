import Foundation
import HealthSamples
import HealthStore
import Testing

@testable import ExportGenerator

/// A profile and a version of the format, in one of the languages of phones.
struct ExportShape: CustomTestStringConvertible {
  let profile: Profile
  let version: ExportVersion
  let language: Language

  /// The days that `HKSTATS_TRUTH_DAYS` asks for; each shape comes in every language then.
  private static let days =
    ProcessInfo.processInfo.environment["HKSTATS_TRUTH_DAYS"].flatMap { Int($0) }

  static let all = ExportVersion.allCases.flatMap { version in
    Profile.allCases.enumerated().flatMap { number, profile in
      let place = version.rawValue * Profile.allCases.count + number
      return (days == nil ? [Language.all[place % Language.all.count]] : Language.all).map {
        Self(profile: profile, version: version, language: $0)
      }
    }
  }

  var testDescription: String { "\(profile) \(version.name) \(language.identifier)" }

  /// Few records of many days, in units and an offset that most other shapes do not have.
  var plan: ExportPlan {
    get throws {
      let number = version.rawValue + profile.rawValue.utf8.count
      return try .sample(
        seed: UInt64(number), days: Self.days ?? (profile == .iphone ? 16 : 9),
        offset: ["+0100", "-0800", "+0545"][number % 3], version: version,
        preference: RecordUnit.Preference.allCases[(number + 1) % 3], density: 0.1,
        profile: profile, language: language)
    }
  }
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
