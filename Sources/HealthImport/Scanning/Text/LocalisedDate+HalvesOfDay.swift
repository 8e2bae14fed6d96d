extension LocalisedDate {
  /// The names of AM and PM in all languages (Unicode CLDR, Gregorian calendar); dots, spaces and
  /// capitals are ignored.
  ///
  /// Where two languages use the same word for opposite halves, one is left out: Inari Sami, in
  /// favour of Finnish.
  static let halvesOfDay: [(first: String, second: String)] = [
    // English and most others
    ("AM", "PM"),
    // Afrikaans
    ("vm.", "nm."),
    // Albanian
    ("e paradites", "e pasdites"),
    // Amharic
    ("ጥዋት", "ከሰዓት"),
    // Arabic
    ("ص", "م"),
    // Azerbaijani
    ("АМ", "ПМ"),
    // Bosnian and Serbian
    ("prijepodne", "popodne"), ("prije podne", "po podne"), ("pre podne", "po podne"),
    ("пријеподне", "послијеподне"), ("прије подне", "по подне"), ("пре подне", "по подне"),
    // Bulgarian
    ("пр.об.", "сл.об."),
    // Burmese
    ("နံနက်", "ညနေ"),
    // Chinese
    ("上午", "下午"),
    // Czech and Slovenian
    ("dop.", "odp."), ("dop.", "pop."),
    // Estonian
    ("e.k.", "p.k."),
    // Finnish
    ("ap.", "ip."),
    // Greek
    ("π.μ.", "μ.μ."),
    // Hebrew
    ("לפנה״צ", "אחה״צ"), ("לפ׳", "אח׳"),
    // Hindi and Nepali
    ("पू", "अ"), ("पूर्वाह्न", "अपराह्न"),
    // Hungarian
    ("de.", "du."),
    // Icelandic
    ("f.h.", "e.h."),
    // Irish
    ("r.n.", "i.n."),
    // Japanese
    ("午前", "午後"),
    // Korean
    ("오전", "오후"),
    // Kurdish
    ("BN", "PN"), ("ب.ن", "د.ن"),
    // Kyrgyz
    ("таңкы", "түштөн кийинки"),
    // Lao
    ("ກ່ອນທ່ຽງ", "ຫຼັງທ່ຽງ"),
    // Latvian
    ("priekšp.", "pēcp."),
    // Lithuanian
    ("priešpiet", "popiet"),
    // Macedonian
    ("претпл.", "попл."),
    // Malay
    ("PG", "PTG"),
    // Mongolian
    ("ү.ө.", "ү.х."),
    // Pashto
    ("غ.م.", "غ.و."),
    // Persian
    ("ق.ظ.", "ب.ظ."), ("قبل‌ازظهر", "بعدازظهر"),
    // Sinhala
    ("පෙ.ව.", "ප.ව."),
    // Somali
    ("GH", "GD"),
    // Swedish
    ("fm", "em"),
    // Thai
    ("ก่อนเที่ยง", "หลังเที่ยง"),
    // Turkish
    ("ÖÖ", "ÖS"),
    // Ukrainian
    ("дп", "пп"),
    // Uyghur
    ("چۈشتىن بۇرۇن", "چۈشتىن كېيىن"),
    // Uzbek
    ("TO", "TK"), ("ТО", "ТК"),
    // Vietnamese
    ("SA", "CH"),
    // Welsh
    ("yb", "yh"),
  ]
}
