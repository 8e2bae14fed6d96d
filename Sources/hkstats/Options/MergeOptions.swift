import ArgumentParser
import HealthAnswers
import HealthMerge

/// Options of merging.
struct MergeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How overlapping sources are merged: hk (as HealthKit), hc (as Health Connect), subtractive, drop, highest or none (the raw sum).",
      valueName: "policy"),
    completion: .policies,
    transform: QuestionWords.policy)
  var merge: MergePolicy = .healthKit

  @OptionGroup var preferring: PreferOption

  var prefer: [String] { preferring.prefer }
}
