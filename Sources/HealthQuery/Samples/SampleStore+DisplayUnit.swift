public import HealthSamples
public import HealthStore
import HealthUnits

extension SampleStore {
  /// The unit in which people are shown values of a type, and in which they are understood.
  ///
  /// It is the one that is named, else the preferred one, else the unit of most samples (a rate per
  /// second is shown per minute), else the everyday unit of the type.
  ///
  /// - Parameters:
  ///   - type: the type
  ///   - name: a unit as people write it, such as `lbs` or `mmol/L`; or `nil`
  /// - Returns: the unit; `nil` for a category type
  /// - Throws: `QueryError`, with reason `QueryError.Reason.unit(_:named:of:)` for a name that is
  ///   no unit of the type
  public func displayUnit(
    of type: SampleType, named name: String? = nil
  ) throws(QueryError) -> DisplayUnit? {
    let chosen: String?
    do {
      chosen = name == nil && type.canonicalUnit != nil ? try outputUnit(of: type) : nil
    } catch {
      throw QueryError(.store(error))
    }
    do {
      return try type.displayUnit(named: name, else: chosen)
    } catch {
      throw QueryError(.unit(error, named: name ?? "", of: type))
    }
  }
}
