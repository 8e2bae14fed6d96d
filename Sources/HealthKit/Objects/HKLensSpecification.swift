/// What glasses and contact lenses have in common: the correction of one eye.
///
/// Two specifications are equal when all their quantities are.
open class HKLensSpecification: NSObject, @unchecked Sendable {
  /// The correction of one eye.
  struct Correction: Hashable {
    var sphere: HKQuantity
    var cylinder: HKQuantity?
    var axis: HKQuantity?
    var addPower: HKQuantity?

    /// Checks the units of the quantities, and those of lengths.
    func check(_ lengths: HKQuantity?...) throws(ObjectError) {
      for power in [sphere, cylinder, addPower] {
        try HKQuantity.check(power, in: .diopter(), "Optical Power", of: "HKLensSpecification")
      }
      try HKQuantity.check(axis, in: .degreeAngle(), "Angle", of: "HKLensSpecification")
      for length in lengths {
        try HKQuantity.check(length, in: .meter(), "Length", of: "HKLensSpecification")
      }
    }
  }

  let correction: Correction

  init(_ correction: Correction) { self.correction = correction }

  /// Reads a correction from an archive.
  init?(reading coder: NSCoder) {
    guard let sphere = coder.decodeQuantity("sphere", in: .diopter()) else { return nil }
    correction = Correction(
      sphere: sphere, cylinder: coder.decodeQuantity("cylinder", in: .diopter()),
      axis: coder.decodeQuantity("axis", in: .degreeAngle()),
      addPower: coder.decodeQuantity("addPower", in: .diopter()))
  }

  /// Writes the correction.
  func write(to coder: NSCoder) {
    coder.encode(correction.sphere, forKey: "sphere")
    coder.encode(correction.cylinder, forKey: "cylinder")
    coder.encode(correction.axis, forKey: "axis")
    coder.encode(correction.addPower, forKey: "addPower")
  }

  /// The power of the lens.
  open var sphere: HKQuantity { correction.sphere }
  /// The power against astigmatism.
  open var cylinder: HKQuantity? { correction.cylinder }
  /// The direction of the astigmatism.
  open var axis: HKQuantity? { correction.axis }
  /// The additional power for near things.
  open var addPower: HKQuantity? { correction.addPower }
}

/// A lens of glasses.
open class HKGlassesLensSpecification: HKLensSpecification, NSCopying, NSSecureCoding,
  @unchecked Sendable
{
  private struct Fit: Hashable {
    var vertexDistance: HKQuantity?
    var prism: HKVisionPrism?
    var farPupillaryDistance: HKQuantity?
    var nearPupillaryDistance: HKQuantity?
  }

  private let fit: Fit

  /// Makes a lens; powers are in diopters, the axis is an angle, distances are lengths.
  ///
  /// Traps for units of something else; ``validated(sphere:cylinder:axis:addPower:vertexDistance:prism:farPupillaryDistance:nearPupillaryDistance:)``
  /// throws.
  public init(
    sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
    vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
    nearPupillaryDistance: HKQuantity?
  ) {
    let correction = Correction(
      sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    raising { () throws(ObjectError) in
      try correction.check(vertexDistance, farPupillaryDistance, nearPupillaryDistance)
    }
    fit = Fit(
      vertexDistance: vertexDistance, prism: prism, farPupillaryDistance: farPupillaryDistance,
      nearPupillaryDistance: nearPupillaryDistance)
    super.init(correction)
  }

  /// Makes a lens.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    sphere: HKQuantity, cylinder: HKQuantity? = nil, axis: HKQuantity? = nil,
    addPower: HKQuantity? = nil, vertexDistance: HKQuantity? = nil, prism: HKVisionPrism? = nil,
    farPupillaryDistance: HKQuantity? = nil, nearPupillaryDistance: HKQuantity? = nil
  ) throws(ObjectError) -> HKGlassesLensSpecification {
    try Correction(sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
      .check(vertexDistance, farPupillaryDistance, nearPupillaryDistance)
    return HKGlassesLensSpecification(
      sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower,
      vertexDistance: vertexDistance, prism: prism, farPupillaryDistance: farPupillaryDistance,
      nearPupillaryDistance: nearPupillaryDistance)
  }

  /// Reads a lens from an archive.
  public required init?(coder: NSCoder) {
    fit = Fit(
      vertexDistance: coder.decodeQuantity("vertexDistance", in: .meter()),
      prism: coder.decodeOne(HKVisionPrism.self, "prism"),
      farPupillaryDistance: coder.decodeQuantity("farPupillaryDistance", in: .meter()),
      nearPupillaryDistance: coder.decodeQuantity("nearPupillaryDistance", in: .meter()))
    super.init(reading: coder)
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    write(to: coder)
    coder.encode(fit.vertexDistance, forKey: "vertexDistance")
    coder.encode(fit.prism, forKey: "prism")
    coder.encode(fit.farPupillaryDistance, forKey: "farPupillaryDistance")
    coder.encode(fit.nearPupillaryDistance, forKey: "nearPupillaryDistance")
  }

  /// Lenses are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The lens itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Between the back of the lens and the eye.
  open var vertexDistance: HKQuantity? { fit.vertexDistance }
  /// The alignment of the eyes.
  open var prism: HKVisionPrism? { fit.prism }
  /// Between pupil and nose, when looking far away.
  open var farPupillaryDistance: HKQuantity? { fit.farPupillaryDistance }
  /// Between pupil and nose, when looking at something near.
  open var nearPupillaryDistance: HKQuantity? { fit.nearPupillaryDistance }

  /// Whether the object is the same lens.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKGlassesLensSpecification else { return false }
    return correction == other.correction && fit == other.fit
  }

  /// Hashes the correction.
  open override var hash: Int { correction.hashValue }
}

/// A contact lens.
open class HKContactsLensSpecification: HKLensSpecification, NSCopying, NSSecureCoding,
  @unchecked Sendable
{
  private let curve: HKQuantity?
  private let width: HKQuantity?

  /// Makes a lens; powers are in diopters, the axis is an angle, curve and diameter are lengths.
  ///
  /// Traps for units of something else;
  /// ``validated(sphere:cylinder:axis:addPower:baseCurve:diameter:)`` throws.
  public init(
    sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
    baseCurve: HKQuantity?, diameter: HKQuantity?
  ) {
    let correction = Correction(
      sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    raising { () throws(ObjectError) in try correction.check(baseCurve, diameter) }
    curve = baseCurve
    width = diameter
    super.init(correction)
  }

  /// Makes a lens.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    sphere: HKQuantity, cylinder: HKQuantity? = nil, axis: HKQuantity? = nil,
    addPower: HKQuantity? = nil, baseCurve: HKQuantity? = nil, diameter: HKQuantity? = nil
  ) throws(ObjectError) -> HKContactsLensSpecification {
    try Correction(sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
      .check(baseCurve, diameter)
    return HKContactsLensSpecification(
      sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower, baseCurve: baseCurve,
      diameter: diameter)
  }

  /// Reads a lens from an archive.
  public required init?(coder: NSCoder) {
    curve = coder.decodeQuantity("baseCurve", in: .meter())
    width = coder.decodeQuantity("diameter", in: .meter())
    super.init(reading: coder)
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    write(to: coder)
    coder.encode(curve, forKey: "baseCurve")
    coder.encode(width, forKey: "diameter")
  }

  /// Lenses are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The lens itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The radius of the back of the lens.
  open var baseCurve: HKQuantity? { curve }
  /// The width of the lens.
  open var diameter: HKQuantity? { width }

  /// Whether the object is the same lens.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKContactsLensSpecification else { return false }
    return correction == other.correction && curve == other.curve && width == other.width
  }

  /// Hashes the correction.
  open override var hash: Int { correction.hashValue }
}

/// The alignment of one eye: a prism by amount and angle, or by its vertical and horizontal parts.
///
/// Angles turn counterclockwise as an examiner sees the eye, from 0° at the examiner's right: base
/// in for a right eye, base out for a left one; 90° is base up. Two prisms are equal when all their
/// properties are.
open class HKVisionPrism: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private struct Parts: Hashable {
    var amount: HKQuantity
    var angle: HKQuantity
    var verticalAmount: HKQuantity
    var horizontalAmount: HKQuantity
    var verticalBase: HKPrismBase
    var horizontalBase: HKPrismBase
    var eye: HKVisionEye
  }

  private let parts: Parts

  /// Makes a prism from its amount, in prism diopters, and its angle.
  ///
  /// Traps for units of something else and for a negative amount;
  /// ``validated(amount:angle:eye:)`` throws.
  public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
    let (size, degrees) = raising { () throws(ObjectError) in try Self.numbers(amount, angle) }
    let (vertical, horizontal) = Self.components(size, degrees: degrees)
    parts = Parts(
      amount: amount, angle: angle, verticalAmount: Self.quantity(vertical.magnitude),
      horizontalAmount: Self.quantity(horizontal.magnitude),
      verticalBase: vertical == 0 ? .none : vertical > 0 ? .up : .down,
      horizontalBase: horizontal == 0
        ? .none : (horizontal > 0) == (eye == .right) ? .in : .out,
      eye: eye)
  }

  /// Makes a prism from its vertical and horizontal parts, in prism diopters.
  ///
  /// Traps for units of something else, for a negative amount, for a vertical base that is not up
  /// or down and for a horizontal one that is not in or out; a part of zero may have no base.
  /// ``validated(verticalAmount:verticalBase:horizontalAmount:horizontalBase:eye:)`` throws.
  public init(
    verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
    horizontalBase: HKPrismBase, eye: HKVisionEye
  ) {
    let (up, across) = raising { () throws(ObjectError) in
      try Self.numbers(verticalAmount, verticalBase, horizontalAmount, horizontalBase)
    }
    let vertical = verticalBase == .down ? -up : up
    let isRightward = (horizontalBase == .in) == (eye == .right)
    let horizontal = isRightward ? across : -across
    let degrees = atan2(vertical, horizontal) * 180 / .pi
    parts = Parts(
      amount: Self.quantity(hypot(vertical, horizontal)),
      angle: HKQuantity(
        unit: .degreeAngle(), doubleValue: degrees < 0 ? degrees + 360 : degrees + 0),
      verticalAmount: verticalAmount, horizontalAmount: horizontalAmount,
      verticalBase: verticalBase, horizontalBase: horizontalBase, eye: eye)
  }

  /// The vertical and horizontal parts; exact where the base lies on an axis.
  private static func components(
    _ size: Double, degrees: Double
  ) -> (vertical: Double, horizontal: Double) {
    let turned = degrees < 0 ? degrees + 360 : degrees
    switch turned {
    case 0: return (0, size)
    case 90: return (size, 0)
    case 180: return (0, -size)
    case 270: return (-size, 0)
    default:
      let radians = turned * .pi / 180
      return (size * sin(radians), size * cos(radians))
    }
  }

  private static func quantity(_ diopters: Double) -> HKQuantity {
    HKQuantity(unit: .prismDiopter(), doubleValue: diopters)
  }

  private static func diopters(_ amount: HKQuantity) throws(ObjectError) -> Double {
    try HKQuantity.check(amount, in: .prismDiopter(), "Prism", of: "HKVisionPrism")
    let diopters = try amount.value(in: .prismDiopter())
    guard diopters.isFinite, diopters >= 0 else { throw ObjectError(.negativePrism) }
    return diopters
  }

  /// Prism diopters and degrees.
  private static func numbers(
    _ amount: HKQuantity, _ angle: HKQuantity
  ) throws(ObjectError) -> (Double, Double) {
    try HKQuantity.check(angle, in: .degreeAngle(), "Angle", of: "HKVisionPrism")
    let degrees = try angle.value(in: .degreeAngle()).truncatingRemainder(dividingBy: 360)
    return (try diopters(amount), degrees)
  }

  /// Prism diopters of both parts.
  private static func numbers(
    _ vertical: HKQuantity, _ verticalBase: HKPrismBase, _ horizontal: HKQuantity,
    _ horizontalBase: HKPrismBase
  ) throws(ObjectError) -> (Double, Double) {
    let (up, across) = (try diopters(vertical), try diopters(horizontal))
    guard [.up, .down].contains(verticalBase) || verticalBase == .none && up == 0,
      [.in, .out].contains(horizontalBase) || horizontalBase == .none && across == 0
    else { throw ObjectError(.prismBase) }
    return (up, across)
  }

  /// Makes a prism from its amount and its angle.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye
  ) throws(ObjectError) -> HKVisionPrism {
    _ = try numbers(amount, angle)
    return HKVisionPrism(amount: amount, angle: angle, eye: eye)
  }

  /// Makes a prism from its vertical and horizontal parts.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
    horizontalBase: HKPrismBase, eye: HKVisionEye
  ) throws(ObjectError) -> HKVisionPrism {
    _ = try numbers(verticalAmount, verticalBase, horizontalAmount, horizontalBase)
    return HKVisionPrism(
      verticalAmount: verticalAmount, verticalBase: verticalBase,
      horizontalAmount: horizontalAmount, horizontalBase: horizontalBase, eye: eye)
  }

  /// Reads a prism from an archive.
  public required init?(coder: NSCoder) {
    guard let amount = coder.decodeQuantity("amount", in: .prismDiopter()),
      let angle = coder.decodeQuantity("angle", in: .degreeAngle()),
      let verticalAmount = coder.decodeQuantity("verticalAmount", in: .prismDiopter()),
      let horizontalAmount = coder.decodeQuantity("horizontalAmount", in: .prismDiopter()),
      let verticalBase = coder.decodeCase(HKPrismBase.self, "verticalBase"),
      let horizontalBase = coder.decodeCase(HKPrismBase.self, "horizontalBase"),
      let eye = coder.decodeCase(HKVisionEye.self, "eye")
    else { return nil }
    parts = Parts(
      amount: amount, angle: angle, verticalAmount: verticalAmount,
      horizontalAmount: horizontalAmount, verticalBase: verticalBase,
      horizontalBase: horizontalBase, eye: eye)
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(parts.amount, forKey: "amount")
    coder.encode(parts.angle, forKey: "angle")
    coder.encode(parts.verticalAmount, forKey: "verticalAmount")
    coder.encode(parts.horizontalAmount, forKey: "horizontalAmount")
    coder.encode(parts.verticalBase.rawValue, forKey: "verticalBase")
    coder.encode(parts.horizontalBase.rawValue, forKey: "horizontalBase")
    coder.encode(parts.eye.rawValue, forKey: "eye")
  }

  /// Prisms are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The prism itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The amount.
  open var amount: HKQuantity { parts.amount }
  /// The direction of the base.
  open var angle: HKQuantity { parts.angle }
  /// The amount up or down.
  open var verticalAmount: HKQuantity { parts.verticalAmount }
  /// Up or down.
  open var verticalBase: HKPrismBase { parts.verticalBase }
  /// The amount in or out.
  open var horizontalAmount: HKQuantity { parts.horizontalAmount }
  /// In, towards the nose, or out.
  open var horizontalBase: HKPrismBase { parts.horizontalBase }
  /// The eye.
  open var eye: HKVisionEye { parts.eye }

  /// Whether the object is the same prism.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKVisionPrism)?.parts == parts
  }

  /// Hashes all properties.
  open override var hash: Int { parts.hashValue }
}
