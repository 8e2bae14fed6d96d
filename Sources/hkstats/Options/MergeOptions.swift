import ArgumentParser
import HealthMerge

/// Options of merging.
struct MergeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How overlapping sources are merged: hk (as HealthKit), hc (as Health Connect), subtractive, drop, highest or none (the raw sum).",
      valueName: "policy"),
    transform: Self.policy)
  var merge: MergePolicy = .healthKit

  @OptionGroup var preferring: PreferOption

  var prefer: [String] { preferring.prefer }

  static func policy(_ text: String) throws -> MergePolicy {
    if let policy = MergePolicy(rawValue: text) { return policy }
    throw ValidationError(
      DidYouMean.text("policy", text, among: MergePolicy.allCases.map(\.rawValue)))
  }
}
