import Foundation
import HealthQuery
import Testing
import _HealthTestSupport

@Suite("UUIDs as text")
struct UUIDTextTests {
  /// Foundation also takes a digit with a sign, so what it reads must be written as it was.
  @Test("UUIDs are read as Foundation reads them")
  func uuids() {
    var random = SplitMix64(seed: 4)
    let letters = Array("0123456789abcdefABCDEF-gG:é")
    var accepted = 0
    for round in 0..<4_000 {
      let words = (random.next(), random.next())
      var text = Array(
        withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString)
      for _ in 0..<(round % 3) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.remove(at: place)
        case 1: text.insert(letters.randomElement(using: &random) ?? "-", at: place)
        default: text[place] = letters.randomElement(using: &random) ?? "-"
        }
      }
      let found = UUID(text: String(text))
      let expected = UUID(uuidString: String(text))
      let isSame = expected?.uuidString == String(text).uppercased()
      #expect(found == (isSame ? expected : nil), "\(String(text))")
      accepted += found == nil ? 0 : 1
    }
    #expect(accepted > 1_500 && UUID(text: "") == nil)
  }
}
