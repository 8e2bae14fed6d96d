import Foundation
import Testing

@testable import HealthSignatures

@Suite(.enabled(if: OpenSSL.isTested, "openssl is not installed"))
struct OpenSSLTests {
  private let sample = try? SignedSample(
    type: "HKQuantityTypeIdentifierBodyMass", start: 757_382_400.25, end: 757_382_400.25,
    value: 70.1, unit: "kg")

  @Test(
    "openssl verifies what is signed here", arguments: [true, false], [true, false])
  func opensslAcceptsOurs(hasAttributes: Bool, hasCertificate: Bool) throws {
    let sample = try #require(sample)
    try OpenSSL.inFolder { openssl in
      let key = SigningKey()
      try openssl.write(key.pem, to: "a.key")
      try openssl.makeCertificate("a")
      let certificate = try VerificationKey(pem: openssl.text(of: "a.pem"))
      let signature = try key.sign(
        sample, certificate: hasCertificate ? certificate : nil, hasAttributes: hasAttributes)
      try openssl.write(signature.der, to: "message")
      let certificates = hasCertificate ? "" : "-certfile a.pem"
      try openssl(
        "cms -verify -binary -inform DER -in message -CAfile a.pem -purpose any -out content "
          + certificates)
      #expect(try openssl.bytes(of: "content") == sample.der)
      try signature.verify(sample, with: certificate)
      try signature.verify(sample, with: key.verificationKey)
    }
  }

  @Test(
    "What openssl signs is verified here, and no changed byte of it",
    arguments: ["", "-noattr", "-keyid", "-nosmimecap", "-nocerts", "-nocerts -noattr -keyid"])
  func oursAcceptsOpenssl(options: String) throws {
    let sample = try #require(sample)
    try OpenSSL.inFolder { openssl in
      try openssl.makeKey("a", OpenSSL.p256)
      try openssl("pkey -in a.key -pubout -out a.pub")
      let message = try openssl.sign(sample, by: "a", options)
      let certificate = try VerificationKey(pem: openssl.text(of: "a.pem"))
      let key = try VerificationKey(pem: openssl.text(of: "a.pub"))
      let read = try SampleSignature(der: message)
      #expect(read.message.certificates.count == (options.contains("-nocerts") ? 0 : 1))
      #expect((read.message.attributes == nil) == options.contains("-noattr"))
      try read.verify(sample, with: certificate)
      try read.verify(sample, with: key)
      // The certificate inside is no evidence; each other byte counts.
      let inside = try openssl.certificateRange(in: message)
      for place in message.indices where !inside.contains(place) {
        var changed = message
        changed[place] ^= 1 << UInt8(place % 8)
        #expect(throws: SignatureError.self, "byte \(place)") {
          try SampleSignature(der: changed).verify(sample, with: certificate)
        }
      }
    }
  }

  @Test("A private key of either PEM form signs, and so does a key behind other blocks")
  func keyForms() throws {
    let sample = try #require(sample)
    try OpenSSL.inFolder { openssl in
      try openssl("ecparam -name prime256v1 -genkey -out with-parameters")
      try openssl("pkcs8 -topk8 -nocrypt -in with-parameters -out pkcs8")
      try openssl("pkey -in pkcs8 -pubout -out public")
      let key = try VerificationKey(pem: openssl.text(of: "public"))
      for name in ["with-parameters", "pkcs8"] {
        try SigningKey(pem: openssl.text(of: name)).sign(sample).verify(sample, with: key)
      }
    }
  }

  @Test("RSA, another curve and other digests are refused with the reason")
  func otherAlgorithms() throws {
    let sample = try #require(sample)
    try OpenSSL.inFolder { openssl in
      try openssl.makeKey("a", OpenSSL.p256)
      try openssl.makeKey("rsa", "-algorithm RSA -pkeyopt rsa_keygen_bits:2048")
      try openssl.makeKey("wide", "-algorithm EC -pkeyopt ec_paramgen_curve:P-384")
      let key = try VerificationKey(pem: openssl.text(of: "a.pem"))
      func refusal(_ name: String, _ options: String = "") throws -> SignatureError? {
        let message = try openssl.sign(sample, by: name, options)
        return #expect(throws: SignatureError.self) {
          try SampleSignature(der: message).verify(sample, with: key)
        }
      }
      #expect(try refusal("rsa")?.reason == .signatureAlgorithm)
      #expect(try refusal("wide")?.reason == .keyAlgorithm)
      #expect(try refusal("a", "-md sha1")?.reason == .digestAlgorithm)
      #expect(try refusal("a", "-md sha384")?.reason == .digestAlgorithm)
      #expect(try refusal("wide", "-nocerts")?.reason == .otherSigner)
      for name in ["rsa", "wide"] {
        try openssl("pkey -in \(name).key -pubout -out \(name).pub")
        for file in ["\(name).pem", "\(name).pub"] {
          let refused = #expect(throws: SignatureError.self) {
            try VerificationKey(pem: openssl.text(of: file))
          }
          #expect(refused?.reason == .keyAlgorithm)
        }
        #expect(throws: SignatureError.self) {
          try SigningKey(pem: openssl.text(of: "\(name).key"))
        }
      }
    }
  }

  @Test("A message without its content, or with a certificate of another key, is refused")
  func otherMessages() throws {
    let sample = try #require(sample)
    try OpenSSL.inFolder { openssl in
      try openssl.makeKey("a", OpenSSL.p256)
      try openssl.makeKey("b", OpenSSL.p256)
      let message = try openssl.sign(sample, by: "a")
      let other = try VerificationKey(pem: openssl.text(of: "b.pem"))
      let refused = #expect(throws: SignatureError.self) {
        try SampleSignature(der: message).verify(sample, with: other)
      }
      #expect(refused == SignatureError(.signer, .otherSigner))
      try openssl(
        "cms -sign -binary -outform DER -md sha256 -signer a.pem -inkey a.key -in content "
          + "-out message")
      let detached = #expect(throws: SignatureError.self) {
        try SampleSignature(der: openssl.bytes(of: "message"))
      }
      #expect(detached == SignatureError(.content, .detached))
      try openssl(
        "cms -sign -binary -nodetach -outform DER -md sha256 -signer a.pem -inkey a.key "
          + "-signer b.pem -inkey b.key -in content -out message")
      let two = #expect(throws: SignatureError.self) {
        try SampleSignature(der: openssl.bytes(of: "message"))
      }
      #expect(two?.reason == .signerCount)
    }
  }
}

extension OpenSSL {
  /// Where the certificate `a.pem` is in a message; empty if it is not.
  fileprivate func certificateRange(in message: [UInt8]) throws -> Range<Int> {
    try self("x509 -in a.pem -outform DER -out a.der")
    let certificate = try bytes(of: "a.der")
    return message.firstRange(of: certificate) ?? 0..<0
  }
}
