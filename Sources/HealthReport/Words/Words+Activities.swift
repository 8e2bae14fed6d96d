extension Words {
  /// The most usual kinds of workout; the others have the catalogue's English words.
  struct Activities: Sendable {
    let walking: String
    let running: String
    let cycling: String
    let swimming: String
    let hiking: String
    let yoga: String
    let functionalStrengthTraining: String
    let traditionalStrengthTraining: String
    let highIntensityIntervalTraining: String
    let coreTraining: String
    let elliptical: String
    let rowing: String
    let stairClimbing: String
    let stairs: String
    let pilates: String
    let dance: String
    let cooldown: String
    let soccer: String
    let tennis: String
    let tableTennis: String
    let badminton: String
    let basketball: String
    let volleyball: String
    let golf: String
    let climbing: String
    let boxing: String
    let martialArts: String
    let downhillSkiing: String
    let crossCountrySkiing: String
    let snowboarding: String
    let skatingSports: String
    let paddleSports: String
    let surfingSports: String
    let equestrianSports: String
    let mindAndBody: String
    let mixedCardio: String
    let flexibility: String
    let crossTraining: String
    let jumpRope: String
    let swimBikeRun: String
    let other: String
  }
}
