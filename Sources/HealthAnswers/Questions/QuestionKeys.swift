package import Foundation
package import HealthQuery
import HealthSamples
import HealthStatistics

extension JSONDecoder {
  /// Decodes a question in its JSON form.
  ///
  /// - Throws: `QueryError`, which names the member
  package func question<Question: Decodable>(from json: Data) throws(QueryError) -> Question {
    do {
      return try decode(Question.self, from: json)
    } catch let error as QueryError {
      throw error
    } catch {
      throw QueryError(.notJSON)
    }
  }
}

/// The members of an object whose names are those of `Member`; others are refused.
package struct QuestionKeys<Member: RawRepresentable & CaseIterable>
where Member.RawValue == String {
  private let container: KeyedDecodingContainer<AnyKey>

  /// The members of an object, which may have others of some names.
  package init(_ decoder: any Decoder, besides others: [String] = []) throws {
    do {
      container = try decoder.container(keyedBy: AnyKey.self)
    } catch is DecodingError {
      throw QueryError(.notJSON)
    }
    let known = Member.allCases.map(\.rawValue)
    for key in container.allKeys.map(\.stringValue).sorted()
    where !known.contains(key) && !others.contains(key) {
      throw QueryError(
        .unknownWord(
          .member, key, suggestions: NearNames.of(key, among: known + others), known: known + others
        ))
    }
  }

  /// A member; `nil` where it is left out or null.
  package func value<Value: Decodable>(
    _ member: Member, _ expected: QueryError.MemberForm
  ) throws -> Value? {
    do {
      return try container.decodeIfPresent(Value.self, forKey: AnyKey(member.rawValue))
    } catch let error as QueryError {
      throw error
    } catch {
      throw QueryError(.wrongMember(member.rawValue, expected))
    }
  }

  /// Whether the object has a member that is not null.
  package func contains(_ member: Member) throws -> Bool {
    let key = AnyKey(member.rawValue)
    return try container.contains(key) && !container.decodeNil(forKey: key)
  }

  package func text(_ member: Member) throws -> String? { try value(member, .text) }
  package func truth(_ member: Member) throws -> Bool { try value(member, .truth) ?? false }

  /// A whole number from 1.
  package func count(_ member: Member) throws -> Int? {
    guard let count: Int = try value(member, .count) else { return nil }
    guard (1...StatisticsPlan.intervalLimit).contains(count) else {
      throw QueryError(.wrongMember(member.rawValue, .count))
    }
    return count
  }

  /// A text, or several.
  package func texts(_ member: Member) throws -> [String] {
    if let text = try? text(member) { return [text] }
    return try value(member, .texts) ?? []
  }

  package func word<Word>(_ member: Member, _ read: (String) throws -> Word) throws -> Word? {
    try text(member).map(read)
  }

  func statistics(_ member: Member) throws -> [Statistic]? {
    let texts = try texts(member)
    return texts.isEmpty ? nil : try QuestionWords.statistics(texts.joined(separator: ","))
  }

  /// A number with or without a unit: 10000, "8h".
  package func number(_ member: Member) throws -> String? {
    if let text = try? text(member) { return text }
    let number: Double? = try value(member, .number)
    return number?.plainText
  }

  /// Seconds, or a text such as `5min`.
  package func seconds(_ member: Member) throws -> Double? {
    if let text = try? text(member) { return try QuestionWords.seconds(text) }
    return try value(member, .number)
  }

  func types(
    _ member: Member, _ shared: TypeQuestion.Shared, isNeeded: Bool
  ) throws -> [TypeQuestion] {
    var types: [TypeQuestion]
    let key = AnyKey(member.rawValue)
    if let text = try? text(member) {
      types = try text.split(separator: ",", omittingEmptySubsequences: false).map {
        try TypeQuestion(String($0))
      }
    } else if (try? container.nestedUnkeyedContainer(forKey: key)) != nil {
      types = try value(member, .types) ?? []
    } else {
      types = try value(member, .types).map { [$0] } ?? []
    }
    guard !types.isEmpty || !isNeeded else { throw QueryError(.missingMember(member.rawValue)) }
    for index in types.indices { types[index].take(shared) }
    return types
  }

  package func zones(_ member: Member) throws -> ZoneTimeline? {
    let coded: CodedZones? = try value(member, .zones)
    return try coded?.timeline
  }
}
