import ArgumentParser
import HealthExchange
import HealthSamples
import HealthStore
import HealthUnits

extension UnitsCommand {
  /// `hkstats units prefer TYPE UNIT`: sets the unit of answers.
  struct Prefer: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Answer questions about a type in this unit, where they name none.",
      usage: """
        hkstats units prefer <type> <unit>
        hkstats units prefer <type> --reset
        """,
      discussion: """
        hkstats add and --where understand numbers without a unit in it, too. Samples themselves \
        stay in the units in which they were recorded.

        EXAMPLES:
          hkstats units prefer bodyMass lb
          hkstats units prefer bodyMass --reset
        """)

    @OptionGroup var argument: TypeArgument

    @Argument(help: "The unit, as people write it.", completion: .units)
    var unit: String?

    @Flag(help: "Forget the unit: answers are in that of most samples.")
    var reset = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func validate() throws {
      guard (unit == nil) == reset else { throw ValidationError("Give a unit, or --reset.") }
    }

    func run() throws {
      let store = try storeOptions.openForChanging()
      let type = try OpenedStore(store: store, exportOffset: nil).type(named: argument.type)
      guard type.canonicalUnit != nil else {
        throw Failure(
          "\(TypeName.short(type.identifier)) has categories, which have no unit.", .usage)
      }
      let chosen = try unit.map { try UnitArgument.unit($0, of: type).description }
      try store.setPreferredUnit(chosen, of: type)
      let name = TypeName.short(type.identifier)
      try form.write(
        saying: [
          chosen.map { "\(name) is answered in \($0) from now on." }
            ?? "\(name) is answered in the unit of most samples."
        ], [HeadMember.type(type).json, .init("unit", .optional(chosen))])
    }
  }
}
