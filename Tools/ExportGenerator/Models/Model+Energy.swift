import Foundation

extension RecordStream.Model {
  /// About every minute of the waking day: little while sitting, much while running.
  static let activeEnergy = Self { day in
    let plan = day.day
    var walks = plan.walks[...]
    var now = plan.wake
    while now < plan.bed {
      while let walk = walks.first, walk.end <= now { walks.removeFirst() }
      let walk = walks.first.flatMap { $0.start <= now ? $0 : nil }
      let length = max(1, day.gap(60.5...62.4))
      if plan.isWatchWorn(at: now), walk != nil || day.chance.happens(0.72) {
        let rate = walk.map { $0.isRun ? 11.5 : 3.9 } ?? 0.28
        let value = rate * Double(length) / 60 * exp(0.45 * day.chance.bell())
        day.add(.watch, now, now + length, value, delay: 60...330)
      }
      now += length + (day.chance.happens(0.2) ? day.chance.whole(in: 1...25) : 0)
    }
  }

  /// What the body burns at rest: fine pieces while moving, quarters of an hour otherwise.
  static let basalEnergy = Self { day in
    let plan = day.day
    var walks = plan.walks[...]
    let rate = plan.bodyMass * 21.6 / 86_400
    var now = plan.start
    while now < plan.end {
      while let walk = walks.first, walk.end <= now { walks.removeFirst() }
      let isMoving = walks.first.map { $0.start <= now } ?? false
      let length = isMoving ? day.gap(38...44) : day.gap(300...902)
      let end = min(plan.end, now + length)
      if plan.isWatchWorn(at: now) {
        let value = rate * Double(end - now) * (1 + 0.015 * day.chance.bell())
        day.add(.watch, now, end, value, delay: 200...880)
      }
      now = end
    }
  }

  static let physicalEffort = Self { day in
    let plan = day.day
    var now = plan.wake + 120
    while now < plan.bed {
      let end = now + day.gap(300...1_500)
      if plan.isWatchWorn(at: now) {
        let walk = plan.walks.first { $0.start < end && $0.end > now }
        let effort = walk.map { $0.isRun ? 9.2 : 3.1 } ?? 1.3
        let value = (effort * exp(0.2 * day.chance.bell()) * 10).rounded() / 10
        day.add(.watch, now, end, value, delay: 60...600, extra: .effortByActivity)
      }
      now = end
    }
  }

  static let dietaryEnergy = food { 4 * $0.carbohydrates + 4 * $0.protein + 9 * $0.fat }
  static let dietaryCarbohydrates = food(\.carbohydrates)
  static let dietaryProtein = food(\.protein)
  static let dietaryFat = food(\.fat)

  private static func food(_ value: @escaping @Sendable (Meal) -> Double) -> Self {
    Self { day in
      for meal in day.day.meals {
        day.add(.food, meal.time, meal.time, value(meal), delay: 5...5, extra: .foodName)
      }
    }
  }
}

/// What the person logs of a meal, in grams.
struct Meal {
  let time: Int
  let carbohydrates: Double
  let protein: Double
  let fat: Double
}

extension DayPlan {
  /// The meals of the days on which the person logs them.
  var meals: [Meal] {
    var chance = Chance(seed: variation, stream: 0x66, day: index)
    guard chance.happens(0.35) else { return [] }
    return [7.6, 12.7, 19.3].map { hour in
      func grams(_ mean: Double) -> Double {
        (mean * (1 + 0.25 * chance.bell()) * 10).rounded() / 10
      }
      return Meal(
        time: instant(Int(hour * 3_600) + chance.whole(in: 0...1_800)),
        carbohydrates: grams(75), protein: grams(27), fat: grams(24))
    }
  }
}
