/// The certified regression of the data set "Longley" (employment in the United States).
///
/// From NIST's Statistical Reference Datasets, in the public domain:
/// https://www.itl.nist.gov/div898/strd/lls/data/Longley.shtml
enum Longley {
  static let coefficients = [
    -3_482_258.634_595_82, 15.061_872_271_373_3, -0.358_191_792_925_910E-01, -2.020_229_803_816_83,
    -1.033_226_867_173_59, -0.511_041_056_535_807E-01, 1_829.151_464_613_55,
  ]
  static let standardErrors = [
    890_420.383_607_373, 84.914_925_774_766_9, 0.334_910_077_722_432E-01, 0.488_399_681_651_699,
    0.214_274_163_161_675, 0.226_073_200_069_370, 455.478_499_142_212,
  ]
  static let residualStandardDeviation = 304.854_073_561_965
  static let rSquared = 0.995_479_004_577_296
  static let statistic = 330.285_339_234_588
}
