import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite
struct MinimumNormTests {
  @Test(
    "Coefficients, singular values and rank are those of NumPy and R, also for dependent columns")
  func references() throws {
    for reference in try RegressionReferences.all.get().minimumNorm {
      let found = try design(reference.columns).minimumNormSolution(for: reference.response)
      #expect(found.rank == reference.rank, "\(reference.name)")
      #expect(reference.r["rank"] == [Double(found.rank)], "\(reference.name)")
      let size = reference.coefficients.reduce(0) { max($0, $1.magnitude) }
      let largest = reference.singularValues[0]
      let secondCoefficients = try #require(reference.r["coefficients"])
      let secondValues = try #require(reference.r["singularValues"])
      for coefficients in [reference.coefficients, secondCoefficients] {
        #expect(coefficients.count == found.coefficients.count)
        for (ours, theirs) in zip(found.coefficients, coefficients) {
          #expect((ours - theirs).magnitude <= 1e-12 * size, "\(reference.name)")
        }
      }
      for values in [reference.singularValues, secondValues] {
        #expect(values.count == found.singularValues.count)
        for (ours, theirs) in zip(found.singularValues, values) {
          #expect((ours - theirs).magnitude <= 1e-13 * largest, "\(reference.name)")
        }
      }
    }
  }

  @Test("The solution is shorter than any other with the same fit, and fits as well as a model")
  func laws() throws {
    let x = (0..<20).map { Double($0 * $0 % 7) }
    let y = (0..<20).map { Double($0 * 3 % 11) }
    let twice = try design([x, x]).minimumNormSolution(for: y)
    let once = try LinearModel(design([x]), response: y)
    #expect(twice.rank == 2)
    #expect(agrees(twice.coefficients[1], twice.coefficients[2], 1e-12))
    #expect(agrees(twice.coefficients[1] * 2, once.coefficients[1], 1e-12))
  }

  @Test("Extreme numbers give finite results or a refusal; too few rows are refused")
  func extremes() throws {
    let x = [1, 2, 3, 5.0]
    for size in [1e300, 1e-300, 0x1p-1060] {
      do {
        let found = try design([x.map { $0 * size }]).minimumNormSolution(for: [2, 1, 5, 3])
        let numbers = found.coefficients + found.singularValues
        #expect(numbers.allSatisfy { $0.isFinite })
      } catch let error as AnalysisError {
        #expect(error.reason == .overflow)
      }
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 1, needed: 2))) {
      try design([[1]]).minimumNormSolution(for: [1])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 4, y: 2))) {
      try design([x]).minimumNormSolution(for: [1, 2])
    }
    #expect(throws: AnalysisError(.notFinite, row: 3)) {
      try design([x]).minimumNormSolution(for: [1, 2, 3, .nan])
    }
  }

  private func design(_ columns: [[Double]]) throws -> Design {
    var design = Design(rowCount: columns[0].count)
    for (index, column) in columns.enumerated() { try design.add("\(index)", column) }
    return design
  }
}
