import Foundation
import HealthQuery
import HealthSamples
import NIOHTTP1

/// The query of a request: the daily totals of a type.
///
/// `/days?type=stepCount&from=2026-10-18&to=2026-11-01&timezone=Europe/Paris`: `to` is the day after
/// the last one, and the time zone defaults to that of the machine.
public struct DayQuestion: Sendable {
  /// The type, which is cumulative.
  public let type: SampleType
  /// The start of the first day.
  public let from: QueryDate
  /// The end of the last day.
  public let to: QueryDate
  /// Where days begin and end.
  public let timeZone: TimeZone

  /// The most days of one answer: ten years.
  static let mostDays = 3_660
  private static let names: Set = ["type", "from", "to", "timezone"]

  /// Parses the target of a request.
  ///
  /// - Throws: ``Refusal`` that names what is missing or wrong
  init(target: String) throws(Refusal) {
    guard let parts = URLComponents(string: target) else {
      throw Refusal(.badRequest, "The target of the request cannot be read.")
    }
    guard parts.path == "/days" else {
      throw Refusal(.notFound, "The only path is /days.")
    }
    var values: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      guard Self.names.contains(item.name) else {
        throw Refusal(
          .badRequest, "Unknown parameter; the parameters are type, from, to and timezone.")
      }
      guard values.updateValue(item.value ?? "", forKey: item.name) == nil else {
        throw Refusal(.badRequest, "\(item.name) is given more than once.")
      }
    }
    type = try Self.type(try Self.value(of: "type", in: values))
    do throws(QueryError) {
      timeZone = try values["timezone"].map(TimeZone.named) ?? .current
    } catch {
      throw Refusal(.badRequest, "timezone is not the name of a time zone.")
    }
    from = try Self.day("from", in: values, timeZone)
    to = try Self.day("to", in: values, timeZone)
    guard from.instant < to.instant else {
      throw Refusal(.badRequest, "to must be after from; it is the day after the last one.")
    }
    guard (to.instant - from.instant) / 86_400 <= Double(Self.mostDays) else {
      throw Refusal(.badRequest, "One answer has at most \(Self.mostDays) days.")
    }
  }

  private static func value(
    of name: String, in values: [String: String]
  ) throws(Refusal) -> String {
    guard let value = values[name], !value.isEmpty else {
      throw Refusal(.badRequest, "\(name) is missing.")
    }
    return value
  }

  private static func type(_ name: String) throws(Refusal) -> SampleType {
    let type: SampleType
    do throws(CatalogueError) {
      type = try Catalogue.type(named: name)
    } catch {
      let near = error.suggestions.isEmpty ? "" : " Did you mean \(error.suggestions[0])?"
      throw Refusal(.badRequest, "type is not the name of a type.\(near)")
    }
    guard type.style?.isCumulative == true else {
      throw Refusal(.badRequest, "type must be one that adds up over a day, such as stepCount.")
    }
    return type
  }

  private static func day(
    _ name: String, in values: [String: String], _ zone: TimeZone
  ) throws(Refusal) -> QueryDate {
    let text = try value(of: name, in: values)
    let isDay = text.utf8.count == 10 && text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil
    do throws(QueryError) {
      guard isDay else { throw QueryError(.unreadableDate(text, suggestions: [])) }
      return try QueryDate(text, in: ZoneTimeline(zone), now: 0)
    } catch {
      throw Refusal(.badRequest, "\(name) must be a day such as 2026-10-31.")
    }
  }
}

/// Why a request is refused; the client gets the words.
struct Refusal: Error {
  let status: HTTPResponseStatus
  let words: String

  init(_ status: HTTPResponseStatus, _ words: String) {
    (self.status, self.words) = (status, words)
  }
}
