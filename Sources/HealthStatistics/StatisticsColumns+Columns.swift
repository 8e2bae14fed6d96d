extension StatisticsColumns {
  /// The same rows with the columns that speak of whole samples taken from another table.
  package func taking(wholeSampleColumnsOf other: StatisticsColumns) -> StatisticsColumns {
    var table = self
    table.durations = other.durations
    table.coverages = other.coverages
    table.recents = other.recents
    table.firsts = other.firsts
    return table
  }

  /// The same rows with their values in another unit; rows without data stay 0.
  ///
  /// `convert` changes a column of values in place; it may add an offset, as degrees do, which a
  /// sum does not take. `stretch` changes distances between values, which no offset moves.
  package func converted(
    by convert: (inout [Double]) -> Void, stretching stretch: (inout [Double]) -> Void
  ) -> StatisticsColumns {
    var zero = [0.0]
    convert(&zero)
    let offset = zero[0]
    func column(_ values: [Double]?, minus offset: Double) -> [Double]? {
      guard var values else { return nil }
      convert(&values)
      return zip(values, hasData).map { $1 ? $0 - offset : 0 }
    }
    func references(_ references: SampleReferences?) -> SampleReferences? {
      guard var references else { return nil }
      references.values = column(references.values, minus: 0) ?? []
      return references
    }
    var table = self
    table.sums = column(sums, minus: offset)
    table.means = column(means, minus: 0)
    table.minimums = column(minimums, minus: 0)
    table.maximums = column(maximums, minus: 0)
    table.percentiles = percentiles.mapValues { column($0, minus: 0) ?? [] }
    if var deviations = standardDeviations {
      stretch(&deviations)
      table.standardDeviations = deviations.map(abs)
    }
    table.recents = references(recents)
    table.firsts = references(firsts)
    return table
  }
}

extension StatisticsColumns {
  /// The same rows with sums and means cut to whole numbers, towards zero.
  ///
  /// `toWhole` and `fromWhole` are the factors to the unit in which they are whole, and back.
  package func truncated(toWhole: Double = 1, fromWhole: Double = 1) -> StatisticsColumns {
    func column(_ values: [Double]?) -> [Double]? {
      values?.map { value in
        let scaled = value * toWhole
        let nearest = scaled.rounded()
        // A whole number that lost a few last bits to its unit is that number.
        let isWhole = toWhole != 1 && abs(scaled - nearest) <= 8 * scaled.ulp
        return (isWhole ? nearest : scaled.rounded(.towardZero)) * fromWhole
      }
    }
    var table = self
    table.sums = column(sums)
    table.means = column(means)
    return table
  }
}
