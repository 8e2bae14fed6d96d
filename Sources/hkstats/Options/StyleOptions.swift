import ArgumentParser
import HealthAnswers
import HealthQuery

/// The rule of means.
struct StyleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How means are computed: arithmetic, temporallyWeighted or equivalentContinuousLevel; or sdk18 or sdk26, the type's rule in that version. Else the newest rule of the type.",
      valueName: "style"),
    completion: .list(QuestionWords.styles),
    transform: QuestionWords.style)
  var style: StyleChoice?

  @Option(
    help: ArgumentHelp(
      "For how long a lone value counts to either side in a temporally weighted mean, within its interval, such as 90s or 5min; gaps up to twice that are bridged. Else 10min.",
      valueName: "duration"),
    transform: QuestionWords.seconds)
  var hold: Double?
}
