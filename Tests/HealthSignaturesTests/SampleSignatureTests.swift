import Crypto
import Foundation
import SwiftASN1
import Testing
import _HealthTestSupport

@testable import HealthSignatures

@Suite struct SampleSignatureTests {
  private let key = SigningKey()

  private func sample(
    type: String = "HKQuantityTypeIdentifierHeartRate", start: Double = 700_000_000.125,
    end: Double = 700_000_001, value: Double = 61, unit: String = "count/min"
  ) throws(SignatureError) -> SignedSample {
    try SignedSample(type: type, start: start, end: end, value: value, unit: unit)
  }

  @Test("The encoding of a sample is as the schema says, byte by byte")
  func schema() throws {
    let sample = try sample(type: "T", start: 1, end: -2, value: 0.5, unit: "µg")
    let expected: [UInt8] = [
      0x30, 0x29, 0x02, 0x01, 0x01, 0x0C, 0x01, 0x54,
      0x04, 0x08, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0,
      0x04, 0x08, 0xC0, 0x00, 0, 0, 0, 0, 0, 0,
      0x04, 0x08, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0,
      0x0C, 0x03, 0xC2, 0xB5, 0x67,
    ]
    #expect(sample.der == expected)
  }

  @Test("Encodings read back as the same sample, bit for bit, and others do not read")
  func encoding() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      let numbers = (0..<3).map { _ in Double(bitPattern: random.next()) }
      guard numbers.allSatisfy(\.isFinite) else {
        let refused = #expect(throws: SignatureError.self) {
          try self.sample(start: numbers[0], end: numbers[1], value: numbers[2])
        }
        #expect(refused?.reason == .notFinite)
        continue
      }
      let sample = try sample(start: numbers[0], end: numbers[1], value: numbers[2])
      let read = try SignedSample(der: sample.der)
      #expect(read == sample)
      #expect(
        [read.start, read.end, read.value].map(\.bitPattern) == numbers.map(\.bitPattern))
      // Whatever still reads after a change encodes to the bytes that were read.
      var changed = sample.der
      changed[Int(random.next() % UInt64(changed.count))] ^= UInt8(1 << (random.next() % 8))
      if let read = try? SignedSample(der: changed) { #expect(read.der == changed) }
    }
    #expect(try sample(start: 0, value: 0) == sample(start: -0.0, value: -0.0))
    #expect(try sample(unit: "\u{E9}") != sample(unit: "e\u{301}"))
  }

  @Test("Texts have a longest length, and a type is not empty")
  func lengths() throws {
    let longest = String(repeating: "u", count: SignedSample.longestText)
    let whole = try sample(type: longest, unit: longest)
    #expect(try SignedSample(der: whole.der) == whole)
    #expect(throws: SignatureError(.unit, .tooLong)) { try sample(unit: longest + "u") }
    #expect(throws: SignatureError(.type, .tooLong)) { try sample(type: longest + "u") }
    #expect(throws: SignatureError(.type, .schema)) { try sample(type: "") }
  }

  @Test("A signature verifies through its base64 text", arguments: [true, false])
  func verifies(hasAttributes: Bool) throws {
    let sample = try sample()
    let signature = try key.sign(sample, hasAttributes: hasAttributes)
    #expect((signature.message.attributes != nil) == hasAttributes)
    try SampleSignature(base64: signature.base64).verify(sample, with: key.verificationKey)
    let copy = try SigningKey(pem: key.pem)
    try copy.sign(sample).verify(sample, with: VerificationKey(pem: key.verificationKey.pem))
  }

  @Test("Another key is refused")
  func otherKey() throws {
    let sample = try sample()
    let other = SigningKey().verificationKey
    #expect(throws: SignatureError(.signer, .otherSigner)) {
      try key.sign(sample).verify(sample, with: other)
    }
  }

  @Test("Each changed field of the stored sample is refused, and named")
  func changedSample() throws {
    let signature = try key.sign(sample())
    let changed: [(SignatureError.Place, SignedSample)] = [
      (.type, try sample(type: "HKQuantityTypeIdentifierHeartRat\u{65}\u{301}")),
      (.start, try sample(start: (700_000_000.125).nextUp)),
      (.end, try sample(end: (700_000_001.0).nextDown)),
      (.value, try sample(value: (61.0).nextUp)),
      (.unit, try sample(unit: "count/s")),
    ]
    for (place, stored) in changed {
      #expect(throws: SignatureError(place, .changed)) {
        try signature.verify(stored, with: key.verificationKey)
      }
    }
  }

  @Test("Every changed bit of the stored sample's fields is refused")
  func changedBits() throws {
    let stored = try sample()
    let signature = try key.sign(stored)
    var read = 0
    for place in stored.der.indices {
      for bit in 0..<8 {
        var bytes = stored.der
        bytes[place] ^= 1 << UInt8(bit)
        guard let changed = try? SignedSample(der: bytes) else { continue }
        read += 1
        let refused = #expect(throws: SignatureError.self) {
          try signature.verify(changed, with: key.verificationKey)
        }
        #expect(refused?.reason == .changed)
      }
    }
    // Start, end and value have 64 bits each, nearly all of which give another valid sample.
    #expect(read > 3 * 60)
  }

  @Test("Every changed bit of a message without certificates is refused", arguments: [true, false])
  func changedMessage(hasAttributes: Bool) throws {
    let sample = try sample()
    let message = try key.sign(sample, hasAttributes: hasAttributes).der
    for place in message.indices {
      for bit in 0..<8 {
        var changed = message
        changed[place] ^= 1 << UInt8(bit)
        #expect(throws: SignatureError.self, "byte \(place), bit \(bit)") {
          try SampleSignature(der: changed).verify(sample, with: key.verificationKey)
        }
      }
    }
  }

  @Test("Every changed character of the text is refused")
  func changedText() throws {
    let sample = try sample()
    // One of three lengths has bits in its last character that decode to nothing.
    for extra in 0..<3 {
      let sample = try self.sample(unit: sample.unit + String(repeating: "x", count: extra))
      let text = Array(try key.sign(sample).base64.utf8)
      for place in text.indices {
        for replacement in [text[place] == UInt8(ascii: "B") ? "C" : "B", "=", "\n", ""] {
          let changed =
            String(decoding: text[..<place], as: UTF8.self) + replacement
            + String(decoding: text[(place + 1)...], as: UTF8.self)
          guard changed.utf8.elementsEqual(text) == false else { continue }
          #expect(throws: SignatureError.self) {
            try SampleSignature(base64: changed).verify(sample, with: key.verificationKey)
          }
        }
      }
    }
  }

  @Test("Truncated messages, and such with bytes after them, are refused with the reason")
  func otherLengths() throws {
    let message = try key.sign(sample()).der
    for length in message.indices {
      #expect(throws: SignatureError(.message, .truncated)) {
        try SampleSignature(der: Array(message[..<length]))
      }
    }
    for tail in [[0], [0, 0], [0x30], message] as [[UInt8]] {
      #expect(throws: SignatureError(.message, .notDER)) {
        try SampleSignature(der: message + tail)
      }
    }
    #expect(throws: SignatureError(.message, .tooLarge)) {
      try SampleSignature(der: [UInt8](repeating: 0x30, count: SampleSignature.mostBytes + 1))
    }
    #expect(throws: SignatureError(.message, .tooLarge)) {
      try SampleSignature(base64: String(repeating: "A", count: 2 * SampleSignature.mostBytes))
    }
    #expect(throws: SignatureError(.message, .notBase64)) { try SampleSignature(base64: "MA") }
  }

  @Test("Random bytes, and random bytes in messages and keys, are refused without a crash")
  func random() throws {
    let sample = try sample()
    let message = try key.sign(sample).der
    let publicKey = [UInt8](key.key.publicKey.derRepresentation)
    var random = SplitMix64(seed: 2)
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    for _ in 0..<3000 {
      let noise = (0..<below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(throws: SignatureError.self) { try SampleSignature(der: noise) }
      #expect(throws: SignatureError.self) { try SignedSample(der: noise) }
      #expect(throws: SignatureError.self) { try VerificationKey(publicKeyDER: noise) }
      #expect(throws: SignatureError.self) { try VerificationKey(certificateDER: noise) }
      #expect(throws: SignatureError.self) {
        try VerificationKey(pem: String(decoding: noise, as: UTF8.self))
      }
      for original in [message, publicKey] {
        var changed = original
        for _ in 0...below(4) {
          let start = below(changed.count)
          let end = min(changed.count, start + below(4))
          let bytes = (0..<below(4)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
          changed.replaceSubrange(start..<end, with: bytes)
          if changed.isEmpty { break }
        }
        guard changed != original else { continue }
        if original == message {
          #expect(throws: SignatureError.self) {
            try SampleSignature(der: changed).verify(sample, with: key.verificationKey)
          }
        } else if let read = try? VerificationKey(publicKeyDER: changed) {
          #expect(read.point != key.verificationKey.point)
        }
      }
    }
    // As deep, and as wide, as bytes can be nested.
    let deep = [UInt8](repeating: 0x30, count: SampleSignature.mostBytes)
    let wide = (0..<32_000).flatMap { _ in [0x30, 0] as [UInt8] }
    for bytes in [deep, [0x30, 0x82, 0xFA, 0x00] + wide] {
      #expect(throws: SignatureError.self) { try SampleSignature(der: bytes) }
      #expect(throws: SignatureError.self) { try VerificationKey(certificateDER: bytes) }
    }
  }

  @Test("A signed copy of another schema or a later version is refused, though validly signed")
  func otherSchema() throws {
    let sample = try sample()
    var later = sample.der
    later[4] += 1
    // The sign of the value, which comes last but for the unit.
    var negativeZero = try self.sample(value: 0, unit: "").der
    negativeZero[negativeZero.count - 10] = 0x80
    for (content, reason) in [
      (later, SignatureError.Reason.schema), ([0x0C, 0x00], .notDER), (sample.der + [0], .notDER),
      (Array(sample.der.dropLast()), .truncated), (negativeZero, .schema),
    ] {
      let refused = #expect(throws: SignatureError.self) {
        let message = try key.message(of: content, attributes: nil, certificate: nil)
        try SampleSignature(der: message).verify(sample, with: key.verificationKey)
      }
      #expect(refused == SignatureError(.content, reason))
    }
  }

  @Test("Signed attributes must have content type and digest once, and the right ones")
  func attributes() throws {
    let sample = try sample()
    let digest = Array(SHA256.hash(data: sample.der))
    func digestAttribute(_ bytes: [UInt8]...) throws -> ASN1Any {
      let values = try bytes.map { try ASN1Any(erasing: ASN1OctetString(contentBytes: $0[...])) }
      return values.count == 1
        ? try SignedAttributes.attribute(.messageDigest, values[0])
        : try SignedAttributes.attribute(.messageDigest, values[0], values[1])
    }
    let data = try ASN1Any(erasing: ASN1ObjectIdentifier.data)
    let type = try SignedAttributes.attribute(.contentType, data)
    let otherType = try SignedAttributes.attribute(
      .contentType, ASN1Any(erasing: ASN1ObjectIdentifier.signedData))
    let other = try SignedAttributes.attribute(.subjectKeyIdentifier, data)
    let right = try digestAttribute(digest)
    let wrong = try digestAttribute(digest.reversed())
    func verify(_ attributes: [ASN1Any]) throws {
      let message = try key.message(of: sample.der, attributes: attributes, certificate: nil)
      try SampleSignature(der: message).verify(sample, with: key.verificationKey)
    }
    try verify([type, right])
    try verify([other, type, right])
    for (attributes, reason) in [
      ([type], SignatureError.Reason.missingAttribute), ([right], .missingAttribute),
      ([], .missingAttribute), ([type, right, wrong], .missingAttribute),
      ([type, type, right], .missingAttribute),
      ([type, try digestAttribute(digest, digest.reversed())], .missingAttribute),
      ([type, wrong], .digest), ([type, try digestAttribute([])], .digest),
      ([otherType, right], .contentType),
    ] {
      #expect(throws: SignatureError(.attributes, reason)) { try verify(attributes) }
    }
  }

  @Test("Each reason and place has its own words, without a value")
  func words() {
    let reasons = SignatureError.Reason.allCases.map { SignatureError(.key, $0).description }
    #expect(Set(reasons).count == reasons.count)
    let places = SignatureError.Place.allCases.map { SignatureError($0, .schema).description }
    #expect(Set(places).count == places.count)
  }
}
