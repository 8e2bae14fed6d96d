import Crypto
import SwiftASN1

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The digital signature of a sample, as its metadata have it with the key
/// `HKMetadataKeyDigitalSignature`.
///
/// A signature is a CMS SignedData (RFC 5652) in DER, as base64. It has one signer, SHA-256, ECDSA
/// with the curve P-256 (RFC 5753), and a copy of the sample by the schema of ``SignedSample``.
/// Signed attributes and certificates may be there or not.
///
/// ```swift
/// let key = SigningKey()
/// let text = try key.sign(sample).base64
/// try SampleSignature(base64: text).verify(sample, with: key.verificationKey)
/// ```
///
/// The copy is the signature's word about the sample; only ``verify(_:with:)`` says whether it is
/// that of the owner of the key, and whether the stored sample still agrees. What CMS does not
/// sign is checked where it can be: algorithms and versions must be these, and the name of the
/// signer must agree with the given certificate, the certificates of the message, or the identifier
/// of the key. A message without any of these names its signer at will, and contents of
/// certificates in a message are not checked. Parts that nothing covers, such as unsigned
/// attributes, are refused.
public struct SampleSignature: Sendable, Hashable {
  /// The most bytes of a message, a key or a certificate.
  public static let mostBytes = 65_536

  /// The message.
  public let der: [UInt8]
  let message: SignedMessage

  /// Reads a message.
  ///
  /// - Throws: ``SignatureError`` for what is not a message of this kind; a signature that is wrong
  ///   is found by ``verify(_:with:)``
  /// - Complexity: O(*n*); messages longer than ``mostBytes`` are refused at once
  public init(der bytes: [UInt8]) throws(SignatureError) {
    message = try SignedMessage(der: bytes)
    der = bytes
  }

  /// Reads the base64 text of a message: padded, without line breaks.
  ///
  /// - Throws: ``SignatureError``, as ``init(der:)``
  public init(base64 text: String) throws(SignatureError) {
    guard text.utf8.count <= (Self.mostBytes + 2) / 3 * 4 else {
      throw SignatureError(.message, .tooLarge)
    }
    // Some texts that are not quite base64 are decoded as well; they are not what is written back.
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      throw SignatureError(.message, .notBase64)
    }
    try self.init(der: [UInt8](data))
  }

  /// The message as base64, for the metadata of the sample.
  public var base64: String { Data(der).base64EncodedString() }

  /// Checks that the owner of a key signed a sample, and that it was not changed since.
  ///
  /// - Throws: ``SignatureError``. Its reason is ``SignatureError/Reason/changed``, with the field,
  ///   exactly where the signature itself is valid and the stored sample is another one
  public func verify(
    _ stored: SignedSample, with key: VerificationKey
  ) throws(SignatureError) {
    try checkName(of: key)
    if let attributes = message.attributes {
      let digest = [UInt8](SHA256.hash(data: message.content))
      try SignedAttributes.check(attributes, digest: digest)
    }
    guard
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: message.signature),
      key.key.isValidSignature(signature, for: message.attributes ?? message.content)
    else { throw SignatureError(.signer, .signature) }
    if let place = try SignedSample(der: message.content).firstDifference(from: stored) {
      throw SignatureError(place, .changed)
    }
  }

  /// Checks that the message names the owner of a key as far as it says who that is.
  private func checkName(of key: VerificationKey) throws(SignatureError) {
    let certificates = (key.certificate.map { [$0] } ?? []) + message.certificates
    let named = certificates.filter { certificate in
      switch message.signer {
      case .certificate(let issuer, let serial):
        certificate.issuer == issuer && certificate.serial == serial
      case .key(let identifier): certificate.keyIdentifier == identifier
      }
    }
    if named.contains(where: { $0.key.isP256 && $0.key.point == key.point }) { return }
    guard named.allSatisfy(\.key.isP256) else {
      throw SignatureError(.certificate, .keyAlgorithm)
    }
    let isPossible =
      switch message.signer {
      case .certificate: certificates.isEmpty
      case .key(let identifier): named.isEmpty && key.identifiers.contains(identifier)
      }
    guard isPossible else { throw SignatureError(.signer, .otherSigner) }
  }
}

extension SigningKey {
  /// Signs a sample.
  ///
  /// - Parameters:
  ///   - sample: the sample
  ///   - certificate: a certificate of the key, which names the signer and goes into the message;
  ///     without one the identifier of the key names it
  ///   - hasAttributes: whether content type and digest are signed, instead of the content itself
  /// - Returns: the signature, for the metadata of the sample
  /// - Throws: ``SignatureError`` for a certificate of another key
  public func sign(
    _ sample: SignedSample, certificate: VerificationKey? = nil, hasAttributes: Bool = true
  ) throws(SignatureError) -> SampleSignature {
    guard certificate == nil || certificate?.point == verificationKey.point else {
      throw SignatureError(.certificate, .otherKey)
    }
    let der = try SignatureError.locating(.message) {
      let digest = [UInt8](SHA256.hash(data: sample.der))
      return try message(
        of: sample.der,
        attributes: hasAttributes ? SignedAttributes.attributes(digest: digest) : nil,
        certificate: certificate?.certificate)
    }
    return try SampleSignature(der: der)
  }

  /// A message with this content and these attributes: the ContentInfo of a SignedData (RFC 5652,
  /// 3 and 5).
  func message(
    of content: [UInt8], attributes: [ASN1Any]?, certificate: Certificate?
  ) throws -> [UInt8] {
    let signed = try attributes.map(SignedAttributes.encoded) ?? content
    let signature = [UInt8](try key.signature(for: signed).derRepresentation)
    let signer: SignedMessage.SignerIdentifier =
      certificate.map { .certificate(issuer: $0.issuer, serial: $0.serial) }
      ?? .key(verificationKey.identifiers[0])
    let first = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(ASN1ObjectIdentifier.signedData)
      try coder.appendConstructedNode(identifier: first) { coder in
        try coder.appendConstructedNode(identifier: .sequence) { coder in
          try coder.serialize(signer.version)
          try coder.serializeSetOf([AlgorithmIdentifier(.sha256)])
          try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1ObjectIdentifier.data)
            try coder.serialize(
              ASN1OctetString(contentBytes: content[...]), explicitlyTaggedWithIdentifier: first)
          }
          if let certificate { try coder.serializeSetOf([certificate], identifier: first) }
          try coder.appendConstructedNode(identifier: .set) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
              try coder.serialize(signer.version)
              switch signer {
              case .certificate(let issuer, let serial):
                try coder.serializeSequenceOf([issuer, serial])
              case .key(let identifier):
                try ASN1OctetString(contentBytes: identifier[...])
                  .serialize(into: &coder, withIdentifier: first)
              }
              try coder.serialize(AlgorithmIdentifier(.sha256))
              if let attributes { try coder.serializeSetOf(attributes, identifier: first) }
              try coder.serialize(AlgorithmIdentifier(.ecdsaWithSHA256))
              try coder.serialize(ASN1OctetString(contentBytes: signature[...]))
            }
          }
        }
      }
    }
    return serializer.serializedBytes
  }
}
