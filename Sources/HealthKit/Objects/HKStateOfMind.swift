// Constants have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import HealthSamples

/// A mood or an emotion.
open class HKStateOfMind: HKSample, NSCopying, @unchecked Sendable {
  /// Whether a state of mind is that of a moment or of a day.
  public enum Kind: Int, Sendable {
    case momentaryEmotion = 1
    case dailyMood = 2
  }

  /// How pleasant a state of mind is, in seven classes.
  public enum ValenceClassification: Int, Sendable {
    case veryUnpleasant = 1
    case unpleasant = 2
    case slightlyUnpleasant = 3
    case neutral = 4
    case slightlyPleasant = 5
    case pleasant = 6
    case veryPleasant = 7
  }

  /// A word for a feeling.
  public enum Label: Int, Sendable {
    case amazed = 1
    case amused = 2
    case angry = 3
    case anxious = 4
    case ashamed = 5
    case brave = 6
    case calm = 7
    case content = 8
    case disappointed = 9
    case discouraged = 10
    case disgusted = 11
    case embarrassed = 12
    case excited = 13
    case frustrated = 14
    case grateful = 15
    case guilty = 16
    case happy = 17
    case hopeless = 18
    case irritated = 19
    case jealous = 20
    case joyful = 21
    case lonely = 22
    case passionate = 23
    case peaceful = 24
    case proud = 25
    case relieved = 26
    case sad = 27
    case scared = 28
    case stressed = 29
    case surprised = 30
    case worried = 31
    case annoyed = 32
    case confident = 33
    case drained = 34
    case hopeful = 35
    case indifferent = 36
    case overwhelmed = 37
    case satisfied = 38
  }

  /// A part of life that a state of mind is about.
  public enum Association: Int, Sendable {
    case community = 1
    case currentEvents = 2
    case dating = 3
    case education = 4
    case family = 5
    case fitness = 6
    case friends = 7
    case health = 8
    case hobbies = 9
    case identity = 10
    case money = 11
    case partner = 12
    case selfCare = 13
    case spirituality = 14
    case tasks = 15
    case travel = 16
    case work = 17
    case weather = 18
  }

  /// What a state of mind has besides the facts of a sample.
  struct Content: Sendable, Hashable {
    var kind: Kind
    /// From -1 to 1.
    var valence: Double
    var labels: [Label]
    var associations: [Association]
  }

  let content: Content

  init(_ content: Content, date: Date, facts: ObjectFacts) {
    self.content = content
    super.init(type: HKObjectType.stateOfMindType(), start: date, end: date, facts: facts)
  }

  /// Makes a state of mind.
  ///
  /// Traps for a valence outside of -1...1;
  /// ``validated(date:kind:valence:labels:associations:metadata:)`` throws.
  public convenience init(
    date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
    metadata: [String: Any]? = [:]
  ) {
    let content = Content(
      kind: kind, valence: valence, labels: labels, associations: associations)
    raising { () throws(ObjectError) in try Self.check(content, date, metadata) }
    self.init(content, date: date, facts: ObjectFacts(metadata: metadata))
  }

  /// Makes a state of mind.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
    metadata: [String: Any]? = [:]
  ) throws(ObjectError) -> HKStateOfMind {
    let content = Content(
      kind: kind, valence: valence, labels: labels, associations: associations)
    try check(content, date, metadata)
    return HKStateOfMind(content, date: date, facts: ObjectFacts(metadata: metadata))
  }

  private static func check(
    _ content: Content, _ date: Date, _ metadata: [String: Any]?
  ) throws(ObjectError) {
    try check(type: HKObjectType.stateOfMindType(), start: date, end: date, metadata: metadata)
    guard ValenceClassification(valence: content.valence) != nil else {
      throw ObjectError(.valenceOutOfRange)
    }
  }

  /// Reads a state of mind from an archive.
  public required init?(coder: NSCoder) {
    guard let kind = coder.decodeCase(Kind.self, "kind"),
      let valence = coder.decodeNumber("valence"),
      ValenceClassification(valence: valence) != nil,
      let labels = coder.decodeCases(Label.self, "labels"),
      let associations = coder.decodeCases(Association.self, "associations")
    else { return nil }
    content = Content(kind: kind, valence: valence, labels: labels, associations: associations)
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(content.kind.rawValue, forKey: "kind")
    coder.encode(content.valence, forKey: "valence")
    coder.encodeCases(content.labels, "labels")
    coder.encodeCases(content.associations, "associations")
  }

  /// The state of mind itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the state is that of a moment or of a day.
  open var kind: Kind { content.kind }
  /// How pleasant the state is, from -1 to 1.
  open var valence: Double { content.valence }
  /// Words for the feelings.
  open var labels: [Label] { content.labels }
  /// The parts of life that it is about.
  open var associations: [Association] { content.associations }

  /// The class of the valence.
  open var valenceClassification: ValenceClassification {
    // A state of mind has a valence of the range.
    ValenceClassification(valence: content.valence) ?? .neutral
  }
}

extension HKStateOfMind.ValenceClassification {
  /// The class of a valence; `nil` outside of -1...1.
  ///
  /// Apple does not publish where the classes end. Here they are sevenths of the range: the valence
  /// in classes, rounded to the nearest, so that opposite valences have opposite classes.
  public init?(valence: Double) {
    guard let place = SavedObjects.valenceClass(of: valence) else { return nil }
    self.init(rawValue: place)
  }
}
