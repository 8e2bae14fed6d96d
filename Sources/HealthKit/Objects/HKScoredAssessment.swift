// Constants have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A questionnaire whose answers add up to a score.
open class HKScoredAssessment: HKSample, NSCopying, @unchecked Sendable {
  private let total: Int

  init(score: Int, type: HKScoredAssessmentTypeIdentifier, date: Date, facts: ObjectFacts) {
    total = score
    super.init(type: HKScoredAssessmentType(type), start: date, end: date, facts: facts)
  }

  /// Reads an assessment from an archive.
  public required init?(coder: NSCoder) {
    guard let total = coder.decodeWhole("score") else { return nil }
    self.total = total
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(total, forKey: "score")
  }

  /// The assessment itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The sum of the answers.
  open var score: Int { total }

  static func check(
    _ answers: Int, of count: Int, _ type: HKScoredAssessmentTypeIdentifier, _ date: Date,
    _ metadata: [String: Any]?
  ) throws(ObjectError) {
    let type = HKScoredAssessmentType(type)
    try check(type: type, start: date, end: date, metadata: metadata)
    guard answers == count else {
      throw ObjectError(.wrongNumberOfAnswers(type: type.identifier, expected: count))
    }
  }
}

/// The seven questions about anxiety of Spitzer, Kroenke, Williams and Löwe (2006).
open class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
  /// How often a problem was there in the last two weeks.
  public enum Answer: Int, Sendable {
    case notAtAll = 0
    case severalDays = 1
    case moreThanHalfTheDays = 2
    case nearlyEveryDay = 3
  }

  /// The severity: from 5, 10 and 15 points on mild, moderate and severe.
  public enum Risk: Int, Sendable {
    case noneToMinimal = 1
    case mild = 2
    case moderate = 3
    case severe = 4

    init(score: Int) {
      self =
        switch score {
        case ..<5: .noneToMinimal
        case ..<10: .mild
        case ..<15: .moderate
        default: .severe
        }
    }
  }

  private static let questions = 7
  private let given: [Answer]

  init(unchecked answers: [Answer], date: Date, facts: ObjectFacts) {
    given = answers
    super.init(
      score: answers.map(\.rawValue).reduce(0, +), type: .GAD7, date: date, facts: facts)
  }

  /// Makes an assessment from seven answers.
  ///
  /// Traps for another number of answers; ``validated(date:answers:metadata:)`` throws.
  public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
    raising { () throws(ObjectError) in
      try Self.check(answers.count, of: Self.questions, .GAD7, date, metadata)
    }
    self.init(unchecked: answers, date: date, facts: ObjectFacts(metadata: metadata))
  }

  /// Makes an assessment from seven answers.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    date: Date, answers: [Answer], metadata: [String: Any]? = [:]
  ) throws(ObjectError) -> HKGAD7Assessment {
    try check(answers.count, of: questions, .GAD7, date, metadata)
    return HKGAD7Assessment(
      unchecked: answers, date: date, facts: ObjectFacts(metadata: metadata))
  }

  /// Reads an assessment from an archive.
  public required init?(coder: NSCoder) {
    guard let given = coder.decodeCases(Answer.self, "answers"),
      given.count == Self.questions
    else { return nil }
    self.given = given
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeCases(given, "answers")
  }

  /// The answers, in the order of the questions.
  open var answers: [Answer] { given }
  /// The severity.
  open var risk: Risk { Risk(score: score) }
}

/// The nine questions about depression of Kroenke, Spitzer and Williams (2001).
open class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
  /// How often a problem was there in the last two weeks; only the last question may stay without
  /// an answer.
  public enum Answer: Int, Sendable {
    case notAtAll = 0
    case severalDays = 1
    case moreThanHalfTheDays = 2
    case nearlyEveryDay = 3
    case preferNotToAnswer = 4

    /// What the answer adds to the score.
    var points: Int { self == .preferNotToAnswer ? 0 : rawValue }
  }

  /// The severity: from 5, 10, 15 and 20 points on mild, moderate, moderately severe and severe.
  public enum Risk: Int, Sendable {
    case noneToMinimal = 1
    case mild = 2
    case moderate = 3
    case moderatelySevere = 4
    case severe = 5

    init(score: Int) {
      self =
        switch score {
        case ..<5: .noneToMinimal
        case ..<10: .mild
        case ..<15: .moderate
        case ..<20: .moderatelySevere
        default: .severe
        }
    }
  }

  private static let questions = 9
  private let given: [Answer]

  init(unchecked answers: [Answer], date: Date, facts: ObjectFacts) {
    given = answers
    super.init(
      score: answers.map(\.points).reduce(0, +), type: .PHQ9, date: date, facts: facts)
  }

  /// Makes an assessment from nine answers.
  ///
  /// Traps for another number of answers, and for a question before the last one that was not
  /// answered; ``validated(date:answers:metadata:)`` throws.
  public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
    raising { () throws(ObjectError) in try Self.check(answers, date, metadata) }
    self.init(unchecked: answers, date: date, facts: ObjectFacts(metadata: metadata))
  }

  /// Makes an assessment from nine answers.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    date: Date, answers: [Answer], metadata: [String: Any]? = [:]
  ) throws(ObjectError) -> HKPHQ9Assessment {
    try check(answers, date, metadata)
    return HKPHQ9Assessment(
      unchecked: answers, date: date, facts: ObjectFacts(metadata: metadata))
  }

  private static func check(
    _ answers: [Answer], _ date: Date, _ metadata: [String: Any]?
  ) throws(ObjectError) {
    try check(answers.count, of: questions, .PHQ9, date, metadata)
    guard !answers.dropLast().contains(.preferNotToAnswer) else {
      throw ObjectError(.unansweredQuestion)
    }
  }

  /// Reads an assessment from an archive.
  public required init?(coder: NSCoder) {
    guard let given = coder.decodeCases(Answer.self, "answers"),
      given.count == Self.questions
    else { return nil }
    self.given = given
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeCases(given, "answers")
  }

  /// The answers, in the order of the questions.
  open var answers: [Answer] { given }
  /// The severity.
  open var risk: Risk { Risk(score: score) }
}
