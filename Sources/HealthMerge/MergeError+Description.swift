import HealthSamples

extension MergeError: CustomStringConvertible {
  /// At which source merging stopped, why, and what to do.
  public var description: String {
    switch reason {
    case .tooManySegments:
      "The samples of \(source.description) overlap so often that merging has no end worth waiting "
        + "for. Ask for a shorter period."
    }
  }
}
