// Texts that the languages lack still.

extension Words.Heart {
  var middleHalfOfTime: String { "middle half of the time" }
  /// 0 the limit, 1 days before, 2 daily numbers, 3 measures.
  var unusualRule: String {
    """
    Robust score beyond ±{0} against the {1} days before, and still without the course of the week; \
    {2} daily numbers of {3} measures were looked at. A few are expected by chance.
    """
  }
}

extension Words.Sleep {
  /// The end of a stage.
  var until: String { "until" }
}
