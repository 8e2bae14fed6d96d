/// A medication that the person takes.
struct Medication {
  let name: StaticString
  let form: StaticString
  let unit: StaticString
  let amount: Int
  /// Its number in RxNorm.
  let code: Int
  /// When it is to be taken, in seconds after midnight; when needed, if nothing.
  let second: Int?

  static let all = [
    Medication(
      name: "Levothyroxine", form: "tablet", unit: "mcg", amount: 50, code: 10_582,
      second: 7 * 3_600),
    Medication(
      name: "Cetirizine", form: "tablet", unit: "mg", amount: 10, code: 20_610,
      second: 22 * 3_600),
    Medication(
      name: "Ibuprofen", form: "capsule", unit: "count", amount: 2, code: 5_640, second: nil),
  ]
}

/// One dose of a medication: taken, or not.
struct Dose {
  /// What became of a dose.
  enum Status: String {
    case taken, skipped, notInteracted
  }

  let medication: Medication
  let status: Status
  /// When the person said so.
  let time: Int
  /// When it was to be taken.
  let scheduled: Int?
}

extension DayPlan {
  /// The doses of the day, some of which are taken after midnight.
  var doses: [Dose] {
    var chance = Chance(seed: variation, stream: 0x52, day: index)
    var doses: [Dose] = []
    for medication in Medication.all {
      let draw = chance.fraction()
      let delay = chance.whole(in: -600...5_400)
      if let second = medication.second {
        let scheduled = instant(second)
        let status: Dose.Status = draw < 0.88 ? .taken : draw < 0.95 ? .skipped : .notInteracted
        doses.append(
          Dose(
            medication: medication, status: status,
            time: status == .notInteracted ? scheduled : scheduled + delay * (draw < 0.1 ? 2 : 1),
            scheduled: scheduled))
      } else if draw < 0.15 {
        doses.append(
          Dose(
            medication: medication, status: .taken, time: instant(15 * 3_600) + delay,
            scheduled: nil))
      }
    }
    return doses
  }
}
