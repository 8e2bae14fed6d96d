public import Foundation

/// A class whose initializers may return another object than the one that was allocated.
///
/// Foundation's initializers for formats and keys are unavailable on Linux; those here have the same
/// signatures and return an object of a subclass.
protocol Substitutable {}

extension Substitutable {
  /// The given object.
  init(substitute: Self) { self = substitute }
}

extension NSPredicate: Substitutable {}
extension NSSortDescriptor: Substitutable {}

extension NSPredicate {
  /// A predicate by its format.
  ///
  /// ```swift
  /// NSPredicate(format: "%K >= %@ AND metadata.%K != YES",
  ///   HKPredicateKeyPathStartDate, midnight as NSDate, HKMetadataKeyWasUserEntered)
  /// ```
  ///
  /// It knows comparisons, `BETWEEN`, `IN`, the operators of texts with `[cd]`, `AND`, `OR`, `NOT`,
  /// `ANY`, `ALL` and `NONE`, `SUBQUERY(…).@count > 0`, constants and all placeholders, but neither
  /// arithmetic nor functions nor variables.
  ///
  /// Traps for a format that is none; ``parsed(format:argumentArray:)`` throws.
  public convenience init(format predicateFormat: String, _ args: Any...) {
    self.init(format: predicateFormat, argumentArray: args)
  }

  /// A predicate by its format, with the arguments in an array.
  ///
  /// Traps for a format that is none; ``parsed(format:argumentArray:)`` throws.
  public convenience init(format predicateFormat: String, argumentArray: [Any]?) {
    let predicate = raising { () throws(ObjectError) in
      try NSPredicate.parsed(format: predicateFormat, argumentArray: argumentArray)
    }
    guard let predicate = predicate as? Self else { raise(ObjectError(.subclassed)) }
    self.init(substitute: predicate)
  }

  /// A predicate by its format.
  ///
  /// - Throws: ``ObjectError`` for a format that is none, with the place, and for arguments that are
  ///   missing or not what their placeholders take
  public static func parsed(
    format: String, argumentArray: [Any]? = nil
  ) throws(ObjectError) -> NSPredicate {
    TreePredicate(try FormatParser.parse(format, argumentArray ?? []))
  }

  /// The format of the predicate with placeholders, and the arguments for them.
  ///
  /// ``parsed(format:argumentArray:)`` makes an equal predicate of both: an archive keeps them.
  ///
  /// - Throws: ``ObjectError`` for a predicate with a block, which has no format
  public func formatAndArguments() throws(ObjectError) -> (format: String, arguments: [Any]) {
    guard let parts = tree.formatAndArguments else { throw ObjectError(.blockPredicate) }
    return parts
  }
}
