#ifndef HK_PAGE_H
#define HK_PAGE_H

/// The style sheet of the page, page.css, as UTF-8 with a zero at its end.
const char *_Nonnull hk_page_style(void);

/// The script of the page, page.js, as UTF-8 with a zero at its end.
const char *_Nonnull hk_page_script(void);

/// The words of the page in all languages, words.tsv, as UTF-8 with a zero at its end.
const char *_Nonnull hk_page_words(void);

#endif
