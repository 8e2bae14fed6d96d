import Foundation
import Harness
import HealthAnalysis

/// Counts how often relations are reported for simulated people who have none, or who have one.
///
///     relation-alarms [--memory SHARE] [--student] [--types COUNT] [--days COUNT] [--people COUNT]
///                     [--relation SIZE] [--missing SHARE] [--shared] [--seed NUMBER]
///
/// Each day of a series keeps a share of the day before (`--memory`); the new part is normal, or of
/// Student's distribution with 3 degrees of freedom. `--relation` makes the second series follow the
/// first one a day later, and `--shared` gives all series a week and a year. A line for each basis: how
/// many people had any relation reported, and how many the one that is there.
@main
struct RelationAlarms {
  /// What is tested, and how it is made from the raw series.
  private typealias Basis = (name: String, make: ([RegularSeries]) throws -> [RegularSeries])

  private var random = Generator(state: 1)
  private var memory = 0.0
  private var isStudent = false
  private var types = 20
  private var days = 730
  private var people = 100
  private var relation = 0.0
  private var missing = 0.0
  private var isShared = false

  static func main() throws {
    var alarms = Self()
    var options = Options()
    alarms.isStudent = options.flag("--student")
    alarms.isShared = options.flag("--shared")
    alarms.memory = options.value("--memory").flatMap(Double.init) ?? alarms.memory
    alarms.types = options.value("--types").flatMap { Int($0) } ?? alarms.types
    alarms.days = options.value("--days").flatMap { Int($0) } ?? alarms.days
    alarms.people = options.value("--people").flatMap { Int($0) } ?? alarms.people
    alarms.relation = options.value("--relation").flatMap(Double.init) ?? alarms.relation
    alarms.missing = options.value("--missing").flatMap(Double.init) ?? alarms.missing
    alarms.random.state = options.value("--seed").flatMap { UInt64($0) } ?? 1
    guard options.rest.isEmpty, alarms.types > 1, alarms.days > 100, alarms.people > 0 else {
      Options.fail("relation-alarms [options]; they are in its source")
    }
    try alarms.run()
  }

  private mutating func run() throws {
    let bases = try bases()
    var any = bases.map { _ in 0 }
    var found = any
    for _ in 0..<people {
      let raw = try person()
      for (index, basis) in bases.enumerated() {
        let held = try Relations(try basis.make(raw), raw: raw).held
        any[index] += held.isEmpty ? 0 : 1
        let isFound = held.contains { $0.first == 0 && $0.second == 1 && $0.lag == 1 }
        found[index] += isFound ? 1 : 0
      }
    }
    print("of \(people) people: any relation, the one from the first series to the second")
    for (index, basis) in bases.enumerated() {
      print(basis.name, any[index], found[index], separator: "\t")
    }
  }

  private func bases() throws -> [Basis] {
    var parameters = DecompositionParameters().withTenthJumps()
    parameters.seasonalWindow = .periodic
    parameters.trendWindow = 91
    let short = try DecompositionPlan(rows: days, period: 7)
    let long = try DecompositionPlan(rows: days, period: 7, parameters: parameters)
    return [
      ("raw, whitened", { try $0.map { try $0.whitened().series } }),
      ("STL 7/15", { try $0.map { try $0.decomposed(by: short).remainder } }),
      (
        "STL 7/15, whitened",
        { try $0.map { try $0.decomposed(by: short).remainder.whitened().series } }
      ),
      ("STL periodic/91", { try $0.map { try $0.decomposed(by: long).remainder } }),
      (
        "STL periodic/91, whitened",
        { try $0.map { try $0.decomposed(by: long).remainder.whitened().series } }
      ),
    ]
  }

  private mutating func person() throws -> [RegularSeries] {
    var columns = (0..<types).map { _ in column() }
    if relation != 0 {
      let rest = (1 - relation * relation).squareRoot()
      for day in 1..<days {
        columns[1][day] = relation * columns[0][day - 1] + rest * columns[1][day]
      }
    }
    if isShared {
      for type in columns.indices {
        let year = random.next() < 0.5 ? 1.0 : -1
        let week = normal()
        for day in 0..<days {
          let season = sin(2 * .pi * Double(day) / 365.25)
          columns[type][day] += year * season + (day % 7 >= 5 ? week : 0)
        }
      }
    }
    return try columns.map { column in
      try RegularSeries(column.map { random.next() < missing ? nil : $0 })
    }
  }

  private mutating func column() -> [Double] {
    var last = 0.0
    let all = (0..<days + 100).map { _ in
      var new = normal()
      if isStudent {
        let squares = (0..<3).reduce(0.0) { sum, _ in
          let other = normal()
          return sum + other * other
        }
        new /= (squares / 3).squareRoot()
      }
      last = memory * last + new
      return last
    }
    return Array(all.suffix(days))
  }

  /// A normal number by Box and Muller.
  private mutating func normal() -> Double {
    let radius = (-2 * log(1 - random.next())).squareRoot()
    return radius * cos(2 * .pi * random.next())
  }

  /// Numbers from 0 to below 1 (Steele, Lea, Flood 2014).
  private struct Generator {
    var state: UInt64

    mutating func next() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
    }
  }
}
