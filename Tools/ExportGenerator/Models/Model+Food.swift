extension RecordStream.Model {
  /// One of many nutrients of the foods that a person logs, about so much in each.
  static func nutrient(_ amount: Double) -> Self {
    Self { day in
      for food in day.day.foods {
        let share = 0.3 + 1.4 * day.chance.fraction()
        day.add(
          .food, food.time, food.time, amount * food.size * share, delay: food.delay...food.delay,
          extra: .foodItem, isNestedOnly: food.isNestedOnly)
      }
    }
  }
}

/// A food that a person logs; several of one meal may share its minute.
struct Food {
  let time: Int
  /// The seconds until it is logged, different for each food of a meal; less than nothing for
  /// tomorrow's.
  let delay: Int
  /// How large the helping is, 1 being usual.
  let size: Double
  /// Whether its records stand inside the correlation alone.
  let isNestedOnly: Bool
}

extension DayPlan {
  /// The foods of the day, in the order of the meals.
  var foods: [Food] {
    var chance = Chance(seed: variation, stream: 0x46, day: index)
    guard chance.happens(0.93) else { return [] }
    return [7.6, 10.3, 12.7, 16.1, 19.3].flatMap { hour -> [Food] in
      guard chance.happens(hour == 10.3 || hour == 16.1 ? 0.4 : 0.95) else { return [] }
      let time = instant(Int(hour * 3_600)) + 60 * chance.whole(in: 0...30)
      let isPlanned = chance.happens(0.02)
      return (0..<chance.whole(in: 1...3)).map { item in
        Food(
          time: time, delay: (isPlanned ? -40_000 : 40) + 5 * item,
          size: chance.number(in: 0.5...1.8), isNestedOnly: chance.happens(0.03))
      }
    }
  }
}
