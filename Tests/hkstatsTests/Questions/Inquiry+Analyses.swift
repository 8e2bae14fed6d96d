import Foundation
import Testing

// What a slow count can say of an analysis: the numbers that it is of, and what follows from its own.

extension Inquiry {
  /// The number of a row's interval by a slow count, for types whose number of a day is a sum, a night
  /// or the mean of few readings; `nil` for others.
  private func counted(_ row: [String: Any], in span: Span) throws -> Double? {
    let name = try #require(row["name"] as? String)
    let statistic = try #require(row["statistic"] as? String)
    guard
      statistic == "sum" && facts.sums[type(name)] != nil || isSleep(name)
        || ["restingHeartRate", "bodyMass"].contains(name)
    else { return nil }
    return try number(name, statistic, in: span)
  }

  private func double(_ row: [String: Any], _ key: String) throws -> Double {
    try #require(row[key] as? Double, "\(key)")
  }

  /// Every analysis of types says by what it was made, what it left out, and how much it tested.
  private func checkWords(of answer: [String: Any]) {
    #expect(answer["model"] is String && answer["method"] is String)
    #expect(answer["interval"] is String && answer["tested"] is Int)
    let refusals = answer["refusals"] as? [[String: Any]]
    #expect(refusals?.allSatisfy { $0["name"] is String && $0["refusal"] is String } ?? false)
  }

  /// Unusual days have the numbers of their days, far from the median.
  func checkAnomalies() throws {
    let answer = try answer.object()
    checkWords(of: answer)
    let rows = try #require(answer["anomalies"] as? [[String: Any]])
    #expect((answer["tested"] as? Int ?? 0) > 7 * 10)
    let threshold = try double(answer, "threshold")
    for row in rows {
      let day = try span(row)
      let (value, median) = (try double(row, "value"), try double(row, "median"))
      let score = try double(row, "score")
      #expect(abs(score) > threshold && (value > median) == (score > 0))
      #expect(day.start >= facts.day(facts.today, plus: -8) && day.start <= facts.today)
      if let known = try counted(row, in: day) { #expect(Self.agree(value, known), "\(row)") }
    }
  }

  /// Means of the last days are those of their days, and their place is that in the range.
  func checkTypical() throws {
    let answer = try answer.object()
    checkWords(of: answer)
    #expect(answer["model"] as? String == "percentiles 5, 50, 95 of trailing means")
    let rows = try #require(answer["typical"] as? [[String: Any]])
    #expect(answer["measures"] as? Int == rows.count && rows.count > 5)
    let outside = rows.count { $0["position"] as? String != "inside" }
    #expect(answer["outside"] as? Int == outside)
    try checkSummary(of: answer, rows)
    var counted = 0
    for row in rows {
      let (low, high) = (try double(row, "low"), try double(row, "high"))
      let (mean, median) = (try double(row, "mean"), try double(row, "median"))
      #expect(low <= median && median <= high)
      let position = mean < low ? "below" : mean > high ? "above" : "inside"
      #expect(row["position"] as? String == position)
      let whole = try span(row)
      var numbers: [Double] = []
      var start = whole.start
      while start < whole.end {
        let end = facts.day(start, plus: 1)
        if let number = try self.counted(row, in: Span(start: start, end: end)), number != 0 {
          numbers.append(number)
        }
        start = end
      }
      guard row["days"] as? Int == numbers.count else { continue }
      counted += 1
      #expect(Self.agree(mean, numbers.reduce(0, +) / Double(numbers.count)), "\(row)")
    }
    #expect(counted > 0)
  }

  /// The means of the weeks before lie where their rows say, and the summary counts them.
  private func checkSummary(of answer: [String: Any], _ rows: [[String: Any]]) throws {
    let summary = try #require(answer["summary"] as? [String: Any])
    #expect(summary["measures"] as? Int == rows.count)
    #expect(summary["outside"] as? Int == answer["outside"] as? Int)
    var (means, outside) = ([Int](repeating: 0, count: 52), [Int](repeating: 0, count: 52))
    for row in rows {
      let (low, high) = (try double(row, "low"), try double(row, "high"))
      let (least, greatest) = (try double(row, "least"), try double(row, "greatest"))
      #expect(least <= low && high <= greatest)
      let earlier = try #require(row["earlier"] as? [[String: Any]])
      #expect(earlier.count == 52)
      for (week, one) in earlier.enumerated() {
        guard let mean = one["mean"] as? Double else {
          #expect(one["mean"] is NSNull && one["position"] is NSNull)
          continue
        }
        #expect(least <= mean && mean <= greatest)
        let position = mean < low ? "below" : mean > high ? "above" : "inside"
        #expect(one["position"] as? String == position)
        means[week] += 1
        if position != "inside" { outside[week] += 1 }
      }
    }
    let before = try #require(summary["outsideBefore"] as? [Any])
    #expect(before.count == 52)
    for (week, count) in before.enumerated() {
      #expect(count as? Int == (2 * means[week] < rows.count ? nil : outside[week]), "\(week)")
    }
  }

  /// Levels follow one another, and their changes are their differences.
  func checkChanges() throws {
    let answer = try answer.object()
    checkWords(of: answer)
    let levels = try #require(answer["levels"] as? [[String: Any]])
    #expect(levels.allSatisfy { $0["empty"] is Int && $0["partial"] is Int })
    #expect(answer["changes"] as? Int == levels.count - 1 && answer["tested"] as? Int == 1)
    for (level, next) in zip(levels, levels.dropFirst()) {
      #expect(try span(level).end <= span(next).start)
      let step = try double(next, "level") - double(level, "level")
      #expect(Self.agree(try double(next, "change"), step))
    }
    let all = try levels.map { try double($0, "level") * Double($0["count"] as? Int ?? 0) }
    let count = levels.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    let days = facts.rows[type(names[0])]?.map(\.value) ?? []
    let mean = days.reduce(0, +) / Double(max(1, days.count))
    #expect(abs(all.reduce(0, +) / Double(max(1, count)) - mean) < 0.02 * mean)
  }

  /// Course, season and rest add up to the numbers of the days.
  func checkCourse() throws {
    let answer = try answer.object()
    checkWords(of: answer)
    let rows = try #require(answer["intervals"] as? [[String: Any]])
    let values = try rows.filter { $0["value"] is Double }.map { try double($0, "value") }
    let (least, greatest) = (try #require(values.min()), try #require(values.max()))
    var counted = 0
    for row in rows {
      guard let level = row["course"] as? Double else {
        #expect(row["rest"] is NSNull)
        continue
      }
      #expect(level >= least - (greatest - least) && level <= greatest + (greatest - least))
      guard row["value"] is Double else { continue }
      let value = try double(row, "value")
      let sum = try level + (row["season"] as? Double ?? 0) + double(row, "rest")
      #expect(abs(sum - value) <= 1e-9 * max(1, abs(value)))
      guard let known = try self.counted(row, in: try span(row)) else { continue }
      #expect(Self.agree(value, known), "\(row)")
      counted += 1
    }
    #expect(counted > 10)
  }

  /// Weights of length 1 at right angles, the largest component first.
  func checkComponents() throws {
    let answer = try answer.object()
    let rows = try #require(answer["weights"] as? [[String: Any]])
    let types = try #require(answer["types"] as? Int)
    #expect(types >= 2 && rows.count % types == 0 && (answer["count"] as? Int ?? 0) >= 42)
    let components = try stride(from: 0, to: rows.count, by: types).map { first in
      (
        share: try double(rows[first], "share"),
        weights: try rows[first..<first + types].map { try double($0, "weight") }
      )
    }
    for (place, one) in components.enumerated() {
      for (later, other) in components.enumerated().dropFirst(place) {
        let product = zip(one.weights, other.weights).reduce(0) { $0 + $1.0 * $1.1 }
        #expect(abs(product - (place == later ? 1 : 0)) < 1e-9)
        #expect(one.share >= other.share)
      }
    }
    #expect(components.reduce(0) { $0 + $1.share } <= 1 + 1e-9)
  }

  /// As many tests as pairs and lags, and coefficients in their ranges.
  func checkRelations() throws {
    let answer = try answer.object()
    checkWords(of: answer)
    let rows = try #require(answer["relations"] as? [[String: Any]])
    let types = try #require(answer["types"] as? Int)
    let tested = try #require(answer["tested"] as? Int)
    let excluded = try #require(answer["excludedPairs"] as? Int)
    let tooFew = try #require(answer["tooFewDays"] as? Int)
    #expect(types >= 2 && tested + tooFew == 7 * (types * (types - 1) / 2 - excluded))
    let pairs = try #require(answer["pairs"] as? Int)
    #expect(tested <= 7 * pairs && pairs <= types * (types - 1) / 2 - excluded)
    #expect(!words.contains("--all") || rows.count == 1)
    for row in rows {
      let coefficient = try double(row, "coefficient")
      #expect(try double(row, "low") <= coefficient && coefficient <= double(row, "high"))
      #expect((row["count"] as? Int ?? 0) >= 42 && abs(row["lag"] as? Int ?? 9) <= 3)
      #expect(try double(row, "pValue") <= double(row, "qValue") + 1e-12)
      let holds = try #require(row["holds"] as? Bool)
      #expect(try !holds || double(row, "qValue") <= 0.05)
    }
    #expect(try rows.count { try #require($0["holds"] as? Bool) } == answer["held"] as? Int)
  }
}
