import Crypto
import SwiftASN1

/// A private key of the curve P-256, with which samples are signed.
///
/// ```swift
/// let key = try SigningKey(pem: String(contentsOfFile: "key.pem", encoding: .utf8))
/// let signature = try key.sign(sample)
/// ```
public struct SigningKey: Sendable {
  let key: P256.Signing.PrivateKey

  /// Makes a new, random key.
  public init() { key = P256.Signing.PrivateKey() }

  /// Reads a key from PEM: `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1), not encrypted.
  ///
  /// - Throws: ``SignatureError``
  public init(pem text: String) throws(SignatureError) {
    let document = try PEMDocument.first(of: ["PRIVATE KEY", "EC PRIVATE KEY"], in: text)
    do {
      key = try P256.Signing.PrivateKey(pemRepresentation: document.pemString)
    } catch {
      throw SignatureError(.key, .invalidKey)
    }
  }

  /// The key as PEM: `PRIVATE KEY` (PKCS #8), not encrypted.
  public var pem: String { key.pemRepresentation }

  /// The public key that verifies what this key signs.
  public var verificationKey: VerificationKey { VerificationKey(key.publicKey) }
}

/// A public key of the curve P-256, or a certificate of one, with which signatures are verified.
///
/// The key is trusted as it is given: issuer, period of validity and revocation of a certificate
/// are not checked. A certificate also says how messages name the signer.
public struct VerificationKey: Sendable {
  let key: P256.Signing.PublicKey
  /// The bytes of the key as certificates have them, the point of the curve.
  let point: [UInt8]
  let certificate: Certificate?

  init(_ key: P256.Signing.PublicKey) {
    self.key = key
    point = [UInt8](key.x963Representation)
    certificate = nil
  }

  init(_ information: PublicKeyInformation, certificate: Certificate?) throws(SignatureError) {
    let place = certificate == nil ? SignatureError.Place.key : .certificate
    guard information.isP256 else { throw SignatureError(place, .keyAlgorithm) }
    do {
      key = try P256.Signing.PublicKey(x963Representation: information.point)
    } catch {
      throw SignatureError(place, .invalidKey)
    }
    point = information.point
    self.certificate = certificate
  }

  /// The key as PEM: `PUBLIC KEY`.
  public var pem: String { key.pemRepresentation }

  /// Reads the first `PUBLIC KEY` or `CERTIFICATE` of a PEM text.
  ///
  /// - Throws: ``SignatureError``
  public init(pem text: String) throws(SignatureError) {
    let document = try PEMDocument.first(of: ["PUBLIC KEY", "CERTIFICATE"], in: text)
    if document.discriminator == "CERTIFICATE" {
      try self.init(certificateDER: document.derBytes)
    } else {
      try self.init(publicKeyDER: document.derBytes)
    }
  }

  /// Reads a public key from DER (SubjectPublicKeyInfo).
  ///
  /// - Throws: ``SignatureError``
  public init(publicKeyDER bytes: [UInt8]) throws(SignatureError) {
    guard bytes.count <= SampleSignature.mostBytes else { throw SignatureError(.key, .tooLarge) }
    let information = try SignatureError.locating(.key) {
      try PublicKeyInformation(derEncoded: DER.parse(bytes))
    }
    try self.init(information, certificate: nil)
  }

  /// Reads a certificate from DER (X.509).
  ///
  /// - Throws: ``SignatureError``
  public init(certificateDER bytes: [UInt8]) throws(SignatureError) {
    guard bytes.count <= SampleSignature.mostBytes else {
      throw SignatureError(.certificate, .tooLarge)
    }
    let certificate = try SignatureError.locating(.certificate) {
      try Certificate(derEncoded: DER.parse(bytes))
    }
    try self.init(certificate.key, certificate: certificate)
  }

  /// The identifiers that may stand for the key where no certificate says which: the SHA-1 of its
  /// point (RFC 5280, 4.2.1.2, method 1), and as much of the SHA-256 (RFC 7093, 2, method 1).
  var identifiers: [[UInt8]] {
    [[UInt8](Insecure.SHA1.hash(data: point)), [UInt8](SHA256.hash(data: point).prefix(20))]
  }
}

extension PEMDocument {
  /// The first document of one of these kinds.
  fileprivate static func first(
    of kinds: [String], in text: String
  ) throws(SignatureError) -> PEMDocument {
    guard text.utf8.count <= SampleSignature.mostBytes else {
      throw SignatureError(.key, .tooLarge)
    }
    guard let documents = try? PEMDocument.parseMultiple(pemString: text),
      let document = documents.first(where: { kinds.contains($0.discriminator) })
    else { throw SignatureError(.key, .notPEM) }
    return document
  }
}
