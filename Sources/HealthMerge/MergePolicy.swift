/// How much of a sample counts where sources of a cumulative type overlap.
///
/// Discrete types are never merged: all samples of all sources take part, whatever the policy.
/// Unless it says otherwise a policy adds up overlaps within one source.
///
/// Under every policy the order of samples plays no part, and an interval depends only on samples
/// that reach into it or overlap those that do. Cutting an interval in two preserves sums except
/// under ``highest``; a source alone is its own merge except under ``hc``; what is merged is merged
/// to itself except under ``subtractive``, which may take from a remainder in covered time once
/// more.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// Each moment belongs to the top-ranked source that has a sample open; lower sources count, pro
  /// rata, for the time that no higher one covers.
  case hk
  /// As Google Health Connect: each moment belongs to the one top-ranked record that is open, by
  /// source, then the later change, start, end and value. Sources that are not listed are ignored.
  case hc
  /// A sample counts what it has beyond the amount that higher sources counted inside its span.
  case subtractive
  /// A sample that overlaps one that already counts from a higher source is dropped whole.
  case drop
  /// Each interval belongs to the source with the largest sum in it, the higher rank of equals.
  case highest
  /// Every sample counts in full: the raw sum.
  case none
}
