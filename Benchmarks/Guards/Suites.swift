import Foundation
import Harness
import HealthKit
import HealthQuery
import HealthUnits
import Samples

extension Suite {
  /// All suites, in the order in which they are measured.
  static let all = [
    units, columns, kernels, questions, calendar, merge, objects, text, reader, imports, program,
    sealing, statisticsOfFacade, samplesOfFacade, savesOfFacade,
  ]

  /// Whether `--prove` without names tries it: one or two of each kind.
  var provesLimit: Bool { ["units", "kernels", "merge", "reader"].contains(name) }
}

// MARK: Kernels

extension Suite {
  /// "A column costs two …" (ExactUnits): one that lies in the cache, since the pages that a longer
  /// one gets decide its time.
  private static let units = Suite(name: "units", usesKernels: true) { _ in
    let (there, back) = (try Mile.toMetre(), try Mile.fromMetre())
    var (ours, floor) = (try Mile.checkedColumn(2_048), try Mile.checkedColumn(2_048))
    // There and back, so that repeating it leaves the numbers in their range.
    return [
      Problem(
        floor: Way("two products") {
          multiply(&floor, by: Mile.metres)
          multiply(&floor, by: 1 / Mile.metres)
        },
        ways: [
          Way("column of 2048, there and back, beside two products") {
            there.apply(to: &ours)
            back.apply(to: &ours)
          }
        ])
    ]
  }

  /// HowFastItIs.md: "columns and edges" and "whole question" beside the memory floor.
  private static let columns = Suite(name: "columns", usesKernels: true) { _ in
    try [CalendarInterval.Alignment.hour, .day].map { interval in
      let problem = try InstantsProblem.checked(interval: interval, count: 2_000_000)
      return Problem(
        floor: Way("one pass") { keep(problem.onePass()) },
        ways: [
          Way("columns and edges by \(interval), beside one pass over memory") {
            keep(try problem.columnsAndEdges())
          },
          Way("whole question by \(interval), beside one pass over memory") {
            keep(try problem.wholeQuestion())
          },
        ])
    }
  }

  /// Each kernel over columns that lie in the cache, where no memory hides what it computes.
  private static let kernels = Suite(name: "kernels", usesKernels: true) { _ in
    try StatisticsProblem.Question.allCases.map { question in
      let problem = try StatisticsProblem.checked(question, count: 30_000)
      return Problem(
        floor: Way("one pass") { keep(problem.onePass()) },
        ways: [
          Way("\(question.rawValue), beside one pass") { keep(try problem.ours(threads: 1)) }
        ])
    }
  }

  /// Whole questions, which merge and ask the calendar.
  private static let questions = Suite(name: "questions", usesKernels: true) { _ in
    try QuestionProblem.Question.allCases.map { question in
      let problem = try QuestionProblem.checked(question, count: 500_000)
      return Problem(
        floor: Way("one pass") { keep(problem.onePass()) },
        ways: [Way("\(question.rawValue), beside one pass") { keep(try problem.ours()) }])
    }
  }
}

// MARK: The core

extension Suite {
  /// FoundationAtTheEdges: edges from the transitions of a zone beside steps of `Calendar`.
  private static let calendar = Suite(name: "calendar") { _ in
    let problem = try EdgesProblem.checked()
    return [
      Problem(
        floor: Way("steps of Calendar") { keep(problem.foundation()) },
        ways: [Way("edges of days of ten years, beside Calendar") { keep(problem.ours()) }])
    ]
  }

  private static let merge = Suite(name: "merge") { _ in
    // Without gaps the first source covers all, and merging is a copy.
    let few = try [2, 6].map { sources in
      let problem = try MergeProblem.checked(count: 100_000, sources: sources, hasGaps: true)
      return Problem(
        floor: Way("a copy") { keep(problem.copy()) },
        ways: [
          Way("\(sources) sources with gaps, beside a copy") {
            keep(try problem.samples.merged(by: problem.priority))
          }
        ])
    }
    // Merging: "thousands of sources cost about as much as one with the same number of samples".
    // A single source is not merged at all.
    let two = try MergeProblem.checked(count: 100_000, sources: 2, hasGaps: true)
    let many = try MergeProblem.checked(count: 100_000, sources: 1_000, hasGaps: true)
    return few + [
      Problem(
        floor: Way("two sources") { keep(try two.samples.merged(by: two.priority)) },
        ways: [
          Way("1000 sources, beside two") { keep(try many.samples.merged(by: many.priority)) }
        ])
    ]
  }

  private static let text = Suite(name: "text") { workplace in
    let problem = try TextProblem.checked(in: workplace)
    let texts = try UnitTexts.checked()
    return [
      Problem(
        floor: Way("fprintf") { keep(problem.print(to: "/dev/null")) },
        ways: [
          Way("csv of samples, beside fprintf") { try problem.export(to: "/dev/null") }
        ]),
      Problem(
        floor: Way("the words of each text") {
          for text in texts { keep(UnitTexts.words(of: text)) }
        },
        ways: [
          Way("new compounds of units, beside the words of each text") {
            for text in texts { keep(try UnitExpression(text)) }
          }
        ]),
    ]
  }
}

// MARK: Apple's objects

extension Suite {
  private static let objects = Suite(name: "objects") { _ in
    let rows = try ObjectsProblem.checked()
    let (samples, plain) = (rows.samples(), PlainSample.made(of: rows))
    let (pound, kilogram) = (HKUnit.pound(), HKUnit.gramUnit(with: .kilo))
    let values = (0..<1_000).map { 60 + Double($0) / 16 }
    let quantities = values.map { HKQuantity(unit: pound, doubleValue: $0) }
    let conversion = try UnitConversion(from: UnitExpression("lb"), to: UnitExpression("kg"))
    return [
      Problem(
        floor: Way("plain objects made") { keep(PlainSample.made(of: rows)) },
        ways: [Way("samples made, beside plain objects") { keep(rows.samples()) }]),
      Problem(
        floor: Way("plain objects read") {
          keep((plain.map(\.start), plain.map(\.end), plain.map(\.value)))
        },
        ways: [
          Way("samples read into columns, beside plain objects") {
            keep(try SampleRows.rows(of: samples))
          }
        ]),
      Problem(
        floor: Way("units of the core") {
          for _ in 0..<1_000 { keep(try UnitExpression("kg")) }
        },
        ways: [
          Way("units, beside those of the core") {
            for _ in 0..<1_000 { keep(HKUnit.gramUnit(with: .kilo)) }
          }
        ]),
      Problem(
        floor: Way("conversions of the core") { keep(values.reduce(0) { $0 + conversion($1) }) },
        ways: [
          Way("quantities converted, beside the core") {
            keep(quantities.reduce(0) { $0 + $1.doubleValue(for: kilogram) })
          }
        ]),
    ]
  }
}

// MARK: Imports and the program

extension Suite {
  /// OwnScanner: the reader alone beside expat.
  private static let reader = Suite(name: "reader") { workplace in
    let problem = try ImportProblem.checked(in: workplace)
    return [
      Problem(
        floor: Way("expat") { keep(problem.countByExpat()) },
        ways: [
          Way("columns of xml, beside expat") { keep(try problem.countByReader(archive: false)) },
          Way("columns of zip, beside expat") { keep(try problem.countByReader(archive: true)) },
        ])
    ]
  }

  /// README: whole imports beside C loops that parse the same export with expat and libxml2.
  private static let imports = Suite(name: "import") { workplace in
    let floor = Child(beside: "import-floor")
    let program = Child(beside: "hkstats")
    let (xml, zip) = (
      try workplace.export("16MB", as: "xml"), try workplace.export("16MB", as: "zip")
    )
    return ["expat", "libxml2"].map { parser in
      Problem(
        floor: Way(parser) { try floor.succeed([parser, xml]) },
        ways: [xml, zip].map { path in
          var store = ""
          return Way(
            "\((path as NSString).pathExtension), beside a program of \(parser)",
            prepare: { store = workplace.vacant() },
            work: { try program.succeed(["import", path, "--store", store]) })
        })
    }
  }

  /// HowFastItIs.md and TrendsAndRefusals.md: the start of the program, and commands that need no trend.
  ///
  /// Each is a process that starts cold, beside one that only reads the store.
  private static let program = Suite(name: "program") { workplace in
    let store = "\(workplace.folder)/asked.sqlite"
    let program = Child(beside: "hkstats", environment: ["TZ": "Europe/Paris"])
    try program.succeed(["import", workplace.export("100MB", as: "zip"), "--store", store])
    let reader = Child(beside: "import-floor")
    let day = ["--from", "2026-10-20", "--to", "2026-10-21"]
    let asked = { (arguments: [String]) in arguments + ["--format", "csv", "--store", store] }
    let questions: [(name: String, arguments: [String])] = [
      ("start", ["--version"]),
      ("steps of one day by hour", asked(["stats", "steps", "--by", "hour"] + day)),
      ("heart rate of one day by hour", asked(["stats", "heartRate", "--by", "hour"] + day)),
      ("all steps by day", asked(["stats", "steps", "--by", "day"])),
      ("all steps by hour", asked(["stats", "steps", "--by", "hour"])),
      ("all heart rates by day", asked(["stats", "heartRate", "--by", "day"])),
      (
        "medians of all heart rates by month",
        asked(["stats", "heartRate", "--by", "month", "--stat", "median"])
      ),
      ("all nights", asked(["sleep"])),
      (
        "all parts of nights by day",
        asked([
          "stats",
          "sleep,sleep.deep,sleep.core,sleep.rem,sleep.awake,sleep.inBed,sleep.efficiency",
          "--by", "day",
        ])
      ),
      ("what goes with what", asked(["correlate", "--from", "2016-01-01"])),
      (
        "a search for rhythms by the hour",
        asked(["rhythm", "heartRate", "--search", "--from", "2016-01-01"])
      ),
      ("all types", ["types", "--store", store]),
      ("all samples of steps", asked(["samples", "steps"])),
    ]
    return [
      Problem(
        floor: Way("a program that reads the store") { try reader.succeed(["read", store]) },
        ways: questions.map { question in
          Way("\(question.name), beside a program that reads the store") {
            try program.succeed(question.arguments)
          }
        })
    ]
  }
}
