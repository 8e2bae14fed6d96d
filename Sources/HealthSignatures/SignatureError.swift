import SwiftASN1

/// Why a signature is refused or cannot be made, and in which part.
///
/// It contains no measured value, no date and no byte of a key.
public struct SignatureError: Error, Sendable, Hashable {
  /// The part in which the reason is.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// A key.
    case key = "the key"
    /// A certificate, given or in the message.
    case certificate = "the certificate"
    /// The base64 text, or the message as a whole.
    case message = "the message"
    /// The part about the signer.
    case signer = "the signer's part"
    /// The signed attributes.
    case attributes = "the signed attributes"
    /// The signed copy of the sample.
    case content = "the signed copy"
    /// The type of the sample.
    case type = "the type"
    /// The start of the sample.
    case start = "the start"
    /// The end of the sample.
    case end = "the end"
    /// The value of the sample.
    case value = "the value"
    /// The unit of the sample.
    case unit = "the unit"
  }

  /// What is wrong.
  public enum Reason: Sendable, Hashable, CaseIterable {
    /// The text is not base64 in its only form: padded, without line breaks.
    case notBase64
    /// There are more bytes than a signature or a key may have.
    case tooLarge
    /// Bytes are missing at the end.
    case truncated
    /// The bytes are not the DER form of what is expected here, or others come after it.
    case notDER
    /// The text has no PEM block of a kind that is read here.
    case notPEM
    /// The message is not a CMS SignedData.
    case notSignedData
    /// The version does not agree with the contents.
    case version
    /// The digest is not SHA-256.
    case digestAlgorithm
    /// The signature is not ECDSA with SHA-256.
    case signatureAlgorithm
    /// The key is not of the curve P-256.
    case keyAlgorithm
    /// The bytes are no key of the curve.
    case invalidKey
    /// The certificate is of another key than the one that signs.
    case otherKey
    /// What is signed has another content type than plain data.
    case contentType
    /// The message does not contain what it signs.
    case detached
    /// There is not exactly one signer.
    case signerCount
    /// The message names another signer than the given key or certificate.
    case otherSigner
    /// There are parts that no signature covers: unsigned attributes or lists of revoked
    /// certificates.
    case unsignedParts
    /// The content type or the digest is not there exactly once, with one value.
    case missingAttribute
    /// The digest in the attributes is not that of the content.
    case digest
    /// The signature is not one of these bytes by this key.
    case signature
    /// The signed copy is not of the schema of ``SignedSample``, or of a later version.
    case schema
    /// The stored sample is not what was signed.
    case changed
    /// A number is infinite or not a number.
    case notFinite
    /// A text is longer than ``SignedSample/longestText``.
    case tooLong
  }

  /// In which part.
  public let place: Place
  /// What is wrong.
  public let reason: Reason

  init(_ place: Place, _ reason: Reason) {
    self.place = place
    self.reason = reason
  }

  /// Does work that throws errors of swift-asn1, and says in which part they are.
  static func locating<Result>(
    _ place: Place, _ work: () throws -> Result
  ) throws(SignatureError) -> Result {
    do {
      return try work()
    } catch let error as SignatureError {
      throw error
    } catch {
      let isTruncated = (error as? ASN1Error)?.code == .truncatedASN1Field
      throw SignatureError(place, isTruncated ? .truncated : .notDER)
    }
  }
}

extension SignatureError: CustomStringConvertible {
  /// In which part, and why.
  public var description: String { "\(place.rawValue): \(explanation)" }

  private var explanation: String {
    switch reason {
    case .notBase64: "not base64 without line breaks"
    case .tooLarge: "more than \(SampleSignature.mostBytes) bytes"
    case .truncated: "truncated"
    case .notDER: "not DER of the expected form, or other bytes come after it"
    case .notPEM: "no PEM block of a key or certificate of this kind"
    case .notSignedData: "not a CMS SignedData"
    case .version: "a version that does not agree with the contents"
    case .digestAlgorithm: "another digest than SHA-256"
    case .signatureAlgorithm: "another algorithm than ECDSA with SHA-256"
    case .keyAlgorithm: "another key than one of the curve P-256"
    case .invalidKey: "not a key of the curve P-256"
    case .otherKey: "of another key than the one that signs"
    case .contentType: "another content type than plain data"
    case .detached: "without a copy of what is signed"
    case .signerCount: "not exactly one signer"
    case .otherSigner: "of another signer"
    case .unsignedParts: "parts that no signature covers"
    case .missingAttribute: "content type or digest not there exactly once"
    case .digest: "not the digest of the signed copy"
    case .signature: "not a signature of these bytes by this key"
    case .schema: "not of the schema of signed samples that this version reads"
    case .changed: "not what was signed"
    case .notFinite: "not a finite number"
    case .tooLong: "longer than \(SignedSample.longestText) bytes"
    }
  }
}
