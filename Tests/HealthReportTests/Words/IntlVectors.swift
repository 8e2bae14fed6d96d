/// What `Intl` of node 20 (ICU 78.2, CLDR 48) writes, a line a value.
///
/// `node vectors.mjs numbers`, `dates` or `clocks` makes the tables again, where the program is:
///
/// ```js
/// const dates = { en: "en-GB", de: "de", fr: "fr", es: "es", ja: "ja" };
/// const escape = (s) => s.replace(/[\u00a0\u202f]/g, (c) => `\\u{${c.codePointAt(0).toString(16).toUpperCase()}}`);
/// const print = (...parts) => console.log(escape(parts.join("|")));
/// const [numbers, forms] = [[
///   [0, 0], [1, 0], [-3, 0], [999, 0], [1234, 0], [-9999, 0], [12345, 0], [1234567, 0], [-98765432, 0],
///   [0, 1], [5, 1], [-669, 1], [12345, 1], [-123456, 1], [3550, 2], [-1, 2], [1234567, 2],
/// ], {
///   weekdayAndDay: { weekday: "short", day: "numeric", month: "short" },
///   weekdayDayAndYear: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
///   dayAndMonth: { day: "numeric", month: "short" },
///   dayMonthAndYear: { day: "numeric", month: "short", year: "numeric" },
///   dayAndLongMonth: { day: "numeric", month: "long" },
///   monthAndYear: { month: "long", year: "numeric" },
///   month: { month: "long" }, shortMonth: { month: "short" }, year: { year: "numeric" },
///   weekday: { weekday: "long" }, shortWeekday: { weekday: "short" }, narrowWeekday: { weekday: "narrow" },
/// }];
/// const kind = process.argv[2];
/// for (const [code, locale] of Object.entries(dates)) {
///   if (kind === "numbers")
///     for (const [scaled, d] of numbers) {
///       const text = (more) => new Intl.NumberFormat(code, { minimumFractionDigits: d, maximumFractionDigits: d, ...more })
///         .format(scaled / 10 ** d).replace("-", "\u2212");
///       print(code, scaled, d, text({}), text({ signDisplay: "exceptZero" }));
///     }
///   if (kind === "dates")
///     for (let month = 0; month < 12; month++) {
///       const date = new Date(Date.UTC(2015 + month, month, 1 + ((month * 7) % 31)));
///       const all = Object.values(forms).map((o) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...o }).format(date));
///       print(code, date.toISOString().slice(0, 10), ...all);
///     }
///   if (kind === "clocks")
///     for (const minutes of [0, 5, 65, 725, 780, 1393, 1439]) {
///       const text = (o) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", minute: "2-digit", ...o }).format(minutes * 60000);
///       print(code, minutes, text({ hour: "2-digit", hourCycle: "h23" }), text({ hour: "numeric", hourCycle: "h12" }));
///     }
/// }
/// ```
enum IntlVectors {
  /// Code, scaled number, decimals, number, number with a sign unless it is zero.
  static let numbers = """
    en|0|0|0|0
    en|1|0|1|+1
    en|-3|0|−3|−3
    en|999|0|999|+999
    en|1234|0|1,234|+1,234
    en|-9999|0|−9,999|−9,999
    en|12345|0|12,345|+12,345
    en|1234567|0|1,234,567|+1,234,567
    en|-98765432|0|−98,765,432|−98,765,432
    en|0|1|0.0|0.0
    en|5|1|0.5|+0.5
    en|-669|1|−66.9|−66.9
    en|12345|1|1,234.5|+1,234.5
    en|-123456|1|−12,345.6|−12,345.6
    en|3550|2|35.50|+35.50
    en|-1|2|−0.01|−0.01
    en|1234567|2|12,345.67|+12,345.67
    de|0|0|0|0
    de|1|0|1|+1
    de|-3|0|−3|−3
    de|999|0|999|+999
    de|1234|0|1.234|+1.234
    de|-9999|0|−9.999|−9.999
    de|12345|0|12.345|+12.345
    de|1234567|0|1.234.567|+1.234.567
    de|-98765432|0|−98.765.432|−98.765.432
    de|0|1|0,0|0,0
    de|5|1|0,5|+0,5
    de|-669|1|−66,9|−66,9
    de|12345|1|1.234,5|+1.234,5
    de|-123456|1|−12.345,6|−12.345,6
    de|3550|2|35,50|+35,50
    de|-1|2|−0,01|−0,01
    de|1234567|2|12.345,67|+12.345,67
    fr|0|0|0|0
    fr|1|0|1|+1
    fr|-3|0|−3|−3
    fr|999|0|999|+999
    fr|1234|0|1\u{202F}234|+1\u{202F}234
    fr|-9999|0|−9\u{202F}999|−9\u{202F}999
    fr|12345|0|12\u{202F}345|+12\u{202F}345
    fr|1234567|0|1\u{202F}234\u{202F}567|+1\u{202F}234\u{202F}567
    fr|-98765432|0|−98\u{202F}765\u{202F}432|−98\u{202F}765\u{202F}432
    fr|0|1|0,0|0,0
    fr|5|1|0,5|+0,5
    fr|-669|1|−66,9|−66,9
    fr|12345|1|1\u{202F}234,5|+1\u{202F}234,5
    fr|-123456|1|−12\u{202F}345,6|−12\u{202F}345,6
    fr|3550|2|35,50|+35,50
    fr|-1|2|−0,01|−0,01
    fr|1234567|2|12\u{202F}345,67|+12\u{202F}345,67
    es|0|0|0|0
    es|1|0|1|+1
    es|-3|0|−3|−3
    es|999|0|999|+999
    es|1234|0|1234|+1234
    es|-9999|0|−9999|−9999
    es|12345|0|12.345|+12.345
    es|1234567|0|1.234.567|+1.234.567
    es|-98765432|0|−98.765.432|−98.765.432
    es|0|1|0,0|0,0
    es|5|1|0,5|+0,5
    es|-669|1|−66,9|−66,9
    es|12345|1|1234,5|+1234,5
    es|-123456|1|−12.345,6|−12.345,6
    es|3550|2|35,50|+35,50
    es|-1|2|−0,01|−0,01
    es|1234567|2|12.345,67|+12.345,67
    ja|0|0|0|0
    ja|1|0|1|+1
    ja|-3|0|−3|−3
    ja|999|0|999|+999
    ja|1234|0|1,234|+1,234
    ja|-9999|0|−9,999|−9,999
    ja|12345|0|12,345|+12,345
    ja|1234567|0|1,234,567|+1,234,567
    ja|-98765432|0|−98,765,432|−98,765,432
    ja|0|1|0.0|0.0
    ja|5|1|0.5|+0.5
    ja|-669|1|−66.9|−66.9
    ja|12345|1|1,234.5|+1,234.5
    ja|-123456|1|−12,345.6|−12,345.6
    ja|3550|2|35.50|+35.50
    ja|-1|2|−0.01|−0.01
    ja|1234567|2|12,345.67|+12,345.67
    """

  /// Code, date, and the forms of `DateWriter` in the order of the program.
  static let dates = """
    en|2015-01-01|Thu 1 Jan|Thu, 1 Jan 2015|1 Jan|1 Jan 2015|1 January|January 2015|January|Jan|2015|Thursday|Thu|T
    en|2016-02-08|Mon 8 Feb|Mon, 8 Feb 2016|8 Feb|8 Feb 2016|8 February|February 2016|February|Feb|2016|Monday|Mon|M
    en|2017-03-15|Wed 15 Mar|Wed, 15 Mar 2017|15 Mar|15 Mar 2017|15 March|March 2017|March|Mar|2017|Wednesday|Wed|W
    en|2018-04-22|Sun 22 Apr|Sun, 22 Apr 2018|22 Apr|22 Apr 2018|22 April|April 2018|April|Apr|2018|Sunday|Sun|S
    en|2019-05-29|Wed 29 May|Wed, 29 May 2019|29 May|29 May 2019|29 May|May 2019|May|May|2019|Wednesday|Wed|W
    en|2020-06-05|Fri 5 Jun|Fri, 5 Jun 2020|5 Jun|5 Jun 2020|5 June|June 2020|June|Jun|2020|Friday|Fri|F
    en|2021-07-12|Mon 12 Jul|Mon, 12 Jul 2021|12 Jul|12 Jul 2021|12 July|July 2021|July|Jul|2021|Monday|Mon|M
    en|2022-08-19|Fri 19 Aug|Fri, 19 Aug 2022|19 Aug|19 Aug 2022|19 August|August 2022|August|Aug|2022|Friday|Fri|F
    en|2023-09-26|Tue 26 Sept|Tue, 26 Sept 2023|26 Sept|26 Sept 2023|26 September|September 2023|September|Sept|2023|Tuesday|Tue|T
    en|2024-10-02|Wed 2 Oct|Wed, 2 Oct 2024|2 Oct|2 Oct 2024|2 October|October 2024|October|Oct|2024|Wednesday|Wed|W
    en|2025-11-09|Sun 9 Nov|Sun, 9 Nov 2025|9 Nov|9 Nov 2025|9 November|November 2025|November|Nov|2025|Sunday|Sun|S
    en|2026-12-16|Wed 16 Dec|Wed, 16 Dec 2026|16 Dec|16 Dec 2026|16 December|December 2026|December|Dec|2026|Wednesday|Wed|W
    de|2015-01-01|Do., 1. Jan.|Do., 1. Jan. 2015|1. Jan.|1. Jan. 2015|1. Januar|Januar 2015|Januar|Jan|2015|Donnerstag|Do|D
    de|2016-02-08|Mo., 8. Feb.|Mo., 8. Feb. 2016|8. Feb.|8. Feb. 2016|8. Februar|Februar 2016|Februar|Feb|2016|Montag|Mo|M
    de|2017-03-15|Mi., 15. März|Mi., 15. März 2017|15. März|15. März 2017|15. März|März 2017|März|Mär|2017|Mittwoch|Mi|M
    de|2018-04-22|So., 22. Apr.|So., 22. Apr. 2018|22. Apr.|22. Apr. 2018|22. April|April 2018|April|Apr|2018|Sonntag|So|S
    de|2019-05-29|Mi., 29. Mai|Mi., 29. Mai 2019|29. Mai|29. Mai 2019|29. Mai|Mai 2019|Mai|Mai|2019|Mittwoch|Mi|M
    de|2020-06-05|Fr., 5. Juni|Fr., 5. Juni 2020|5. Juni|5. Juni 2020|5. Juni|Juni 2020|Juni|Jun|2020|Freitag|Fr|F
    de|2021-07-12|Mo., 12. Juli|Mo., 12. Juli 2021|12. Juli|12. Juli 2021|12. Juli|Juli 2021|Juli|Jul|2021|Montag|Mo|M
    de|2022-08-19|Fr., 19. Aug.|Fr., 19. Aug. 2022|19. Aug.|19. Aug. 2022|19. August|August 2022|August|Aug|2022|Freitag|Fr|F
    de|2023-09-26|Di., 26. Sept.|Di., 26. Sept. 2023|26. Sept.|26. Sept. 2023|26. September|September 2023|September|Sep|2023|Dienstag|Di|D
    de|2024-10-02|Mi., 2. Okt.|Mi., 2. Okt. 2024|2. Okt.|2. Okt. 2024|2. Oktober|Oktober 2024|Oktober|Okt|2024|Mittwoch|Mi|M
    de|2025-11-09|So., 9. Nov.|So., 9. Nov. 2025|9. Nov.|9. Nov. 2025|9. November|November 2025|November|Nov|2025|Sonntag|So|S
    de|2026-12-16|Mi., 16. Dez.|Mi., 16. Dez. 2026|16. Dez.|16. Dez. 2026|16. Dezember|Dezember 2026|Dezember|Dez|2026|Mittwoch|Mi|M
    fr|2015-01-01|jeu. 1 janv.|jeu. 1 janv. 2015|1 janv.|1 janv. 2015|1 janvier|janvier 2015|janvier|janv.|2015|jeudi|jeu.|J
    fr|2016-02-08|lun. 8 févr.|lun. 8 févr. 2016|8 févr.|8 févr. 2016|8 février|février 2016|février|févr.|2016|lundi|lun.|L
    fr|2017-03-15|mer. 15 mars|mer. 15 mars 2017|15 mars|15 mars 2017|15 mars|mars 2017|mars|mars|2017|mercredi|mer.|M
    fr|2018-04-22|dim. 22 avr.|dim. 22 avr. 2018|22 avr.|22 avr. 2018|22 avril|avril 2018|avril|avr.|2018|dimanche|dim.|D
    fr|2019-05-29|mer. 29 mai|mer. 29 mai 2019|29 mai|29 mai 2019|29 mai|mai 2019|mai|mai|2019|mercredi|mer.|M
    fr|2020-06-05|ven. 5 juin|ven. 5 juin 2020|5 juin|5 juin 2020|5 juin|juin 2020|juin|juin|2020|vendredi|ven.|V
    fr|2021-07-12|lun. 12 juil.|lun. 12 juil. 2021|12 juil.|12 juil. 2021|12 juillet|juillet 2021|juillet|juil.|2021|lundi|lun.|L
    fr|2022-08-19|ven. 19 août|ven. 19 août 2022|19 août|19 août 2022|19 août|août 2022|août|août|2022|vendredi|ven.|V
    fr|2023-09-26|mar. 26 sept.|mar. 26 sept. 2023|26 sept.|26 sept. 2023|26 septembre|septembre 2023|septembre|sept.|2023|mardi|mar.|M
    fr|2024-10-02|mer. 2 oct.|mer. 2 oct. 2024|2 oct.|2 oct. 2024|2 octobre|octobre 2024|octobre|oct.|2024|mercredi|mer.|M
    fr|2025-11-09|dim. 9 nov.|dim. 9 nov. 2025|9 nov.|9 nov. 2025|9 novembre|novembre 2025|novembre|nov.|2025|dimanche|dim.|D
    fr|2026-12-16|mer. 16 déc.|mer. 16 déc. 2026|16 déc.|16 déc. 2026|16 décembre|décembre 2026|décembre|déc.|2026|mercredi|mer.|M
    es|2015-01-01|jue, 1 ene|jue, 1 ene 2015|1 ene|1 ene 2015|1 de enero|enero de 2015|enero|ene|2015|jueves|jue|J
    es|2016-02-08|lun, 8 feb|lun, 8 feb 2016|8 feb|8 feb 2016|8 de febrero|febrero de 2016|febrero|feb|2016|lunes|lun|L
    es|2017-03-15|mié, 15 mar|mié, 15 mar 2017|15 mar|15 mar 2017|15 de marzo|marzo de 2017|marzo|mar|2017|miércoles|mié|X
    es|2018-04-22|dom, 22 abr|dom, 22 abr 2018|22 abr|22 abr 2018|22 de abril|abril de 2018|abril|abr|2018|domingo|dom|D
    es|2019-05-29|mié, 29 may|mié, 29 may 2019|29 may|29 may 2019|29 de mayo|mayo de 2019|mayo|may|2019|miércoles|mié|X
    es|2020-06-05|vie, 5 jun|vie, 5 jun 2020|5 jun|5 jun 2020|5 de junio|junio de 2020|junio|jun|2020|viernes|vie|V
    es|2021-07-12|lun, 12 jul|lun, 12 jul 2021|12 jul|12 jul 2021|12 de julio|julio de 2021|julio|jul|2021|lunes|lun|L
    es|2022-08-19|vie, 19 ago|vie, 19 ago 2022|19 ago|19 ago 2022|19 de agosto|agosto de 2022|agosto|ago|2022|viernes|vie|V
    es|2023-09-26|mar, 26 sept|mar, 26 sept 2023|26 sept|26 sept 2023|26 de septiembre|septiembre de 2023|septiembre|sept|2023|martes|mar|M
    es|2024-10-02|mié, 2 oct|mié, 2 oct 2024|2 oct|2 oct 2024|2 de octubre|octubre de 2024|octubre|oct|2024|miércoles|mié|X
    es|2025-11-09|dom, 9 nov|dom, 9 nov 2025|9 nov|9 nov 2025|9 de noviembre|noviembre de 2025|noviembre|nov|2025|domingo|dom|D
    es|2026-12-16|mié, 16 dic|mié, 16 dic 2026|16 dic|16 dic 2026|16 de diciembre|diciembre de 2026|diciembre|dic|2026|miércoles|mié|X
    ja|2015-01-01|1月1日(木)|2015年1月1日(木)|1月1日|2015年1月1日|1月1日|2015年1月|1月|1月|2015年|木曜日|木|木
    ja|2016-02-08|2月8日(月)|2016年2月8日(月)|2月8日|2016年2月8日|2月8日|2016年2月|2月|2月|2016年|月曜日|月|月
    ja|2017-03-15|3月15日(水)|2017年3月15日(水)|3月15日|2017年3月15日|3月15日|2017年3月|3月|3月|2017年|水曜日|水|水
    ja|2018-04-22|4月22日(日)|2018年4月22日(日)|4月22日|2018年4月22日|4月22日|2018年4月|4月|4月|2018年|日曜日|日|日
    ja|2019-05-29|5月29日(水)|2019年5月29日(水)|5月29日|2019年5月29日|5月29日|2019年5月|5月|5月|2019年|水曜日|水|水
    ja|2020-06-05|6月5日(金)|2020年6月5日(金)|6月5日|2020年6月5日|6月5日|2020年6月|6月|6月|2020年|金曜日|金|金
    ja|2021-07-12|7月12日(月)|2021年7月12日(月)|7月12日|2021年7月12日|7月12日|2021年7月|7月|7月|2021年|月曜日|月|月
    ja|2022-08-19|8月19日(金)|2022年8月19日(金)|8月19日|2022年8月19日|8月19日|2022年8月|8月|8月|2022年|金曜日|金|金
    ja|2023-09-26|9月26日(火)|2023年9月26日(火)|9月26日|2023年9月26日|9月26日|2023年9月|9月|9月|2023年|火曜日|火|火
    ja|2024-10-02|10月2日(水)|2024年10月2日(水)|10月2日|2024年10月2日|10月2日|2024年10月|10月|10月|2024年|水曜日|水|水
    ja|2025-11-09|11月9日(日)|2025年11月9日(日)|11月9日|2025年11月9日|11月9日|2025年11月|11月|11月|2025年|日曜日|日|日
    ja|2026-12-16|12月16日(水)|2026年12月16日(水)|12月16日|2026年12月16日|12月16日|2026年12月|12月|12月|2026年|水曜日|水|水
    """

  /// Code, minutes after midnight, the clock of 24 hours and that of twelve.
  static let clocks = """
    en|0|00:00|12:00 am
    en|5|00:05|12:05 am
    en|65|01:05|1:05 am
    en|725|12:05|12:05 pm
    en|780|13:00|1:00 pm
    en|1393|23:13|11:13 pm
    en|1439|23:59|11:59 pm
    de|0|00:00|12:00 AM
    de|5|00:05|12:05 AM
    de|65|01:05|1:05 AM
    de|725|12:05|12:05 PM
    de|780|13:00|1:00 PM
    de|1393|23:13|11:13 PM
    de|1439|23:59|11:59 PM
    fr|0|00:00|12:00 AM
    fr|5|00:05|12:05 AM
    fr|65|01:05|1:05 AM
    fr|725|12:05|12:05 PM
    fr|780|13:00|1:00 PM
    fr|1393|23:13|11:13 PM
    fr|1439|23:59|11:59 PM
    es|0|00:00|12:00 a. m.
    es|5|00:05|12:05 a. m.
    es|65|01:05|1:05 a. m.
    es|725|12:05|12:05 p. m.
    es|780|13:00|1:00 p. m.
    es|1393|23:13|11:13 p. m.
    es|1439|23:59|11:59 p. m.
    ja|0|00:00|午前12:00
    ja|5|00:05|午前12:05
    ja|65|01:05|午前1:05
    ja|725|12:05|午後12:05
    ja|780|13:00|午後1:00
    ja|1393|23:13|午後11:13
    ja|1439|23:59|午後11:59
    """

  /// The fields of the lines of a table.
  static func rows(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
  }
}
