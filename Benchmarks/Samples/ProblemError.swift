/// Two implementations disagree, or there is nothing to measure on: no timing is worth anything.
public struct ProblemError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
