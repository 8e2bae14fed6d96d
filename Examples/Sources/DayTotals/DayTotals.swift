import Foundation
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import NIOHTTP1

/// The answer to a question: a total for each day.
public struct DayList: Sendable, Encodable {
  /// One day.
  public struct Day: Sendable, Encodable {
    /// The day, such as 2026-10-31.
    public let day: String
    /// The sum of the merged sources; `nil` on a day without samples.
    public let total: Double?

    /// Writes `null` for a day without samples, so that every day has both members.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(day, forKey: .day)
      try container.encode(total, forKey: .total)
    }

    private enum CodingKeys: String, CodingKey { case day, total }
  }

  /// The identifier of the type.
  public let type: String
  /// The unit of the totals.
  public let unit: String
  /// Where days begin and end.
  public let timeZone: String
  /// The days, in order.
  public let days: [Day]

  /// Queries a store, which merges the sources so that nothing counts twice.
  ///
  /// The server uses the package's own API, not HealthKit's: it opens the file read-only, it has no
  /// user to ask for permission, it parses the type from text, and a plan has a time zone and
  /// returns columns. An app with HealthKit code would use that code.
  init(_ question: DayQuestion, in store: SampleStore) throws(QueryError) {
    var plan = StatisticsPlan(type: question.type, timeZone: question.timeZone)
    plan.interval = CalendarInterval(.day)
    plan.statistics = [.sum]
    (plan.from, plan.to) = (question.from, question.to)
    let answer = try store.statistics(plan)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = question.timeZone
    type = question.type.identifier
    unit = answer.unit.description
    timeZone = question.timeZone.identifier
    days = answer.intervals.rows.map { row in
      let parts = calendar.dateComponents([.year, .month, .day], from: row.dateInterval.start)
      return Day(
        day: String(
          format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0),
        total: row[.sum])
    }
  }
}

/// A response to a client.
public struct Reply: Sendable {
  let status: HTTPResponseStatus
  let body: Data

  init(_ status: HTTPResponseStatus, _ body: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      (self.status, self.body) = (status, try encoder.encode(body))
    } catch {
      (self.status, self.body) = (.internalServerError, Data(#"{"error":"No answer."}"#.utf8))
    }
  }

  init(_ refusal: Refusal) { self.init(refusal.status, ["error": refusal.words]) }

  /// Answers a target from a store.
  public static func answering(_ target: String, from store: SampleStore) -> Reply {
    do {
      return Reply(.ok, try DayList(DayQuestion(target: target), in: store))
    } catch let refusal as Refusal {
      return Reply(refusal)
    } catch let error as QueryError {
      guard case .store(let error) = error.reason else {
        return Reply(Refusal(.badRequest, "These days cannot be queried."))
      }
      return Reply(
        error.reason == .locked
          ? Refusal(.serviceUnavailable, "The store is locked; hkstats unlock opens it.")
          : Refusal(.internalServerError, "The store cannot be read; hkstats verify says why."))
    } catch {
      return Reply(Refusal(.internalServerError, "The request cannot be answered."))
    }
  }
}
