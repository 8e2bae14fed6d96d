#include "CPage.h"

#ifndef __has_embed
#error "The compiler is older than that of Swift 6.2: it has no #embed."
#endif

// #embed is of C23; compilers of earlier standards have it as an extension, and say so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char style[] = {
#embed "page.css"
    , 0};

static const char script[] = {
#embed "page.js"
    , 0};

static const char words[] = {
#embed "words.tsv"
    , 0};

const char *hk_page_style(void) { return style; }

const char *hk_page_script(void) { return script; }

const char *hk_page_words(void) { return words; }
