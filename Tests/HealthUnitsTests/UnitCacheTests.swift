import HealthUnits
import Testing

/// Only the third reading of a text finds its unit kept: every law here reads four times.
@Suite struct UnitCacheTests {
  @Test("a text of any length gives the same unit however often it is read")
  func lengths() throws {
    for count in 0..<60 {
      for first in ["m", "km", "(m)", "(km)"] {
        let text = first + String(repeating: "*m", count: count)
        for _ in 0..<4 {
          let unit = try UnitExpression(text)
          #expect(unit.dimension[.length] == count + 1, "\(text)")
          #expect(unit.terms.count == (first.contains("k") && count > 0 ? 2 : 1), "\(text)")
        }
      }
    }
  }

  @Test("texts that differ in one letter are told apart", arguments: [1, 7, 8, 9, 15, 16, 40, 46])
  func letters(place: Int) throws {
    let names = ["m", "g", "s", "J", "K", "L", "W", "V"]
    let factors = String(repeating: "m*", count: place / 30)
    let before = String(repeating: "(", count: place % 30) + factors
    let after = String(repeating: ")", count: place % 30)
    for _ in 0..<4 {
      for name in names {
        let unit = try UnitExpression(before + name + after)
        let power = try UnitExpression("m").raised(to: place / 30)
        #expect(try unit == UnitExpression(name).multiplied(by: power))
      }
    }
  }

  @Test("one text means in each dialect what it means there")
  func dialects() throws {
    for _ in 0..<4 {
      #expect(try UnitExpression("%") != UnitExpression("%", dialect: .ucum))
      #expect(try UnitExpression("g/L").text(in: .ucum) == "g/L")
      #expect(throws: UnitError.self) { try UnitExpression("h") }
      #expect(try UnitExpression("h", dialect: .ucum).dimension[.time] == 1)
    }
  }

  @Test("many tasks that push each other's units out read the right ones")
  func tasks() async throws {
    let names = ["m", "s", "g", "L", "K", "J"]
    try await withThrowingTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<4 {
            for index in 0..<600 {
              // Half of the texts are those of all tasks.
              let power = index % 100 + 1
              let own = index % 2 == 0 ? 0 : task % 4
              let text = "\(names[index / 100])^\(power)/count^\(own + round % 2 + 1)"
              let unit = try UnitExpression(text)
              let terms = unit.terms.map { Int($0.power) }.sorted()
              #expect(terms == [-(own + round % 2 + 1), power], "\(text)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
