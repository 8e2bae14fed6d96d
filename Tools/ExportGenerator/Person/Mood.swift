/// A state of mind that the person notes.
struct Mood {
  let time: Int
  /// Whether it is that of a whole day, not of a moment.
  let isOfDay: Bool
  /// From -1, very unpleasant, to 1, in thousandths.
  let valence: Double
  let label: StaticString
  let association: StaticString?

  /// The class of the valence, the seven of which are equally wide but for the outer two.
  var classification: StaticString {
    let place = Int((3.5 * valence).rounded()) + 3
    return Self.classifications[min(max(place, 0), 6)]
  }

  private static let classifications: [StaticString] = [
    "very_unpleasant", "unpleasant", "slightly_unpleasant", "neutral", "slightly_pleasant",
    "pleasant", "very_pleasant",
  ]
  private static let pleasant: [StaticString] = ["calm", "content", "grateful", "happy", "proud"]
  private static let unpleasant: [StaticString] = ["anxious", "drained", "irritated", "sad"]
  private static let associations: [StaticString] = ["family", "fitness", "self_care", "work"]
}

extension Mood {
  /// A state of mind at a time.
  init(time: Int, isOfDay: Bool, chance: inout Chance) {
    self.time = time
    self.isOfDay = isOfDay
    valence = min(max((1_000 * (0.2 + 0.4 * chance.bell())).rounded() / 1_000, -1), 1)
    let labels = valence < 0 ? Self.unpleasant : Self.pleasant
    label = labels[chance.whole(in: 0...labels.count - 1)]
    association =
      chance.happens(0.6)
      ? Self.associations[chance.whole(in: 0...Self.associations.count - 1)] : nil
  }
}

extension DayPlan {
  /// The states of mind of the day, in order of time.
  var moods: [Mood] {
    var chance = Chance(seed: variation, stream: 0x4D, day: index)
    var moods = (0..<chance.whole(in: 0...2)).map { place in
      let time = instant((10 + 4 * place) * 3_600 + chance.whole(in: 0...10_800))
      return Mood(time: time, isOfDay: false, chance: &chance)
    }
    if chance.happens(0.7) {
      let time = instant(20 * 3_600 + chance.whole(in: 0...7_200))
      moods.append(Mood(time: time, isOfDay: true, chance: &chance))
    }
    return moods
  }
}
