import Foundation
import Testing

@testable import ExportGenerator

@Suite("What is added to a generated export is in the store, too, to the last number")
struct AdditionTruthTests {
  /// A profile, a version and what is added.
  struct Shape: CustomTestStringConvertible {
    let profile: Profile
    let version: ExportVersion
    let additions: Set<Addition>

    init(_ profile: Profile, _ version: ExportVersion, _ additions: Set<Addition>) {
      (self.profile, self.version, self.additions) = (profile, version, additions)
    }

    var testDescription: String {
      "\(profile) \(version.name) \(additions.map(\.rawValue).sorted().joined(separator: ","))"
    }

    static let all =
      [Addition.foods, .watches, .unfinished, .cycles].map { Shape(.watch, .version14, [$0]) }
      + [
        (Profile.watch, ExportVersion.version14), (.watch, .version3),
        (.iphone, .version11), (.garmin, .version13), (.food, .ios27),
      ].map { Shape($0.0, $0.1, [.foods, .watches, .unfinished, .cycles]) }
      // iOS 8 writes neither devices, which tell watches of one name apart, nor what foods are called
      // in a form that can be read.
      + [Shape(.watch, .ios8, [.unfinished, .cycles])]
  }

  @Test("Of an archive all that the truth tells", arguments: Shape.all)
  func archive(shape: Shape) throws {
    let plan = try ExportPlan.sample(
      seed: 3, days: shape.profile == .iphone ? 40 : 9, version: shape.version, density: 0.1,
      profile: shape.profile, additions: shape.additions)
    let export = try ImportedExport(plan, as: "export.zip")
    let truth = try JSONSerialization.jsonObject(with: Data(export.truth.json()))
    let keys = try #require(truth as? [String: Any]).keys.sorted()
    #expect(keys.contains("with") && export.truth.with == shape.additions.map(\.rawValue).sorted())
    try TruthComparison(export).check(keys)
  }
}
