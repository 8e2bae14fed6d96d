public import Foundation
public import HealthQuery

extension AnalysisPlan: Codable {
  private static let nameKey = CodingUserInfoKey(rawValue: "analysis")

  /// Reads the JSON form.
  ///
  /// - Parameters:
  ///   - json: an object
  ///   - name: the method where the object has no `analysis`
  /// - Throws: `QueryError`, which names the member
  public init(json: Data, analysis name: String? = nil) throws(QueryError) {
    let decoder = JSONDecoder()
    if let key = Self.nameKey { decoder.userInfo[key] = name }
    self = try decoder.question(from: json)
  }

  /// Decodes the JSON form; a member that is left out or null has its default.
  ///
  /// - Throws: `QueryError`
  public init(from decoder: any Decoder) throws { try self.init(decoder, besides: []) }

  /// Decodes the JSON form of an object that has some other members, too.
  package init(_ decoder: any Decoder, besides others: [String]) throws {
    let asked = try QuestionKeys<Question.Member>(
      decoder, besides: ParameterName.allCases.map(\.rawValue) + others)
    let method = try AnalysisMethod(
      members: QuestionKeys(decoder, besides: Question.Member.allCases.map(\.rawValue) + others),
      named: Self.nameKey.flatMap { decoder.userInfo[$0] as? String })
    var question = try Question(members: asked, needsTypes: false)
    if question.types.isEmpty, let type = method.fixedType, let unit = try asked.text(.unit) {
      // The unit of an answer belongs to its type.
      var own = TypeQuestion(type)
      own.unit = unit
      question.types = [own]
    }
    if let derivation = question.derivation {
      throw QueryError(.membersExclude(ParameterName.analysis.rawValue, derivation.member))
    }
    for (member, isGiven) in [
      (Question.Member.bySource, question.separatesSources), (.explain, question.explains),
      (.during, question.during != nil),
    ] where isGiven {
      throw QueryError(.memberOfAnother(member.rawValue, analysis: method.name))
    }
    self.init(method, of: question)
  }

  /// Encodes the JSON form, without members that have their default.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: AnyKey.self)
    try method.encode(to: &members)
    try question.encode(to: &members)
  }
}
