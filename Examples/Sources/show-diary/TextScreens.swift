import Diary
import Foundation

/// The screens as text, in place of the views of a phone.
struct TextScreens {
  let calendar: Calendar
  /// The width of the longest bar, in columns.
  private let width = 40

  func today(_ steps: Screen<Int>, on day: Date) -> String {
    page("Today, \(text(day, "d MMM yyyy"))", steps) { ["\(grouped(Double($0))) steps"] }
  }

  func week(_ bars: Screen<[WeekModel.Bar]>) -> String {
    page("Week", bars) { bars in
      let longest = bars.compactMap(\.steps).max() ?? 0
      return bars.map { bar in
        let day = text(bar.day.start, "EEE d MMM")
        guard let steps = bar.steps else { return "\(padded(day)) –" }
        let length = longest > 0 ? Int((steps / longest * Double(width)).rounded()) : 0
        let hours = Int((bar.day.duration / 3600).rounded())
        let note = hours == 24 ? "" : " (\(hours) hours)"
        return "\(padded(day)) \(String(repeating: "█", count: length)) \(grouped(steps))\(note)"
      }
    }
  }

  func pressures(_ readings: Screen<[BloodPressureModel.Reading]>) -> String {
    page("Blood pressure", readings) { readings in
      readings.map { reading in
        let pressures = [reading.systolic, reading.diastolic].map { grouped($0) }
        return "\(text(reading.date, "d MMM yyyy HH:mm")) \(pressures.joined(separator: "/")) mmHg"
      }
    }
  }

  private func page<Content>(
    _ title: String, _ screen: Screen<Content>, _ lines: (Content) -> [String]
  ) -> String {
    let body =
      switch screen {
      case .empty: ["…"]
      case .noData: ["No data."]
      case .content(let content): lines(content)
      case .problem(let words): [words]
      }
    return ([title] + body.map { "  " + $0 }).joined(separator: "\n")
  }

  private func text(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_GB")
    formatter.calendar = calendar
    formatter.timeZone = calendar.timeZone
    formatter.dateFormat = format
    return formatter.string(from: date)
  }

  private func padded(_ day: String) -> String {
    day + String(repeating: " ", count: max(0, 10 - day.count))
  }

  private func grouped(_ count: Double) -> String {
    Int(count.rounded()).formatted(.number.locale(Locale(identifier: "en_GB")))
  }
}
