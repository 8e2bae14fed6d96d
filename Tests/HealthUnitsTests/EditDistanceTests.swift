import HealthUnits
import Testing
import _HealthTestSupport

@Suite
struct EditDistanceTests {
  @Test("The distance is that of the recursive definition, on all short texts")
  func matchesDefinition() {
    let texts = shortTexts(letters: ["a", "b", "c"], length: 4)
    for left in texts {
      for right in texts {
        #expect(EditDistance.between(left, right) == SlowEditDistance.between(left, right))
      }
    }
  }

  @Test("The distance is symmetric, and zero for equal texts only")
  func laws() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let left = text(&random)
      let right = text(&random)
      let distance = EditDistance.between(left, right)
      #expect(distance == EditDistance.between(right, left))
      #expect((distance == 0) == (left == right))
      #expect(distance <= max(left.unicodeScalars.count, right.unicodeScalars.count))
    }
  }

  private func text(_ random: inout SplitMix64) -> String {
    let length = Int.random(in: 0...20, using: &random)
    let letters: [Character] = ["a", "b", "c", "d", "é"]
    return String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
  }

  private func shortTexts(letters: [String], length: Int) -> [String] {
    var all = [""]
    var longest = [""]
    for _ in 0..<length {
      longest = longest.flatMap { text in letters.map { text + $0 } }
      all += longest
    }
    return all
  }
}
