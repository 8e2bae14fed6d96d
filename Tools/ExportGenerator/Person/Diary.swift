/// A food that a diary knows.
struct DiaryFood {
  /// The name, already escaped for an attribute.
  let escapedName: StaticString
  /// What one helping has of each of ``nutrients``.
  let amounts: [Double]

  private init(_ escapedName: StaticString, _ amounts: [Double]) {
    (self.escapedName, self.amounts) = (escapedName, amounts)
  }

  /// The name without escapes.
  var name: String { "\(escapedName)".replacing("&amp;", with: "&") }

  /// What a diary writes of each food, without `HKQuantityTypeIdentifier`; one that all have comes
  /// first.
  static let nutrients: [(name: String, unit: RecordUnit)] = [
    ("DietaryFatTotal", .grams), ("DietaryCarbohydrates", .grams), ("DietarySugar", .grams),
    ("DietaryFiber", .grams), ("DietaryProtein", .grams), ("DietaryEnergyConsumed", .kilocalories),
    ("DietarySodium", .milligrams),
  ]

  /// The foods; several agree in a nutrient, and two of them in all.
  static let all = [
    DiaryFood("Porridge", [3, 27, 1, 4, 5, 150, 2]),
    DiaryFood("Milk, whole", [8, 12, 12, 0, 8, 150, 105]),
    DiaryFood("Yoghurt, plain", [8, 12, 12, 0, 8, 150, 115]),
    DiaryFood("Banana", [0, 27, 14, 3, 1, 105, 1]),
    DiaryFood("Mandarin", [0, 13, 10, 2, 1, 50, 2]),
    DiaryFood("Kiwi", [0, 13, 10, 2, 1, 50, 2]),
    DiaryFood("Rye bread", [1, 15, 1, 2, 3, 80, 190]),
    DiaryFood("Egg, boiled", [5, 1, 1, 0, 6, 80, 62]),
    DiaryFood("Butter", [11, 0, 0, 0, 0, 100, 90]),
    DiaryFood("Mac &amp; cheese", [14, 42, 7, 2, 13, 350, 560]),
    DiaryFood("Crème brûlée", [24, 30, 27, 0, 5, 350, 80]),
    DiaryFood("Lentil soup", [3, 30, 4, 8, 12, 190, 480]),
  ]
}

/// One entry of the diary: a food of a meal, whose other foods share its minute.
struct DiaryEntry {
  let time: Int
  /// The seconds until it is logged, different for each food of a meal.
  let delay: Int
  /// Its place in ``DiaryFood/all``.
  let food: Int
  let helpings: Double
}

extension DayPlan {
  /// When the meals of the diary may begin, in minutes after midnight.
  ///
  /// No other app logs food then: an instant that two sources share counts for one of them.
  private static let meals = [504, 810, 1_212]

  /// The entries of the day, no food twice in a meal.
  var diary: [DiaryEntry] {
    var chance = Chance(seed: variation, stream: 0x44, day: index)
    return Self.meals.flatMap { minute -> [DiaryEntry] in
      guard chance.happens(0.92) else { return [] }
      let time = instant(60 * (minute + chance.whole(in: 0...29)))
      var rest = Array(DiaryFood.all.indices)
      return (0..<chance.whole(in: 3...6)).map { place in
        DiaryEntry(
          time: time, delay: 30 + 7 * place,
          food: rest.remove(at: chance.whole(in: 0...rest.count - 1)),
          helpings: chance.happens(0.7) ? 1 : 0.5 * Double(chance.whole(in: 1...4)))
      }
    }
  }
}
