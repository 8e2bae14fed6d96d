package import Foundation
package import HealthSamples

/// The order of acts: a hybrid logical clock (law 3.1).
///
/// An act that follows from what a store knew comes after it, even when a clock was set back.
package struct Stamp: Comparable, Hashable, Sendable {
  /// Milliseconds since 2001-01-01 UTC.
  package var clock: Int64
  /// The order of acts of one time.
  package var counter: Int64
  /// The store of the act.
  package var store: Int64

  package init(clock: Int64, counter: Int64, store: Int64) {
    (self.clock, self.counter, self.store) = (clock, counter, store)
  }

  /// The time in seconds since 2001-01-01 UTC.
  package var time: Double { Double(clock) / 1_000 }

  package static func < (left: Self, right: Self) -> Bool {
    (left.clock, left.counter, left.store) < (right.clock, right.counter, right.store)
  }

  /// The stamp of the next act of its store, at a time in seconds since 2001-01-01 UTC.
  package func next(at time: Double) -> Stamp {
    let now = Int64(exactly: (time * 1_000).rounded(.down)) ?? 0
    return Stamp(
      clock: max(now, clock), counter: now > clock ? 0 : counter + 1, store: store)
  }
}

/// A step of the replay (law 1.3, 1.4): the date of a file, or the last end of the rows of an undated
/// one, which comes before all dated ones.
package struct ReplayDate: Comparable, Hashable, Sendable {
  package let isDated: Bool
  package let time: Double

  package init(exportedAt: Double?, lastEnd: Double) {
    isDated = exportedAt != nil
    time = exportedAt ?? lastEnd
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.isDated == right.isDated ? left.time < right.time : right.isDated
  }
}

/// A file that a store knows.
package struct KnownFile: Sendable {
  package let id: Int64
  /// The digest of what was read of it (law 1.2).
  package let identity: Data
  package let format: ImportFormat
  /// The date that it states.
  package let exportedAt: Double?
  package let date: ReplayDate
  /// The kinds that it may lack elements of.
  package let lacks: Set<ElementKind>
  /// The number of its import, which is that of its last act; `nil` after an undo.
  ///
  /// Acts stay, so that no import gets the number of another, nor an undone one the same again.
  package fileprivate(set) var number: Int64?
  /// Whether its last act is an import (law 3.2); its rows are kept while it is.
  package var isTold: Bool { number != nil }
  /// Whether its rows count (law 3.3): it is told, and no later import replaced it.
  package fileprivate(set) var isPresent = false
  /// The kinds of which its elements count: also those that what replaced it may lack.
  package fileprivate(set) var presentKinds: Set<ElementKind> = []

  package init(
    id: Int64, identity: Data, format: ImportFormat, exportedAt: Double?, lastEnd: Double,
    lacks: Set<ElementKind> = []
  ) {
    (self.id, self.identity, self.format, self.exportedAt) = (id, identity, format, exportedAt)
    self.lacks = lacks
    date = ReplayDate(exportedAt: exportedAt, lastEnd: lastEnd)
  }

  /// The rank of a file (law 1.3): its date, of two of one date its identity, which decides wordings.
  package static func precedes(_ left: Self, _ right: Self) -> Bool {
    left.date == right.date
      ? left.identity.lexicographicallyPrecedes(right.identity) : left.date < right.date
  }

  /// The last import of a file that is not undone.
  package struct Telling: Sendable {
    package let number: Int64
    package let stamp: Stamp
    /// The files that it replaces.
    package let replaced: Set<Int64>

    package init(number: Int64, stamp: Stamp, replaced: Set<Int64>) {
      (self.number, self.stamp, self.replaced) = (number, stamp, replaced)
    }
  }

  /// Takes in that a file is told and counts, whatever else is told.
  package mutating func count(as number: Int64) {
    (self.number, isPresent, presentKinds) = (number, true, Set(ElementKind.allCases))
  }

  /// Decides which files are told, and which of them count (law 3.2, 3.3).
  ///
  /// - Parameters:
  ///   - files: all files, by their ids
  ///   - tellings: those that are told, by file
  /// - Complexity: O(*n*²) for *n* files that are told
  package static func decide(_ files: inout [Int64: Self], _ tellings: [Int64: Telling]) {
    for (file, telling) in tellings {
      let replacing = tellings.filter {
        $0.value.replaced.contains(file) && $0.value.stamp > telling.stamp
      }
      files[file]?.number = telling.number
      files[file]?.isPresent = replacing.isEmpty
      let lacks = replacing.keys.map { files[$0]?.lacks ?? [] }
      files[file]?.presentKinds = lacks.reduce(Set(ElementKind.allCases)) { $0.intersection($1) }
    }
  }
}
